"""How many decisions a seat can owe, and what that makes of a match's length."""

from datetime import UTC, datetime, timedelta

import pytest

from games.engine.clock import STANDARD, PerTurn
from games.engine.length import Length, most_decisions, usual_decisions
from games.engine.rules import PRESETS, HouseRules

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ARCADIA = PRESETS["arcadia"]
YEEQIA = PRESETS["yeeqia"]


@pytest.mark.parametrize(
    ("rules", "most", "usual"),
    [
        (ARCADIA, 5 * 14, 5 * 14),
        (ARCADIA.replace(rounds=1), 14, 14),
        (ARCADIA.replace(parallel_rounds=True), 14, 14),
        (ARCADIA.replace(redeal_bids_below=8, redeal_bids_limit=2), 5 * 16, 5 * 14),
        (ARCADIA.replace(redeal_bids_limit=9), 5 * 14, 5 * 14),
        (YEEQIA.replace(max_rounds=20), 20 * 14, 20 * 14),
        (YEEQIA.replace(max_rounds=None), 128 * 14, 128 * 14),
        (HouseRules(rounds=3, target=100), 3 * 14, 3 * 14),
    ],
)
def test_decisions_of_a_seat(rules: HouseRules, most: int, usual: int) -> None:
    assert (most_decisions(rules), usual_decisions(rules)) == (most, usual)


def of(
    rules: HouseRules, *, people: int = 4, holidays: bool = True, weekends: bool = False
) -> Length:
    return Length.of(
        rules, STANDARD, started_at=NOON, people=people, holidays=holidays, weekends=weekends
    )


def test_a_match_is_over_by_a_day_that_moves_with_what_may_pause() -> None:
    ends = [
        of(ARCADIA, holidays=False).latest_end,
        of(ARCADIA).latest_end,
        of(ARCADIA, weekends=True).latest_end,
    ]

    assert all(ends)
    assert ends == sorted(set(ends))  # type: ignore[type-var] # none of them is None
    assert of(ARCADIA).typical == timedelta(hours=560)


def test_bots_and_boards_side_by_side_make_it_shorter() -> None:
    alone = of(ARCADIA, people=1)
    side_by_side = of(ARCADIA.replace(parallel_rounds=True))

    assert alone.typical == timedelta(hours=140)
    assert side_by_side.typical == timedelta(hours=112)
    for shorter in (alone, side_by_side):
        assert shorter.latest_end is not None
        assert shorter.latest_end < (of(ARCADIA).latest_end or NOON)


def test_a_match_that_nothing_ends_for_sure_has_no_usual_length() -> None:
    endless = Length.of(YEEQIA.replace(max_rounds=None), PerTurn(604800), started_at=NOON, people=4)

    assert endless.typical is None
    assert endless.latest_end is not None
    assert endless.latest_end.year > 2100


def test_bots_among_themselves_take_no_time() -> None:
    bots = of(ARCADIA, people=0)

    assert bots.typical == timedelta()
    assert bots.latest_end is not None
    assert bots.latest_end - NOON < timedelta(days=2)
