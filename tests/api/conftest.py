"""The cast at their clients: everybody has a token that may do everything, but eli is a stranger at every table."""

from collections.abc import Callable, Iterator
from threading import Thread
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import connections
from django.utils import timezone
from rest_framework.test import APIClient

import bot_client
from accounts.models import Scope, User
from accounts.tokens import issue_token

ApiOf = Callable[[User], APIClient]


@pytest.fixture
def asha_api(asha: User, api_of: ApiOf) -> APIClient:
    return api_of(asha)


@pytest.fixture
def bina_api(bina: User, api_of: ApiOf) -> APIClient:
    return api_of(bina)


@pytest.fixture
def eli_api(eli: User, api_of: ApiOf) -> APIClient:
    return api_of(eli)


@pytest.fixture
def nobody(db: None) -> APIClient:
    """Somebody without an account."""
    return APIClient()


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
    """The example's client of a person, at that server."""

    def make(user: User) -> bot_client.Client:
        scopes = [Scope.GAMES_READ, Scope.GAMES_PLAY, Scope.TABLES_WRITE]
        text = issue_token(user, name="bot", scopes=scopes, now=timezone.now())[1]
        return bot_client.Client(site, text)

    return make
