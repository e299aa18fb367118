"""The example that newcomers start from plays a whole match against a server on a real socket."""

from collections.abc import Callable, Iterator
from threading import Thread
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import connections
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Scope, User
from accounts.tokens import issue_token
from examples import bot_client
from tests.api.rest import let_bots_play, new_game, see


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server that shares this test's connection, and so its open transaction."""
    connection = connections["default"]
    # Between requests Django closes what is inside a transaction; this one is the test's own.
    monkeypatch.setattr(connection, "close_if_unusable_or_obsolete", lambda: None)
    server = make_server("127.0.0.1", 0, WSGIHandler(), handler_class=Quiet)

    def serve() -> None:
        connections["default"] = connection
        server.serve_forever(poll_interval=0.05)

    connection.inc_thread_sharing()
    thread = Thread(target=serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
    connection.dec_thread_sharing()


@pytest.fixture
def client_of(site: str) -> Callable[[User], bot_client.Client]:
    def make(user: User) -> bot_client.Client:
        scopes = [Scope.GAMES_READ, Scope.GAMES_PLAY, Scope.TABLES_WRITE]
        text = issue_token(user, name="bot", scopes=scopes, now=timezone.now())[1]
        return bot_client.Client(site, text)

    return make


def test_it_makes_a_table_and_plays_to_the_end(
    asha: User, client_of: Callable[[User], bot_client.Client]
) -> None:
    client = client_of(asha)
    game = client.new_table()

    seen = bot_client.play(client, game, wait=lambda _seconds: let_bots_play(game))

    assert seen["status"] == "finished"
    assert len(seen["rounds"]) == 5


def test_it_takes_a_seat_at_a_table(
    asha_api: APIClient, bina: User, client_of: Callable[[User], bot_client.Client]
) -> None:
    game = str(new_game(asha_api, seats=["me", "open", "bot:steady", "bot:steady"])["id"])

    client_of(bina).sit_down(game)

    assert see(asha_api, game)["seats"][1]["player"] == "bina"
