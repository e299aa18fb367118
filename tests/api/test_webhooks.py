"""Webhooks by API: kept by their owner alone, told of turns and games in ids, and never of a card."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Scope, User, Webhook, WebhookDelivery
from accounts.tokens import issue_token
from accounts.webhooks import deliveries
from games.webhooks import collect
from tests.accounts.internet import NAME, Internet, internet
from tests.api.rest import (
    API,
    Json,
    body_of,
    my_turn,
    new_game,
    play_until_over,
    problem_of,
    unchanged,
)

URL = f"https://{NAME}/in"


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Internet]:
    with internet(tmp_path) as web:
        yield web


def make(api: APIClient, **body: object) -> Json:
    return body_of(api.post(f"{API}/webhooks", {"url": URL, **body}, format="json"), 201)


def told(webhook: int) -> list[Json]:
    rows = WebhookDelivery.objects.filter(webhook=webhook).order_by("created_at", "pk")
    return [json.loads(row.body) for row in rows]


def test_the_secret_is_shown_once(asha_api: APIClient) -> None:
    made = make(asha_api)

    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", made["secret"])
    assert made["events"] == ["turn_opened", "game_started", "game_finished"]
    shown = body_of(asha_api.get(f"{API}/webhooks"), 200)
    assert shown["webhooks"] == [{key: made[key] for key in made if key != "secret"}]


@pytest.mark.parametrize(
    "url",
    ["http://hooks.example/", "https://127.0.0.1/", "https://2130706433/", "https://[::1]/", "x"],
)
def test_a_bad_target_is_refused(asha_api: APIClient, url: str) -> None:
    with unchanged():
        refused = asha_api.post(f"{API}/webhooks", {"url": url}, format="json")

    assert problem_of(refused, 422, "bad_target")["field"] == "url"
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "body", [{}, {"url": 1}, {"url": URL, "events": []}, {"url": URL, "events": ["hand"]}]
)
def test_what_is_no_webhook_is_malformed(asha_api: APIClient, body: Json) -> None:
    problem_of(asha_api.post(f"{API}/webhooks", body, format="json"), 400, "malformed")


def test_ten_are_the_most(asha_api: APIClient) -> None:
    for _each in range(10):
        make(asha_api)

    refused = asha_api.post(f"{API}/webhooks", {"url": URL}, format="json")

    problem_of(refused, 409, "too_many_webhooks")


def test_nobody_reaches_anothers(asha_api: APIClient, bina_api: APIClient) -> None:
    mine = f"{API}/webhooks/{make(asha_api)['id']}"
    sent = body_of(asha_api.post(f"{mine}/test"), 202)["id"]

    for path in ("", "/deliveries"):
        problem_of(bina_api.get(mine + path), 404, "not_found")
    for path in ("/secret", "/enable", "/test", f"/deliveries/{sent}/redeliver"):
        problem_of(bina_api.post(mine + path), 404, "not_found")
    problem_of(bina_api.delete(mine), 404, "not_found")
    assert Webhook.objects.count() == 1
    other = f"{API}/webhooks/{make(bina_api)['id']}"
    problem_of(bina_api.post(f"{other}/deliveries/{sent}/redeliver"), 404, "not_found")


def test_it_needs_its_scope(asha: User, nobody: APIClient) -> None:
    scopes = [scope for scope in Scope if scope != Scope.WEBHOOKS_WRITE]
    text = issue_token(asha, name="none", scopes=scopes, now=timezone.now())[1]
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")

    assert problem_of(api.get(f"{API}/webhooks"), 403, "scope")["scope"] == "webhooks:write"
    problem_of(nobody.get(f"{API}/webhooks"), 401, "not_authenticated")


def test_it_is_told_of_the_game_the_turns_and_the_end_once(
    asha_api: APIClient, bina_api: APIClient
) -> None:
    webhook = make(asha_api)["id"]
    others = make(bina_api)["id"]
    collect(now=timezone.now())
    game = new_game(asha_api, rules={"rounds": 1})["id"]
    own = my_turn(asha_api, game)[1]

    assert collect(now=timezone.now()) == 2
    assert collect(now=timezone.now()) == 0
    play_until_over(game, asha_api)
    assert collect(now=timezone.now()) == 1

    assert sorted((each["type"], json.dumps(each["data"])) for each in told(webhook)) == [
        ("game_finished", json.dumps({"game": game})),
        ("game_started", json.dumps({"game": game})),
        ("turn_opened", json.dumps({"game": game, "round": 1, "turn": own["turn"]})),
    ]
    assert told(others) == []


def test_it_is_told_only_what_it_asked_for(asha_api: APIClient) -> None:
    webhook = make(asha_api, events=["game_finished"])["id"]
    game = new_game(asha_api, rules={"rounds": 1})["id"]
    collect(now=timezone.now())
    play_until_over(game, asha_api)

    collect(now=timezone.now())

    assert [each["type"] for each in told(webhook)] == ["game_finished"]


def test_it_is_told_of_what_waits_when_it_is_made(asha_api: APIClient) -> None:
    my_turn(asha_api, new_game(asha_api)["id"])

    webhook = make(asha_api)["id"]
    collect(now=timezone.now())

    assert [each["type"] for each in told(webhook)] == ["turn_opened"]


def test_a_test_message_is_sent_and_logged_and_sent_again(
    asha_api: APIClient, web: Internet
) -> None:
    path = f"{API}/webhooks/{make(asha_api)['id']}"
    queued = body_of(asha_api.post(f"{path}/test"), 202)
    assert (queued["status"], queued["type"]) == ("queued", "test")

    deliveries.send_due(now=timezone.now(), poster=web.poster())

    [logged] = body_of(asha_api.get(f"{path}/deliveries"), 200)["deliveries"]
    assert (logged["status"], logged["answer"], logged["attempts"]) == ("delivered", 204, 1)
    again = body_of(asha_api.post(f"{path}/deliveries/{logged['id']}/redeliver"), 202)
    assert (again["id"], again["status"]) == (logged["id"], "queued")
    deliveries.send_due(now=timezone.now(), poster=web.poster())
    assert [headers["webhook-id"] for headers, _body in web.heard] == [logged["id"]] * 2


def test_a_disabled_one_begins_anew(
    asha: User, asha_api: APIClient, api_of: Callable[[User], APIClient]
) -> None:
    webhook = make(asha_api)["id"]
    collect(now=timezone.now())
    Webhook.objects.update(disabled=Webhook.Disabled.FAILING, failing_since=timezone.now())
    over = new_game(asha_api, rules={"rounds": 1})["id"]
    play_until_over(over, asha_api)
    game = new_game(asha_api)["id"]
    my_turn(asha_api, game)
    assert collect(now=timezone.now()) == 0

    shown = body_of(asha_api.post(f"{API}/webhooks/{webhook}/enable"), 200)
    collect(now=timezone.now())

    assert shown["disabled"] is None
    assert [(each["type"], each["data"]["game"]) for each in told(webhook)] == [
        ("turn_opened", game)
    ]


def test_a_removed_one_is_told_nothing(asha_api: APIClient) -> None:
    webhook = make(asha_api)["id"]
    asha_api.post(f"{API}/webhooks/{webhook}/test")

    assert asha_api.delete(f"{API}/webhooks/{webhook}").status_code == 204

    assert not WebhookDelivery.objects.exists()
    problem_of(asha_api.get(f"{API}/webhooks/{webhook}"), 404, "not_found")
