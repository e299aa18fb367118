"""What a plan does at a decision: stops, the queue, the rules in order, and which card."""

from typing import Any

import pytest

from games.engine.observation import Observation, Trick
from games.engine.plan import (
    Ask,
    AskReason,
    Choice,
    Decision,
    Plan,
    Play,
    Stop,
    StopReason,
    chosen,
    decide,
)
from games.engine.rules import PRESETS, HouseRules
from tests.build import cards, hand, trick

FREE = HouseRules()  # following suit is the only duty
ARCADIA = PRESETS["arcadia"]
ANY_TRICK = Trick(0, hand("2C 3C 4C 5C"), 3)


def seat_2(
    held: str,
    down: str = "",
    *,
    rules: HouseRules = FREE,
    bids: tuple[int, ...] = (3, 3, 3, 3),
    won: tuple[int, ...] = (0, 0, 0, 0),
    tricks: int = 0,
    acts: bool = True,
) -> Observation:
    """What seat 2 sees when it is to play after `down`."""
    return Observation(
        rules=rules,
        round=1,
        attempt=0,
        dealer=3,
        state="playing",
        seat=2,
        to_act=2,
        acts=acts,
        turn=4,
        hand=hand(held),
        bids=bids,
        has_bid=(True,) * 4,
        won=won,
        scores=None,
        tricks=(ANY_TRICK,) * tricks,
        leader=(2 - len(trick(down))) % 4,
        trick=trick(down),
        totals=(0, 0, 0, 0),
        is_last_round=False,
    )


def plan(*rules: dict[str, Any], stop_if: tuple[str, ...] = (), queue: str = "") -> Plan:
    """A plan of these rules, `ask` after them unless they end with a rule for everything."""
    all_rules = [*rules] if rules and "when" not in rules[-1] else [*rules, {"play": "ask"}]
    return Plan.from_json({"rules": all_rules, "stop_if": list(stop_if), "cards": queue.split()})


def played(card: str, rule: int | None) -> Decision:
    return Play(cards(card)[0], rule)


ASKS = Ask(AskReason.RULE)
LOWEST = {"play": "lowest"}


def test_the_first_rule_that_holds_plays() -> None:
    settled = plan(
        {"when": {"led": "H", "trumped": False}, "play": "lowest_that_beats_else_lowest"},
        {"when": {"led": ["C", "D"]}, "play": "lowest"},
    )

    assert decide(settled, seat_2("3H JH KH", "TH")) == played("JH", 0)
    assert decide(settled, seat_2("3H JH KH", "TH 2S")) == ASKS
    assert decide(settled, seat_2("3D JD", "TD")) == played("3D", 1)
    assert decide(settled, seat_2("3S JS", "TS")) == ASKS


@pytest.mark.parametrize(
    ("choice", "legal", "down", "card"),
    [
        ("lowest", "3C JC", "9C", "3C"),
        ("lowest", "3S 3H 3D", "9C", "3D"),
        ("lowest", "2S 3C", "9H", "2S"),  # by rank: a spade is no better than its rank here
        ("highest", "3C JC", "9C", "JC"),
        ("highest", "KS KH KD 2C", "9C", "KD"),
        ("lowest_that_beats_else_lowest", "3C TC JC", "9C", "TC"),
        ("lowest_that_beats_else_lowest", "3C TC JC", "QC 2D", "3C"),
        ("lowest_that_beats_else_lowest", "3C TC", "9C 2S", "3C"),
        ("lowest_that_beats_else_lowest", "2D 4S 9S", "9C 3S", "4S"),
        ("lowest_that_beats_else_lowest", "2H 2D 4S", "9C 9S", "2D"),
        ("lowest_spade_else_lowest", "2D 4S 9S", "9C TS", "4S"),
        ("lowest_spade_else_lowest", "2H 2D", "9C", "2D"),
    ],
)
def test_a_choice_among_the_legal_cards(choice: str, legal: str, down: str, card: str) -> None:
    assert [chosen(Choice(choice), hand(legal), trick(down))] == cards(card)


def test_only_legal_cards_are_played() -> None:
    seen = seat_2("2H JH KH AC", "TH", rules=ARCADIA)

    assert decide(plan(LOWEST), seen) == played("JH", 0)
    assert decide(plan(LOWEST), seat_2("2H JH KH AC", "TH")) == played("2H", 0)


@pytest.mark.parametrize(
    ("when", "holds_for", "not_for"),
    [
        ({"led": "S"}, "9S", "9C 2S"),
        ({"trumped": True}, "9C 2S", "9S 2S"),
        ({"trumped": False}, "9S 2S", "9C 2S"),
        ({"position": 2}, "9C", "9C 2C"),
        ({"position": [2, 4]}, "9C 2C 3C", "9C 2C"),
    ],
)
def test_conditions_on_the_trick(when: dict[str, Any], holds_for: str, not_for: str) -> None:
    settled = plan({"when": when, "play": "lowest"})

    assert decide(settled, seat_2("7D 8D", holds_for)) == played("7D", 0)
    assert decide(settled, seat_2("7D 8D", not_for)) == ASKS


@pytest.mark.parametrize(("won", "is_made"), [(2, False), (3, True), (4, True)])
def test_the_condition_that_my_bid_is_made(won: int, is_made: bool) -> None:
    seen = seat_2("7D 8D", "9C", won=(5, 0, won, 0), tricks=5 + won)

    for wanted in (True, False):
        settled = plan({"when": {"bid_made": wanted}, "play": "lowest"})
        assert decide(settled, seen) == (played("7D", 0) if wanted is is_made else ASKS)


def test_tricks_left_count_the_present_one() -> None:
    settled = plan({"when": {"tricks_left_at_most": 2}, "play": "highest"})

    assert decide(settled, seat_2("7D 8D 9D", "9C", tricks=10)) == ASKS
    assert decide(settled, seat_2("7D 8D", "9C", tricks=11)) == played("8D", 0)
    assert decide(settled, seat_2("7D", "9C", tricks=12)) == played("7D", 0)


@pytest.mark.parametrize(
    ("stop", "seen"),
    [
        ("bid_made", seat_2("7D", "9C", won=(0, 0, 3, 0), tricks=3)),
        ("bid_made", seat_2("7D", "9C", bids=(3, 3, 0, 3))),
        ("bid_lost", seat_2("7D", "9C", won=(8, 0, 1, 3), tricks=12)),
        ("spade_played_before_me", seat_2("7D", "9C 2S")),
        ("spade_played_before_me", seat_2("7D", "9S")),
        ("someone_cannot_make_it", seat_2("7D", "9C", won=(8, 0, 3, 1), tricks=12)),
        ("someone_cannot_make_it", seat_2("7D", "9C", won=(3, 3, 1, 5), tricks=12)),
    ],
)
def test_a_stop_that_is_true_comes_before_every_rule(stop: str, seen: Observation) -> None:
    assert decide(plan(LOWEST, stop_if=(stop,)), seen) == Stop(StopReason(stop))


@pytest.mark.parametrize(
    ("stop", "seen"),
    [
        ("bid_made", seat_2("7D", "9C", won=(0, 0, 2, 0), tricks=2)),
        ("bid_lost", seat_2("7D", "9C", won=(8, 1, 2, 1), tricks=12)),  # the last trick may make it
        ("spade_played_before_me", seat_2("7D", "9C 2D")),
        ("someone_cannot_make_it", seat_2("7D", "9C", won=(3, 2, 3, 4), tricks=12)),
    ],
)
def test_a_stop_that_is_not_true_changes_nothing(stop: str, seen: Observation) -> None:
    assert decide(plan(LOWEST, stop_if=(stop,)), seen) == played("7D", 0)


def test_the_first_stop_listed_is_the_reason() -> None:
    seen = seat_2("7D", "9C 2S", won=(0, 0, 3, 0), tricks=3)

    for stops in (("bid_made", "spade_played_before_me"), ("spade_played_before_me", "bid_made")):
        assert decide(plan(LOWEST, stop_if=stops), seen) == Stop(StopReason(stops[0]))


def test_the_queue_leads_its_first_card_that_is_still_held() -> None:
    settled = plan(LOWEST, queue="AS KS 2D")

    assert decide(settled, seat_2("2D KS AS")) == played("AS", None)
    assert decide(settled, seat_2("2D KS", tricks=1)) == played("KS", None)
    assert decide(settled, seat_2("2D 7C", tricks=2)) == played("2D", None)


def test_an_empty_queue_asks_whatever_the_rules_say() -> None:
    queue_empty = Ask(AskReason.QUEUE_EMPTY)

    assert decide(plan(LOWEST), seat_2("2D KS")) == queue_empty
    assert decide(plan(LOWEST, queue="AS"), seat_2("2D KS", tricks=1)) == queue_empty


def test_the_queue_is_for_leading_only() -> None:
    assert decide(plan(queue="AS KS"), seat_2("KS AS", "2S")) == ASKS


def test_a_stop_holds_the_queue_too() -> None:
    seen = seat_2("KS AS", won=(0, 0, 3, 0), tricks=3)

    assert decide(plan(queue="AS", stop_if=("bid_made",)), seen) == Stop(StopReason.BID_MADE)


def test_a_plan_leaves_what_is_not_this_seats_card_to_play() -> None:
    assert decide(plan(LOWEST), seat_2("7D", "9C", acts=False)) == Ask(AskReason.NO_PLAY)


def test_a_queue_names_the_cards_that_a_hand_lacks() -> None:
    settled = plan(queue="AS KS 2D")

    assert settled.not_held(hand("2D KS 3C")) == hand("AS")
    assert settled.not_held(hand("2D KS AS")) == ()
