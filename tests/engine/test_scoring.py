"""What a round is worth."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import Code, RuleViolation
from games.engine.rules import PRESETS, HouseRules
from games.engine.scoring import round_score, round_scores
from tests.engine.strategies import tricks_won

ARCADIA = PRESETS["arcadia"]


@pytest.mark.parametrize(
    ("bid", "won", "units"),
    [(4, 6, 42), (4, 4, 40), (4, 3, -40), (1, 13, 22), (13, 13, 130), (13, 12, -130), (5, 0, -50)],
)
def test_a_bid_made_scores_ten_a_trick_and_one_a_trick_more_and_a_bid_missed_is_lost(
    bid: int, won: int, units: int
) -> None:
    assert round_score(bid, won) == units


def test_a_bid_of_nothing_cannot_be_missed() -> None:
    assert [round_score(0, won) for won in (0, 1, 13)] == [0, 1, 13]


def test_the_example_of_seed_003() -> None:
    assert round_scores(ARCADIA, (4, 3, 3, 2), (6, 3, 2, 2)) == [42, 30, -30, 20]


@pytest.mark.parametrize(
    ("bids", "won"),
    [
        ((4, 4, 4), (5, 4, 4)),
        ((4, 4, 4, 4), (5, 4, 4)),
        ((4, 4, 4), (4, 3, 3, 3)),
        ((4, 4, 4, 4, 4), (4, 3, 3, 3)),
        ((4, 4, 4, 4), (4, 3, 3, 2)),
        ((4, 4, 4, 4), (4, 4, 3, 3)),
        ((4, 4, 4, 4), (14, -1, 0, 0)),
        ((4, 4, 4, 4), (4, 3, 3, 3.0)),
        ((4, 4, 4, 4), (12, True, 0, 0)),
        ((4, 4, 4, 4), (13, 0, 0, None)),
        ((4, 4, 4, True), (4, 3, 3, 3)),
        ((4, 4, 4, 4.0), (4, 3, 3, 3)),
        ((4, 4, 4, None), (4, 3, 3, 3)),
        ((14, 4, 4, None), (4, 3, 3, 3)),
    ],
)
def test_what_cannot_be_is_malformed(bids: Any, won: Any) -> None:
    with pytest.raises(ValueError, match=r"four|a bid is a whole number"):
        round_scores(ARCADIA, bids, won)


@pytest.mark.parametrize(("preset", "bid"), [("arcadia", 0), ("yeeqia", 4), ("yeeqia", 9)])
def test_a_bid_that_the_rules_do_not_know_is_refused(preset: str, bid: int) -> None:
    rules = PRESETS[preset]

    with pytest.raises(RuleViolation) as refusal:
        round_scores(rules, (5, 5, bid, 5), (4, 3, 3, 3))

    assert refusal.value.code == Code.BID_OUT_OF_RANGE
    assert refusal.value.data == {"min_bid": rules.min_bid, "max_bid": rules.max_bid}


@given(st.lists(st.integers(0, 13), min_size=4, max_size=4), tricks_won())
def test_scores_are_integers_and_tell_whether_the_bid_was_made(
    bids: list[int], won: list[int]
) -> None:
    scores = round_scores(HouseRules(min_bid=0), bids, won)

    for bid, count, units in zip(bids, won, scores, strict=True):
        assert type(units) is int
        assert (units >= 0) == (count >= bid)
        assert units in (-10 * bid, 9 * bid + count)
