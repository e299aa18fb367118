"""How long a match takes, and by when it is over, as the API says it."""

from datetime import timedelta

import time_machine
from django.utils.dateparse import parse_datetime
from rest_framework.test import APIClient

from tests.api.rest import API, body_of, new_game, play_until_over, see

OPEN = ["me", "open", "open", "open"]


def test_a_table_that_waits_says_it_of_today(asha_api: APIClient) -> None:
    with time_machine.travel("2026-11-30T08:00Z", tick=False):
        game = new_game(asha_api, seats=OPEN)
        first = asha_api.get(f"{API}/games/{game['id']}")
        [listed] = body_of(asha_api.get(f"{API}/games"), 200)["games"]
    with time_machine.travel("2026-11-30T23:59Z", tick=False):
        same = asha_api.get(
            f"{API}/games/{game['id']}", headers={"If-None-Match": first.headers["ETag"]}
        )
    with time_machine.travel("2026-12-01T00:00Z", tick=False):
        later = asha_api.get(
            f"{API}/games/{game['id']}", headers={"If-None-Match": first.headers["ETag"]}
        )

    # Under the standard clock seventy decisions share 72 hours and three more for each.
    assert game["length"]["typical_seconds"] == 4 * (72 + 69 * 3) * 3600
    assert game["length"]["typical_with_plans_seconds"] == 280 * 50 * 60
    assert game["length"] == listed["length"] == first.json()["length"]
    assert same.status_code == 304
    assert later.status_code == 200
    ends = [parse_datetime(seen["length"]["latest_end"]) for seen in (game, later.json())]
    assert ends[1] is not None
    assert ends[1] - timedelta(days=1) == ends[0]


def test_a_match_that_has_begun_keeps_its_last_day_and_one_that_is_over_has_none(
    asha_api: APIClient,
) -> None:
    game = str(new_game(asha_api, rules={"rounds": 1})["id"])
    begun = see(asha_api, game)["length"]
    with time_machine.travel(timedelta(days=3), tick=False):
        assert see(asha_api, game)["length"] == begun

    over = play_until_over(game, asha_api)

    assert over["status"] == "finished"
    assert see(asha_api, game)["length"] is None


def test_each_pause_moves_the_last_day(asha_api: APIClient) -> None:
    with time_machine.travel("2026-11-30T08:00Z", tick=False):
        ends = [
            new_game(asha_api, seats=OPEN, **pauses)["length"]["latest_end"]
            for pauses in ({"allows_holidays": False}, {}, {"pauses_weekends": True})
        ]

    assert ends == sorted(set(ends))
