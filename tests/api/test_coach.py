"""The coach over HTTP: for a round that is over, for the player of that seat, and before a bid where nothing counts."""

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from games.bots import coach
from games.models import Game
from games.services import coaching
from tests.api.rest import (
    API,
    Json,
    body_of,
    new_game,
    play_to_the_cards,
    play_until_over,
    problem_of,
    unchanged,
)


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "WORLDS", 12)


def coach_path(game: str, round: int = 1) -> str:
    return f"{API}/games/{game}/rounds/{round}/coach"


def test_the_coach_is_asked_works_and_answers(asha: User, asha_api: APIClient) -> None:
    game = new_game(asha_api, rules={"rounds": 1})["id"]
    play_until_over(game, asha_api)

    before = body_of(asha_api.get(coach_path(game)), 200)
    asked = body_of(asha_api.post(coach_path(game), {}, format="json"), 202)
    coaching.work(game, round=1, owner=asha.pk, now=timezone.now())
    told = body_of(asha_api.get(coach_path(game)), 200)
    again = body_of(asha_api.post(coach_path(game), {}, format="json"), 200)

    assert before == {
        "round": 1,
        "status": "not_asked",
        "done": 0,
        "total": None,
        "bid": None,
        "cards": [],
    }
    assert (asked["status"], asked["done"]) == ("working", 0)
    assert told == again
    assert told["status"] == "done"
    assert told["done"] == told["total"] == 1 + len(told["cards"])
    assert set(told["cards"][0]) == {"seq", "turn", "card", "best", "choices", "cost", "error"}
    match = body_of(asha_api.get(f"{API}/games/{game}/coach"), 200)
    assert match["rounds"] == [
        {"round": 1, "status": "done", "done": told["done"], "total": told["total"]}
    ]
    assert match["bids"]["count"] == 1


def test_a_running_round_is_refused_by_every_way_of_asking(asha_api: APIClient) -> None:
    game = new_game(asha_api, rules={"rounds": 2})["id"]
    play_to_the_cards(game, asha_api)

    with unchanged():
        problem_of(asha_api.get(coach_path(game)), 409, "round_not_over")
        problem_of(asha_api.post(coach_path(game), {}, format="json"), 409, "round_not_over")
        problem_of(asha_api.post(coach_path(game, 2), {}, format="json"), 404, "not_found")
    match = body_of(asha_api.get(f"{API}/games/{game}/coach"), 200)
    assert match == {"rounds": [], "costliest": [], "bids": {"count": 0, "made": 0, "expected": 0}}


def test_others_are_told_nothing(asha: User, asha_api: APIClient, eli_api: APIClient) -> None:
    game = new_game(asha_api, rules={"rounds": 1}, visibility="link")["id"]
    public = new_game(asha_api, rules={"rounds": 1})["id"]
    play_until_over(public, asha_api)
    asha_api.post(coach_path(public), {}, format="json")
    coaching.work(public, round=1, owner=asha.pk, now=timezone.now())

    for path in (
        coach_path(game),
        f"{API}/games/{game}/coach",
        f"{API}/games/{game}/rounds/1/bid-help",
    ):
        problem_of(eli_api.get(path), 404, "not_found")
    for path in (
        coach_path(public),
        f"{API}/games/{public}/coach",
        f"{API}/games/{public}/rounds/1/bid-help",
    ):
        problem_of(eli_api.get(path), 403, "not_seated")
        problem_of(APIClient().get(path), 401, "not_authenticated")
    problem_of(eli_api.post(coach_path(public), {}, format="json"), 403, "not_seated")


@pytest.mark.parametrize("body", [{"round": 1}, [], {"worlds": 10**9}])
def test_nothing_is_taken_but_an_empty_object(asha_api: APIClient, body: object) -> None:
    game = new_game(asha_api, rules={"rounds": 1})["id"]
    play_until_over(game, asha_api)

    problem_of(asha_api.post(coach_path(game), body, format="json"), 400, "malformed")


def test_help_before_a_bid(asha_api: APIClient) -> None:
    game = new_game(asha_api)["id"]
    path = f"{API}/games/{game}/rounds/1/bid-help"

    told: Json = body_of(asha_api.get(path), 200)

    scores = {each["bid"]: each["score"] for each in told["bids"]}
    assert set(scores) == set(range(1, 14))
    assert scores[told["best"]] == max(scores.values())
    assert len(told["tricks"]) == 14
    play_to_the_cards(game, asha_api)
    problem_of(asha_api.get(path), 409, "wrong_phase")
    problem_of(asha_api.get(path.replace("/1/", "/9/")), 404, "not_found")


def test_no_help_at_a_rated_table(asha_api: APIClient) -> None:
    game = new_game(asha_api)["id"]
    Game.objects.filter(pk=game).update(rated=True)

    problem_of(asha_api.get(f"{API}/games/{game}/rounds/1/bid-help"), 409, "no_help")
