import pytest
from rest_framework.test import APIClient

from games.engine.cards import DECK
from games.models import Event
from tests.api.rest import (
    API,
    Json,
    answer_to,
    body_of,
    let_bots_play,
    move,
    my_turn,
    new_game,
    play_to_the_cards,
    play_until_over,
    problem_of,
    see,
    unchanged,
)

FOUR = ["me", "open", "bot:steady", "bot:beginner"]


@pytest.fixture
def game(asha_api: APIClient, bina_api: APIClient) -> str:
    """A started game of asha and bina with two bots."""
    game = str(new_game(asha_api, seats=FOUR)["id"])
    body_of(bina_api.post(f"{API}/games/{game}/seats", {}, format="json"), 200)
    let_bots_play(game)
    return game


@pytest.fixture
def alone(asha_api: APIClient) -> str:
    """A game of asha against bots that waits for her first card."""
    game = str(new_game(asha_api)["id"])
    play_to_the_cards(game, asha_api)
    return game


def in_turn(game: str, *players: APIClient) -> tuple[APIClient, APIClient]:
    """The player whom the game waits for, and the other."""
    let_bots_play(game)
    to_act = see(players[0], game)["rounds"][0]["to_act"]
    return players if to_act == 0 else players[::-1]  # type: ignore[return-value] # two of them


def test_an_accepted_move_is_answered_with_its_receipt(asha_api: APIClient, alone: str) -> None:
    seen, own = my_turn(asha_api, alone)

    answer = body_of(move(asha_api, alone, **answer_to(own, seen)), 201)

    stored = Event.objects.get(game=alone, seq=answer["seq"])
    assert (stored.card, stored.hash) == (own["legal"][0], answer["hash"])
    assert len(answer["signature"]) == 86
    assert answer["game"]["seq"] == answer["seq"]
    assert own["legal"][0] not in answer["game"]["you"]["rounds"][0]["hand"]


def test_the_same_answer_again_is_the_same_move(asha_api: APIClient, alone: str) -> None:
    seen, own = my_turn(asha_api, alone)
    first = body_of(move(asha_api, alone, **answer_to(own, seen)), 201)
    let_bots_play(alone)

    with unchanged():
        again = body_of(move(asha_api, alone, **answer_to(own, seen)), 200)

    receipt = ("seq", "hash", "signature")
    assert [again[name] for name in receipt] == [first[name] for name in receipt]
    assert again["game"] == see(asha_api, alone)


def test_the_same_bid_again_is_the_same_move(asha_api: APIClient) -> None:
    game = new_game(asha_api, seats=["me", "open", "open", "open"])["id"]
    body_of(asha_api.post(f"{API}/games/{game}/start"), 200)
    seen, own = my_turn(asha_api, game)
    first = body_of(move(asha_api, game, **answer_to(own, seen)), 201)

    again = body_of(move(asha_api, game, **answer_to(own, seen)), 200)

    assert again["hash"] == first["hash"]


def test_another_answer_to_a_decision_already_made_is_stale(
    asha_api: APIClient, alone: str
) -> None:
    seen, own = my_turn(asha_api, alone)
    answer = answer_to(own, seen)
    body_of(move(asha_api, alone, **answer), 201)
    other = next(card for card in own["hand"] if card != answer.get("card"))

    with unchanged():
        refused = move(asha_api, alone, round=1, turn=own["turn"], card=other)

    problem = problem_of(refused, 409, "stale_turn")
    now = see(asha_api, alone)["rounds"][0]
    assert (problem["turn"], problem["to_act"]) == (now["turn"], now["to_act"])


def test_another_seat_cannot_repeat_it(asha_api: APIClient, bina_api: APIClient, game: str) -> None:
    mover, other = in_turn(game, asha_api, bina_api)
    seen, own = my_turn(mover, game)
    body_of(move(mover, game, **answer_to(own, seen)), 201)

    with unchanged():
        problem_of(move(other, game, **answer_to(own, seen)), 409, "stale_turn")


def test_a_turn_that_has_not_come_is_stale(asha_api: APIClient, alone: str) -> None:
    with unchanged():
        problem_of(move(asha_api, alone, round=1, turn=40, card="AS"), 409, "stale_turn")


def test_out_of_turn_is_refused_whatever_the_card(
    asha_api: APIClient, bina_api: APIClient, game: str
) -> None:
    mover, other = in_turn(game, asha_api, bina_api)
    turn = see(mover, game)["rounds"][0]["turn"]

    with unchanged():
        refused = [
            problem_of(move(other, game, round=1, turn=turn, bid=bid), 409, "not_your_turn")
            for bid in (1, 99)
        ]

    assert refused[0] == refused[1]
    assert refused[0]["turn"] == turn
    assert refused[0]["to_act"] == see(mover, game)["rounds"][0]["to_act"]
    assert "legal" not in refused[0]


def test_a_bid_while_cards_are_played_is_the_wrong_phase(asha_api: APIClient, alone: str) -> None:
    _seen, own = my_turn(asha_api, alone)

    with unchanged():
        refused = move(asha_api, alone, round=1, turn=own["turn"], bid=3)

    problem = problem_of(refused, 409, "wrong_phase")
    assert problem["turn"] == own["turn"]
    assert problem["to_act"] == 0


def test_a_round_that_is_not_dealt_is_the_wrong_phase(asha_api: APIClient, alone: str) -> None:
    with unchanged():
        problem = problem_of(move(asha_api, alone, round=4, turn=0, bid=3), 409, "wrong_phase")

    assert (problem["turn"], problem["to_act"]) == (None, None)


def test_a_table_that_has_not_started_takes_no_move(asha_api: APIClient) -> None:
    game = new_game(asha_api, seats=["me", "open", "open", "open"])["id"]

    with unchanged():
        problem_of(move(asha_api, game, round=1, turn=0, bid=3), 409, "wrong_phase")


def test_a_finished_match_takes_no_move(asha_api: APIClient) -> None:
    game = new_game(asha_api, rules={"rounds": 1})["id"]
    play_until_over(game, asha_api)

    with unchanged():
        problem = problem_of(move(asha_api, game, round=1, turn=70, card="AS"), 409, "game_over")

    assert (problem["turn"], problem["to_act"]) == (None, None)


def test_a_bid_out_of_range_names_the_range(asha_api: APIClient) -> None:
    game = new_game(asha_api, preset="everestbuzz-friends")["id"]
    _seen, own = my_turn(asha_api, game)

    for bid in (-1, 0, 9, 10**15):
        with unchanged():
            refused = move(asha_api, game, round=1, turn=own["turn"], bid=bid)
        problem = problem_of(refused, 422, "bid_out_of_range")
        assert problem["rule"] == "everestbuzz-friends/bid"
        assert problem["detail"] == "Bids at this table go from 1 to 8."


def test_every_card_is_accepted_or_refused_for_its_own_reason(
    asha_api: APIClient, alone: str
) -> None:
    """The whole deck at each decision of a round: what is not legal is refused, and tells nothing of other hands."""
    decisions = 0
    while (seen := see(asha_api, alone))["rounds"][0]["state"] == "playing":
        let_bots_play(alone)
        seen = see(asha_api, alone)
        own = seen["you"]["rounds"][0]
        if not own["legal"]:
            continue
        decisions += 1
        for card in DECK:
            if card.text not in own["legal"]:
                _refuses(asha_api, alone, own, card.text)
        body_of(move(asha_api, alone, **answer_to(own, seen)), 201)
    assert decisions >= 12


def _refuses(api: APIClient, game: str, own: Json, card: str) -> None:
    with unchanged():
        refused = move(api, game, round=1, turn=own["turn"], card=card)
    expected = own["why_not"].get(card, {"code": "card_not_held", "rule": "arcadia/hand"})
    problem = problem_of(refused, 422, expected["code"])
    assert problem["rule"] == expected["rule"]
    assert problem["legal"] == own["legal"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "round"),
        ({"round": 1, "turn": 0}, "card"),
        ({"round": 1, "turn": 0, "card": "AS", "bid": 1}, "card"),
        ({"round": "1", "turn": 0, "bid": 1}, "round"),
        ({"round": 0, "turn": 0, "bid": 1}, "round"),
        ({"round": True, "turn": 0, "bid": 1}, "round"),
        ({"round": None, "turn": 0, "bid": 1}, "round"),
        ({"round": [1], "turn": 0, "bid": 1}, "round"),
        ({"round": 1, "turn": -1, "bid": 1}, "turn"),
        ({"round": 1, "turn": {}, "bid": 1}, "turn"),
        ({"round": 1, "turn": 0, "bid": "3"}, "bid"),
        ({"round": 1, "turn": 0, "bid": False}, "bid"),
        ({"round": 1, "turn": 0, "bid": None}, "bid"),
        ({"round": 1, "turn": 0, "card": None}, "card"),
        ({"round": 1, "turn": 0, "card": 5}, "card"),
        ({"round": 1, "turn": 0, "card": ["AS"]}, "card"),
        ({"round": 1, "turn": 0, "card": ""}, "card"),
        ({"round": 1, "turn": 0, "card": "as"}, "card"),
        ({"round": 1, "turn": 0, "card": "10S"}, "card"),
        ({"round": 1, "turn": 0, "card": "AS "}, "card"),
        ({"round": 1, "turn": 0, "card": "A♠"}, "card"),
        ({"round": 1, "turn": 0, "card": "1S"}, "card"),
        ({"round": 1, "turn": 0, "bid": 1, "seat": 2}, "seat"),
        ({"round": 1, "turn": 0, "bid": 1, "hand": ["AS"]}, "hand"),
    ],
)
def test_a_malformed_move_changes_nothing(
    asha_api: APIClient, alone: str, body: Json, field: str
) -> None:
    with unchanged():
        refused = move(asha_api, alone, **body)

    assert problem_of(refused, 400, "malformed")["field"] == field


def test_strangers_cannot_move(eli_api: APIClient, nobody: APIClient, alone: str) -> None:
    with unchanged():
        problem_of(move(eli_api, alone, round=1, turn=4, card="AS"), 403, "not_seated")
        problem_of(move(nobody, alone, round=1, turn=4, card="AS"), 401, "not_authenticated")
        problem_of(move(eli_api, "222222222222", round=1, turn=4, card="AS"), 404, "not_found")


def test_sealed_bids_are_answered_in_any_order_and_shown_together(
    asha_api: APIClient, bina_api: APIClient, eli_api: APIClient
) -> None:
    game = new_game(asha_api, seats=FOUR, options={"sealed_bids": True})["id"]
    body_of(bina_api.post(f"{API}/games/{game}/seats", {}, format="json"), 200)
    own = see(asha_api, game)["you"]["rounds"][0]

    sealed = body_of(move(asha_api, game, round=1, turn=own["turn"], bid=3), 201)

    assert sealed["game"]["rounds"][0]["bids"] == [3, None, None, None]
    assert see(bina_api, game)["rounds"][0]["bids"] == [None] * 4
    assert see(eli_api, game)["rounds"][0]["bids"] == [None] * 4
    again = body_of(move(asha_api, game, round=1, turn=own["turn"], bid=3), 200)
    assert (again["seq"], again["hash"]) == (sealed["seq"], sealed["hash"])
    with unchanged():
        problem_of(move(asha_api, game, round=1, turn=own["turn"], bid=4), 409, "stale_turn")
    let_bots_play(game)
    mine = see(bina_api, game)["you"]["rounds"][0]
    body_of(move(bina_api, game, round=1, turn=mine["turn"], bid=2), 201)
    assert see(eli_api, game)["rounds"][0]["bids"][:2] == [3, 2]
