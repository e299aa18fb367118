"""Hidden cards stay hidden, and games by link do not exist for strangers. See the forward oracle for whole games."""

import re

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from games import store
from games.queries import running
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
    texts_in,
)

READS = ["", "/events", "/export", "/transcript"]


def hands_of(game: str) -> list[list[str]]:
    """What the four hold now, as only the store knows it."""
    table = store.load(game, now=timezone.now())
    store.fold(table, *running(table))
    [state] = table.rounds.values()
    return [[card.text for card in hand] for hand in state.hands]


def cards_in(text: str) -> set[str]:
    return set(re.findall(r"\b[2-9TJQKA][CDHS]\b", text))


@pytest.mark.parametrize("path", READS)
def test_no_answer_to_a_stranger_holds_a_card_of_any_hand(
    asha_api: APIClient, eli_api: APIClient, nobody: APIClient, path: str
) -> None:
    game = new_game(asha_api)["id"]
    play_to_the_cards(game, asha_api)
    for _ in range(4):
        seen, own = my_turn(asha_api, game)
        body_of(move(asha_api, game, **answer_to(own, seen)), 201)

        hidden = {card for hand in hands_of(game) for card in hand}
        for api in (eli_api, nobody):
            assert not cards_in(texts_in(api.get(f"{API}/games/{game}{path}"))) & hidden


def test_a_player_sees_their_own_hand_and_no_other(
    asha_api: APIClient, bina_api: APIClient
) -> None:
    game = new_game(asha_api, seats=["me", "open", "bot:steady", "bot:steady"])["id"]
    sat = bina_api.post(f"{API}/games/{game}/seats", {}, format="json")

    ashas, binas, *others = hands_of(game)
    to_asha, to_bina = asha_api.get(f"{API}/games/{game}"), bina_api.get(f"{API}/games/{game}")

    assert cards_in(texts_in(to_asha)) == set(ashas)
    assert cards_in(texts_in(to_bina)) == cards_in(texts_in(sat)) == set(binas)
    assert see(bina_api, game)["you"]["rounds"][0]["hand"] == binas
    assert all(set(hand).isdisjoint(ashas + binas) for hand in others)


def test_a_spectator_has_no_you(asha_api: APIClient, eli_api: APIClient) -> None:
    game = new_game(asha_api)["id"]

    assert "you" not in see(eli_api, game)


def test_a_refusal_names_the_movers_own_cards_alone(asha_api: APIClient) -> None:
    game = new_game(asha_api)["id"]
    play_to_the_cards(game, asha_api)
    _seen, own = my_turn(asha_api, game)
    [_mine, *others] = hands_of(game)

    problems = [
        problem_of(move(asha_api, game, round=1, turn=own["turn"], card=card), 422, "card_not_held")
        for hand in others
        for card in hand
    ]

    # Whoever holds the card, and whether it was played or not: the same sentence, the same extras.
    assert len({str({**each, "detail": "", "card": ""}) for each in problems}) == 1
    assert set(problems[0]["legal"]) <= set(own["hand"])


def test_a_game_by_link_is_not_there_for_strangers(
    asha_api: APIClient, bina_api: APIClient, eli_api: APIClient, nobody: APIClient, bina: object
) -> None:
    seats = ["me", "user:bina", "bot:steady", "bot:steady"]
    game = new_game(asha_api, visibility="link", seats=seats)["id"]
    absent = "222222222222"

    for api in (eli_api, nobody):
        for path in READS:
            there = api.get(f"{API}/games/{game}{path}")
            problem_of(there, 404, "not_found")
            assert texts_in(there) == texts_in(api.get(f"{API}/games/{absent}{path}"))
        assert body_of(api.get(f"{API}/games"), 200)["games"] == []
    problem_of(eli_api.post(f"{API}/games/{game}/seats", {}, format="json"), 404, "not_found")
    problem_of(eli_api.delete(f"{API}/games/{game}/seats/me"), 404, "not_found")
    problem_of(eli_api.post(f"{API}/games/{game}/start"), 404, "not_found")
    problem_of(move(eli_api, game, round=1, turn=0, bid=3), 404, "not_found")
    assert see(bina_api, game)["id"] == game
    assert [each["id"] for each in body_of(bina_api.get(f"{API}/games"), 200)["games"]] == [game]
