"""Match: the whole contest as a value; rounds in turn or side by side. A stored game is the fold of its events."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self, assert_never

from games.engine.errors import Code, RuleViolation
from games.engine.events import Dealt, Event, Ruled, Ruling
from games.engine.round import RoundState, State
from games.engine.rules import HouseRules
from games.engine.scoring import LAST_ROUND, Standings, judge


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one moment. `rounds` holds every round dealt so far, by number; side by side, several are open at once.

    `keys` counts the deals that took a key of their own: every round's first, and every replay of a void one. `adjusted` are
    the units that rulings added, by seat.
    """

    rules: HouseRules
    first_dealer: int
    rounds: tuple[RoundState, ...] = ()
    keys: int = 0
    adjusted: tuple[int, ...] = (0, 0, 0, 0)
    is_cancelled: bool = False

    @classmethod
    def start(cls, rules: HouseRules, first_dealer: int) -> Self:
        """A match before its first deal. ValueError unless `first_dealer` is a seat."""
        if isinstance(first_dealer, bool) or first_dealer not in range(4):
            raise ValueError(f"first_dealer: {first_dealer!r} is not a seat (0 to 3)")
        return cls(rules, first_dealer)

    @property
    def standings(self) -> Standings:
        """Totals, and the end if it has come, from the rounds that are scored and the rulings on them."""
        scored = [(row.bids_made, row.won) for row in self.rounds if row.state is State.SCORED]
        return judge(
            self.rules,
            scored,
            void=sum(row.state is State.VOID for row in self.rounds),
            adjusted=self.adjusted,
            running=not all(row.is_over for row in self.rounds),
            last_key=self.keys >= LAST_ROUND,
        )

    def apply(self, event: Event) -> Self:
        """The match after `event`; this value stays as it is. RuleViolation when the rules refuse the event."""
        if isinstance(event, Ruled):
            return self._rule(event)
        if self.is_cancelled or self.standings.finished:
            raise RuleViolation(Code.GAME_OVER)
        if isinstance(event, Dealt) and event.round == len(self.rounds) + 1:
            return replace(self, rounds=(*self.rounds, self._open(event)), keys=self.keys + 1)
        before = self._round(event.round)
        after = self._with(before.apply(event))
        return replace(after, keys=self.keys + 1) if before.awaits_key else after

    def _rule(self, event: Ruled) -> Self:
        """The match after a ruling. `game_over` where a cancelled game would have to go on first."""
        if event.lifts is not None:
            if not self.is_cancelled:
                raise RuleViolation(Code.WRONG_PHASE)
            return replace(self, is_cancelled=False)._rule(replace(event, lifts=None))
        match event.ruling:
            case Ruling.DISMISS | Ruling.UPHOLD_PLAY:
                return self
            case _ if self.is_cancelled:
                raise RuleViolation(Code.GAME_OVER)
            case Ruling.VOID_ROUND:
                if event.replay and self.keys >= LAST_ROUND:
                    raise RuleViolation(Code.GAME_OVER)
                return self._with(self._round(event.round or 0).apply(event))
            case Ruling.ADJUST_SCORE:
                adjusted = map(int.__add__, self.adjusted, event.deltas)
                return replace(self, adjusted=tuple(adjusted))
            case Ruling.CANCEL_GAME:
                return replace(self, is_cancelled=True)
            case Ruling.RESTORE_CLOCK | Ruling.REPLACE_SEAT:
                return self
            case never:
                assert_never(never)

    def _round(self, number: int) -> RoundState:
        if not 1 <= number <= len(self.rounds):
            raise RuleViolation(Code.WRONG_PHASE)
        return self.rounds[number - 1]

    def _with(self, row: RoundState) -> Self:
        rounds = (*self.rounds[: row.number - 1], row, *self.rounds[row.number :])
        return replace(self, rounds=rounds)

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
