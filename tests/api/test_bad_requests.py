"""What no endpoint takes, whatever it is for."""

import json

import pytest
from rest_framework.test import APIClient

from tests.api.rest import API, new_game, problem_of, unchanged

NO_GAME = "222222222222"
POSTS = [
    "games",
    "games/reserve",
    "games/{game}/seats",
    "games/{game}/start",
    "games/{game}/moves",
]
GETS = [
    "rules",
    "me",
    "me/turns",
    "games",
    "games/{game}",
    "games/{game}/events",
    "games/{game}/export",
    "games/{game}/transcript",
]
BODIES = {
    "no JSON": b"round=1",
    "half of it": b'{"round": 1',
    "a list": b"[]",
    "a text": b'"move"',
    "a number": b"1",
    "null": b"null",
    "duplicate keys": b'{"round": 1, "round": 2}',
    "duplicate keys inside": b'{"rules": {"rounds": 1, "rounds": 2}}',
    "NaN": b'{"round": NaN}',
    "Infinity": b'{"round": -Infinity}',
    "a fraction": b'{"round": 1.0}',
    "an exponent": b'{"round": 1e3}',
    "a huge number": b'{"round": 1%s}' % (b"0" * 5000),
    "a number no browser holds": b'{"round": 9007199254740993}',
    "a lone surrogate": b'{"preset": "\\ud800"}',
    "a lone surrogate as key": b'{"\\udfff": 1}',
    "NUL": b'{"preset": "a\\u0000b"}',
    "not UTF-8": b'{"preset": "\xff"}',
    "UTF-16": '{"preset": "arcadia"}'.encode("utf-16"),
    "deep lists": b"[" * 60_000,
    "deep closed lists": b'{"rules": ' + b"[" * 500 + b"]" * 500 + b"}",
    "deep objects": b'{"a":' * 500 + b"1" + b"}" * 500,
    "200 KB of lists": b"[" * 200_000,
    "over 64 KiB": json.dumps({"preset": "x" * 70_000}).encode(),
    "an unknown field": b'{"xyzzy": 1}',
}


@pytest.fixture
def game(asha_api: APIClient) -> str:
    return str(new_game(asha_api)["id"])


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_is_not_strict_json_is_malformed(
    asha_api: APIClient, game: str, body: bytes
) -> None:
    for path in POSTS:
        url = f"{API}/{path.format(game=game)}"
        with unchanged():
            refused = asha_api.post(url, body, content_type="application/json")
        problem_of(refused, 400, "malformed")


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "nonsense",
    ],
)
def test_only_json_is_taken(asha_api: APIClient, game: str, kind: str) -> None:
    for path in POSTS:
        url = f"{API}/{path.format(game=game)}"
        with unchanged():
            refused = asha_api.post(url, b"round=1", content_type=kind)
        problem_of(refused, 415, "unsupported_media_type")


@pytest.mark.parametrize("path", GETS)
def test_an_unknown_or_repeated_parameter_is_malformed(
    asha_api: APIClient, game: str, path: str
) -> None:
    url = f"{API}/{path.format(game=game)}"

    assert problem_of(asha_api.get(f"{url}?xyzzy=1"), 400, "malformed")["field"] == "xyzzy"
    assert problem_of(asha_api.get(f"{url}?a=1&a=2"), 400, "malformed")["field"] == "a"


@pytest.mark.parametrize("path", GETS)
def test_head_is_get_without_a_body(asha_api: APIClient, path: str) -> None:
    game = new_game(asha_api)["id"]

    response = asha_api.head(f"{API}/{path.format(game=game)}")

    assert response.status_code == 200
    assert response.content == b""


@pytest.mark.parametrize("method", ["PATCH", "PUT", "OPTIONS", "TRACE", "BREW"])
def test_methods_that_an_address_does_not_have(
    nobody: APIClient, asha_api: APIClient, game: str, method: str
) -> None:
    for path in (*GETS, *POSTS, "games/{game}/seats/me"):
        url = f"{API}/{path.format(game=game)}"
        with unchanged():
            refused = [
                api.generic(method, url, "{}", content_type="application/json")
                for api in (nobody, asha_api)
            ]
        for response in refused:
            problem_of(response, 405, "method_not_allowed")
            assert response.headers["Allow"]


@pytest.mark.parametrize("path", GETS)
def test_a_representation_that_is_not_there(asha_api: APIClient, game: str, path: str) -> None:
    refused = asha_api.get(f"{API}/{path.format(game=game)}", headers={"accept": "image/png"})

    problem_of(refused, 406, "not_acceptable")


@pytest.mark.parametrize(
    "path",
    [
        "nowhere",
        "games/",
        "games/short",
        "games/k7qx2m9rtv4b",
        "games/K7QX2M9RTV4O",
        "games/%00%00%00%00%00%00%00%00%00%00%00%00",
        f"games/{NO_GAME}",
        f"games/{NO_GAME}/events",
        f"games/{NO_GAME}/export",
        f"games/{NO_GAME}/transcript",
        f"games/{NO_GAME}/nonsense",
    ],
)
def test_what_is_not_there_is_not_found(asha_api: APIClient, nobody: APIClient, path: str) -> None:
    for api in (asha_api, nobody):
        problem_of(api.get(f"{API}/{path}"), 404, "not_found")


def test_a_game_that_is_not_there_takes_nothing(asha_api: APIClient) -> None:
    url = f"{API}/games/{NO_GAME}"

    problem_of(asha_api.post(f"{url}/seats", {}, format="json"), 404, "not_found")
    problem_of(asha_api.delete(f"{url}/seats/me"), 404, "not_found")
    problem_of(asha_api.post(f"{url}/start", {}, format="json"), 404, "not_found")
    sent = {"round": 1, "turn": 0, "bid": 3}
    problem_of(asha_api.post(f"{url}/moves", sent, format="json"), 404, "not_found")
