"""Clocks: what a table may choose, when a turn is due, and what a bank holds afterwards. Windows have files of their own."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.api.serializers import ClockField
from games.engine.clock import (
    ALWAYS,
    CLOCKS,
    FAST,
    PER_TURN_SECONDS,
    RELAXED,
    STANDARD,
    Bank,
    Clock,
    PerTurn,
    allowance,
    clock_from_json,
    close_turn,
    given_back,
    in_time,
    is_due,
    open_turn,
    outage,
    start_bank,
)

HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)
DAILY = PerTurn(86400)
BANK: dict[str, Any] = {
    "kind": "bank",
    "start": 7200,
    "increment": 60,
    "cap": 7200,
    "longest_turn": 3600,
}

banks = st.builds(
    lambda cap, parts: Bank(cap=cap, **{name: min(cap, part) for name, part in parts.items()}),
    st.integers(60, 2_592_000),
    st.fixed_dictionaries(
        {
            name: st.integers(60, 2_592_000) | st.integers(60, 600)
            for name in ("start", "increment", "longest_turn")
        }
    ),
)
clocks: st.SearchStrategy[Clock] = st.builds(PerTurn, st.sampled_from(PER_TURN_SECONDS)) | banks
instants = st.datetimes(
    datetime.fromisoformat("2026-01-01"),
    datetime.fromisoformat("2027-12-31"),
    timezones=st.just(UTC),
)


def after_move(clock: Clock, bank: timedelta, *, taking: timedelta) -> timedelta:
    """The bank after a turn, opened at noon, that took so long."""
    turn = open_turn(clock, bank, NOON, ALWAYS)
    return close_turn(
        clock, bank, deadline_at=turn.deadline_at, closed_at=NOON + taking, habits=ALWAYS
    )


def test_the_presets_are_those_of_the_lobby() -> None:
    assert {name: clock.to_json() for name, clock in CLOCKS.items()} == {
        "fast": {"kind": "bank", "start": 86400, "increment": 3600, "cap": 86400, "longest_turn": 86400},
        "standard": {"kind": "bank", "start": 259200, "increment": 10800, "cap": 259200, "longest_turn": 129600},
        "relaxed": {"kind": "bank", "start": 604800, "increment": 21600, "cap": 604800, "longest_turn": 604800},
    }  # fmt: skip


@given(clocks)
def test_a_clock_reads_back_from_its_json(clock: Clock) -> None:
    assert clock_from_json(clock.to_json()) == clock


@given(clocks)
def test_the_api_takes_what_the_engine_takes(clock: Clock) -> None:
    assert ClockField().to_internal_value(clock.to_json()) == clock.to_json()


def test_a_bank_without_a_longest_turn_is_limited_by_its_cap() -> None:
    given_json = {"kind": "bank", "start": 86400, "increment": 3600, "cap": 86400}

    assert clock_from_json(given_json) == FAST


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ([], "kind"),
        ({}, "kind"),
        ({"kind": ["bank"]}, "kind"),
        ({"kind": "sundial"}, "kind"),
        ({"kind": "per_turn"}, "seconds"),
        ({"kind": "per_turn", "seconds": 3601}, "seconds"),
        ({"kind": "per_turn", "seconds": 3600.0}, "seconds"),
        ({"kind": "per_turn", "seconds": True}, "seconds"),
        ({"kind": "per_turn", "seconds": 3600, "cap": 7200}, "cap"),
        ({**BANK, "seconds": 3600}, "seconds"),
        ({**BANK, "start": 59}, "start"),
        ({**BANK, "start": 7201}, "start"),
        ({**BANK, "start": "7200"}, "start"),
        ({**BANK, "increment": 0}, "increment"),
        ({**BANK, "increment": 7201}, "increment"),
        ({**BANK, "cap": 2_592_001}, "cap"),
        ({**BANK, "longest_turn": 59}, "longest_turn"),
        ({**BANK, "longest_turn": 7201}, "longest_turn"),
        ({name: BANK[name] for name in BANK if name != "increment"}, "increment"),
        ({name: BANK[name] for name in BANK if name not in ("cap", "longest_turn")}, "cap"),
    ],
)
def test_a_clock_that_cannot_be_is_refused_by_the_name_of_the_field(wrong: Any, field: str) -> None:
    with pytest.raises(ValueError, match=rf"^{field}: "):
        clock_from_json(wrong)


@pytest.mark.parametrize(
    ("opened", "deadline", "reminder"),
    [
        (NOON, NOON + 24 * HOUR, NOON + timedelta(hours=19, minutes=12)),
        (NOON + SECOND / 1000, NOON + 24 * HOUR + MINUTE, NOON + timedelta(hours=19, minutes=13)),
        (NOON + 59 * SECOND, NOON + 24 * HOUR + MINUTE, NOON + timedelta(hours=19, minutes=13)),
    ],
)
def test_deadlines_are_whole_minutes_rounded_up(
    opened: datetime, deadline: datetime, reminder: datetime
) -> None:
    turn = open_turn(DAILY, timedelta(), opened, ALWAYS)

    assert (turn.deadline_at, turn.remind_at) == (deadline, reminder)


def test_instants_of_any_zone_are_answered_in_utc_and_naive_ones_refused() -> None:
    kathmandu = timezone(timedelta(hours=5, minutes=45))

    turn = open_turn(DAILY, timedelta(), NOON.astimezone(kathmandu), ALWAYS)

    assert (turn.deadline_at, turn.deadline_at.tzinfo) == (NOON + 24 * HOUR, UTC)
    with pytest.raises(ValueError, match="zone"):
        open_turn(DAILY, timedelta(), datetime(2026, 6, 10, 12), ALWAYS)  # noqa: DTZ001 - the point


def test_one_turn_takes_what_is_left_or_the_longest_turn() -> None:
    assert allowance(STANDARD, 72 * HOUR) == 36 * HOUR
    assert allowance(STANDARD, 5 * HOUR) == 5 * HOUR
    assert allowance(RELAXED, start_bank(RELAXED)) == 168 * HOUR
    assert allowance(DAILY, start_bank(DAILY)) == 24 * HOUR


@pytest.mark.parametrize(
    ("bank", "taking", "left"),
    [
        (72 * HOUR, 0 * HOUR, 72 * HOUR),  # the increment does not go above the cap
        (72 * HOUR, 3 * HOUR, 72 * HOUR),
        (72 * HOUR, 10 * HOUR, 65 * HOUR),
        (72 * HOUR, 10 * HOUR + 59 * SECOND, 65 * HOUR),  # only whole minutes are charged
        (72 * HOUR, 36 * HOUR, 39 * HOUR),
        (72 * HOUR, 36 * HOUR + 31 * SECOND, 39 * HOUR),  # the stand-in of the sweep
        (72 * HOUR, 50 * HOUR, 39 * HOUR),  # a sweep that came late costs the player nothing
        (5 * HOUR, 5 * HOUR, 3 * HOUR),
        (5 * HOUR, 2 * HOUR, 6 * HOUR),
    ],
)
def test_a_bank_is_charged_what_the_turn_took(
    bank: timedelta, taking: timedelta, left: timedelta
) -> None:
    assert after_move(STANDARD, bank, taking=taking) == left


def test_a_clock_without_a_bank_charges_nothing() -> None:
    assert after_move(DAILY, timedelta(), taking=10 * HOUR) == timedelta()


@given(clocks, instants, st.data())
def test_a_bank_stays_in_its_limits_and_says_nothing_below_a_minute(
    clock: Clock, opened: datetime, data: st.DataObject
) -> None:
    bank = start_bank(clock)
    for _ in range(4):
        allowed = allowance(clock, bank)
        turn = open_turn(clock, bank, opened, ALWAYS)
        closed = opened + data.draw(st.integers(0, 120)) * allowed / 100

        assert opened + allowed <= turn.deadline_at < opened + allowed + 2 * MINUTE
        assert opened - MINUTE < turn.remind_at < turn.deadline_at
        after = close_turn(
            clock, bank, deadline_at=turn.deadline_at, closed_at=closed, habits=ALWAYS
        )
        same_minute = closed.replace(second=0, microsecond=0) + 59 * SECOND
        assert after == close_turn(
            clock, bank, deadline_at=turn.deadline_at, closed_at=same_minute, habits=ALWAYS
        )
        if isinstance(clock, Bank):
            assert clock.increment <= after.total_seconds() <= clock.cap
            assert bank - allowed <= after <= bank + timedelta(seconds=clock.increment)
        bank, opened = after, closed


def test_an_answer_counts_when_it_was_received_by_the_deadline() -> None:
    received = [NOON - SECOND, NOON, NOON + SECOND / 1000, NOON + SECOND]

    assert [in_time(NOON, instant) for instant in received] == [True, True, False, False]


def test_the_sweep_acts_half_a_minute_after_the_deadline() -> None:
    moments = [NOON, NOON + 29 * SECOND, NOON + 30 * SECOND, NOON + 6 * HOUR]

    assert [is_due(NOON, now) for now in moments] == [False, False, True, True]


def test_what_an_outage_took_is_given_back_when_it_was_long() -> None:
    assert outage(NOON, NOON + 10 * MINUTE) == timedelta()
    assert outage(NOON, NOON + 10 * MINUTE + SECOND) == 11 * MINUTE
    assert outage(NOON, NOON + 6 * HOUR) == 6 * HOUR


def test_time_given_back_is_not_charged() -> None:
    turn = open_turn(STANDARD, 72 * HOUR, NOON, ALWAYS)
    deadline = given_back(turn.deadline_at, 6 * HOUR, ALWAYS)

    left = close_turn(
        STANDARD, 72 * HOUR, deadline_at=deadline, closed_at=NOON + 10 * HOUR, habits=ALWAYS
    )

    assert deadline == NOON + 42 * HOUR
    assert left == (72 - (10 - 6) + 3) * HOUR
