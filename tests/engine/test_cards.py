"""Cards as text, their order, and their being one of a kind."""

import copy
import pickle
from typing import Any

import pytest

from games.engine.cards import DECK, card, parse_cards, show_cards


def test_the_deck_is_52_cards_in_canonical_order() -> None:
    assert show_cards(DECK[:14]) == "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D"
    assert show_cards(DECK[25:27]) == "AD 2H"
    assert show_cards(DECK[38:]) == "AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
    assert sorted((*DECK[26:], *DECK[:26])) == list(DECK)


def test_a_card_is_its_text() -> None:
    for each in DECK:
        assert card(each.text) is each
        assert str(each) == repr(each) == each.text


def test_the_ace_is_high() -> None:
    assert [each.rank for each in parse_cards("2S TS JS QS KS AS")] == [2, 10, 11, 12, 13, 14]


def test_faces_are_jack_queen_and_king() -> None:
    assert show_cards(each for each in DECK[:13] if each.is_face) == "JC QC KC"


def test_spades_are_the_last_thirteen() -> None:
    assert [each for each in DECK if each.is_spade] == list(DECK[39:])


@pytest.mark.parametrize("text", ["", "AS KD", "AS  KD\n2C"])
def test_cards_are_read_as_they_are_written(text: str) -> None:
    assert show_cards(parse_cards(text)) == " ".join(text.split())


@pytest.mark.parametrize("text", ["as", "10S", "1S", "S", "AX", "SA", "AS,KD", "A♠"])
def test_anything_else_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        parse_cards(text)
    with pytest.raises(ValueError, match="not a card"):
        card(text)


@pytest.mark.parametrize("value", [None, 5, ["AS"], {}, b"AS"])
def test_what_is_no_text_is_no_card(value: Any) -> None:
    with pytest.raises(ValueError, match="not a card"):
        card(value)
    with pytest.raises(ValueError, match="not a text of cards"):
        parse_cards(value)


def test_a_copied_card_is_the_same_card() -> None:
    ace = card("AS")

    assert copy.deepcopy([ace])[0] is ace
    assert pickle.loads(pickle.dumps(ace)) is ace
