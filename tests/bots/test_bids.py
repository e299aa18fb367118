"""How the bots value a hand."""

import pytest

from games.bots import BOTS
from games.bots.bidding import expected_tricks, fit_of, made_chances, usual_bid
from games.bots.boards import mask
from games.engine.cards import parse_cards
from games.engine.rules import PRESETS, HouseRules
from tests.bots.positions import ARCADIA, STEADY, deal, to_bid

STRONG = "AS KS QS JS TS 9S AH KH QH AD KD AC KC"
WEAK = "2S 3S 4H 5H 6H 7H 2D 4D 5D 8D 3C 4C 6C"
MIDDLING = "KS 8S 5S 2S AH 9H 4H KD 7D 3D QC 6C 2C"


@pytest.mark.parametrize("level", BOTS)
def test_a_strong_hand_bids_more_than_a_weak_one(level: str) -> None:
    bids = [BOTS[level].bid(to_bid(hand)) for hand in (WEAK, MIDDLING, STRONG)]

    assert bids == sorted(bids)
    assert bids[0] <= 2
    assert bids[2] >= 7


@pytest.mark.parametrize(
    "family", [(beat, trump) for beat in (False, True) for trump in (False, True)]
)
def test_a_bid_stays_below_the_expected_tricks_because_a_miss_costs_the_whole_bid(
    family: tuple[bool, bool],
) -> None:
    rules = HouseRules(must_beat=family[0], must_trump=family[1])

    mean = expected_tricks(fit_of(rules), mask(parse_cards(MIDDLING)))

    assert 1000 <= 1000 * STEADY.bid(to_bid(MIDDLING, rules=rules)) < mean


def test_the_chance_to_take_more_tricks_is_never_higher() -> None:
    for hand in (WEAK, MIDDLING, STRONG):
        chances = made_chances(fit_of(ARCADIA), mask(parse_cards(hand)))

        assert chances == sorted(chances, reverse=True)
        assert len(chances) == 14
        assert all(0 <= chance <= 1000 for chance in chances)


def test_an_instant_win_within_reach_is_tried_for() -> None:
    hand = "AS KS QS JS TS 9S 8S AH KH AD 4D AC 3C"
    plain = PRESETS["everestbuzz-practice"]
    rich = plain.replace(instant_win_bid=8)

    assert STEADY.bid(to_bid(hand, rules=rich)) == 8


def test_the_last_seat_asks_for_a_new_deal_with_a_hand_worth_less() -> None:
    rules = PRESETS["everestbuzz-practice"].replace(redeal_bids_below=8)

    bid = STEADY.bid(to_bid(WEAK, rules=rules, bids=(2, 2, 2, None)))

    assert sum((2, 2, 2, bid)) < 8


def test_with_redeals_used_up_the_last_seat_bids_what_its_hand_is_worth() -> None:
    rules = PRESETS["everestbuzz-practice"].replace(redeal_bids_below=8, redeal_bids_limit=3)

    for hand in (WEAK, MIDDLING):
        spent = to_bid(hand, rules=rules, bids=(1, 1, 1, None), attempt=3)
        assert STEADY.bid(spent) == STEADY.bid(to_bid(hand, rules=rules))


def test_a_bid_of_zero_is_only_made_where_nothing_can_be_taken() -> None:
    rules = HouseRules(min_bid=0)

    assert STEADY.bid(to_bid(MIDDLING, rules=rules)) >= 1


@pytest.mark.parametrize("preset", ["arcadia", "everestbuzz-friends", "yeeqia"])
def test_the_quick_bid_of_a_search_is_the_bid_of_a_steady_player(preset: str) -> None:
    rules = PRESETS[preset]
    for number in range(50):
        for hand in deal(number):
            bid = STEADY.bid(to_bid(" ".join(map(str, hand)), rules=rules))
            assert usual_bid(rules, mask(hand)) == bid
