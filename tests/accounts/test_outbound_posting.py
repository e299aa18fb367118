"""One request to somebody else's server, over real TLS: pinned to the address that was vetted, and bounded whatever comes back."""

import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from accounts.outbound.posting import Outcome
from tests.accounts.internet import NAME, PUBLIC, Internet, internet, says

URL = f"https://{NAME}/in?x=1"


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Internet]:
    with internet(tmp_path) as web:
        yield web


def test_it_arrives_at_the_vetted_address(web: Internet) -> None:
    outcome = web.poster().post(URL, {"webhook-id": "msg_1"}, b"{}")

    assert outcome == Outcome(status=204)
    assert outcome.is_delivered
    [(headers, body)] = web.heard
    assert web.called == [PUBLIC]
    assert headers["host"] == NAME
    assert headers["webhook-id"] == "msg_1"
    assert body == b"{}"


def test_a_name_that_changes_after_it_was_vetted_changes_nothing(web: Internet) -> None:
    web.names = [[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]]

    first = web.poster().post(URL, {}, b"{}")
    second = web.poster().post(URL, {}, b"{}")

    assert first.is_delivered
    assert second == Outcome(error="not_public")
    assert web.called == [PUBLIC]
    assert len(web.heard) == 1


@pytest.mark.parametrize(
    "place", ["https://127.0.0.1/", f"https://{NAME}/other", "http://a.example"]
)
def test_a_redirect_is_not_followed(web: Internet, place: str) -> None:
    web.answers = [says(307, {"Location": place})]

    outcome = web.poster().post(URL, {}, b"{}")

    assert outcome.status == 307
    assert not outcome.is_delivered
    assert len(web.heard) == 1
    assert len(web.called) == 1


def _never_answers(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(20)


def _drips_headers(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for _each in range(100):
        time.sleep(0.2)
        handler.wfile.write(b"X: y\r\n")


def _drips_a_body(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n")
    for _each in range(100):
        time.sleep(0.2)
        handler.wfile.write(b"x")


@pytest.mark.parametrize("answer", [_never_answers, _drips_headers, _drips_a_body])
def test_a_slow_answer_ends(web: Internet, answer: object) -> None:
    web.answers = [answer]  # type: ignore[list-item] # one of the functions above
    start = time.monotonic()

    outcome = web.poster(seconds=1.0).post(URL, {}, b"{}")

    assert outcome == Outcome(error="timeout")
    assert time.monotonic() - start < 10


def _pours_a_body(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    for _each in range(20_000):
        handler.wfile.write(b"x" * 65_536)


def _pours_headers(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100_000)


def test_a_huge_answer_is_not_read(web: Internet) -> None:
    web.answers = [_pours_a_body, _pours_headers, says(200, {"X": "y" * 100_000})]

    assert web.poster().post(URL, {}, b"{}") == Outcome(status=200)
    assert web.poster().post(URL, {}, b"{}") == Outcome(error="connection")
    assert web.poster().post(URL, {}, b"{}") == Outcome(error="connection")


def test_nonsense_is_a_failure_like_any_other(web: Internet) -> None:
    web.answers = [lambda handler: handler.wfile.write(b"\x00\xff\n") and None]  # type: ignore[list-item] # as above

    assert web.poster().post(URL, {}, b"{}") == Outcome(error="connection")


def test_a_certificate_for_another_name_is_none(web: Internet) -> None:
    assert web.poster().post("https://other.example/", {}, b"{}") == Outcome(error="tls")
    assert web.heard == []
