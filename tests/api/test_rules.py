import jsonschema
import pytest
from rest_framework.test import APIClient

from games.engine.rules import FIELDS, PRESETS, HouseRules
from tests.api.rest import API, Json, body_of, problem_of


@pytest.fixture
def rulebook(nobody: APIClient) -> Json:
    return body_of(nobody.get(f"{API}/rules"), 200)


def test_every_preset_is_there_with_every_field(rulebook: Json) -> None:
    shown = {each["name"]: each["rules"] for each in rulebook["presets"]}

    assert shown == {name: rules.to_json() for name, rules in PRESETS.items()}
    assert all(set(rules) == set(FIELDS) for rules in shown.values())


def test_each_preset_says_what_a_table_may_change(rulebook: Json) -> None:
    options = {each["name"]: each["options"] for each in rulebook["presets"]}

    assert options["everestbuzz-practice"]["max_bid"] == [8, 13]
    assert "max_bid" not in options["arcadia"]
    assert options["yeeqia"]["max_rounds"][:3] == [None, 1, 2]


def test_readings_and_codes_are_told(rulebook: Json) -> None:
    codes = {each["code"]: each["citations"] for each in rulebook["codes"]}

    assert "arcadia/beat" in codes["must_beat"]
    assert "tie" in {each["id"] for each in rulebook["readings"]}
    assert all(each["sentence"] for each in rulebook["readings"] + rulebook["codes"])


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"target": 300, "max_rounds": 20},
        {"must_beat": True, "must_beat_after_trump": True},
        {"rounds": 10, "parallel_rounds": True},
    ],
)
def test_the_schema_accepts_what_the_rules_accept(rulebook: Json, rules: Json) -> None:
    jsonschema.validate(rules, rulebook["custom"])

    HouseRules.from_json(rules)


@pytest.mark.parametrize(
    "rules",
    [
        {"name": "arcadia"},
        {"max_bid": 14},
        {"max_bid": True},
        {"must_beat": 1},
        {"direction": "up"},
        {"must_beat_after_trump": True},
        {"must_trump_low": True},
        {"max_rounds": 5},
        {"rounds": None},
        {"rounds": 11, "parallel_rounds": True},
        {"target": 100, "parallel_rounds": True},
        {"no_such_field": 1},
    ],
)
def test_the_schema_refuses_what_the_rules_refuse(rulebook: Json, rules: Json) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(rules, rulebook["custom"])


def test_an_unknown_parameter_is_refused(nobody: APIClient) -> None:
    problem_of(nobody.get(f"{API}/rules?format=yaml"), 400, "malformed")
