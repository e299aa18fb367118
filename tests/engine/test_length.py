"""How many decisions a seat can owe, and what that makes of a match's length."""

from datetime import UTC, datetime, timedelta
from typing import Final

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


# Days of a five-round match among four, by docs/pace.md: the least and the most of what was measured there.
MEASURED: Final = {
    "in turn, by hand": (53, 59),
    "in turn, with plans": (7.6, 11.4),
    "side by side, by hand": (11, 13),
    "side by side, with plans": (2.3, 3.0),
}


def test_the_usual_length_is_what_was_measured_in_each_mode() -> None:
    unhurried = PerTurn(172800)
    boards = ARCADIA.replace(parallel_rounds=True)
    in_turn, side_by_side = (
        Length.of(rules, unhurried, started_at=NOON, people=4) for rules in (ARCADIA, boards)
    )

    said = {
        "in turn, by hand": in_turn.by_hand,
        "in turn, with plans": in_turn.with_plans,
        "side by side, by hand": side_by_side.by_hand,
        "side by side, with plans": side_by_side.with_plans,
    }
    for mode, (least, most) in MEASURED.items():
        usual = said[mode]
        assert usual is not None
        assert least <= usual / timedelta(days=1) <= most, mode


def test_bots_and_boards_side_by_side_make_it_shorter() -> None:
    alone = of(ARCADIA, people=1)
    side_by_side = of(ARCADIA.replace(parallel_rounds=True))

    assert alone.by_hand == alone.with_plans == timedelta(minutes=70)
    for shorter in (alone, side_by_side):
        assert shorter.latest_end is not None
        assert shorter.latest_end < (of(ARCADIA).latest_end or NOON)


def test_a_match_that_nothing_ends_for_sure_has_no_usual_length() -> None:
    endless = Length.of(YEEQIA.replace(max_rounds=None), PerTurn(604800), started_at=NOON, people=4)

    assert endless.by_hand is endless.with_plans is None
    assert endless.latest_end is not None
    assert endless.latest_end.year > 2100


def test_bots_among_themselves_take_no_time() -> None:
    bots = of(ARCADIA, people=0)

    assert bots.by_hand == timedelta()
    assert bots.latest_end is not None
    assert bots.latest_end - NOON < timedelta(days=2)
