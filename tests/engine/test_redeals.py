"""When a deal is thrown in."""

from typing import Any

import pytest

from games.engine.cards import Card
from games.engine.errors import Code, RuleViolation
from games.engine.legal import redeal_reason, redeal_reason_after_bids
from games.engine.rules import PRESETS, HouseRules
from tests.build import deal_of

ALL_REDEALS = HouseRules(redeal_no_spades=True, redeal_no_faces=True)
LOW_BIDS = HouseRules(redeal_bids_below=8, redeal_bids_limit=2)

GOOD = deal_of(
    "2C 3C 4C 5C JC 2D 3D 4D 2H 3H 4H 2S 3S",
    "6C 7C 8C 9C QC 5D 6D 7D 5H 6H 7H 4S 5S",
    "TC KC AC 8D 9D TD JD QD 8H 9H TH 6S 7S",
    "KD AD JH QH KH AH 8S 9S TS JS QS KS AS",
)
SEAT_2_WITHOUT_SPADES = deal_of(
    "2C 3C 4C 5C JC 2D 3D 4D 2H 3H 4H 2S 3S",
    "6C 7C 8C 9C QC 5D 6D 7D 5H 6H 7H 4S 5S",
    "TC KC AC 8D 9D TD JD QD 8H 9H TH AD JH",
    "KD 6S QH KH AH 7S 8S 9S TS JS QS KS AS",
)
SEAT_1_WITHOUT_FACES = deal_of(
    "2C 3C 4C 5C JC 2D 3D 4D 2H 3H 4H 2S 3S",
    "6C 7C 8C 9C AC 5D 6D 7D 5H 6H 7H 4S 5S",
    "TC KC QC 8D 9D TD JD QD 8H 9H TH 6S 7S",
    "KD AD JH QH KH AH 8S 9S TS JS QS KS AS",
)
NEITHER = deal_of(
    "2C 3C 4C 5C JC 2D 3D 4D 2H 3H 4H 2S 3S",
    "6C 7C 8C 9C AC 5D 6D 7D 5H 6H 7H 8H 9H",
    "TC KC QC 8D 9D TD JD QD 4S 5S TH 6S 7S",
    "KD AD JH QH KH AH 8S 9S TS JS QS KS AS",
)


def test_a_deal_with_a_spade_and_a_face_card_in_every_hand_stands() -> None:
    assert redeal_reason(ALL_REDEALS, GOOD) is None


def test_a_deal_is_thrown_in_for_any_hand_without_a_spade() -> None:
    for first in range(4):
        turned = SEAT_2_WITHOUT_SPADES[first:] + SEAT_2_WITHOUT_SPADES[:first]

        assert redeal_reason(ALL_REDEALS, turned) == "no_spades"


def test_a_deal_is_thrown_in_for_any_hand_without_a_face_card() -> None:
    for first in range(4):
        turned = SEAT_1_WITHOUT_FACES[first:] + SEAT_1_WITHOUT_FACES[:first]

        assert redeal_reason(ALL_REDEALS, turned) == "no_faces"


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (ALL_REDEALS, "no_spades"),
        (HouseRules(redeal_no_spades=True), "no_spades"),
        (HouseRules(redeal_no_faces=True), "no_faces"),
        (HouseRules(), None),
    ],
)
def test_a_deal_that_lacks_both_is_thrown_in_for_the_spades(
    rules: HouseRules, reason: str | None
) -> None:
    assert redeal_reason(rules, NEITHER) == reason


@pytest.mark.parametrize("preset", PRESETS)
def test_only_everestbuzz_redeals_and_only_for_spades(preset: str) -> None:
    reason = "no_spades" if preset.startswith("everestbuzz") else None

    assert redeal_reason(PRESETS[preset], SEAT_2_WITHOUT_SPADES) == reason
    assert redeal_reason(PRESETS[preset], SEAT_1_WITHOUT_FACES) is None


@pytest.mark.parametrize(
    "hands",
    [
        (),
        GOOD[:3],
        (*GOOD, GOOD[0]),
        (*GOOD[:3], GOOD[0]),
        (*GOOD[:3], GOOD[3][:12]),
        (GOOD[0][1:], (*GOOD[1], GOOD[0][0]), *GOOD[2:]),
    ],
    ids=["none", "three", "five", "twice", "twelve", "fourteen"],
)
def test_what_is_no_deal_is_malformed(hands: tuple[tuple[Card, ...], ...]) -> None:
    with pytest.raises(ValueError, match="four hands of 13 cards, all different"):
        redeal_reason(HouseRules(), hands)


@pytest.mark.parametrize(
    ("bids", "used", "reason"),
    [
        ((1, 1, 1, 1), 0, "low_bids"),
        ((1, 2, 2, 2), 0, "low_bids"),
        ((2, 2, 2, 2), 0, None),
        ((1, 1, 1, 5), 0, None),
        ((1, 1, 1, 4), 1, "low_bids"),
        ((1, 1, 1, 1), 2, None),
        ((1, 1, 1, 1), 3, None),
    ],
)
def test_bids_below_the_limit_are_thrown_in_until_the_redeals_are_used_up(
    bids: tuple[int, ...], used: int, reason: str | None
) -> None:
    assert redeal_reason_after_bids(LOW_BIDS, bids, used) == reason


def test_low_bids_stand_where_no_rule_minds_them() -> None:
    assert redeal_reason_after_bids(HouseRules(), (1, 1, 1, 1), 0) is None


def test_a_limit_of_no_redeals_lets_low_bids_stand() -> None:
    assert redeal_reason_after_bids(LOW_BIDS.replace(redeal_bids_limit=0), (1, 1, 1, 1), 0) is None


@pytest.mark.parametrize("bids", [(), (1, 1, 1), (1, 1, 1, 1, 1)])
def test_only_four_bids_are_judged(bids: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="four bids"):
        redeal_reason_after_bids(LOW_BIDS, bids, 0)


@pytest.mark.parametrize("bid", [None, True, 1.0])
def test_a_bid_that_is_no_integer_is_malformed(bid: Any) -> None:
    with pytest.raises(ValueError, match="a bid is a whole number"):
        redeal_reason_after_bids(LOW_BIDS, (1, 1, 1, bid), 0)


def test_a_bid_out_of_range_is_refused() -> None:
    with pytest.raises(RuleViolation) as refusal:
        redeal_reason_after_bids(LOW_BIDS, (1, 1, 1, 14), 0)
    assert refusal.value.code == Code.BID_OUT_OF_RANGE


@pytest.mark.parametrize("used", [-1, None, True, 1.0])
def test_the_redeals_so_far_are_a_count(used: Any) -> None:
    with pytest.raises(ValueError, match="is a count"):
        redeal_reason_after_bids(LOW_BIDS, (1, 1, 1, 1), used)
