"""Sight: what a seat can work out from what lay open on the table.

Every failure to follow, to beat or to trump deletes cards from what a seat may hold; nothing else is concluded from the way
people play. Sets of cards are bitboards (see `boards`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.bots.boards import BEATS, BIT, FULL, SUIT_OF, SUIT_SETS, mask, missing
from games.bots.simulator import Position
from games.engine.cards import Card
from games.engine.observation import Observation
from games.engine.rules import HouseRules


@dataclass(frozen=True, slots=True)
class Sight:
    """A round as the seat to act sees it. By seat: `may_hold` are the unseen cards that it could have (none for the
    observer), `holds` is how many cards it has.
    """

    hand: int
    unseen: int
    may_hold: tuple[int, int, int, int]
    holds: tuple[int, int, int, int]
    position: Position


def look(observation: Observation) -> Sight:
    """The sight of the seat that observes."""
    seat, rules, down = observation.seat, observation.rules, observation.trick
    assert seat is not None
    leader = seat if observation.leader is None else observation.leader
    never = [0, 0, 0, 0]  # by seat: cards that it has shown it does not hold
    for each in observation.tricks:
        _lay(rules, never, each.leader, each.cards)
    winner, trick = _lay(rules, never, leader, down)
    hand = mask(observation.hand)
    unseen = FULL & ~hand & ~mask(down)
    for each in observation.tricks:
        unseen &= ~mask(each.cards)
    may_hold = [0 if other == seat else unseen & ~never[other] for other in range(4)]
    # Those who have played to this trick are one card short of the others.
    holds = [13 - len(observation.tricks)] * 4
    for place in range(len(down)):
        holds[(leader + place) % 4] -= 1
    short = sum(suit for suit in SUIT_SETS if any(gone & suit == suit for gone in never))
    position = Position(
        rules=rules,
        seat=seat,
        trick=trick,
        winner=winner,
        behind=3 - len(down),
        short=short,
        bids=tuple(bid or 0 for bid in observation.bids),
        won=observation.won,
    )
    return Sight(hand, unseen, _four(may_hold), _four(holds), position)


def _lay(
    rules: HouseRules, never: list[int], leader: int, cards: Sequence[Card]
) -> tuple[int, tuple[int, int, int]]:
    """Add to `never` what the cards of one trick prove; the seat that takes it so far, and the trick as `Position` tells it."""
    led = best = best_led = 0
    winner = leader
    for place, card in enumerate(cards):
        seat, bit = (leader + place) % 4, BIT[card.index]
        if not led:
            led, best, best_led = SUIT_OF[bit], bit, bit
            continue
        never[seat] |= missing(rules, bit, led, best, best_led)
        if bit & BEATS[best]:
            best, winner = bit, seat
        if bit & led:
            best_led = max(best_led, bit)
    return winner, (led, best, best_led)


def _four(values: list[int]) -> tuple[int, int, int, int]:
    a, b, c, d = values
    return a, b, c, d
