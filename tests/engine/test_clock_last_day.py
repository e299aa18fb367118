"""By when a match is over whatever happens, and how long it takes as a rule."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.clock import (
    ALWAYS,
    FAST,
    MAX_NIGHT,
    RELAXED,
    STANDARD,
    Bank,
    Clock,
    Habits,
    PerTurn,
    close_turn,
    latest_end,
    open_turn,
    start_bank,
    typical_length,
)

START = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = timedelta(days=1)
DECISIONS = 5 * 14
HOURLY = PerTurn(3600)
SHORT = Bank(start=14400, increment=60, cap=14400, longest_turn=7200)


def days_at_most(clock: Clock, **pauses: object) -> int:
    settled = {"longest_night": timedelta(), "holidays": 0, **pauses}
    end = latest_end(clock, started_at=START, decisions_per_seat=DECISIONS, **settled)  # type: ignore[arg-type] # by name
    assert end is not None
    return (end - START) // DAY


def test_without_pauses_the_last_day_follows_from_the_clock_alone() -> None:
    assert days_at_most(PerTurn(86400)) == 280
    assert days_at_most(FAST) == 16  # 4 * (24 h + 69 h) and 14 h for rounding and the sweep
    assert days_at_most(STANDARD) == 47
    assert days_at_most(RELAXED) == 97


def test_each_pause_that_a_table_allows_makes_the_last_day_later() -> None:
    nights = {"longest_night": timedelta(hours=8)}

    days = [
        days_at_most(STANDARD),
        days_at_most(STANDARD, **nights),
        days_at_most(STANDARD, **nights, holidays=5),
        days_at_most(STANDARD, **nights, holidays=5, weekends=True),
    ]

    assert days == sorted(set(days))


def test_the_longest_turn_bounds_a_bank_too() -> None:
    end = latest_end(
        Bank(start=7200, increment=7200, cap=7200, longest_turn=3600),
        started_at=START,
        decisions_per_seat=10,
        people=1,
        longest_night=timedelta(),
        holidays=0,
    )

    assert end == START + timedelta(hours=10) + 40 * timedelta(minutes=3)


def test_a_match_that_would_outlast_the_calendar_has_no_last_day() -> None:
    assert latest_end(PerTurn(604800), started_at=START, decisions_per_seat=500_000) is None


def test_a_match_of_people_takes_as_long_as_they_do_or_the_clock_lets_them() -> None:
    assert usually(STANDARD) == timedelta(hours=560)
    assert usually(STANDARD, decisions_per_seat=14) == timedelta(hours=112)
    assert usually(HOURLY) == timedelta(hours=280)
    assert usually(HOURLY, people=2) == timedelta(hours=140)


def test_whoever_plays_with_bots_alone_waits_for_nobody() -> None:
    assert usually(STANDARD, people=1) == timedelta(minutes=DECISIONS)
    assert usually(STANDARD, people=0) == timedelta()


def usually(clock: Clock, *, decisions_per_seat: int = DECISIONS, people: int = 4) -> timedelta:
    wait = timedelta(hours=2)
    return typical_length(clock, wait=wait, decisions_per_seat=decisions_per_seat, people=people)


nights = st.builds(
    lambda start, length: (time(start), time((start + length) % 24)),
    st.integers(0, 23),
    st.integers(1, 12),
)
people = st.builds(
    Habits,
    zone=st.sampled_from(
        ["Pacific/Kiritimati", "Asia/Kathmandu", "America/New_York", "Pacific/Niue", "Asia/Kolkata"]
    ),
    night=st.none() | nights,
    holidays=st.frozensets(st.dates(date(2026, 11, 30), date(2027, 1, 20)), max_size=8),
)


def moment_of_answer(
    strategy: str, opened: datetime, deadline: datetime, next_one: Habits
) -> datetime:
    """When a seat answers: at once, as late as can be, or, of spite, just when the next one goes to bed."""
    too_late = deadline + timedelta(seconds=59)
    if strategy == "at once":
        return opened
    if strategy == "spite":
        hours = (opened + hour * timedelta(hours=1) for hour in range(200))
        asleep = (instant for instant in hours if next_one.pauses(instant))
        return min(next(asleep, too_late), too_late)
    return too_late


@settings(max_examples=60)
@given(
    st.sampled_from([HOURLY, SHORT, FAST]),
    st.lists(people, min_size=4, max_size=4),
    st.booleans(),
    st.lists(st.sampled_from(["at once", "late", "spite"]), min_size=1, max_size=7),
    st.datetimes(
        datetime.fromisoformat("2026-10-25"),
        datetime.fromisoformat("2026-12-31"),
        timezones=st.just(UTC),
    ),
)
def test_no_match_outlasts_its_last_day(
    clock: Clock,
    seats: list[Habits],
    weekends: bool,
    strategies: list[str],
    started: datetime,
) -> None:
    at_table = [habits.at_table(holidays=True, weekends=weekends) for habits in seats]
    banks, now = [start_bank(clock)] * 4, started
    for decision in range(4 * 14):
        seat = decision % 4
        habits, bank = at_table[seat], banks[seat]
        turn = open_turn(clock, bank, now, habits)
        strategy = strategies[decision % len(strategies)]
        closed = moment_of_answer(strategy, now, turn.deadline_at, at_table[(seat + 1) % 4])
        banks[seat] = close_turn(
            clock, bank, deadline_at=turn.deadline_at, closed_at=closed, habits=habits
        )
        now = closed

    end = latest_end(
        clock,
        started_at=started,
        decisions_per_seat=14,
        longest_night=MAX_NIGHT,
        holidays=8,
        weekends=weekends,
    )

    assert end is not None
    assert now <= end


@pytest.mark.parametrize("clock", [HOURLY, SHORT])
def test_without_pauses_the_last_day_is_hardly_later_than_the_slowest_match(clock: Clock) -> None:
    banks, now = [start_bank(clock)] * 4, START
    for decision in range(4 * 14):
        seat = decision % 4
        turn = open_turn(clock, banks[seat], now, ALWAYS)
        now = turn.deadline_at + timedelta(seconds=40)
        banks[seat] = close_turn(
            clock, banks[seat], deadline_at=turn.deadline_at, closed_at=now, habits=ALWAYS
        )

    end = latest_end(
        clock,
        started_at=START,
        decisions_per_seat=14,
        longest_night=timedelta(),
        holidays=0,
    )

    assert end is not None
    assert now <= end <= now + 4 * 14 * timedelta(minutes=3)
