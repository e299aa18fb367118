"""What the coach says about a card or a bid."""

import random
from dataclasses import replace

import pytest

from games.bots import BOTS
from games.bots.coach import WORLDS, judge_bid, judge_card
from games.bots.expert import Expert
from games.engine.cards import card
from games.engine.observation import Observation
from games.engine.rules import PRESETS, HouseRules
from tests.bots.positions import ARCADIA, STEADY, decisions, to_bid, to_play

FREE = HouseRules()  # nothing but following is asked for

# Positions with one clearly right card, and a card that is clearly wrong there. Seat 0 is to play; `out` is what others hold.
CLEAR = {
    "the trick that makes the bid is taken": (
        "QH", "2H", to_play("QH 2H", "4H JH 5H", rules=FREE, out="AS KS KD", bids=(1, 3, 4, 3), won=(0, 4, 4, 3)),
    ),
    "the last trump takes the trick that makes the bid": (
        "3S", "2D", to_play("3S 2D", "4H KH 5H", rules=FREE, out="AS KS KD", bids=(2, 3, 4, 3), won=(1, 3, 4, 3)),
    ),
    "the low trump is enough": (
        "5S", "AS", to_play("AS 5S", "4H KH 5H", rules=FREE, out="KS QS 2D", bids=(3, 3, 3, 3), won=(1, 4, 3, 3)),
    ),
    "the lowest overtrump is enough": (
        "9S", "AS", to_play("AS 9S", "4H 8S 5H", out="KS QS 2D", bids=(3, 3, 3, 3), won=(1, 4, 3, 3)),
    ),
    "needing both, the ace of trumps is led first": (
        "AS", "3S", to_play("AS 3S", rules=FREE, out="QS 4H 5H 6D 7D 8C", bids=(4, 2, 2, 2), won=(2, 5, 2, 2)),
    ),
    "an ace is not thrown away": (
        "2C", "AD", to_play("AD 2C", "4H KH 5H", rules=FREE, out="3D 4D QC", bids=(2, 3, 3, 3), won=(1, 4, 3, 3)),
    ),
    "a trump that cannot win now is kept": (
        "2D", "3S", to_play("3S 2D", "4H 5S 6H", rules=FREE, out="7D 8C 9C", bids=(1, 4, 3, 3), won=(0, 4, 4, 3)),
    ),
    "a king is kept that the ace has gone before": (
        "3C", "KD", to_play("KD 3C", "4H KH 5H", rules=FREE, out="QD JD 9C", bids=(1, 3, 4, 3), won=(0, 4, 4, 3)),
    ),
    "the ace is led while it can win": (
        "AH", "2C", to_play("AH 2C", rules=FREE, out="KH QH JH 9C 9D 8D", bids=(1, 4, 4, 3), won=(0, 4, 4, 3)),
    ),
    "with the last trump out, it is drawn first": (
        "AS", "AH", to_play("AS AH KH", out="2S 3H 4H 5D 6D 7D 8C 9C TC", tricks=[(1, "QH JD TH 9H", 1)], bids=(3, 3, 3, 3), won=(0, 4, 3, 3)),
    ),
    "a queen does not beat the king behind it, a small card is thrown under": (
        "2H", "QH", to_play("QH 2H", "KH 3H", rules=FREE, out="AH 4D 5D 6H", bids=(1, 3, 4, 3), won=(0, 4, 4, 3)),
    ),
    "the master spade takes the trick it must": (
        "KS", "2S", to_play("KS 2S", "QS 3S 4S", rules=FREE, out="AS 5D 6D", bids=(1, 3, 4, 3), won=(0, 4, 4, 3)),
    ),
    "a leader of the match is sunk": (
        "3S", "2D", to_play("3S 2D", "4H KH 5H", rules=FREE, out="AS KS AD", bids=(2, 2, 5, 2), won=(3, 2, 3, 3)),
    ),
    "an overtrick is not left lying": (
        "AC", "2C", to_play("AC 2C", "3C KC 4C", rules=FREE, out="AS KS QS", bids=(2, 3, 3, 3), won=(2, 3, 3, 3)),
    ),
    "third hand wins when nobody behind can": (
        "QD", "2D", to_play("QD 2D", "3D JD", rules=FREE, out="4D 5D AS KS", bids=(1, 3, 4, 3), won=(0, 4, 4, 3)),
    ),
    "second to play, a small trump takes what it can": (
        "4S", "2C", to_play("4S 2C", "AH", rules=FREE, out="KH QH JS TS 3D", bids=(1, 4, 3, 3), won=(0, 4, 4, 3)),
    ),
    "of two winners the queen goes first, as the king is out": (
        "QC", "AC", to_play("AC QC", "TC 9C 3C", rules=FREE, out="KC 2D 3D", bids=(2, 3, 3, 3), won=(0, 4, 4, 3)),
    ),
    "a king is not thrown under the ace": (
        "2H", "KH", to_play("KH 2H", "AH 3H 4H", rules=FREE, out="QH JH 5H", bids=(1, 3, 4, 3), won=(0, 4, 4, 3)),
    ),
    "last to play, the cheap winner keeps the dear one": (
        "JH", "AH", to_play("AH JH", "4H TH 5H", rules=FREE, out="QH 2C 3D", bids=(2, 3, 3, 3), won=(0, 4, 4, 3)),
    ),
    "the ten is high when all above are gone": (
        "TC", "2D", to_play("TC 2D", rules=FREE, out="9C 8C 7C AD KD QD", bids=(1, 4, 4, 3), won=(0, 4, 4, 3)),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "seen"), CLEAR.values(), ids=CLEAR)
def test_where_one_card_is_clearly_right_it_says_so(
    right: str, wrong: str, seen: Observation
) -> None:
    mistake, played_well = judge_card(seen, card(wrong)), judge_card(seen, card(right))

    assert mistake.best.text == right
    assert mistake.cost > mistake.error
    assert (played_well.best.text, played_well.cost, played_well.error) == (right, 0, 0)


def test_there_are_twenty_of_them() -> None:
    assert len(CLEAR) == 20


def test_it_answers_as_the_expert_does() -> None:
    dice = random.Random(7)
    asked = 0
    for _, _, seen in decisions(ARCADIA, [STEADY] * 4, range(2)):
        if seen.state == "bidding":
            judged = judge_bid(seen, dice.randint(1, 13))
            assert judged.foresight.best == BOTS["expert"].bid(seen)
        elif len(seen.legal) > 1 and seen.turn % 6 == 0:
            chosen = dice.choice(seen.legal)
            best = Expert(play_worlds=WORLDS).play(seen)
            judged_card = judge_card(seen, chosen)
            assert judged_card.cost == 0 or judged_card.best == best
            assert judged_card.cost >= -judged_card.error
            asked += 1

    assert asked >= 5


def test_no_card_costs_less_than_nothing_beyond_the_error() -> None:
    for rules in (ARCADIA, PRESETS["yeeqia"], PRESETS["everestbuzz-friends"]):
        for _, _, seen in decisions(rules, [STEADY] * 4, range(1)):
            if seen.state == "playing" and seen.turn % 9 == 0:
                for each in seen.legal:
                    judged = judge_card(seen, each)
                    assert judged.cost >= -judged.error


def test_a_bid_is_judged_by_how_many_tricks_may_come() -> None:
    seen = to_bid("KS 8S 5S 2S AH 9H 4H KD 7D 3D QC 6C 2C")

    low, high = judge_bid(seen, 1), judge_bid(seen, 7)

    assert 986 <= sum(low.foresight.tricks) <= 1000  # each is rounded down
    assert max(range(14), key=low.foresight.tricks.__getitem__) in (2, 3, 4)
    assert low.foresight.best in (2, 3)
    assert low.foresight.scores[low.foresight.best] == max(low.foresight.scores.values())
    assert low.made > 900
    assert high.made < 50
    assert high.cost > low.cost > 0
    assert high.cost > high.error > 0


def test_in_the_last_round_it_counts_points_all_the_same() -> None:
    name = "an overtrick is not left lying"
    _, wrong, seen = CLEAR[name]

    early, late = (
        judge_card(replace(seen, is_last_round=last), card(wrong)) for last in (False, True)
    )

    assert late == early
