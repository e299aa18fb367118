"""HouseRules: what it refuses, what it keeps, in and out of JSON."""

from contextlib import suppress
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.rules import CHOICES, FIELDS, NULLABLE, PRESETS, RANGES, HouseRules
from tests.engine.strategies import house_rules

BOOLEANS = tuple(field for field in FIELDS if field not in RANGES and field not in CHOICES)

# Enough for each field to be allowed the whole of its range by the others.
COMPANY: dict[str, dict[str, Any]] = {
    "min_bid": {"max_bid": 13},
    "max_bid": {"min_bid": 0},
    "max_rounds": {"target": 300},
    "must_beat_after_trump": {"must_beat": True},
    "must_trump_low": {"must_trump": True},
}


def test_a_field_left_out_takes_the_default_of_a_custom_table() -> None:
    assert HouseRules.from_json({}).to_json() == {
        "name": "custom",
        "min_bid": 1,
        "max_bid": 13,
        "rounds": 5,
        "target": None,
        "max_rounds": None,
        "score_scale": 10,
        "must_beat": False,
        "must_beat_after_trump": False,
        "must_trump": False,
        "must_trump_low": False,
        "redeal_no_spades": False,
        "redeal_no_faces": False,
        "redeal_bids_below": None,
        "redeal_bids_limit": 3,
        "instant_win_bid": None,
        "direction": "right",
        "sealed_bids": False,
        "parallel_rounds": False,
    }


@pytest.mark.parametrize(
    ("given_fields", "rounds"),
    [
        ({"target": 300}, None),
        ({"target": 300, "rounds": 7}, 7),
        ({"target": None}, 5),
        ({"rounds": 7}, 7),
    ],
)
def test_a_target_alone_means_no_fixed_number_of_rounds(
    given_fields: dict[str, Any], rounds: int | None
) -> None:
    assert HouseRules.from_json(given_fields).rounds == rounds


@given(house_rules())
def test_json_comes_back_as_the_same_rules(rules: HouseRules) -> None:
    assert HouseRules.from_json(rules.to_json()) == rules


@pytest.mark.parametrize("field", RANGES)
def test_both_ends_of_a_range_are_allowed(field: str) -> None:
    for value in RANGES[field]:
        rules = HouseRules.from_json({**COMPANY.get(field, {}), field: value})

        assert getattr(rules, field) == value


@pytest.mark.parametrize("field", RANGES)
def test_a_number_out_of_range_is_refused_by_name(field: str) -> None:
    low, high = RANGES[field]
    for value in (low - 1, high + 1, -(10**30), 10**30):
        with pytest.raises(ValueError, match=f"^{field}: a whole number from {low} to {high}"):
            HouseRules.from_json({**COMPANY.get(field, {}), field: value})


@pytest.mark.parametrize("field", RANGES)
@pytest.mark.parametrize("value", [True, False, 5.0, "5", [5], {}])
def test_what_is_no_integer_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"^{field}: "):
        HouseRules.from_json({**COMPANY.get(field, {}), field: value})


@pytest.mark.parametrize("field", [field for field in RANGES if field not in NULLABLE])
def test_null_is_refused_where_a_number_is_needed(field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}: "):
        HouseRules.from_json({field: None})


@pytest.mark.parametrize("field", BOOLEANS)
@pytest.mark.parametrize("value", [0, 1, None, "true", 1.0])
def test_what_is_neither_true_nor_false_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"^{field}: one of False, True"):
        HouseRules.from_json({**COMPANY.get(field, {}), field: value})


@pytest.mark.parametrize("field", BOOLEANS)
def test_a_boolean_is_kept_as_it_is(field: str) -> None:
    assert getattr(HouseRules.from_json({**COMPANY.get(field, {}), field: True}), field) is True


@pytest.mark.parametrize("field", CHOICES)
@pytest.mark.parametrize("value", [None, "", "up", 0, 2, True, 10.0, ["right"]])
def test_what_is_not_among_the_choices_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"^{field}: one of "):
        HouseRules.from_json({field: value})


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"min_bid": 9, "max_bid": 8}, "min_bid"),
        ({"rounds": None}, "rounds"),
        ({"rounds": None, "target": None, "max_rounds": 20}, "rounds"),
        ({"max_rounds": 20}, "max_rounds"),
        ({"must_beat_after_trump": True}, "must_beat_after_trump"),
        ({"must_trump_low": True}, "must_trump_low"),
        ({"must_beat_after_trump": True, "must_trump": True}, "must_beat_after_trump"),
        ({"must_trump_low": True, "must_beat": True}, "must_trump_low"),
        ({"max_bid": 8, "redeal_bids_below": 33}, "redeal_bids_below"),
        ({"max_bid": 8, "instant_win_bid": 9}, "instant_win_bid"),
        ({"parallel_rounds": True, "rounds": None, "target": 300}, "parallel_rounds"),
        ({"parallel_rounds": True, "rounds": 5, "target": 300}, "parallel_rounds"),
        ({"parallel_rounds": True, "rounds": 11}, "parallel_rounds"),
        ({"parallel_rounds": True, "instant_win_bid": 8}, "parallel_rounds"),
    ],
)
def test_fields_against_each_other_are_refused_by_name(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=f"^{named}: "):
        HouseRules.from_json(fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"min_bid": 8, "max_bid": 8},
        {"rounds": 5, "target": 300, "max_rounds": 20},
        {"max_bid": 8, "redeal_bids_below": 32},
        {"min_bid": 5, "redeal_bids_below": 8},
        {"max_bid": 8, "instant_win_bid": 8},
        {"parallel_rounds": True, "rounds": 10, "sealed_bids": True},
    ],
)
def test_fields_that_go_together_are_allowed(fields: dict[str, Any]) -> None:
    assert fields.items() <= HouseRules.from_json(fields).to_json().items()


def test_an_unknown_field_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"^jokers: there is no such field"):
        HouseRules.from_json({"jokers": 2})
    with pytest.raises(ValueError, match=r"^jokers: there is no such field"):
        HouseRules().replace(jokers=2)


@pytest.mark.parametrize("value", [None, [], "arcadia", 1])
def test_only_an_object_describes_rules(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^rules: not a JSON object"):
        HouseRules.from_json(value)


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text()))
def test_anything_else_is_rules_or_a_value_error(d: dict[str, Any]) -> None:
    with suppress(ValueError):
        assert isinstance(HouseRules.from_json(d), HouseRules)


def test_rules_cannot_be_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        PRESETS["arcadia"].rounds = 6  # type: ignore[misc]  # the point of the test


@given(house_rules())
def test_equal_rules_are_one_key(rules: HouseRules) -> None:
    assert {rules: 1}[rules.replace()] == 1


@pytest.mark.parametrize("bid", [True, False, None, 5.0, "5", [5]])
def test_a_bid_that_is_no_integer_is_malformed(bid: Any) -> None:
    with pytest.raises(ValueError, match="a bid is a whole number"):
        HouseRules().allows_bid(bid)


def test_a_round_never_brings_more_than_the_highest_target_reckons_with() -> None:
    assert RANGES["target"][1] == RANGES["rounds"][1] * 10 * 13
