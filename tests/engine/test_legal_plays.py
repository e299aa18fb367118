"""Which cards may be played, and the rule that holds back each of the others."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given

from games.engine.cards import DECK, Card, card
from games.engine.errors import Code, RuleViolation
from games.engine.legal import check_play, legal_plays, refusals, trick_winner
from games.engine.rules import PRESETS, HouseRules
from tests.build import cards, hand, trick
from tests.engine.strategies import Position, house_rules, positions

ARCADIA = PRESETS["arcadia"]
YEEQIA = PRESETS["yeeqia"]
BASIC = PRESETS["everestbuzz-friends"]


def refused(
    rules: HouseRules, held: Sequence[Card], down: Sequence[Card], played: str
) -> RuleViolation:
    with pytest.raises(RuleViolation) as refusal:
        check_play(rules, held, down, card(played))
    return refusal.value


def test_any_card_may_be_led() -> None:
    plays = legal_plays(ARCADIA, hand("AS 2C KH 3D"), trick(""))

    assert plays == cards("2C 3D KH AS")


def test_who_can_follow_must_follow() -> None:
    plays = legal_plays(BASIC, hand("3H AS KH 2C"), trick("9H"))

    assert plays == cards("3H KH")


def test_following_hand_must_beat_the_best_card_of_the_suit() -> None:
    plays = legal_plays(ARCADIA, hand("8H TH AH 2S"), trick("5H 9H 3C"))

    assert plays == cards("TH AH")


def test_void_hand_must_overruff() -> None:
    plays = legal_plays(ARCADIA, hand("3S TS 2C"), trick("9H 5S"))

    assert plays == cards("TS")


def test_void_hand_that_cannot_overruff_plays_what_it_likes() -> None:
    plays = legal_plays(YEEQIA, hand("3S 4S 2C"), trick("9H 5S"))

    assert plays == cards("2C 3S 4S")


def test_void_hand_that_cannot_overruff_wastes_a_spade_where_the_rules_ask_for_it() -> None:
    rules = YEEQIA.replace(must_trump_low=True)

    plays = legal_plays(rules, hand("3S 4S 2C"), trick("9H 5S"))

    assert plays == cards("3S 4S")


def test_following_hand_must_beat_a_ruffed_trick_where_the_rules_ask_for_it() -> None:
    rules = ARCADIA.replace(must_beat_after_trump=True)

    plays = legal_plays(rules, hand("3H TH 2C"), trick("9H 5S"))

    assert plays == cards("TH")


def test_the_answer_is_a_list_of_the_callers_own() -> None:
    held = cards("AS 2C")

    legal_plays(ARCADIA, held, ()).clear()

    assert held == cards("AS 2C")


def test_hand_and_trick_may_be_any_iterables() -> None:
    plays = legal_plays(ARCADIA, iter(hand("8H TH 2S")), iter(trick("9H")))

    assert plays == cards("TH")


def test_an_empty_hand_has_no_legal_card() -> None:
    assert legal_plays(ARCADIA, hand(""), trick("9H")) == []


@pytest.mark.parametrize("ask", [legal_plays, refusals])
def test_nobody_plays_to_a_full_trick(ask: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="a trick of four cards"):
        ask(ARCADIA, hand("AS"), trick("2C 3C 4C 5C"))


@pytest.mark.parametrize(
    ("held", "down"), [("AS AS", ""), ("AS 2C", "2C"), ("AS", "3C 3C"), ("AS 2C", "AS 3C")]
)
def test_a_card_is_in_one_place_only(held: str, down: str) -> None:
    with pytest.raises(ValueError, match="the same card twice"):
        legal_plays(ARCADIA, hand(held), trick(down))
    with pytest.raises(ValueError, match="the same card twice"):
        check_play(ARCADIA, hand(held), trick(down), card("AS"))


def test_a_card_that_is_not_held_gets_the_same_answer_whoever_holds_it() -> None:
    for elsewhere in ("9H", "KD"):  # in the trick, in another hand
        refusal = refused(ARCADIA, hand("3H AS"), trick("9H"), elsewhere)

        assert refusal.code == Code.CARD_NOT_HELD
        assert refusal.data == {"card": elsewhere}
        assert str(refusal) == f"{elsewhere} is not in your hand."


def test_a_card_that_is_not_held_is_refused_as_such_before_any_duty() -> None:
    assert refused(ARCADIA, hand(""), trick("9H"), "2C").code == Code.CARD_NOT_HELD


def test_not_following_is_refused_with_the_cards_that_follow() -> None:
    refusal = refused(ARCADIA, hand("AS 3H 2H"), trick("9H"), "AS")

    assert refusal.code == Code.MUST_FOLLOW_SUIT
    assert refusal.data == {"led": "H", "legal": ["2H", "3H"]}
    assert str(refusal).startswith("You must follow the suit")


def test_not_beating_is_refused_with_the_best_card_and_those_above_it() -> None:
    refusal = refused(ARCADIA, hand("3H AH KH"), trick("9H TH"), "3H")

    assert refusal.code == Code.MUST_BEAT
    assert refusal.data == {"best": "TH", "legal": ["KH", "AH"]}
    assert str(refusal) == "You must beat TH while you can."


def test_leaving_the_suit_is_refused_as_not_following_even_where_a_card_must_beat() -> None:
    refusal = refused(ARCADIA, hand("KH 3H 2C"), trick("9H"), "2C")

    assert refusal.code == Code.MUST_FOLLOW_SUIT
    assert refusal.data == {"led": "H", "legal": ["KH"]}


@pytest.mark.parametrize("played", ["2C", "3S"])
def test_not_overruffing_is_refused_with_the_spades_that_would_win(played: str) -> None:
    refusal = refused(ARCADIA, hand("3S TS QS 2C"), trick("9H 5S"), played)

    assert refusal.code == Code.MUST_TRUMP
    assert refusal.data == {"legal": ["TS", "QS"]}
    assert str(refusal).startswith("You cannot follow suit")


def test_every_card_that_is_held_back_says_why() -> None:
    reasons = refusals(ARCADIA, hand("AS 3H KH 2C"), trick("9H"))

    assert {card.text: refusal.code for card, refusal in reasons.items()} == {
        "2C": Code.MUST_FOLLOW_SUIT,
        "3H": Code.MUST_BEAT,
        "AS": Code.MUST_FOLLOW_SUIT,
    }
    assert list(reasons) == cards("2C 3H AS")


@given(house_rules(), positions())
def test_a_hand_always_has_a_legal_card(rules: HouseRules, position: Position) -> None:
    held, down = position

    plays = legal_plays(rules, held, down)

    assert plays
    assert set(plays) <= set(held)
    assert plays == sorted(plays)


@given(house_rules(), positions())
def test_a_card_passes_the_check_exactly_when_it_is_legal(
    rules: HouseRules, position: Position
) -> None:
    held, down = position
    plays, reasons = legal_plays(rules, held, down), refusals(rules, held, down)

    assert {*plays, *reasons} == set(held)
    for played in DECK:
        if played in plays:
            check_play(rules, held, down, played)
            continue
        refusal = refused(rules, held, down, played.text)
        assert str(refusal)
        if played in held:
            assert (refusal.code, refusal.data) == (reasons[played].code, reasons[played].data)
            assert refusal.data["legal"] == [card.text for card in plays]
        else:
            assert refusal.code == Code.CARD_NOT_HELD


@given(house_rules(), positions())
def test_a_duty_is_only_ever_to_follow_or_to_win(rules: HouseRules, position: Position) -> None:
    """Whoever is kept from following cards must beat, whoever is kept from others is to trump."""
    held, down = position
    plays = legal_plays(rules, held, down)
    following = [card for card in held if down and card.suit == down[0].suit]

    if not down:
        assert set(plays) == set(held)
    elif following:
        assert set(plays) <= set(following)
        assert rules.must_beat or set(plays) == set(following)
    elif set(plays) != set(held):
        assert rules.must_trump
        assert all(card.is_spade for card in plays)


@pytest.mark.parametrize("following", ["2H", "3H", "2C", "AC", "2D"])
def test_who_leads_an_ace_of_an_untrumped_suit_wins(following: str) -> None:
    assert trick_winner(trick(f"AH {following}")) == 0


@pytest.mark.parametrize(
    ("played", "winner"),
    [
        ("9H", 0),
        ("9H TH", 1),
        ("9H AC AD", 0),
        ("9H 2S AH", 1),
        ("9H 2S AH 3S", 3),
        ("2S AH KS AS", 3),
        ("5C 9C 7C 8C", 1),
        ("AC 4S KS 5S", 2),
    ],
)
def test_the_highest_spade_else_the_highest_card_of_the_suit_led_wins(
    played: str, winner: int
) -> None:
    assert trick_winner(trick(played)) == winner


@pytest.mark.parametrize("played", ["", "2C 3C 4C 5C 6C", "2C 2C"])
def test_what_is_no_trick_has_no_winner(played: str) -> None:
    with pytest.raises(ValueError, match="one to four different cards"):
        trick_winner(trick(played))
