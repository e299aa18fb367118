"""Plays that make a bot look stupid, each with a hand in which it must not happen."""

import pytest

from games.bots import BOTS, Policy
from games.engine.legal import trick_winner
from games.engine.rules import HouseRules
from tests.bots.positions import ARCADIA, BASIC, STEADY, decisions, to_play

FREE = HouseRules()  # nothing but following is asked for


@pytest.fixture(params=["steady", "expert"])
def bot(request: pytest.FixtureRequest) -> Policy:
    return BOTS[request.param]


def test_needing_every_trick_it_leads_its_top_trump_before_the_low_one(bot: Policy) -> None:
    seen = to_play("AS 3S", bids=(4, 2, 2, 2), won=(2, 5, 2, 2))

    assert bot.play(seen).text == "AS"


def test_needing_every_trick_it_draws_trumps_before_it_leads_a_side_ace(bot: Policy) -> None:
    seen = to_play("AH AS KS", bids=(5, 2, 2, 2), won=(2, 4, 2, 2))

    assert bot.play(seen).is_spade


@pytest.mark.parametrize("rules", [ARCADIA, BASIC, FREE])
def test_void_with_small_cards_it_keeps_its_aces(bot: Policy, rules: HouseRules) -> None:
    seen = to_play("AD 5D 3D AC", "4H KH", rules=rules)

    assert bot.play(seen).text == "3D"


def test_a_bare_ace_is_no_discard_while_a_small_card_is_held(bot: Policy) -> None:
    seen = to_play("AD TC 9C", "4H KH", rules=FREE)

    assert bot.play(seen).text == "9C"


@pytest.mark.parametrize("rules", [ARCADIA, BASIC, FREE])
def test_last_to_play_it_trumps_with_the_lowest_that_wins(bot: Policy, rules: HouseRules) -> None:
    seen = to_play("AS JS 5S", "4H KH 3H", rules=rules, bids=(3, 2, 2, 2), won=(0, 4, 3, 3))

    assert bot.play(seen).text == "5S"


@pytest.mark.parametrize("rules", [ARCADIA, BASIC, FREE])
def test_last_to_play_it_overtrumps_with_the_lowest_that_wins(
    bot: Policy, rules: HouseRules
) -> None:
    seen = to_play("AS JS 5S 4D", "4H 7S 3H", rules=rules, bids=(5, 2, 2, 2), won=(1, 3, 3, 2))

    assert bot.play(seen).text == "JS"


@pytest.mark.parametrize("rules", [ARCADIA, BASIC, FREE])
def test_it_does_not_waste_a_trump_that_cannot_win(bot: Policy, rules: HouseRules) -> None:
    seen = to_play("6S 5S 4D 3D", "4H TS 3H", rules=rules, bids=(3, 2, 2, 2))

    assert not bot.play(seen).is_spade


def test_with_its_bid_made_it_still_takes_the_trick_that_a_leader_needs(bot: Policy) -> None:
    # Seat 2 leads the match and needs both tricks that are left; our bid is made.
    seen = to_play(
        "9S 2D",
        "3H KH 4H",
        out="AS KS 5C",
        rules=FREE,
        bids=(2, 2, 4, 2),
        won=(3, 2, 2, 4),
        totals=(0, 10, 90, 20),
    )

    assert bot.play(seen).text == "9S"


def test_it_takes_an_overtrick_rather_than_give_the_leader_a_trick(bot: Policy) -> None:
    seen = to_play(
        "QH 2H 3C",
        "4H JH 5H",
        rules=FREE,
        bids=(2, 2, 2, 2),
        won=(4, 2, 2, 2),
        totals=(0, 0, 90, 0),
    )

    assert bot.play(seen).text == "QH"


def test_a_leader_is_sunk_with_the_last_small_trump(bot: Policy) -> None:
    # Seat 2 leads the match, has bid four, has taken none and cannot lose this trick.
    seen = to_play(
        "3S 2D 3C 4C",
        "3H KH 4H",
        out="AS KS QS AD KD QD AC KC 5H",
        rules=FREE,
        bids=(3, 2, 4, 2),
        won=(4, 2, 0, 3),
        totals=(0, 0, 90, 0),
    )

    assert bot.play(seen).text == "3S"


@pytest.mark.parametrize("rules", [ARCADIA, BASIC, FREE])
def test_it_does_not_spend_a_top_spade_on_a_trick_that_is_lost_anyway(
    bot: Policy, rules: HouseRules
) -> None:
    seen = to_play("QS 6S 3S", "AS 2S", out="KS TS 5H 6H 4D 7D 8C", rules=rules)

    assert bot.play(seen).text == "3S"


def test_it_leads_no_ace_into_a_known_ruffer(bot: Policy) -> None:
    # Seat 1 showed out of hearts and holds spades; one trick more makes the bid.
    seen = to_play(
        "AH AD 3C",
        out="QH JH TH 9H KD QD JD 5S 7S",
        tricks=[(0, "2H 4S 5H 6H", 1)],
        bids=(2, 2, 2, 2),
        won=(1, 5, 2, 2),
    )

    assert bot.play(seen).text != "AH"


def test_last_in_hand_it_never_wins_dearer_than_it_must(bot: Policy) -> None:
    checked = 0
    for _, _, seen in decisions(ARCADIA, [STEADY] * 4, range(30)):
        if len(seen.trick) != 3 or len(seen.legal) < 2:
            continue
        card = bot.play(seen)
        if trick_winner((*seen.trick, card)) == 3:
            cheaper = [c for c in seen.legal if c.suit == card.suit and c < card]
            assert not any(trick_winner((*seen.trick, other)) == 3 for other in cheaper)
            checked += 1

    assert checked >= 25
