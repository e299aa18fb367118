"""The plan as JSON: the closed vocabulary, in and out, and the schemas that clients are given."""

import re
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import DECK, SUITS
from games.engine.plan import (
    ASK_SCHEMA,
    CHOICE_SCHEMA,
    PLAN_SCHEMA,
    STOP_SCHEMA,
    WHEN_SCHEMA,
    Choice,
    Plan,
    Rule,
    StopReason,
    When,
)

EXAMPLE = {
    "rules": [
        {"when": {"led": "H", "trumped": False}, "play": "lowest_that_beats_else_lowest"},
        {"when": {"led": ["C", "D"]}, "play": "lowest"},
        {"play": "ask"},
    ],
    "stop_if": ["bid_made", "spade_played_before_me"],
    "cards": ["AS", "KS"],
}
LAST = {"play": "ask"}
SCHEMA = jsonschema.Draft202012Validator(PLAN_SCHEMA)


def some_of(values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(values) | st.lists(st.sampled_from(values), min_size=2, unique=True)


conditions = st.fixed_dictionaries(
    {},
    optional={
        "led": some_of(SUITS),
        "trumped": st.booleans(),
        "position": some_of((2, 3, 4)),
        "bid_made": st.booleans(),
        "tricks_left_at_most": st.integers(1, 13),
    },
).filter(bool)
choices = st.sampled_from([choice.value for choice in Choice])
plans_as_json = st.fixed_dictionaries(
    {
        "rules": st.builds(
            lambda rules, last: [*rules, last],
            st.lists(st.fixed_dictionaries({"when": conditions, "play": choices}), max_size=4),
            st.fixed_dictionaries({"play": choices}),
        ),
        "stop_if": st.lists(st.sampled_from([stop.value for stop in StopReason]), unique=True),
        "cards": st.lists(st.sampled_from([card.text for card in DECK]), max_size=13, unique=True),
    }
)


def test_a_plan_is_read_as_it_is_written() -> None:
    assert Plan.from_json(EXAMPLE).to_json() == EXAMPLE
    assert Plan.from_json({"rules": [LAST]}).to_json() == {
        "rules": [LAST],
        "stop_if": [],
        "cards": [],
    }


def test_a_list_of_one_is_written_as_its_value() -> None:
    rule = {"when": {"led": ["H"], "position": [2]}, "play": "lowest"}

    written = Plan.from_json({"rules": [rule, LAST]}).to_json()

    assert written["rules"] == [{"when": {"led": "H", "position": 2}, "play": "lowest"}, LAST]


@given(plans_as_json)
def test_every_plan_reads_back_and_fits_the_schema(written: dict[str, Any]) -> None:
    plan = Plan.from_json(written)

    assert plan.to_json() == written
    SCHEMA.validate(plan.to_json())


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ([], "plan"),
        ({}, "rules"),
        ({"rules": {}}, "rules"),
        ({"rules": []}, "rules"),
        ({"rules": [{"when": {"led": "C"}, "play": "ask"}] * 20 + [LAST]}, "rules"),
        ({"rules": [LAST], "note": "x"}, "note"),
        ({"rules": ["ask"]}, "rules[0]"),
        ({"rules": [{}]}, "rules[0].play"),
        ({"rules": [{"play": "resign"}]}, "rules[0].play"),
        ({"rules": [{"play": ["ask"]}]}, "rules[0].play"),
        ({"rules": [{"play": "ask", "else": "ask"}]}, "rules[0].else"),
        ({"rules": [{"when": {"led": "C"}, "play": "ask"}]}, "rules[0].when"),
        ({"rules": [LAST, LAST]}, "rules[0].when"),
        ({"rules": [{"when": None, "play": "ask"}, LAST]}, "rules[0].when"),
        ({"rules": [{"when": {}, "play": "ask"}, LAST]}, "rules[0].when"),
        ({"rules": [LAST], "stop_if": "bid_made"}, "stop_if"),
        ({"rules": [LAST], "stop_if": None}, "stop_if"),
        ({"rules": [LAST], "stop_if": ["bored"]}, "stop_if[0]"),
        ({"rules": [LAST], "stop_if": ["bid_made", "bid_made"]}, "stop_if"),
        ({"rules": [LAST], "cards": ["AS", "as"]}, "cards[1]"),
        ({"rules": [LAST], "cards": [1]}, "cards[0]"),
        ({"rules": [LAST], "cards": ["AS", "AS"]}, "cards"),
        ({"rules": [LAST], "cards": [card.text for card in DECK[:14]]}, "cards"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_by_its_place(wrong: Any, place: str) -> None:
    with pytest.raises(ValueError, match=rf"^{re.escape(place)}: "):
        Plan.from_json(wrong)


@pytest.mark.parametrize(
    ("condition", "wrong"),
    [
        ("led", "X"),
        ("led", "CD"),
        ("led", []),
        ("led", ["C", "C"]),
        ("led", {}),
        ("led", [["C"]]),
        ("led", None),
        ("trumped", 1),
        ("trumped", "true"),
        ("trumped", None),
        ("position", 1),
        ("position", 5),
        ("position", 2.0),
        ("position", [2, True]),
        ("bid_made", 0),
        ("tricks_left_at_most", 0),
        ("tricks_left_at_most", 14),
        ("tricks_left_at_most", True),
        ("tricks_left_at_most", [1]),
        ("hand_has", "S"),
    ],
)
def test_a_condition_that_cannot_be_is_refused_by_its_place(condition: str, wrong: Any) -> None:
    first = {"when": {"led": "C"}, "play": "lowest"}
    second = {"when": {condition: wrong}, "play": "lowest"}

    with pytest.raises(ValueError, match=rf"^rules\[1\]\.when\.{condition}: "):
        Plan.from_json({"rules": [first, second, LAST]})


def test_a_plan_made_in_code_is_checked_too() -> None:
    with pytest.raises(ValueError, match=r"^rules\[0\]\.when: "):
        Plan((Rule(Choice.LOWEST, When(led=("C",))),))
    with pytest.raises(ValueError, match=r"^led: "):
        When(led=("X",))


def test_the_vocabularies_are_closed() -> None:
    assert CHOICE_SCHEMA["enum"] == [
        "lowest",
        "highest",
        "lowest_that_beats_else_lowest",
        "lowest_spade_else_lowest",
        "ask",
    ]
    assert STOP_SCHEMA["enum"] == [
        "bid_made",
        "bid_lost",
        "spade_played_before_me",
        "someone_cannot_make_it",
    ]
    assert ASK_SCHEMA["enum"] == ["rule", "queue_empty", "no_play"]
    assert list(WHEN_SCHEMA["properties"]) == [  # type: ignore[call-overload] # a plain JSON value
        "led",
        "trumped",
        "position",
        "bid_made",
        "tricks_left_at_most",
    ]
    jsonschema.Draft202012Validator.check_schema(PLAN_SCHEMA)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"rules": []},
        {"rules": [{"when": {}, "play": "ask"}, LAST]},
        {"rules": [{"when": {"led": ["C", "C"]}, "play": "ask"}, LAST]},
        {"rules": [{"when": {"position": True}, "play": "ask"}, LAST]},
        {"rules": [LAST], "cards": ["10S"]},
        {"rules": [LAST], "stop_if": ["bored"]},
        {"rules": [LAST], "note": "x"},
    ],
)
def test_the_schema_refuses_what_the_engine_refuses(wrong: dict[str, Any]) -> None:
    assert not SCHEMA.is_valid(wrong)
    with pytest.raises(ValueError, match=": "):
        Plan.from_json(wrong)
