"""How long a match can last and how long it lasts as a rule, from its rules, its clock and what its table lets pause."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Self

from games.engine.clock import MAX_HOLIDAYS, Clock, latest_end, typical_length
from games.engine.rules import HouseRules
from games.engine.scoring import LAST_ROUND

CARDS: Final = 13  # that a seat plays in a round


@dataclass(frozen=True, slots=True)
class Waits:
    """How long a decision waits on average among four who look in four times a day, as `bench.pace` measures it."""

    with_plans: timedelta
    by_hand: timedelta


# docs/pace.md has the days that these are of. Side by side a match is over when its slowest board is.
IN_TURN: Final = Waits(with_plans=timedelta(minutes=50), by_hand=timedelta(hours=5))
SIDE_BY_SIDE: Final = Waits(with_plans=timedelta(minutes=60), by_hand=timedelta(hours=5))


@dataclass(frozen=True, slots=True)
class Length:
    """`with_plans` and `by_hand` are guesses: how long it takes where everybody leaves plans, and where nobody does; None where
    nothing ends the match for sure but its last deal. By `latest_end` it is over, whatever its players do: see
    `clock.latest_end` for why, and for what comes on top; None where that is beyond the calendar.
    """

    with_plans: timedelta | None
    by_hand: timedelta | None
    latest_end: datetime | None

    @classmethod
    def of(
        cls,
        rules: HouseRules,
        clock: Clock,
        *,
        started_at: datetime,
        people: int,
        holidays: bool = True,
        weekends: bool = False,
    ) -> Self:
        """The length of a match that begins then; `people` are the seats that no built-in bot has."""
        is_open_ended = rules.rounds is None and rules.max_rounds is None
        waits = SIDE_BY_SIDE if rules.parallel_rounds else IN_TURN
        decisions = usual_decisions(rules)

        def usual(wait: timedelta) -> timedelta:
            return typical_length(clock, wait=wait, decisions_per_seat=decisions, people=people)

        return cls(
            with_plans=None if is_open_ended else usual(waits.with_plans),
            by_hand=None if is_open_ended else usual(waits.by_hand),
            latest_end=latest_end(
                clock,
                started_at=started_at,
                decisions_per_seat=most_decisions(rules),
                people=people,
                holidays=MAX_HOLIDAYS if holidays else 0,
                weekends=weekends,
            ),
        )


def most_decisions(rules: HouseRules) -> int:
    """The most bids and cards that one seat can owe: of one round where rounds run side by side, else of the match."""
    redeals = rules.redeal_bids_limit if rules.redeal_bids_below else 0
    return _rounds(rules) * (1 + redeals + CARDS)


def usual_decisions(rules: HouseRules) -> int:
    """The same where nothing is dealt again."""
    return _rounds(rules) * (1 + CARDS)


def _rounds(rules: HouseRules) -> int:
    if rules.parallel_rounds:
        return 1
    return rules.rounds or rules.max_rounds or LAST_ROUND
