"""Match: the whole contest as a value; rounds in turn or side by side. A stored game is the fold of its events."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from games.engine.errors import Code, RuleViolation
from games.engine.events import Dealt, Event
from games.engine.round import RoundState, State
from games.engine.rules import HouseRules
from games.engine.scoring import Standings, standings


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one moment. `rounds` holds every round dealt so far, by number; side by side, several are open at once."""

    rules: HouseRules
    first_dealer: int
    rounds: tuple[RoundState, ...] = ()

    @classmethod
    def start(cls, rules: HouseRules, first_dealer: int) -> Self:
        """A match before its first deal. ValueError unless `first_dealer` is a seat."""
        if isinstance(first_dealer, bool) or first_dealer not in range(4):
            raise ValueError(f"first_dealer: {first_dealer!r} is not a seat (0 to 3)")
        return cls(rules, first_dealer)

    @property
    def standings(self) -> Standings:
        """Totals, and the end if it has come, from the rounds that are scored."""
        return standings(
            self.rules,
            [(row.bids_made, row.won) for row in self.rounds if row.state is State.SCORED],
        )

    def apply(self, event: Event) -> Self:
        """The match after `event`; this value stays as it is. RuleViolation when the rules refuse the event."""
        if self.standings.finished:
            raise RuleViolation(Code.GAME_OVER)
        if isinstance(event, Dealt) and event.round == len(self.rounds) + 1:
            return replace(self, rounds=(*self.rounds, self._open(event)))
        place = event.round - 1
        if not 0 <= place < len(self.rounds):
            raise RuleViolation(Code.WRONG_PHASE)
        after = self.rounds[place].apply(event)
        return replace(self, rounds=(*self.rounds[:place], after, *self.rounds[place + 1 :]))

    def _open(self, event: Dealt) -> RoundState:
        totals: tuple[int, ...]
        if self.rules.parallel_rounds:
            # Dealt together at the start, whatever has been played by the time a log is read.
            may_open, totals = event.round <= (self.rules.rounds or 0), (0, 0, 0, 0)
        else:
            may_open, totals = all(row.is_over for row in self.rounds), self.standings.totals
        if not may_open:
            raise RuleViolation(Code.WRONG_PHASE)
        dealer = (self.first_dealer + event.round - 1) % 4
        row = RoundState(rules=self.rules, number=event.round, dealer=dealer, totals=totals)
        return row.apply(event)


def replay(rules: HouseRules, first_dealer: int, events: Iterable[Event]) -> Match:
    """The match that these events make, each checked. RuleViolation at the first that the rules refuse."""
    match = Match.start(rules, first_dealer)
    for event in events:
        match = match.apply(event)
    return match
