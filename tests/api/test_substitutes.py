"""Offering a seat that a bot has kept for a week, and taking it over, through the API."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
import time_machine
from rest_framework.test import APIClient

from accounts.models import User
from tests.api.conftest import ApiOf
from tests.api.rest import API, body_of, problem_of, see, unchanged
from tests.games.clockwork import ONE_WEEK, four_at, twice_late

WEEK = timedelta(days=7)


@pytest.fixture
def game(people: Sequence[User]) -> str:
    return four_at(people, clock=ONE_WEEK)


def path_of(game: str, seat: int, what: str) -> str:
    return f"{API}/games/{game}/seats/{seat}/{what}"


def test_a_seat_is_offered_seen_to_be_so_and_taken_over(
    game: str, people: Sequence[User], api_of: ApiOf, eli_api: APIClient
) -> None:
    seat, now = twice_late(game)
    host = api_of(people[(seat + 1) % 4])
    with time_machine.travel(now + WEEK, tick=False):
        before = eli_api.get(f"{API}/games/{game}")
        assert before.json()["seats"][seat]["kind"] == "stand_in"
        assert before.json()["seats"][seat]["stand_in_since"] == f"{now:%Y-%m-%dT%H:%M}:00Z"

        made = body_of(host.put(path_of(game, seat, "offer"), {}, format="json"), 200)

        assert made["seats"][seat]["offered"] is True
        assert made["seq"] == before.json()["seq"]
        tag = before.headers["ETag"]
        assert eli_api.get(f"{API}/games/{game}", headers={"If-None-Match": tag}).status_code == 200

        taken = body_of(eli_api.post(path_of(game, seat, "substitute"), {}, format="json"), 200)

        assert (taken["you"]["seat"], taken["seats"][seat]["player"]) == (seat, "eli")
        assert taken["you"]["rounds"][0]["hand"]
        assert body_of(eli_api.post(path_of(game, seat, "substitute")), 200)["seq"] == taken["seq"]
        owner = api_of(people[seat])
        assert "you" not in see(owner, game)
        events = body_of(
            eli_api.get(f"{API}/games/{game}/events?after={before.json()['seq']}"), 200
        )
        assert [event["kind"] for event in events["events"]] == ["substituted"]


def test_an_offer_goes_to_one_player_and_can_be_withdrawn(
    game: str, people: Sequence[User], api_of: ApiOf, eli_api: APIClient
) -> None:
    seat, now = twice_late(game)
    host = api_of(people[(seat + 1) % 4])
    path = path_of(game, seat, "offer")
    with time_machine.travel(now + WEEK, tick=False):
        made = body_of(host.put(path, {"to": "eli"}, format="json"), 200)
        assert made["seats"][seat]["invited"] == "eli"

        gone = body_of(host.delete(path), 200)
        assert (gone["seats"][seat]["invited"], gone["seats"][seat]["offered"]) == (None, False)
        assert body_of(host.delete(path), 200)["seq"] == made["seq"]
        with unchanged():
            sent = eli_api.post(path_of(game, seat, "substitute"))
            problem_of(sent, 409, "not_offered")


def test_what_cannot_be_is_refused_with_its_reason(
    game: str, people: Sequence[User], api_of: ApiOf, eli: User, eli_api: APIClient
) -> None:
    seat, now = twice_late(game)
    host = api_of(people[(seat + 1) % 4])
    path = path_of(game, seat, "offer")
    with unchanged(), time_machine.travel(now + WEEK - timedelta(seconds=1), tick=False):
        problem = problem_of(host.put(path, {}, format="json"), 409, "not_kept_for_long")
        assert problem["from"] > f"{now + WEEK:%Y-%m-%dT%H:%M}"
    with unchanged(), time_machine.travel(now + WEEK, tick=False):
        problem_of(eli_api.put(path, {}, format="json"), 403, "not_seated")
        problem_of(eli_api.delete(path), 403, "not_seated")
        problem_of(host.put(path, {"to": "nobody"}, format="json"), 422, "unknown_player")
        problem_of(host.put(path, {"to": "asha"}, format="json"), 409, "had_a_seat")
        problem_of(host.put(path, {"to": 1}, format="json"), 400, "malformed")
        problem_of(host.put(path, {"whom": "eli"}, format="json"), 400, "malformed")
        problem_of(host.post(path_of(game, seat, "substitute")), 409, "already_seated")
        problem_of(host.put(path_of(game, 4, "offer"), {}, format="json"), 404, "not_found")
        body_of(host.put(path, {}, format="json"), 200)
        eli.is_guest = True
        eli.save()
        problem_of(eli_api.post(path_of(game, seat, "substitute")), 403, "account_needed")
