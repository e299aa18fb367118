"""Events, export, transcript."""

import pytest
from rest_framework.test import APIClient

from games.engine import transcript
from games.engine.chain import genesis, next_hash
from tests.api.rest import (
    API,
    Json,
    body_of,
    let_bots_play,
    new_game,
    play_until_over,
    problem_of,
    see,
)


@pytest.fixture
def finished(asha_api: APIClient) -> str:
    game = str(new_game(asha_api, rules={"rounds": 1})["id"])
    play_until_over(game, asha_api)
    return game


def test_the_feed_has_no_gap(nobody: APIClient, finished: str) -> None:
    found: list[Json] = []
    while True:
        after = found[-1]["seq"] if found else 0
        page = body_of(nobody.get(f"{API}/games/{finished}/events?after={after}&limit=7"), 200)
        if not page["events"]:
            break
        assert len(page["events"]) <= 7
        found += page["events"]

    assert [each["seq"] for each in found] == list(range(1, page["seq"] + 1))
    assert found[0]["kind"] == "created"
    assert found == body_of(nobody.get(f"{API}/games/{finished}/export"), 200)["events"]


def test_the_export_carries_a_chain_that_anybody_can_check(
    nobody: APIClient, finished: str
) -> None:
    export = body_of(nobody.get(f"{API}/games/{finished}/export"), 200)

    head = genesis(finished)
    for event in export["events"]:
        record = {name: value for name, value in event.items() if name != "hash"}
        head = next_hash(head, record)  # type: ignore[arg-type] # a Record as it came over the wire
        assert head.hex() == event["hash"]
    assert export["head"] == {"seq": len(export["events"]), "hash": head.hex()}
    assert export["format"] == "callbreak-game/1"
    assert export["result"] == see(nobody, finished)["result"]


def test_the_export_of_a_running_game_says_what_is_public(
    asha_api: APIClient, nobody: APIClient
) -> None:
    game = new_game(asha_api)["id"]
    let_bots_play(game)

    export = body_of(nobody.get(f"{API}/games/{game}/export"), 200)

    assert export["status"] == "playing"
    assert export["result"] is None
    assert not [event for event in export["events"] if event["kind"] == "revealed"]


def test_the_transcript_reads_back(nobody: APIClient, finished: str) -> None:
    response = nobody.get(f"{API}/games/{finished}/transcript")

    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    text = response.content.decode()
    assert transcript.write(transcript.read(text)) == text


def test_a_match_that_has_not_begun_has_no_transcript(
    asha_api: APIClient, nobody: APIClient
) -> None:
    game = new_game(asha_api, seats=["me", "open", "open", "open"])["id"]

    problem_of(nobody.get(f"{API}/games/{game}/transcript"), 409, "not_started")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("after=-1", "after"),
        ("after=x", "after"),
        ("after=1.5", "after"),
        ("after=9999999999", "after"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=1e9", "limit"),
        ("since=3", "since"),
    ],
)
def test_a_malformed_query_is_refused_by_field(
    nobody: APIClient, asha_api: APIClient, query: str, field: str
) -> None:
    game = new_game(asha_api)["id"]

    problem = problem_of(nobody.get(f"{API}/games/{game}/events?{query}"), 400, "malformed")

    assert problem["field"] == field


def test_beyond_the_end_there_is_nothing_yet(nobody: APIClient, finished: str) -> None:
    page = body_of(nobody.get(f"{API}/games/{finished}/events?after=5000"), 200)

    assert page["events"] == []
    assert page["seq"] == see(nobody, finished)["seq"]
