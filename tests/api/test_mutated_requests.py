"""Requests damaged on the way: bytes flipped, cut, doubled, headers made up. None breaks the server, none that is refused leaves a trace."""

import json
import os
import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from tests.api.rest import API, Json, logs, new_game, play_to_the_cards

REQUESTS = int(os.environ.get("SCHEMA_REQUESTS", "1000")) // 2
Mutate = Callable[[random.Random, bytes], bytes]


def _flip(dice: random.Random, body: bytes) -> bytes:
    damaged = bytearray(body)
    for _each in range(dice.randint(1, 4)):
        damaged[dice.randrange(len(damaged))] = dice.randrange(256)
    return bytes(damaged)


def _cut(dice: random.Random, body: bytes) -> bytes:
    return body[: dice.randrange(len(body))]


def _double(dice: random.Random, body: bytes) -> bytes:
    start, end = sorted(dice.choices(range(len(body) + 1), k=2))
    return body[:end] + body[start:end] * dice.randint(1, 50) + body[end:]


def _slip_in(dice: random.Random, body: bytes) -> bytes:
    place = dice.randrange(len(body) + 1)
    return body[:place] + dice.choice(POISON) + body[place:]


def _other_value(dice: random.Random, body: bytes) -> bytes:
    fields = json.loads(body)
    fields[dice.choice([*fields, "extra"])] = dice.choice(VALUES)
    return json.dumps(fields).encode()


def _leave_alone(dice: random.Random, body: bytes) -> bytes:
    return body


MUTATIONS: list[Mutate] = [_flip, _cut, _double, _slip_in, _other_value, _leave_alone]
POISON = [b"\x00", b"\xff", b"\\ud800", b"\\u0000", b"[" * 900, b'{"a":' * 90, b"1e999", b"-0", b"NaN", b"\xef\xbb\xbf"]  # fmt: skip
VALUES: list[Any] = [None, True, -1, 2**53, 2**63, "", "QS", "\x7f", "ॐ" * 99, [], {}, [[[]]], {"kind": []}, [None] * 4, ["me"] * 4]  # fmt: skip
HEADERS = {
    "Accept": ["*/*", "application/json", "text/html", "application/json;v=\xe9", ";", "a/b;q=9", ","],
    "Accept-Language": ["ne", "xx-" * 40, "en;q=nan", "*", "\xff"],
    "Authorization": ["Bearer", "Bearer cbk_", "Basic Og==", "Bearer cbk_" + "\xe9" * 43, "x" * 9000],
    "Content-Type": ["application/json", "application/json; charset=utf-7", "application/json;", "a", "multipart/form-data; boundary=" + "x" * 300],
    "Idempotency-Key": ["a", "\"a\"", "x" * 9000, "\xff"],
    "If-Match": ["*", "\"", "W/\"a\"", "x" * 9000],
    "If-None-Match": ["*", "\"\xe9\"", ",,,"],
    "Cookie": ["sessionid=x", "sessionid=" + "\xe9" * 40, "csrftoken=;;;=", "x" * 9000],
    "Host": ["", "::::", "evil.example", "testserver:99999999"],
    "Last-Event-ID": ["-1", "x", "9" * 40],
    "X-HTTP-Method-Override": ["DELETE", "PATCH"],
    "Content-Length": ["", "x", "-1", "999999"],
    "X-Forwarded-For": ["not an address", "::1, 1.2.3.4"],
}  # fmt: skip
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO"]


@pytest.fixture
def requests(asha_api: APIClient) -> list[tuple[str, str, Json]]:
    """Requests that are as they should be, to be damaged: method, path, body."""
    game = new_game(asha_api)["id"]
    own = play_to_the_cards(game, asha_api)[1]
    other = new_game(asha_api, seats=["me", "open", "open", "open"])["id"]
    place = {"round": 1, "turn": own["turn"]}
    table = {"preset": "arcadia", "options": {"rounds": 5}, "seats": ["me", "open", "open", "open"]}
    custom = {"rules": {"rounds": 2}, "clock": {"kind": "per_turn", "seconds": 86400}}
    return [
        ("POST", f"/games/{game}/moves", {**place, "card": own["legal"][0]}),
        ("POST", f"/games/{game}/claims", place),
        ("PUT", f"/games/{game}/rounds/1/plan", {"rules": [{"play": "lowest"}]}),
        ("PUT", f"/games/{game}/rounds/1/autopilot", {"x": 1}),
        ("POST", f"/games/{other}/seats", {"seat": 1, "contribution": "AAAA"}),
        ("POST", f"/games/{other}/start", {"x": 1}),
        ("POST", "/games", table),
        ("POST", "/games", custom),
        ("POST", "/tokens", {"name": "x", "scopes": ["games:read"], "days": 3}),
        ("GET", f"/games/{game}/events?after=1&limit=5", {"x": 1}),
        ("GET", "/games?mine=true&cursor=abc", {"x": 1}),
    ]


def test_no_damage_breaks_the_server(
    asha_api: APIClient, requests: list[tuple[str, str, Json]]
) -> None:
    dice = random.Random(os.environ.get("TEST_DICE", "7"))
    for number in range(REQUESTS):
        method, path, fields = dice.choice(requests)
        body = dice.choice(MUTATIONS)(dice, json.dumps(fields).encode())
        if number % 10 == 0:
            method = dice.choice(METHODS)
        if number % 7 == 0:
            path = _damaged(dice, path)
        chosen = dice.sample(sorted(HEADERS), k=dice.choice([0, 0, 1, 2]))
        headers = {"Content-Type": "application/json"}
        headers |= {name: dice.choice(HEADERS[name]) for name in chosen}

        with transaction.atomic():
            before = logs()
            environ = {_cgi(name): value for name, value in headers.items()}
            answer = asha_api.generic(method, API + path, body, **environ)  # type: ignore[arg-type] # the stubs know no extras
            if answer.status_code >= 400:
                assert logs() == before
            transaction.set_rollback(True)

        said = (method, path, body[:200], headers, answer.status_code)
        assert answer.status_code < 500, said
        if answer.status_code >= 400 and method != "HEAD" and "Host" not in headers:
            assert answer.headers["Content-Type"] == "application/problem+json", said


def _damaged(dice: random.Random, path: str) -> str:
    place = dice.randrange(1, len(path))
    return path[:place] + dice.choice(["%00", "%ff", "..", "//", "%2e%2e", "é", ";"]) + path[place:]


def _cgi(name: str) -> str:
    name = name.upper().replace("-", "_")
    return name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
