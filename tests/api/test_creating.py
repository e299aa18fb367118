from base64 import urlsafe_b64encode
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from games.engine.rules import PRESETS
from games.models import Game
from tests.api.rest import API, Json, body_of, new_game, problem_of, see, unchanged


def create(api: APIClient, **body: Any) -> Any:  # Any: the test client's response has a json()
    return api.post(f"{API}/games", body, format="json")


def test_a_table_against_bots_starts_at_once(asha_api: APIClient) -> None:
    response = create(
        asha_api, preset="arcadia", seats=["me", "bot:steady", "bot:steady", "bot:beginner"]
    )

    game = body_of(response, 201)
    assert response.headers["Location"].endswith(f"{API}/games/{game['id']}")
    assert game["status"] == "playing"
    assert game["rules"] == PRESETS["arcadia"].to_json()
    assert [seat["kind"] for seat in game["seats"]] == ["human", "bot", "bot", "bot"]
    assert len(game["you"]["rounds"][0]["hand"]) == 13


def test_a_table_with_open_seats_waits(asha_api: APIClient) -> None:
    game = body_of(create(asha_api, preset="arcadia"), 201)

    assert game["status"] == "open"
    assert [seat["kind"] for seat in game["seats"]] == ["human", "open", "open", "open"]
    assert game["rounds"] == []
    assert game["clock"] == {
        "kind": "bank", "start": 259200, "increment": 10800, "cap": 259200, "longest_turn": 129600,
    }  # fmt: skip


def test_a_preset_keeps_its_name_with_options_of_its_own(asha_api: APIClient) -> None:
    game = new_game(asha_api, preset="yeeqia", options={"max_rounds": 20})

    assert game["rules"] == PRESETS["yeeqia"].replace(max_rounds=20).to_json()
    assert game["rules"]["name"] == "yeeqia"


def test_custom_rules_take_the_defaults_for_what_is_left_out(asha_api: APIClient) -> None:
    game = new_game(asha_api, rules={"target": 200, "must_beat": True})

    assert game["rules"]["name"] == "custom"
    assert game["rules"]["rounds"] is None
    assert game["rules"]["max_bid"] == 13


def test_a_table_takes_a_clock_a_visibility_and_a_rating(asha_api: APIClient) -> None:
    clock = {"kind": "per_turn", "seconds": 28800}

    game = new_game(asha_api, clock=clock, visibility="link", rated=True)

    assert (game["clock"], game["visibility"], game["rated"]) == (clock, "link", True)


def test_a_table_says_whether_weekends_and_holidays_count(asha_api: APIClient) -> None:
    usual = new_game(asha_api)
    other = new_game(asha_api, pauses_weekends=True, allows_holidays=False)

    assert (usual["pauses_weekends"], usual["allows_holidays"]) == (False, True)
    assert (other["pauses_weekends"], other["allows_holidays"]) == (True, False)


def test_a_seat_can_be_kept_for_a_player(
    asha_api: APIClient, bina: User, bina_api: APIClient
) -> None:
    game = new_game(asha_api, seats=["me", "user:Bina", "open", "bot:steady"], visibility="link")

    assert game["seats"][1]["invited"] == "bina"
    assert see(bina_api, game["id"])["status"] == "open"


def test_a_reservation_binds_the_deal_before_the_contribution(asha_api: APIClient) -> None:
    kept = body_of(asha_api.post(f"{API}/games/reserve", {}, format="json"), 201)
    given = urlsafe_b64encode(b"sixteen bytes ok").decode().rstrip("=")

    game = new_game(asha_api, reservation=kept["reservation"], contribution=given)

    assert (game["id"], game["anchor"]) == (kept["game"], kept["anchor"])
    joined = body_of(asha_api.get(f"{API}/games/{game['id']}/events"), 200)["events"][1]
    assert joined["data"] == {"contribution": given, "anchor_seen": True}


def test_a_reservation_is_used_once(asha_api: APIClient) -> None:
    kept = body_of(asha_api.post(f"{API}/games/reserve", {}, format="json"), 201)
    new_game(asha_api, reservation=kept["reservation"])

    with unchanged():
        again = create(asha_api, preset="arcadia", reservation=kept["reservation"])

    problem_of(again, 422, "bad_reservation")


def test_a_reservation_is_not_for_somebody_else(asha_api: APIClient, eli_api: APIClient) -> None:
    kept = body_of(asha_api.post(f"{API}/games/reserve"), 201)

    with unchanged():
        problem_of(
            create(eli_api, preset="arcadia", reservation=kept["reservation"]),
            422,
            "bad_reservation",
        )
        problem_of(create(eli_api, preset="arcadia", reservation="x"), 422, "bad_reservation")


def test_a_preset_keeps_what_a_table_may_not_change(asha_api: APIClient) -> None:
    with unchanged():
        refused = create(asha_api, preset="arcadia", options={"max_bid": 8})

    assert problem_of(refused, 422, "not_changeable")["field"] == "max_bid"


def test_a_player_nobody_knows_cannot_be_seated(asha_api: APIClient) -> None:
    with unchanged():
        refused = create(asha_api, preset="arcadia", seats=["me", "user:nemo", "open", "open"])

    problem_of(refused, 422, "unknown_player")


def test_running_games_have_a_limit(asha_api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.services.lobby.MAX_RUNNING_GAMES", 2)
    new_game(asha_api)
    new_game(asha_api)

    with unchanged():
        problem_of(create(asha_api, preset="arcadia"), 409, "too_many_games")


BANK = {"kind": "bank", "start": 86400, "increment": 3600, "cap": 86400, "longest_turn": 86400}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "preset"),
        ({"preset": "poker"}, "preset"),
        ({"preset": None}, "preset"),
        ({"preset": 1}, "preset"),
        ({"preset": "arcadia", "rules": {}}, "preset"),
        ({"rules": {}, "options": {}}, "preset"),
        ({"rules": []}, "rules"),
        ({"rules": {"name": "arcadia"}}, "rules.name"),
        ({"rules": {"max_bid": 14}}, "rules.max_bid"),
        ({"rules": {"max_bid": "8"}}, "rules.max_bid"),
        ({"rules": {"max_bid": True}}, "rules.max_bid"),
        ({"rules": {"must_beat": 1}}, "rules.must_beat"),
        ({"rules": {"must_trump_low": True}}, "rules.must_trump_low"),
        ({"rules": {"rounds": None}}, "rules.rounds"),
        ({"rules": {"nonsense": 1}}, "rules.nonsense"),
        ({"rules": {"min_bid": [[[1]]]}}, "rules.min_bid"),
        ({"preset": "yeeqia", "options": {"max_rounds": 0}}, "options.max_rounds"),
        ({"preset": "yeeqia", "options": {"nonsense": 0}}, "options.nonsense"),
        ({"preset": "arcadia", "options": "max_bid"}, "options"),
        ({"preset": "arcadia", "clock": None}, "clock"),
        ({"preset": "arcadia", "clock": {}}, "clock"),
        ({"preset": "arcadia", "clock": {"kind": ["bank"]}}, "clock"),
        ({"preset": "arcadia", "clock": {"kind": "sundial"}}, "clock"),
        ({"preset": "arcadia", "clock": {"kind": "per_turn"}}, "clock.seconds"),
        ({"preset": "arcadia", "clock": {"kind": "per_turn", "seconds": 5}}, "clock.seconds"),
        ({"preset": "arcadia", "clock": {"kind": "per_turn", "seconds": "3600"}}, "clock.seconds"),
        ({"preset": "arcadia", "clock": {**BANK, "start": 0}}, "clock.start"),
        ({"preset": "arcadia", "clock": {**BANK, "start": 86401}}, "clock.start"),
        ({"preset": "arcadia", "clock": {**BANK, "increment": -1}}, "clock.increment"),
        ({"preset": "arcadia", "clock": {**BANK, "longest_turn": 86401}}, "clock.longest_turn"),
        ({"preset": "arcadia", "clock": {**BANK, "cap": 10**9}}, "clock.cap"),
        ({"preset": "arcadia", "clock": {**BANK, "extra": 1}}, "extra"),
        ({"preset": "arcadia", "visibility": "secret"}, "visibility"),
        ({"preset": "arcadia", "visibility": []}, "visibility"),
        ({"preset": "arcadia", "rated": "yes"}, "rated"),
        ({"preset": "arcadia", "rated": 1}, "rated"),
        ({"preset": "arcadia", "pauses_weekends": 1}, "pauses_weekends"),
        ({"preset": "arcadia", "allows_holidays": None}, "allows_holidays"),
        ({"preset": "arcadia", "seats": "me"}, "seats"),
        ({"preset": "arcadia", "seats": ["me"]}, "seats"),
        ({"preset": "arcadia", "seats": ["me"] * 4}, "seats"),
        ({"preset": "arcadia", "seats": ["me", "open", "open", "open", "open"]}, "seats"),
        ({"preset": "arcadia", "seats": ["me", "open", "open", 3]}, "seats.3"),
        ({"preset": "arcadia", "seats": ["me", "open", "open", "bot:genius"]}, "seats.3"),
        ({"preset": "arcadia", "seats": ["me", "open", "open", "user:"]}, "seats.3"),
        ({"preset": "arcadia", "seats": ["me", "user:bina", "user:Bina", "open"]}, "seats"),
        ({"preset": "arcadia", "seats": ["me", "user:bina", "user:ｂｉｎａ", "open"]}, "seats"),
        ({"preset": "arcadia", "contribution": "====" }, "contribution"),
        ({"preset": "arcadia", "contribution": "A"}, "contribution"),
        ({"preset": "arcadia", "contribution": "é"}, "contribution"),
        ({"preset": "arcadia", "contribution": "A" * 87}, "contribution"),
        ({"preset": "arcadia", "contribution": 7}, "contribution"),
        ({"preset": "arcadia", "reservation": 7}, "reservation"),
        ({"preset": "arcadia", "reservation": "x" * 1001}, "reservation"),
        ({"preset": "arcadia", "colour": "red"}, "colour"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_is_refused_by_field(
    asha_api: APIClient, bina: User, body: Json, field: str
) -> None:
    with unchanged():
        refused = create(asha_api, **body)

    assert problem_of(refused, 400, "malformed").get("field") == field


def test_nobody_makes_a_table(nobody: APIClient) -> None:
    refused = create(nobody, preset="arcadia")

    problem_of(refused, 401, "not_authenticated")
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    assert not Game.objects.exists()
