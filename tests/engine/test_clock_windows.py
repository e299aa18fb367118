"""Nights, holidays and weekends: what time does not count, exactly, wherever the clocks change."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.clock import (
    MAX_HOLIDAYS,
    RELAXED,
    STANDARD,
    Habits,
    PerTurn,
    close_turn,
    given_back,
    open_turn,
)

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
ZONES = (
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/St_Johns",
    "Pacific/Apia",
    "Antarctica/Troll",
    "Africa/Casablanca",
    "America/Santiago",  # its clocks change at midnight
    "UTC",
)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def night(start: str, end: str, zone: str = "UTC", **more: Any) -> Habits:
    return Habits(zone=zone, night=(time.fromisoformat(start), time.fromisoformat(end)), **more)


def deadline(habits: Habits, opened: str, hours: int = 8) -> str:
    """When a turn is due under a clock of so many hours a turn, in UTC."""
    turn = open_turn(PerTurn(hours * 3600), timedelta(), utc(opened), habits)
    return f"{turn.deadline_at:%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("opened", "due"),
    [
        ("2026-06-10 12:00", "06-10 20:00"),  # over before the night
        ("2026-06-10 15:00", "06-10 23:00"),  # at the very moment it begins
        ("2026-06-10 15:01", "06-11 07:01"),
        ("2026-06-10 20:00", "06-11 12:00"),
        ("2026-06-10 22:59", "06-11 14:59"),
        ("2026-06-10 23:00", "06-11 15:00"),  # opened inside: nothing counts before the morning
        ("2026-06-11 03:00", "06-11 15:00"),
        ("2026-06-11 06:59", "06-11 15:00"),
        ("2026-06-11 07:00", "06-11 15:00"),
    ],
)
def test_a_night_over_midnight_does_not_count(opened: str, due: str) -> None:
    assert deadline(night("23:00", "07:00"), opened) == due


def test_a_night_after_midnight_does_not_count() -> None:
    assert deadline(night("01:00", "06:30"), "2026-06-10 22:00") == "06-11 11:30"


def test_the_night_is_that_of_the_persons_zone() -> None:
    kathmandu = night("22:00", "06:00", "Asia/Kathmandu")  # 16:15 to 00:15 UTC

    assert deadline(kathmandu, "2026-06-10 16:14") == "06-11 08:14"
    assert deadline(kathmandu, "2026-06-10 08:15") == "06-10 16:15"


@pytest.mark.parametrize(
    ("opened", "due"),
    [
        # New York, 8 March 2026: 02:00 EST becomes 03:00 EDT, so the night is one hour shorter.
        ("2026-03-08 00:00", "03-08 15:00"),  # 19:00 to 23:00, then 07:00 to 11:00 EDT
        # 1 November 2026: 02:00 EDT becomes 01:00 EST, so it is one hour longer.
        ("2026-11-01 00:00", "11-01 17:00"),  # 20:00 to 23:00, then 07:00 to 12:00 EST
    ],
)
def test_the_night_in_which_the_clocks_change_does_not_count(opened: str, due: str) -> None:
    assert deadline(night("23:00", "07:00", "America/New_York"), opened) == due


@pytest.mark.parametrize(
    ("start", "end", "opened", "due"),
    [
        # A window inside the hour that is skipped never happens; one that begins in it begins with the change, at 07:00 UTC.
        ("02:10", "02:50", "2026-03-08 06:00", "03-08 07:00"),
        ("02:30", "04:00", "2026-03-08 06:30", "03-08 08:30"),
        # The hour from 01:00 comes twice: 05:00 and 06:00 UTC. So does a window inside it.
        ("01:15", "01:30", "2026-11-01 05:01", "11-01 06:31"),
        ("01:30", "03:00", "2026-11-01 05:01", "11-01 08:01"),
    ],
)
def test_a_window_beside_a_change_of_the_clocks_means_what_the_wall_says(
    start: str, end: str, opened: str, due: str
) -> None:
    assert deadline(night(start, end, "America/New_York"), opened, hours=1) == due


def test_a_weekend_of_the_persons_zone_does_not_count() -> None:
    kathmandu = Habits(zone="Asia/Kathmandu", weekends=True)  # Friday 18:15 to Sunday 18:15 UTC

    assert deadline(kathmandu, "2026-06-12 12:00") == "06-14 20:00"
    assert deadline(kathmandu, "2026-06-13 12:00") == "06-15 02:15"


def test_two_weekends_in_one_turn() -> None:
    friday_noon = utc("2026-06-12 12:00")

    turn = open_turn(RELAXED, 168 * HOUR, friday_noon, Habits(weekends=True))

    # Friday 12 h, Monday to Friday 120 h, Monday and half of Tuesday 36 h.
    assert turn.deadline_at == utc("2026-06-23 12:00")
    assert turn.remind_at == utc("2026-06-22 02:24")  # 134 h 24 min


def test_holidays_are_local_dates_and_join_with_the_nights_beside_them() -> None:
    dashain = night("22:00", "06:00", "Asia/Kathmandu", holidays=frozenset({date(2026, 10, 20)}))

    assert deadline(dashain, "2026-10-19 15:15", hours=1) == "10-19 16:15"
    assert deadline(dashain, "2026-10-19 15:16", hours=1) == "10-21 00:16"


def test_a_table_may_let_holidays_count_and_pause_at_weekends() -> None:
    habits = night("23:00", "07:00", holidays=frozenset({date(2026, 6, 10)}))

    assert habits.at_table(holidays=True, weekends=False) == habits
    plain = habits.at_table(holidays=False, weekends=True)
    assert (plain.night, plain.holidays, plain.weekends) == (habits.night, frozenset(), True)


def test_a_bank_is_not_charged_for_the_night() -> None:
    habits = night("23:00", "07:00")
    turn = open_turn(STANDARD, 72 * HOUR, utc("2026-06-10 20:00"), habits)

    left = close_turn(
        STANDARD,
        72 * HOUR,
        deadline_at=turn.deadline_at,
        closed_at=utc("2026-06-11 09:00"),
        habits=habits,
    )

    assert left == (72 - 5 + 3) * HOUR


def test_a_deadline_moved_by_an_outage_does_not_land_in_the_night() -> None:
    moved = given_back(utc("2026-06-10 22:30"), HOUR, night("23:00", "07:00"))

    assert moved == utc("2026-06-11 07:30")


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("night", {"night": (time(23), time(23))}),  # 0 hours, or 24
        ("night", {"night": (time(0), time(0))}),
        ("night", {"night": (time(0), time(23, 59))}),
        ("night", {"night": (time(20), time(8, 1))}),
        ("night", {"night": (time(8), time(7, 59))}),
        ("night", {"night": (time(23, 0, 1), time(7))}),
        ("night", {"night": (time(23), time(7, tzinfo=UTC))}),
        ("zone", {"zone": "Asia/Nowhere"}),
        ("zone", {"zone": "../etc/passwd"}),
        ("zone", {"zone": ""}),
        ("zone", {"zone": None}),
        ("holidays", {"holidays": {date(2026, 1, 1 + n) for n in range(MAX_HOLIDAYS + 1)}}),
    ],
)
def test_habits_that_cannot_be_are_refused(field: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=rf"^{field}: "):
        Habits(**wrong)


def test_the_longest_night_is_half_a_day() -> None:
    assert night("20:00", "08:00").night == (time(20), time(8))


@st.composite
def habits_of_anybody(draw: st.DrawFn) -> Habits:
    start, length = draw(st.integers(0, 1439)), draw(st.integers(1, 720))
    edges = [divmod(minute % 1440, 60) for minute in (start, start + length)]
    around = st.dates(date(2026, 3, 1), date(2026, 4, 10)) | st.dates(
        date(2026, 9, 25), date(2026, 11, 5)
    )
    return Habits(
        zone=draw(st.sampled_from(ZONES)),
        night=draw(st.none() | st.just((time(*edges[0]), time(*edges[1])))),
        holidays=draw(st.frozensets(around, max_size=5)),
        weekends=draw(st.booleans()),
    )


@given(habits_of_anybody())
def test_habits_read_back_from_their_json(habits: Habits) -> None:
    assert Habits.from_json(habits.to_json()) == habits


def minutes_counted(habits: Habits, opened: datetime, until: datetime) -> int:
    """The slow oracle: minute by minute."""
    minutes = range(int((until - opened) / MINUTE))
    return sum(not habits.pauses(opened + minute * MINUTE) for minute in minutes)


@settings(max_examples=40)
@given(
    habits_of_anybody(),
    st.datetimes(datetime.fromisoformat("2026-03-04"), datetime.fromisoformat("2026-04-08"))
    | st.datetimes(datetime.fromisoformat("2026-09-25"), datetime.fromisoformat("2026-11-03")),
    st.sampled_from([3600, 28800, 86400]),
)
def test_a_deadline_is_the_first_minute_by_which_all_of_the_time_has_counted(
    habits: Habits, opened_at: datetime, seconds: int
) -> None:
    opened = opened_at.replace(second=0, microsecond=0, tzinfo=UTC)

    turn = open_turn(PerTurn(seconds), timedelta(), opened, habits)

    counted = minutes_counted(habits, opened, turn.deadline_at)
    assert counted == seconds // 60
    assert not habits.pauses(turn.deadline_at - MINUTE)
    assert opened <= turn.remind_at < turn.deadline_at
    assert minutes_counted(habits, opened, turn.remind_at) == seconds * 8 // 600
