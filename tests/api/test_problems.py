"""Every refusal has a page entry and a status; what breaks on our side says so without a word too much."""

import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings
from django.db import OperationalError
from django.test import Client
from rest_framework.exceptions import Throttled
from rest_framework.test import APIClient

from games import queries
from games.api.errors import PROBLEMS, handle
from games.engine.errors import Code
from games.refusals import Refusal
from games.services import play
from games.table import BrokenLog
from tests.api.rest import API, new_game, problem_of, see, unchanged


def test_every_refusal_and_every_code_is_listed() -> None:
    known = {refusal.code for refusal in Refusal.__subclasses__()} | {code.value for code in Code}

    assert known <= set(PROBLEMS)


def test_the_errors_page_lists_every_code(client: Client) -> None:
    page = client.get("/api/docs/errors")

    assert page.status_code == 200
    assert all(f'id="{code}"' in page.content.decode() for code in PROBLEMS)


def test_too_many_requests_say_when_to_come_back() -> None:
    response = handle(Throttled(wait=13), {})

    assert response is not None
    assert response.status_code == 429
    assert response.headers["Retry-After"] == "13"
    assert response.headers["Content-Type"] == "application/problem+json"


def test_a_busy_database_is_no_fault_of_the_caller(
    asha_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(asha_api)["id"]

    def locked(*_args: object, **_kwargs: object) -> None:
        raise OperationalError("database is locked: SELECT secret")

    monkeypatch.setattr(play, "place_bid", locked)
    with unchanged():
        sent = {"round": 1, "turn": 0, "bid": 3}
        refused = asha_api.post(f"{API}/games/{game}/moves", sent, format="json")

    assert "SELECT" not in str(problem_of(refused, 503, "busy"))
    assert refused.headers["Retry-After"] == "1"


def test_a_log_that_does_not_replay_closes_its_game_alone(
    asha_api: APIClient, nobody: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(asha_api)["id"]

    def broken(*_args: object, **_kwargs: object) -> None:
        raise BrokenLog(game, "round 1 does not replay")

    with monkeypatch.context() as patched:
        patched.setattr(queries, "open_table", broken)
        refused = nobody.get(f"{API}/games/{game}")

    assert "replay" not in str(problem_of(refused, 503, "log_broken"))
    assert see(nobody, game)["id"] == game


def test_a_seed_that_cannot_be_opened_closes_its_game(
    asha_api: APIClient, settings: LazySettings
) -> None:
    game = new_game(asha_api)["id"]

    settings.DEAL_KEYS = [Fernet.generate_key().decode()]

    with unchanged():
        problem_of(asha_api.get(f"{API}/games/{game}"), 503, "log_broken")
        sent = {"round": 1, "turn": 0, "bid": 3}
        refused = asha_api.post(f"{API}/games/{game}/moves", sent, format="json")
        problem_of(refused, 503, "log_broken")


def test_a_fault_of_ours_says_nothing_about_itself(
    asha_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fall(*_args: object, **_kwargs: object) -> None:
        raise KeyError("the ace of spades")

    monkeypatch.setattr(queries, "version", fall)
    asha_api.raise_request_exception = False

    refused = asha_api.get(f"{API}/games/222222222222")

    assert "ace" not in str(problem_of(refused, 500, "server_error"))


def test_errors_speak_the_callers_language_or_english(nobody: APIClient) -> None:
    refused = nobody.get(f"{API}/me", headers={"accept-language": "xx"})

    assert problem_of(refused, 401, "not_authenticated")["title"].startswith("Credentials")
