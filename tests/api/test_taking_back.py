"""Having one's seat back from the bot that keeps it, through the API."""

from collections.abc import Sequence

import pytest
import time_machine
from rest_framework.test import APIClient

from accounts.models import User
from tests.api.conftest import ApiOf
from tests.api.rest import API, body_of, problem_of, unchanged
from tests.games.clockwork import ONE_DAY, due, four_at, twice_late, until_it_is_the_bots_turn
from tests.games.tables import kinds_of


@pytest.fixture
def game(people: Sequence[User]) -> str:
    return four_at(people, clock=ONE_DAY)


def back(api: APIClient, game: str, **body: object) -> object:
    return api.post(f"{API}/games/{game}/seats/me/back", body, format="json")


def test_the_seat_comes_back_and_its_turn_with_a_deadline(
    game: str, people: Sequence[User], api_of: ApiOf
) -> None:
    seat, now = twice_late(game)
    until_it_is_the_bots_turn(game, now=now)
    with time_machine.travel(now, tick=False):
        seen = body_of(back(api_of(people[seat]), game), 200)

    assert (seen["seats"][seat]["kind"], seen["seats"][seat]["late"]) == ("human", False)
    [own] = [own for own in seen["you"]["rounds"] if own["to_act"]]
    assert own["deadline"] is not None
    assert due(game)[2] == seat
    assert kinds_of(game)[-1] == "returned"


def test_nobody_has_back_what_no_bot_keeps(
    game: str, people: Sequence[User], api_of: ApiOf, eli_api: APIClient, nobody: APIClient
) -> None:
    seat, _ = twice_late(game)
    owner = api_of(people[seat])

    with unchanged():
        problem_of(back(api_of(people[(seat + 1) % 4]), game), 409, "nothing_to_take_back")
        problem_of(back(eli_api, game), 403, "not_seated")
        problem_of(back(nobody, game), 401, "not_authenticated")
        problem_of(back(owner, "K7QX2M9RTV4B"), 404, "not_found")
        problem_of(back(owner, game, seat=1), 400, "malformed")
    body_of(back(owner, game), 200)
    problem_of(back(owner, game), 409, "nothing_to_take_back")
