"""Bot accounts by the API, and where they may sit: at tables that let them, and never beside their owner or another bot of theirs."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.bots import make_bot
from accounts.models import Scope, User
from accounts.tokens import issue_token
from games.models import SeatHolder
from games.services import lobby
from tests.api.rest import API, Json, body_of, new_game, problem_of, unchanged
from tests.games.tables import NOW

OPEN = ["me", "open", "open", "open"]


@pytest.fixture
def robin(bina: User) -> User:
    return make_bot(bina, "robin", now=NOW)


@pytest.fixture
def robin_api(robin: User, api_of: Callable[[User], APIClient]) -> APIClient:
    return api_of(robin)


def make(api: APIClient, **body: object) -> object:
    return api.post(f"{API}/bots", body, format="json")


def sit(api: APIClient, game: Json) -> object:
    return api.post(f"{API}/games/{game['id']}/seats", {}, format="json")


def test_a_bot_account_comes_with_its_token(asha_api: APIClient, nobody: APIClient) -> None:
    made = body_of(make(asha_api, name="robin", scopes=["account:read"], days=30), 201)

    nobody.credentials(HTTP_AUTHORIZATION=f"Bearer {made['token']['token']}")
    me = body_of(nobody.get(f"{API}/me"), 200)
    assert (me["player"], me["kind"], me["owner"]) == ("robin", "bot_account", "asha")
    assert me["scopes"] == ["account:read"]
    assert [bot["player"] for bot in body_of(asha_api.get(f"{API}/bots"), 200)["bots"]] == ["robin"]


def test_a_token_makes_no_bot_that_may_do_more(asha: User, nobody: APIClient) -> None:
    text = issue_token(asha, name="reads", scopes=[Scope.GAMES_READ], now=timezone.now())[1]
    nobody.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")

    refused = make(nobody, name="robin", scopes=["games:read", "games:play"])

    assert problem_of(refused, 403, "scope")["scope"] == "games:play"
    assert not User.objects.filter(username="robin").exists()


def test_what_cannot_be_made_says_why(asha_api: APIClient, robin_api: APIClient) -> None:
    assert problem_of(make(asha_api, name="x"), 400, "malformed")["field"] == "name"
    assert problem_of(make(asha_api, name="admin"), 400, "malformed")["field"] == "name"
    problem_of(make(asha_api, name="ROBIN"), 409, "name_taken")
    problem_of(make(robin_api, name="another"), 403, "account_needed")


def test_a_bot_account_sits_where_bots_may(asha_api: APIClient, robin_api: APIClient) -> None:
    closed = new_game(asha_api, seats=OPEN)
    welcome = new_game(asha_api, seats=OPEN, bots_may_sit=True)

    with unchanged():
        problem_of(sit(robin_api, closed), 409, "bots_may_not_sit")
    seen = body_of(sit(robin_api, welcome), 200)

    assert (seen["bots_may_sit"], closed["bots_may_sit"]) == (True, False)
    assert seen["seats"][1]["kind"] == "bot_account"


def test_at_a_table_that_a_bot_made_bots_may_sit(robin_api: APIClient) -> None:
    assert new_game(robin_api, seats=OPEN)["bots_may_sit"] is True


def test_an_owner_and_their_bots_never_share_a_table(
    asha_api: APIClient,
    bina: User,
    bina_api: APIClient,
    robin_api: APIClient,
    api_of: Callable[[User], APIClient],
) -> None:
    game = new_game(asha_api, seats=OPEN, bots_may_sit=True)
    body_of(sit(robin_api, game), 200)
    other = api_of(make_bot(bina, "second", now=NOW))

    with unchanged():
        problem_of(sit(bina_api, game), 409, "same_person")
        problem_of(sit(other, game), 409, "same_person")


def test_nor_does_a_new_table_expect_them_together(
    bina: User, bina_api: APIClient, asha_api: APIClient, robin_api: APIClient
) -> None:
    make_bot(bina, "second", now=NOW)
    together = [
        (bina_api, ["me", "user:robin", "open", "open"]),
        (robin_api, ["me", "user:bina", "open", "open"]),
        (asha_api, ["me", "user:robin", "user:second", "open"]),
        (asha_api, ["me", "user:robin", "user:bina", "open"]),
    ]

    with unchanged():
        for api, seats in together:
            body = {"preset": "arcadia", "seats": seats, "bots_may_sit": True}
            problem_of(api.post(f"{API}/games", body, format="json"), 409, "same_person")
        body = {"preset": "arcadia", "seats": ["me", "user:robin", "open", "open"]}
        problem_of(asha_api.post(f"{API}/games", body, format="json"), 409, "bots_may_not_sit")


def test_who_only_made_the_table_may_watch_their_bot(bina_api: APIClient, robin: User) -> None:
    seats = ["open", "user:robin", "open", "open"]

    game = new_game(bina_api, seats=seats, bots_may_sit=True)

    assert lobby.sit(robin, game["id"], now=timezone.now()).seat_of(robin.pk) == 1


def test_the_database_lets_one_person_hold_one_seat_of_a_game(
    asha_api: APIClient, bina: User, robin: User, robin_api: APIClient
) -> None:
    game = new_game(asha_api, seats=OPEN, bots_may_sit=True)
    body_of(sit(robin_api, game), 200)

    with pytest.raises(IntegrityError), transaction.atomic():
        SeatHolder.objects.create(game_id=game["id"], user=bina, person=bina, seat=2)
