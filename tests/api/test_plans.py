"""Standing plans over HTTP: kept, versioned, private, and checked place by place."""

from typing import Any

import pytest
from django.utils import timezone
from jsonschema import Draft202012Validator
from rest_framework.test import APIClient

from games.services import following
from tests.api.rest import (
    API,
    Json,
    body_of,
    my_turn,
    new_game,
    play_until_over,
    problem_of,
    see,
    unchanged,
)

PLAN: Json = {
    "rules": [
        {"when": {"led": "H", "trumped": False}, "play": "lowest_that_beats_else_lowest"},
        {"when": {"led": ["C", "D"]}, "play": "lowest"},
        {"play": "ask"},
    ],
    "stop_if": ["bid_made", "spade_played_before_me"],
    "cards": [],
}
ASK: Json = {"rules": [{"play": "ask"}], "stop_if": [], "cards": []}


@pytest.fixture
def path(asha_api: APIClient) -> str:
    return f"{API}/games/{new_game(asha_api)['id']}/rounds/1/plan"


def put(api: APIClient, path: str, plan: Any, tag: str | None = None) -> Any:
    headers = {} if tag is None else {"If-Match": tag}
    return api.put(path, plan, format="json", headers=headers)


def test_a_plan_comes_back_as_it_was_sent(asha_api: APIClient, path: str) -> None:
    made = put(asha_api, path, PLAN)

    assert body_of(made, 201) == PLAN
    read = asha_api.get(path)
    assert body_of(read, 200) == PLAN
    assert read.headers["ETag"] == made.headers["ETag"]
    assert "private" in read.headers["Cache-Control"]


def test_a_plan_stands_with_its_round_in_the_game_of_its_owner(
    asha_api: APIClient, eli_api: APIClient, path: str
) -> None:
    game = path.split("/")[4]
    my_turn(asha_api, game)
    put(asha_api, path, PLAN)

    [own] = see(asha_api, game)["you"]["rounds"]

    assert own["plan"] == PLAN
    # It is asha's turn to bid: the plan is for what comes after.
    assert own["plan_from"] == own["turn"] + 1
    assert own["plan_halted"] is None
    seen = see(eli_api, game)
    # How long a match takes with plans is a guess from its rules: the same for every match like it.
    assert "plan" in str(seen.pop("length"))
    assert "plan" not in str(seen)


def test_only_the_owners_version_of_the_game_changes(
    asha_api: APIClient, eli_api: APIClient, nobody: APIClient, path: str
) -> None:
    address = path.partition("/rounds")[0]
    tags = [api.get(address).headers["ETag"] for api in (asha_api, eli_api, nobody)]

    put(asha_api, path, PLAN)

    again = [
        api.get(address, headers={"If-None-Match": tag}).status_code
        for api, tag in zip((asha_api, eli_api, nobody), tags, strict=True)
    ]
    assert again == [200, 304, 304]


def test_what_is_replaced_must_be_named(asha_api: APIClient, path: str) -> None:
    problem_of(put(asha_api, path, PLAN, '"none"'), 412, "plan_changed")
    problem_of(put(asha_api, path, PLAN, "*"), 412, "plan_changed")
    first = put(asha_api, path, PLAN)
    problem_of(put(asha_api, path, ASK), 428, "precondition_required")
    problem_of(put(asha_api, path, ASK, '"none"'), 412, "plan_changed")
    problem_of(put(asha_api, path, ASK, f"W/{first.headers['ETag']}"), 412, "plan_changed")
    second = put(asha_api, path, ASK, first.headers["ETag"])

    assert body_of(second, 200) == ASK
    assert second.headers["ETag"] != first.headers["ETag"]
    problem_of(put(asha_api, path, PLAN, first.headers["ETag"]), 412, "plan_changed")
    assert put(asha_api, path, PLAN, "*").status_code == 200


def test_a_plan_is_thrown_away_by_who_has_seen_it(asha_api: APIClient, path: str) -> None:
    problem_of(asha_api.delete(path), 404, "no_plan")
    tag = put(asha_api, path, PLAN).headers["ETag"]
    problem_of(asha_api.delete(path), 428, "precondition_required")
    problem_of(asha_api.delete(path, headers={"If-Match": '"none"'}), 412, "plan_changed")

    assert asha_api.delete(path, headers={"If-Match": tag}).status_code == 204
    problem_of(asha_api.get(path), 404, "no_plan")


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        ({}, "rules"),
        ({"rules": []}, "rules"),
        ({"rules": None}, "rules"),
        ({"rules": [{"play": "win"}]}, "rules[0].play"),
        (
            {"rules": [{"when": {"led": "X"}, "play": "lowest"}, {"play": "ask"}]},
            "rules[0].when.led",
        ),
        (
            {"rules": [{"when": {"void": True}, "play": "lowest"}, {"play": "ask"}]},
            "rules[0].when.void",
        ),
        ({"rules": [{"when": {"led": "H"}, "play": "lowest"}]}, "rules[0].when"),
        ({"rules": [{"play": "ask"}], "stop_if": ["rain"]}, "stop_if[0]"),
        ({"rules": [{"play": "ask"}], "cards": ["1S"]}, "cards[0]"),
        ({"rules": [{"play": "ask"}], "cards": None}, "cards"),
        ({"rules": [{"play": "ask"}], "then": 1}, "then"),
    ],
)
def test_a_plan_that_is_none_is_refused_by_its_place(
    asha_api: APIClient, path: str, plan: Json, field: str
) -> None:
    with unchanged():
        problem = problem_of(put(asha_api, path, plan), 400, "malformed")

    assert problem["field"] == field
    problem_of(asha_api.get(path), 404, "no_plan")


def test_the_queue_holds_cards_of_my_own(asha_api: APIClient, path: str) -> None:
    [own] = see(asha_api, path.split("/")[4])["you"]["rounds"]
    deck = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    not_mine = next(card for card in deck if card not in own["hand"])

    problem = problem_of(put(asha_api, path, ASK | {"cards": [not_mine]}), 422, "card_not_held")

    assert problem["card"] == not_mine
    assert put(asha_api, path, ASK | {"cards": own["hand"][:2]}).status_code == 201


def test_only_who_sits_there_has_plans(
    asha_api: APIClient, eli_api: APIClient, nobody: APIClient, path: str
) -> None:
    put(asha_api, path, PLAN)

    for each in (eli_api.get(path), put(eli_api, path, PLAN), eli_api.delete(path)):
        problem_of(each, 403, "not_seated")
    problem_of(nobody.get(path), 401, "not_authenticated")
    problem_of(asha_api.get(path.replace("rounds/1", "rounds/2")), 404, "no_plan")
    problem_of(put(asha_api, path.replace("rounds/1", "rounds/2"), PLAN), 409, "wrong_phase")
    problem_of(
        put(asha_api, path.replace("rounds/1", "rounds/99999999999"), PLAN), 409, "wrong_phase"
    )


def test_whose_plan_plays_every_trick_is_asked_for_leads_alone(asha_api: APIClient) -> None:
    game = str(new_game(asha_api, rules={"rounds": 1})["id"])
    path = f"{API}/games/{game}/rounds/1/plan"
    put(asha_api, path, {"rules": [{"play": "lowest"}]})

    seen = play_until_over(game, asha_api)

    assert seen["result"]["reason"] == "rounds"
    problem_of(asha_api.get(path), 404, "no_plan")


def test_why_a_plan_waits_is_said_while_it_does(asha_api: APIClient) -> None:
    game = str(new_game(asha_api, rules={"rounds": 1})["id"])
    put(asha_api, f"{API}/games/{game}/rounds/1/plan", ASK)
    _seen, own = my_turn(asha_api, game)
    while own["plan_halted"] is None:
        answer = {"card": own["legal"][0]} if own["legal"] else {"bid": 1}
        place = {"round": 1, "turn": own["turn"]}
        assert (
            asha_api.post(f"{API}/games/{game}/moves", place | answer, format="json").status_code
            == 201
        )
        _seen, own = my_turn(asha_api, game)

    assert own["plan_halted"] in ("rule", "queue_empty")
    assert not following.follow_up(game, round=1, turn=own["turn"], now=timezone.now())


def test_the_rules_say_what_a_plan_may_say(asha_api: APIClient) -> None:
    schema = body_of(asha_api.get(f"{API}/rules"), 200)["plans"]

    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert validator.is_valid(PLAN)
    assert not validator.is_valid(PLAN | {"stop_if": ["rain"]})
    rule = schema["properties"]["rules"]["items"]["properties"]
    assert "lowest_spade_else_lowest" in rule["play"]["enum"]
    assert "someone_cannot_make_it" in schema["properties"]["stop_if"]["items"]["enum"]
