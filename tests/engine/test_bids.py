"""Which bids may be made."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import Code, RuleViolation
from games.engine.legal import check_bid
from games.engine.rules import PRESETS, HouseRules
from tests.engine.strategies import house_rules


@pytest.mark.parametrize(
    ("preset", "low", "high"),
    [
        ("arcadia", 1, 13),
        ("everestbuzz-friends", 1, 8),
        ("everestbuzz-practice", 1, 8),
        ("yeeqia", 5, 8),
    ],
)
def test_bids_go_from_the_lowest_to_the_highest_of_the_house(
    preset: str, low: int, high: int
) -> None:
    for bid in range(low, high + 1):
        check_bid(PRESETS[preset], bid)
    for bid in (low - 1, high + 1, -1, 14):
        with pytest.raises(RuleViolation) as refusal:
            check_bid(PRESETS[preset], bid)
        assert refusal.value.code == Code.BID_OUT_OF_RANGE
        assert refusal.value.data == {"min_bid": low, "max_bid": high}
        assert str(refusal.value) == f"Bids at this table go from {low} to {high}."


def test_a_bid_of_nothing_is_a_bid_where_the_rules_have_it() -> None:
    check_bid(HouseRules(min_bid=0), 0)


@pytest.mark.parametrize("bid", [None, True, False, 5.0, "5", [5]])
def test_what_is_no_integer_is_malformed(bid: Any) -> None:
    with pytest.raises(ValueError, match="a bid is a whole number"):
        check_bid(PRESETS["arcadia"], bid)


@given(house_rules(), st.integers())
def test_a_bid_is_refused_exactly_out_of_range(rules: HouseRules, bid: int) -> None:
    try:
        check_bid(rules, bid)
    except RuleViolation:
        assert not rules.min_bid <= bid <= rules.max_bid
    else:
        assert rules.min_bid <= bid <= rules.max_bid
