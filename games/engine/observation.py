"""What one seat may know of a round: its own hand, and everything public.

Every bot, page and API answer is made from this value and nothing else. It lies below the full state of a round, so code
that is given an `Observation` cannot import its way to another seat's cards.
"""

from dataclasses import dataclass, field
from typing import Final

from games.engine.cards import Card
from games.engine.errors import RuleViolation
from games.engine.legal import legal_plays, refusals
from games.engine.rules import HouseRules

TRICKS: Final = 13


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick that is over: `cards` in the order played, from `leader` on; `winner` is a seat."""

    leader: int
    cards: tuple[Card, ...]
    winner: int

    def seat_of(self, place: int) -> int:
        """The seat that played the card at `place` (0..3)."""
        return (self.leader + place) % 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A round as `seat` sees it; `seat` None is a spectator, who has no hand.

    `bids` holds None for a bid not yet made or not yet shown; `has_bid` tells the two apart. `turn` is the number of the
    decision that `seat` has to make now, or that comes next at the table. `totals` are the match totals, in units, when the
    round was dealt. `tie_break` is a private number that lets a bot vary its play reproducibly.
    """

    rules: HouseRules
    round: int
    attempt: int
    dealer: int
    state: str
    seat: int | None
    to_act: int | None
    acts: bool
    turn: int
    hand: tuple[Card, ...] = field(repr=False)
    bids: tuple[int | None, ...]
    has_bid: tuple[bool, ...]
    won: tuple[int, ...]
    scores: tuple[int, ...] | None
    tricks: tuple[Trick, ...]
    leader: int | None
    trick: tuple[Card, ...]
    totals: tuple[int, ...]
    is_last_round: bool
    tie_break: int = field(default=0, repr=False)

    @property
    def action(self) -> str | None:
        """What the table waits for in this round: `bid`, `play` or None."""
        if self.state == "playing":
            return "play"
        return (
            "bid"
            if self.state == "bidding" and (self.to_act is not None or self.rules.sealed_bids)
            else None
        )

    @property
    def legal(self) -> tuple[Card, ...]:
        """The cards this seat may play now, in canonical order; empty when it is not its turn to play."""
        if not self.acts or self.state != "playing":
            return ()
        return tuple(legal_plays(self.rules, self.hand, self.trick))

    @property
    def why_not(self) -> dict[Card, RuleViolation]:
        """Why each other card of the hand may not be played now; empty when it is not this seat's turn to play."""
        if not self.acts or self.state != "playing":
            return {}
        return refusals(self.rules, self.hand, self.trick)
