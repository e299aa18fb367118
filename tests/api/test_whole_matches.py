"""Matches over REST by script, the bots beside: to the end, under every preset."""

import pytest
from rest_framework.test import APIClient

from games.engine.rules import PRESETS
from games.engine.scoring import standings
from tests.api.rest import API, Json, body_of, new_game, play_until_over, see

PEOPLE_AND_BOTS = ["me", "bot:steady", "open", "bot:beginner"]


def assert_result_follows(seen: Json) -> None:
    """The result is what the rounds say under the rules."""
    rounds = [(row["bids"], row["won"]) for row in seen["rounds"]]
    expected = standings(PRESETS[seen["rules"]["name"]].replace(**_options(seen)), rounds)
    assert expected.finished
    assert seen["result"]["reason"] == str(expected.reason)
    assert seen["result"]["totals"] == seen["totals"] == list(expected.totals)
    assert [row["state"] for row in seen["rounds"]] == ["scored"] * len(rounds)
    assert all(sum(row["won"]) == row["tricks_played"] == 13 for row in seen["rounds"])
    assert [row["scores"] is not None for row in seen["rounds"]] == [True] * len(rounds)
    assert seen["you"]["rounds"] == []


def _options(seen: Json) -> Json:
    preset = PRESETS[seen["rules"]["name"]].to_json()
    return {field: value for field, value in seen["rules"].items() if value != preset[field]}


def test_a_whole_arcadia_match(
    asha_api: APIClient, bina_api: APIClient, eli_api: APIClient
) -> None:
    game = str(new_game(asha_api, seats=PEOPLE_AND_BOTS)["id"])
    body_of(bina_api.post(f"{API}/games/{game}/seats", {}, format="json"), 200)

    seen = play_until_over(game, asha_api, bina_api)

    assert len(seen["rounds"]) == 5
    assert_result_follows(seen)
    spectator = see(eli_api, game)
    assert spectator == {name: value for name, value in seen.items() if name != "you"}


@pytest.mark.parametrize(
    ("preset", "options", "rounds"),
    [
        ("everestbuzz-friends", {}, 3),
        ("everestbuzz-practice", {"parallel_rounds": True, "redeal_bids_below": 8}, 5),
        ("everestbuzz-practice", {"sealed_bids": True, "must_beat": True, "must_trump": True}, 5),
        ("yeeqia", {"max_rounds": 2}, 2),
    ],
)
def test_a_match_under_each_other_preset(
    asha_api: APIClient, preset: str, options: Json, rounds: int
) -> None:
    game = str(new_game(asha_api, preset=preset, options=options)["id"])

    seen = play_until_over(game, asha_api)

    assert len(seen["rounds"]) == rounds
    assert_result_follows(seen)
