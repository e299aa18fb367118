import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tests.api.rest import API, Json, body_of, let_bots_play, new_game, problem_of

OPEN_TABLE = ["me", "open", "open", "open"]


def listed(api: APIClient, query: str = "") -> list[str]:
    return [each["id"] for each in body_of(api.get(f"{API}/games{query}"), 200)["games"]]


def test_public_games_are_listed_newest_first(asha_api: APIClient, nobody: APIClient) -> None:
    games = [new_game(asha_api, seats=OPEN_TABLE)["id"] for _ in range(3)]

    page: Json = body_of(nobody.get(f"{API}/games"), 200)

    assert [each["id"] for each in page["games"]] == games[::-1]
    assert page["games"][0]["rules"] == {"name": "arcadia"}
    assert page["games"][0]["created_at"].endswith("Z")
    assert page["next"] is None


def test_pages_follow_each_other_without_gap_or_repeat(
    asha_api: APIClient, nobody: APIClient
) -> None:
    games = [new_game(asha_api, seats=OPEN_TABLE)["id"] for _ in range(7)]
    found, cursor, pages = [], "", 0
    while True:
        page = body_of(nobody.get(f"{API}/games?limit=3{cursor}"), 200)
        found += [each["id"] for each in page["games"]]
        pages += 1
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
        # A game made meanwhile moves nothing.
        new_game(asha_api, seats=OPEN_TABLE)

    assert found == games[::-1]
    assert pages == 3


def test_lists_are_filtered(asha_api: APIClient, bina_api: APIClient, nobody: APIClient) -> None:
    waiting = new_game(asha_api, seats=OPEN_TABLE)["id"]
    playing = new_game(asha_api)["id"]
    other = new_game(bina_api, seats=OPEN_TABLE)["id"]
    let_bots_play(playing)

    assert listed(nobody, "?status=open") == [other, waiting]
    assert listed(nobody, "?status=finished") == []
    assert listed(asha_api, "?mine=true") == [playing, waiting]
    assert listed(asha_api, "?mine=true&status=playing") == [playing]
    assert listed(asha_api, "?mine=false") == [other, playing, waiting]
    assert listed(asha_api, "?awaiting=true") == [playing]
    assert listed(bina_api, "?awaiting=true") == []


def test_mine_and_awaiting_need_somebody(nobody: APIClient) -> None:
    problem_of(nobody.get(f"{API}/games?mine=true"), 401, "not_authenticated")
    problem_of(nobody.get(f"{API}/games?awaiting=true"), 401, "not_authenticated")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=1e9", "limit"),
        ("limit=-1", "limit"),
        ("limit=٣", "limit"),
        ("limit=", "limit"),
        ("limit=99999999999999999999", "limit"),
        ("status=lost", "status"),
        ("status=", "status"),
        ("mine=maybe", "mine"),
        ("awaiting=1", "awaiting"),
        ("cursor=x", "cursor"),
        ("cursor=!!!!", "cursor"),
        ("cursor=%00", "cursor"),
        ("cursor=" + "A" * 201, "cursor"),
        ("cursor=MjAyNi0xMS0yOSBY", "cursor"),
        ("cursor=MDAwMS0wMS0wMVQwMDowMDowMCsyMzo1OSBhYmM", "cursor"),  # before the calendar begins
        ("cursor=OTk5OS0xMi0zMVQyMzo1OTo1OS0yMzo1OSBhYmM", "cursor"),  # after it has ended
        ("offset=10", "offset"),
    ],
)
def test_a_malformed_query_is_refused_by_field(nobody: APIClient, query: str, field: str) -> None:
    assert problem_of(nobody.get(f"{API}/games?{query}"), 400, "malformed")["field"] == field


def test_a_long_list_costs_no_more_queries_than_a_short_one(asha_api: APIClient) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            listed(asha_api, "?limit=100")
        return len(captured)

    new_game(asha_api, seats=OPEN_TABLE)
    short = cost()
    for _ in range(5):
        new_game(asha_api)

    assert cost() == short <= 4
