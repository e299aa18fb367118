from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Scope, User
from accounts.tokens import issue_token
from tests.api.rest import (
    API,
    answer_to,
    body_of,
    let_bots_play,
    move,
    my_turn,
    new_game,
    problem_of,
)


def test_me_says_who_the_token_belongs_to_and_what_it_may_do(asha: User) -> None:
    scopes = [Scope.ACCOUNT_READ, Scope.GAMES_READ]
    text = issue_token(asha, name="narrow", scopes=scopes, now=timezone.now())[1]
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")

    me = body_of(api.get(f"{API}/me"), 200)

    assert me["player"] == "asha"
    assert me["kind"] == "human"
    assert sorted(me["scopes"]) == ["account:read", "games:read"]


def test_nobody_is_not_anybody(nobody: APIClient) -> None:
    problem_of(nobody.get(f"{API}/me"), 401, "not_authenticated")
    problem_of(nobody.get(f"{API}/me/turns"), 401, "not_authenticated")


def test_my_turns_are_the_decisions_that_wait_for_me(
    asha_api: APIClient, eli_api: APIClient
) -> None:
    game = new_game(asha_api)["id"]
    seen, own = my_turn(asha_api, game)

    turns = body_of(asha_api.get(f"{API}/me/turns"), 200)["turns"]

    waiting = {"game": game, "round": 1, "turn": own["turn"], "action": "bid"}
    waiting["deadline"] = own["deadline"]
    assert turns == [waiting]
    assert body_of(eli_api.get(f"{API}/me/turns"), 200) == {"turns": []}
    body_of(move(asha_api, game, **answer_to(own, seen)), 201)
    assert waiting not in body_of(asha_api.get(f"{API}/me/turns"), 200)["turns"]


def test_rounds_side_by_side_wait_one_by_one(asha_api: APIClient) -> None:
    options = {"parallel_rounds": True, "sealed_bids": True}
    game = new_game(asha_api, options=options)["id"]

    turns = body_of(asha_api.get(f"{API}/me/turns"), 200)["turns"]

    assert [each["round"] for each in turns] == [1, 2, 3, 4, 5]
    for each in turns:
        answer = {"round": each["round"], "turn": each["turn"], "bid": 2}
        body_of(move(asha_api, game, **answer), 201)
    let_bots_play(game)
    after = body_of(asha_api.get(f"{API}/me/turns"), 200)["turns"]
    assert {each["action"] for each in after} <= {"play"}
