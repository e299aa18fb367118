"""An answer that was lost on its way may be asked for again: nothing is made twice."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
import time_machine
import yaml
from django.apps import apps
from django.conf import LazySettings, settings
from rest_framework.test import APIClient

from accounts.models import ApiToken, KeptAnswer, User
from accounts.tasks import forget_answers
from games.models import Game
from games.services import substituting
from tests.api.rest import (
    API,
    Json,
    answer_to,
    body_of,
    move,
    my_turn,
    new_game,
    play_to_the_cards,
    play_until_over,
    problem_of,
    see,
)
from tests.games.clockwork import ONE_DAY, ONE_WEEK, due, four_at, seat_of, twice_late
from tests.games.tables import NOW

KEY: Final = "4e8d3a3e-2b0a-4a3c-9a43-6c1f7e0d5f11"
# Route -> what to post there, having done what comes before it.
Request = tuple[str, Json]
SCHEMA: Final = Path(settings.BASE_DIR) / "games" / "api" / "openapi.yaml"


def with_key(api: APIClient, path: str, body: Json, key: str = KEY) -> Any:
    return api.post(f"{API}{path}", body, format="json", headers={"Idempotency-Key": key})


def making(asha: APIClient, bina: APIClient) -> Request:
    return "/games", {"preset": "arcadia", "seats": ["me", "open", "bot:steady", "bot:steady"]}


def reserving(asha: APIClient, bina: APIClient) -> Request:
    return "/games/reserve", {}


def making_a_token(asha: APIClient, bina: APIClient) -> Request:
    return "/tokens", {"name": "bot", "scopes": ["games:read"]}


def sitting_down(asha: APIClient, bina: APIClient) -> Request:
    return f"/games/{new_game(bina, seats=['me', 'open', 'open', 'open'])['id']}/seats", {}


def starting(asha: APIClient, bina: APIClient) -> Request:
    return f"/games/{new_game(asha, seats=['me', 'open', 'open', 'open'])['id']}/start", {}


def moving(asha: APIClient, bina: APIClient) -> Request:
    game = new_game(asha)["id"]
    seen, own = my_turn(asha, game)
    return f"/games/{game}/moves", answer_to(own, seen)


def claiming(asha: APIClient, bina: APIClient) -> Request:
    game = new_game(asha)["id"]
    _seen, own = play_to_the_cards(game, asha)
    return f"/games/{game}/claims", {"round": 1, "turn": own["turn"]}


def four(*names: str) -> list[User]:
    return [User.objects.get_or_create(username=name)[0] for name in names]


def having_the_seat_back(asha: APIClient, bina: APIClient) -> Request:
    people = four("asha", "bina", "chandra", "dipak")
    game = four_at(people, clock=ONE_DAY)
    while seat_of(game, due(game)[2]).user != people[0]:
        game = four_at(people, clock=ONE_DAY)
    twice_late(game)
    return f"/games/{game}/seats/me/back", {}


def taking_over(asha: APIClient, bina: APIClient) -> Request:
    game = four_at(four("bina", "chandra", "dipak", "eli"), clock=ONE_WEEK)
    seat, now = twice_late(game)
    host = seat_of(game, (seat + 1) % 4).user
    assert host is not None
    substituting.offer(host, game, seat=seat, now=now + timedelta(days=7))
    return f"/games/{game}/seats/{seat}/substitute", {}


def asking_the_coach(asha: APIClient, bina: APIClient) -> Request:
    game = new_game(asha, rules={"rounds": 1})["id"]
    play_until_over(game, asha)
    return f"/games/{game}/rounds/1/coach", {}


def making_a_webhook(asha: APIClient, bina: APIClient) -> Request:
    return "/webhooks", {"url": "https://hooks.example/callbreak"}


def at_a_webhook(what: str) -> Callable[[APIClient, APIClient], Request]:
    """A POST below a webhook, or below its newest delivery."""

    def ask(asha: APIClient, bina: APIClient) -> Request:
        path, body = making_a_webhook(asha, bina)
        webhook = body_of(asha.post(f"{API}{path}", body, format="json"), 201)["id"]
        sent = body_of(asha.post(f"{API}/webhooks/{webhook}/test"), 202)["id"]
        return f"/webhooks/{webhook}/{what.format(delivery=sent)}", {}

    return ask


def making_a_bot(asha: APIClient, bina: APIClient) -> Request:
    return "/bots", {"name": "robot", "scopes": ["games:read"], "days": 30}


def reporting(asha: APIClient, bina: APIClient) -> Request:
    game = new_game(asha, rules={"rounds": 1})["id"]
    return f"/games/{game}/disputes", {"seq": 1, "category": "bug", "text": "Look at this."}


POSTS: Final[Mapping[str, Callable[[APIClient, APIClient], Request]]] = {
    "/bots": making_a_bot,
    "/games": making,
    "/games/reserve": reserving,
    "/games/{game}/claims": claiming,
    "/games/{game}/disputes": reporting,
    "/games/{game}/moves": moving,
    "/games/{game}/rounds/{round}/coach": asking_the_coach,
    "/games/{game}/seats": sitting_down,
    "/games/{game}/seats/me/back": having_the_seat_back,
    "/games/{game}/seats/{seat}/substitute": taking_over,
    "/games/{game}/start": starting,
    "/tokens": making_a_token,
    "/webhooks": making_a_webhook,
    "/webhooks/{webhook}/deliveries/{delivery}/redeliver": at_a_webhook(
        "deliveries/{delivery}/redeliver"
    ),
    "/webhooks/{webhook}/enable": at_a_webhook("enable"),
    "/webhooks/{webhook}/secret": at_a_webhook("secret"),
    "/webhooks/{webhook}/test": at_a_webhook("test"),
}


def everything() -> dict[str, int]:
    """How many rows of each kind there are, kept answers apart; and how long each log is."""
    rows = {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models()
        if model is not KeptAnswer and not model._meta.proxy
    }
    return rows | {game.pk: game.seq for game in Game.objects.all()}


def test_every_post_of_the_schema_is_tried() -> None:
    paths = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))["paths"]

    assert {path for path, methods in paths.items() if "post" in methods} == {
        f"{API}{path}" for path in POSTS
    }


@pytest.mark.parametrize("path", POSTS)
def test_a_dropped_answer_asked_for_again_makes_nothing_twice(
    asha_api: APIClient, bina_api: APIClient, path: str
) -> None:
    url, body = POSTS[path](asha_api, bina_api)
    dropped = with_key(asha_api, url, body)
    before = everything()

    again = with_key(asha_api, url, body)

    assert everything() == before
    assert dropped.status_code < 500
    if dropped.status_code == 201 and path.endswith("/moves"):
        assert again.status_code == 200
        assert again.json()["hash"] == dropped.json()["hash"]
    else:
        assert again.status_code == dropped.status_code


@pytest.mark.parametrize("path", ["/games", "/games/{game}/seats", "/tokens"])
def test_the_first_answer_is_given_again_to_the_byte(
    asha_api: APIClient, bina_api: APIClient, path: str
) -> None:
    url, body = POSTS[path](asha_api, bina_api)
    first = with_key(asha_api, url, body)

    again = with_key(asha_api, url, dict(reversed(body.items())))

    assert first.status_code in (200, 201), first.content
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers.get("Location") == first.headers.get("Location")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers


def test_another_key_makes_another(asha_api: APIClient) -> None:
    body = {"name": "bot", "scopes": ["games:read"]}

    first, second = (with_key(asha_api, "/tokens", body, key) for key in ("a", "b"))

    assert first.json()["token"] != second.json()["token"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/tokens", {"name": "another", "scopes": ["games:read"]}),
        ("/games", {"name": "bot", "scopes": ["games:read"]}),
    ],
)
def test_a_key_is_good_for_one_request(asha_api: APIClient, path: str, body: Json) -> None:
    with_key(asha_api, "/tokens", {"name": "bot", "scopes": ["games:read"]})
    before = everything()

    refused = with_key(asha_api, path, body)

    problem_of(refused, 422, "key_reused")
    assert everything() == before


def test_a_key_is_its_users_own(asha_api: APIClient, bina_api: APIClient) -> None:
    body = {"name": "bot", "scopes": ["games:read"]}

    tokens = {with_key(api, "/tokens", body).json()["token"] for api in (asha_api, bina_api)}

    assert len(tokens) == 2


def test_a_refused_request_may_be_sent_again(asha_api: APIClient) -> None:
    problem_of(with_key(asha_api, "/games", {"preset": "none"}), 400, "malformed")
    problem_of(
        with_key(
            asha_api,
            "/games",
            {"preset": "arcadia", "seats": ["user:nobody", "open", "open", "open"]},
        ),
        422,
        "unknown_player",
    )
    assert not KeptAnswer.objects.exists()

    body_of(with_key(asha_api, "/games", {"preset": "arcadia"}), 201)


@pytest.mark.parametrize("key", ["", "x" * 256, "two words", "é"])
def test_what_is_no_key(asha_api: APIClient, key: str) -> None:
    refused = with_key(asha_api, "/games", {"preset": "arcadia"}, key.encode().decode("latin-1"))

    assert problem_of(refused, 400, "malformed")["field"] == "Idempotency-Key"
    assert not Game.objects.exists()


def test_an_answer_is_kept_for_a_day_and_then_forgotten(
    asha: User, api_of: Callable[[User], APIClient]
) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        api, body = api_of(asha), {"name": "bot", "scopes": ["games:read"]}
        first = with_key(api, "/tokens", body).json()
        clock.shift(timedelta(hours=24, seconds=-1))
        forget_answers()
        again = with_key(api, "/tokens", body).json()
        clock.shift(timedelta(seconds=1))
        later = with_key(api, "/tokens", body).json()
        clock.shift(timedelta(hours=24))
        forget_answers()

    assert again == first
    assert later["id"] != first["id"]
    assert not KeptAnswer.objects.exists()


def test_nothing_of_a_kept_answer_can_be_read(asha: User, asha_api: APIClient) -> None:
    made = with_key(asha_api, "/tokens", {"name": "bot", "scopes": ["games:read"]}).json()

    [kept] = KeptAnswer.objects.values_list("key", "asked", "sealed")

    assert made["token"] not in str(kept)
    assert KEY not in str(kept)
    assert ApiToken.objects.count() == 2


def test_a_new_key_of_the_site_opens_what_the_old_one_closed(
    asha_api: APIClient, settings: LazySettings
) -> None:
    body = {"name": "bot", "scopes": ["games:read"]}
    first = with_key(asha_api, "/tokens", body)

    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"

    assert with_key(asha_api, "/tokens", body).content == first.content


def test_the_same_seat_twice_without_a_key_is_answered_alike(
    asha_api: APIClient, bina_api: APIClient
) -> None:
    url, body = sitting_down(asha_api, bina_api)
    first = body_of(asha_api.post(f"{API}{url}", body, format="json"), 200)

    again = body_of(asha_api.post(f"{API}{url}", body, format="json"), 200)

    assert again == first == see(asha_api, first["id"])


def test_a_move_needs_no_key(asha_api: APIClient) -> None:
    game = new_game(asha_api)["id"]
    seen, own = my_turn(asha_api, game)
    sent = answer_to(own, seen)
    first = body_of(move(asha_api, game, **sent), 201)

    again = body_of(move(asha_api, game, **sent), 200)

    assert (again["seq"], again["hash"]) == (first["seq"], first["hash"])
