"""ETags: a poll that finds nothing new costs next to nothing."""

from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tests.api.rest import API, answer_to, body_of, move, my_turn, new_game, see


def test_an_unchanged_game_is_not_sent_again(asha_api: APIClient) -> None:
    game = new_game(asha_api)["id"]
    first = asha_api.get(f"{API}/games/{game}")

    again = asha_api.get(f"{API}/games/{game}", headers={"if-none-match": first.headers["ETag"]})

    assert again.status_code == 304
    assert again.content == b""
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Cache-Control"] == first.headers["Cache-Control"] == "private, no-cache"


def test_a_move_changes_the_etag(asha_api: APIClient) -> None:
    game = new_game(asha_api)["id"]
    seen, own = my_turn(asha_api, game)
    before = asha_api.get(f"{API}/games/{game}").headers["ETag"]

    body_of(move(asha_api, game, **answer_to(own, seen)), 201)

    after = asha_api.get(f"{API}/games/{game}", headers={"if-none-match": before})
    assert after.status_code == 200
    assert after.headers["ETag"] != before


def test_an_etag_is_of_one_viewer_and_one_language(
    asha_api: APIClient, eli_api: APIClient, nobody: APIClient
) -> None:
    game = new_game(asha_api)["id"]
    answers = [api.get(f"{API}/games/{game}") for api in (asha_api, eli_api, nobody)]
    answers.append(nobody.get(f"{API}/games/{game}", headers={"accept-language": "ne"}))

    assert len({answer.headers["ETag"] for answer in answers}) == 4
    for answer in answers:
        vary = answer.headers["Vary"]
        assert all(name in vary for name in ("Cookie", "Authorization", "Accept-Language"))


def test_a_list_of_etags_and_any_other_text_are_understood(
    nobody: APIClient, asha_api: APIClient
) -> None:
    game = new_game(asha_api)["id"]
    etag = nobody.get(f"{API}/games/{game}").headers["ETag"]

    listed = nobody.get(f"{API}/games/{game}", headers={"if-none-match": f'"x", {etag}'})
    nonsense = nobody.get(f"{API}/games/{game}", headers={"if-none-match": "nonsense"})

    assert (listed.status_code, nonsense.status_code) == (304, 200)


def test_a_poll_that_finds_nothing_new_is_cheap(asha_api: APIClient) -> None:
    game = new_game(asha_api, visibility="link")["id"]
    etag = asha_api.get(f"{API}/games/{game}").headers["ETag"]

    with CaptureQueriesContext(
        connection,
    ) as captured:
        asha_api.get(f"{API}/games/{game}", headers={"if-none-match": etag})

    assert len(captured) <= 3


def test_a_game_shows_each_round_dealt_and_whose_turn_it_is(asha_api: APIClient) -> None:
    game = new_game(asha_api, options={"parallel_rounds": True})["id"]

    seen = see(asha_api, game)

    assert [row["round"] for row in seen["rounds"]] == [1, 2, 3, 4, 5]
    assert [row["to_act"] for row in seen["rounds"]] == [
        (row["dealer"] + 1) % 4 for row in seen["rounds"]
    ]
    assert all(row["action"] == "bid" and row["turn"] == 0 for row in seen["rounds"])
