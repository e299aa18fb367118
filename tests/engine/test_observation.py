"""What one seat may know, and nothing more."""

from dataclasses import replace
from random import Random

from games.engine.events import Bid, Dealt, Played
from games.engine.match import Match
from games.engine.round import RoundState
from games.engine.rules import PRESETS
from tests.build import cards, deal_of
from tests.engine.matches import random_steps


def open_rounds(seed: int) -> list[RoundState]:
    steps = random_steps(PRESETS["arcadia"], Random(seed))
    return [match.rounds[-1] for match, _, _ in steps if match.rounds]


def test_a_seat_sees_its_own_hand_and_the_table() -> None:
    row = open_rounds(1)[30]

    for seat in range(4):
        seen = row.observe(seat)
        assert seen.hand == row.hands[seat]
        assert (seen.bids, seen.won, seen.trick, seen.tricks) == (
            row.bids,
            row.won,
            row.trick,
            row.tricks,
        )


def test_a_spectator_has_no_hand_and_nothing_to_do() -> None:
    seen = open_rounds(2)[20].observe(None)

    assert (seen.hand, seen.legal, seen.why_not, seen.acts) == ((), (), {}, False)


def test_an_observation_is_the_same_whatever_the_others_hold() -> None:
    for row in open_rounds(3):
        if not row.hands or row.is_over:
            continue
        for seat in range(4):
            a, b = [other for other in range(4) if other != seat][:2]
            hands = list(row.hands)
            hands[a], hands[b] = hands[b], hands[a]
            swapped = replace(row, hands=tuple(hands))
            assert swapped.observe(seat) == row.observe(seat)
            assert repr(swapped.observe(seat)) == repr(row.observe(seat))


def test_only_the_seat_to_act_is_told_what_it_may_play_and_why_not() -> None:
    row = Match.start(PRESETS["arcadia"], 3).apply(Dealt(1, 0, DEAL)).rounds[0]
    for seat in range(4):
        row = row.apply(Bid(1, seat, 2))
    row = row.apply(Played(1, 0, cards("TH")[0]))

    seen = row.observe(1)

    assert list(seen.legal) == cards("JH KH")
    assert {str(card): str(why.code) for card, why in seen.why_not.items()} == {
        "2H": "must_beat",
        "3S": "must_follow_suit",
        "AC": "must_follow_suit",
        **{str(card): "must_follow_suit" for card in cards("2D 3D 4D 5D 6D 7D 8D 9D")},
    }
    assert row.observe(2).legal == ()
    assert row.observe(2).why_not == {}


def test_the_last_round_is_known_as_such() -> None:
    rows = [row for row in open_rounds(5) if row.number in (4, 5)]

    assert {row.observe(0).is_last_round for row in rows if row.number == 5} == {True}
    assert {row.observe(0).is_last_round for row in rows if row.number == 4} == {False}


def test_what_is_printed_of_a_round_shows_no_hand() -> None:
    row = open_rounds(1)[0]

    assert all(str(card) not in repr(row) for hand in row.hands for card in hand)
    assert all(str(card) not in repr(row.observe(0)) for card in row.hands[0])


DEAL = deal_of(
    "TH AH 3H 4H 5H 6H 7H 8H 9H QH 2S 4S 5S",
    "2H JH KH 3S AC 2D 3D 4D 5D 6D 7D 8D 9D",
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC TD",
    "JD QD KD AD 6S 7S 8S 9S TS JS QS KS AS",
)
