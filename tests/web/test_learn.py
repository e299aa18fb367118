"""Learning with a hand: every press is answered with the engine's own reason."""

import pytest
from django.test import Client

from games.engine.cards import parse_cards
from games.engine.legal import legal_plays
from games.web.learn import RULES, STEPS


def page(step: int, card: str = "") -> str:
    return Client().get(f"/learn/{step}/", {"card": card} if card else {}).content.decode()


def main_of(page: str) -> str:
    return page.partition("<main")[2].partition("</main>")[0]


def test_it_begins_with_the_first_trick() -> None:
    assert main_of(Client().get("/learn/").content.decode()) == main_of(page(1))


@pytest.mark.parametrize("step", range(1, len(STEPS) + 1))
def test_every_card_gets_the_engines_answer(step: int) -> None:
    trick, hand = (parse_cards(text) for text in STEPS[step - 1])
    legal = legal_plays(RULES, hand, trick)

    for card in hand:
        assert ("cannot be played.</b>" not in page(step, card.text)) == (card in legal)


def test_a_refusal_gives_the_reason_and_the_rule() -> None:
    too_low, off_suit, no_trump = page(2, "5H"), page(2, "AC"), page(4, "AC")

    assert 'href="/rules/arcadia/#beat"' in too_low
    assert "You must beat" in too_low
    assert 'href="/rules/arcadia/#follow"' in off_suit
    assert 'href="/rules/arcadia/#trump"' in no_trump


def test_nothing_is_given_away_before_a_press() -> None:
    assert 'class="no"' not in page(2)
    assert 'class="no"' in page(2, "AH")


@pytest.mark.parametrize("path", ["/learn/0/", "/learn/8/"])
def test_there_is_no_other_step(path: str) -> None:
    assert Client().get(path).status_code == 404


def test_a_card_that_is_not_held_is_no_answer() -> None:
    assert "Press a card." in page(2, "2D")
