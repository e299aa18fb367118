"""Claims and autopilot over HTTP."""

from rest_framework.test import APIClient

from tests.api.rest import (
    API,
    answer_to,
    body_of,
    move,
    my_turn,
    new_game,
    play_to_the_cards,
    problem_of,
    see,
    unchanged,
)


def test_a_claim_that_is_not_proven_is_refused_and_told_to_nobody(asha_api: APIClient) -> None:
    game = str(new_game(asha_api)["id"])
    seen, own = play_to_the_cards(game, asha_api)
    while seen["rounds"][0]["trick"]:
        body_of(move(asha_api, game, **answer_to(own, seen)), 201)
        seen, own = my_turn(asha_api, game)

    with unchanged():
        sent = claim(asha_api, game, own["turn"])
        problem = problem_of(sent, 422, "claim_not_proven")

    assert problem["rule"] == "arcadia/claim"
    assert problem["legal"] == own["legal"]


def test_a_claim_at_another_time_is_refused_like_a_card(
    asha_api: APIClient, eli_api: APIClient, nobody: APIClient
) -> None:
    game = str(new_game(asha_api)["id"])
    _seen, own = my_turn(asha_api, game)

    problem_of(claim(asha_api, game, own["turn"]), 409, "wrong_phase")
    problem_of(claim(asha_api, game, own["turn"] + 1), 409, "stale_turn")
    problem_of(claim(eli_api, game, own["turn"]), 403, "not_seated")
    problem_of(claim(nobody, game, own["turn"]), 401, "not_authenticated")
    sent = asha_api.post(f"{API}/games/{game}/claims", {"round": 1}, format="json")
    assert problem_of(sent, 400, "malformed")["field"] == "turn"


def claim(api: APIClient, game: str, turn: int) -> object:
    return api.post(f"{API}/games/{game}/claims", {"round": 1, "turn": turn}, format="json")


def test_autopilot_is_switched_on_and_off_in_the_open(
    asha_api: APIClient, eli_api: APIClient
) -> None:
    game = str(new_game(asha_api)["id"])
    path = f"{API}/games/{game}/rounds/1/autopilot"

    on = body_of(asha_api.put(path, {}, format="json"), 200)
    assert on["rounds"][0]["autopilot"] == [0]
    assert see(eli_api, game)["rounds"][0]["autopilot"] == [0]
    assert body_of(asha_api.put(path), 200)["seq"] == on["seq"]

    assert body_of(asha_api.delete(path), 200)["rounds"][0]["autopilot"] == []
    problem_of(asha_api.put(path.replace("rounds/1", "rounds/2")), 409, "nothing_to_give_up")
    problem_of(eli_api.put(path), 403, "not_seated")


def test_a_table_says_whether_cards_play_themselves(asha_api: APIClient) -> None:
    assert new_game(asha_api)["auto_forced"] is False
    assert new_game(asha_api, auto_forced=True)["auto_forced"] is True
    body = {"preset": "arcadia", "rated": True, "auto_forced": True}
    sent = asha_api.post(f"{API}/games", body, format="json")
    assert problem_of(sent, 400, "malformed")["field"] == "auto_forced"
