"""Reports by the API: what is sent, what comes back, and who sees what became of them."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from games.models import Report
from tests.games.desk.staff import WHY, proposed, reviewer, taken
from tests.games.ruled import mid_trick
from tests.games.tables import ARCADIA, log_of

ApiOf = Callable[[User], APIClient]
BODY = {"seq": 9, "category": "play", "text": "That card should not have been played."}


def test_a_report_is_checked_at_once_and_listed(people: list[User], api_of: ApiOf) -> None:
    game, asha = mid_trick(people, ARCADIA), api_of(people[0])

    made = asha.post(f"/api/v1/games/{game}/disputes", BODY, format="json")

    assert made.status_code == 201
    body = made.json()
    assert (body["game"], body["round"], body["state"]) == (game, 1, "reported")
    assert body["report"]["checks"] == dict.fromkeys(("chain", "deal", "legality", "scores"), True)
    assert (body["report"]["seat"], body["decisions"], body["appeal_until"]) == (0, [], None)
    assert asha.get("/api/v1/disputes/mine").json() == {"disputes": [body]}
    assert api_of(people[1]).get("/api/v1/disputes/mine").json() == {"disputes": []}


def test_what_was_decided_is_told_to_all_four_and_nobody_else(
    people: list[User], eli: User, api_of: ApiOf
) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    proposed(farida, taken(people[0], game, farida, seq=9), "dismiss")

    for user in people:
        (seen,) = api_of(user).get("/api/v1/disputes/mine").json()["disputes"]
        (decision,) = seen["decisions"]
        assert (seen["state"], decision["reason"]) == ("decided", WHY)
        assert decision["cites"] == ["arcadia/beat", "1"]
        assert decision["head"] == log_of(game)[-1].hash
        assert (seen["report"] is None) == (user != people[0])
    assert api_of(eli).get("/api/v1/disputes/mine").json() == {"disputes": []}


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"seq": 10_000}, 422, "no_such_event"),
        ({"seq": 0}, 400, "malformed"),
        ({"category": "noise"}, 400, "malformed"),
        ({"text": ""}, 400, "malformed"),
        ({"text": "x" * 2001}, 400, "malformed"),
        ({"hand": "AS"}, 400, "malformed"),
    ],
)
def test_a_report_that_cannot_be_is_refused(
    people: list[User], api_of: ApiOf, change: dict[str, object], status: int, code: str
) -> None:
    game = mid_trick(people, ARCADIA)

    answer = api_of(people[0]).post(
        f"/api/v1/games/{game}/disputes", {**BODY, **change}, format="json"
    )

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Report.objects.exists()


def test_a_second_report_and_a_strangers_are_refused(
    people: list[User], eli: User, api_of: ApiOf
) -> None:
    game = mid_trick(people, ARCADIA)
    url = f"/api/v1/games/{game}/disputes"
    asha = api_of(people[0])
    assert asha.post(url, BODY, format="json").status_code == 201

    again, strange = (each.post(url, BODY, format="json") for each in (asha, api_of(eli)))

    assert (again.status_code, again.json()["code"]) == (409, "already_reported")
    assert (strange.status_code, strange.json()["code"]) == (403, "not_seated")
