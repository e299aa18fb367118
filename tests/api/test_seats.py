"""Sitting down, leaving, starting."""

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from games.services.inviting import invite
from tests.api.rest import API, Json, body_of, new_game, problem_of, see, unchanged

OPEN_TABLE = ["me", "open", "open", "bot:steady"]


@pytest.fixture
def game(asha_api: APIClient) -> str:
    return str(new_game(asha_api, seats=OPEN_TABLE)["id"])


def sit(api: APIClient, game: str, **body: object) -> object:
    return api.post(f"{API}/games/{game}/seats", body, format="json")


def test_the_first_free_seat_is_taken(bina_api: APIClient, game: str) -> None:
    seen = body_of(sit(bina_api, game), 200)

    assert seen["you"]["seat"] == 1
    assert seen["seats"][1]["player"] == "bina"


def test_a_seat_can_be_chosen_and_the_anchor_named(bina_api: APIClient, game: str) -> None:
    anchor = see(bina_api, game)["anchor"]

    seen = body_of(sit(bina_api, game, seat=2, contribution="AAAA", anchor=anchor), 200)

    assert seen["you"]["seat"] == 2
    last = body_of(bina_api.get(f"{API}/games/{game}/events?after={seen['seq'] - 1}"), 200)[
        "events"
    ][0]
    assert last["data"] == {"contribution": "AAAA", "anchor_seen": True}


def test_sitting_down_twice_is_answered_alike(bina_api: APIClient, game: str) -> None:
    first = body_of(sit(bina_api, game), 200)

    with unchanged():
        again = body_of(sit(bina_api, game), 200)

    assert again == first


def test_the_last_seat_starts_the_match(bina_api: APIClient, eli_api: APIClient, game: str) -> None:
    body_of(sit(bina_api, game), 200)

    seen = body_of(sit(eli_api, game), 200)

    assert seen["status"] == "playing"
    assert len(seen["you"]["rounds"][0]["hand"]) == 13


def test_what_cannot_be_taken_is_refused(
    bina_api: APIClient, eli_api: APIClient, game: str
) -> None:
    with unchanged():
        problem_of(sit(bina_api, game, seat=0), 409, "seat_taken")
        problem_of(sit(bina_api, game, seat=3), 409, "seat_taken")
        problem_of(sit(bina_api, game, anchor="0" * 64), 409, "anchor_mismatch")
    body_of(sit(bina_api, game), 200)
    with unchanged():
        problem_of(sit(bina_api, game, seat=2), 409, "already_seated")
    body_of(sit(eli_api, game), 200)
    with unchanged():
        body_of(sit(bina_api, game), 200)


def test_a_started_game_takes_nobody(asha_api: APIClient, eli_api: APIClient) -> None:
    game = new_game(asha_api)["id"]

    with unchanged():
        problem_of(sit(eli_api, game), 409, "not_open")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"seat": 4}, "seat"),
        ({"seat": -1}, "seat"),
        ({"seat": "1"}, "seat"),
        ({"seat": True}, "seat"),
        ({"seat": None}, "seat"),
        ({"contribution": "!"}, "contribution"),
        ({"anchor": "abc"}, "anchor"),
        ({"anchor": 5}, "anchor"),
        ({"chair": 1}, "chair"),
    ],
)
def test_a_malformed_wish_changes_nothing(
    bina_api: APIClient, game: str, body: Json, field: str
) -> None:
    with unchanged():
        refused = sit(bina_api, game, **body)

    assert problem_of(refused, 400, "malformed")["field"] == field


def test_leaving_frees_the_seat(bina_api: APIClient, eli_api: APIClient, game: str) -> None:
    body_of(sit(bina_api, game), 200)

    left = bina_api.delete(f"{API}/games/{game}/seats/me")

    assert left.status_code == 204
    assert left.content == b""
    assert see(eli_api, game)["seats"][1]["kind"] == "open"


def test_only_the_seated_leave_and_only_before_the_start(
    asha_api: APIClient, eli_api: APIClient, game: str
) -> None:
    started = new_game(asha_api)["id"]

    with unchanged():
        problem_of(eli_api.delete(f"{API}/games/{game}/seats/me"), 403, "not_seated")
        problem_of(asha_api.delete(f"{API}/games/{started}/seats/me"), 409, "not_open")


def test_the_last_to_leave_cancels_the_table(asha_api: APIClient, game: str) -> None:
    assert asha_api.delete(f"{API}/games/{game}/seats/me").status_code == 204

    assert see(asha_api, game)["status"] == "cancelled"


def test_the_creator_starts_with_bots_in_the_open_seats(asha_api: APIClient, game: str) -> None:
    seen = body_of(asha_api.post(f"{API}/games/{game}/start"), 200)

    assert seen["status"] == "playing"
    assert [seat["kind"] for seat in seen["seats"]] == ["human", "bot", "bot", "bot"]
    with unchanged():
        assert body_of(asha_api.post(f"{API}/games/{game}/start", {}, format="json"), 200) == seen


def test_nobody_else_starts_it(bina_api: APIClient, game: str) -> None:
    body_of(sit(bina_api, game), 200)

    with unchanged():
        problem_of(bina_api.post(f"{API}/games/{game}/start"), 403, "not_creator")


def test_a_link_opens_a_hidden_table_once(
    asha: User, asha_api: APIClient, bina_api: APIClient, eli_api: APIClient
) -> None:
    hidden = str(new_game(asha_api, seats=OPEN_TABLE, visibility="link")["id"])
    token = invite(asha, hidden, now=timezone.now())

    problem_of(sit(bina_api, hidden), 404, "not_found")
    seen = body_of(sit(bina_api, hidden, invite=token), 200)
    again = body_of(sit(bina_api, hidden, invite=token), 200)

    assert again == seen
    with unchanged():
        told = [
            problem_of(sit(eli_api, place, invite=text), 404, "bad_invitation")
            for place, text in ((hidden, token), (hidden, "guessed"), ("222222222222", token))
        ]
        problem_of(sit(eli_api, hidden, invite=7), 400, "malformed")
        problem_of(sit(eli_api, hidden, invite="x" * 101), 400, "malformed")
    assert told == told[:1] * 3
