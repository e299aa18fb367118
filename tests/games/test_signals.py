"""Signals of collusion: what they are made of, that they are kept once, resumed and flagged for a person, and tell no hand."""

import math

import pytest

from accounts.models import User
from bench.collusion import STEADY, signals_of
from games import signals
from games.engine.cards import parse_cards
from games.engine.events import Bid, Dealt
from games.engine.round import RoundState
from games.engine.rules import PRESETS
from games.models import PairSignal, RoundSignal
from games.services import signalling
from games.signals import PAIRS, index
from tests.games.tables import ARCADIA, NOW, ONE_ROUND, new_game, play_on, seated


def test_honest_rounds_favour_nobody_and_give_the_same_on_every_day() -> None:
    first = signals_of(1, [STEADY] * 4)

    assert set(first) == set(PAIRS)
    assert first == signals_of(1, [STEADY] * 4)
    # What one seat of three is helped more, the two others are helped less: each decision favours at most two.
    assert all(abs(each.gift) < 26 for each in first.values())


def test_a_card_that_helps_one_seat_alone_is_a_gift_to_it() -> None:
    # Seat 0 leads its last but one trick. Seat 2 needs a trick and takes one with the ten of hearts, if hearts are led.
    state = _late(("2H 2C", "3C KD", "TH 4D", "5D 6D"))

    (lead,) = signals.weigh(state, [(0, parse_cards("2H")[0], True)], "x", worlds=0)

    assert lead.seat == 0
    assert lead.helped[2] > max(lead.helped[1], lead.helped[3])
    other = signals.weigh(state, [(0, parse_cards("2C")[0], True)], "x", worlds=0)[0]
    assert other.helped[2] == -lead.helped[2]


def _late(hands: tuple[str, ...]) -> RoundState:
    """A round with two tricks to go; seat 0 leads, and everybody but seat 2 has made their bid."""
    state = RoundState(rules=PRESETS["arcadia"], number=1, dealer=3)
    dealt = [
        card for suit in "CDHS" for card in parse_cards(" ".join(r + suit for r in "23456789TJQKA"))
    ]
    state = state.apply(Dealt(1, 0, tuple(tuple(dealt[seat::4]) for seat in range(4))))
    for seat in range(4):
        state = state.apply(Bid(1, seat, 4 if seat == 2 else 1))
    return state._with(hands=tuple(parse_cards(each) for each in hands), won=(3, 3, 3, 2), leader=0)


def test_what_a_bot_or_a_plan_played_is_not_held_against_a_person() -> None:
    state = _late(("2H 2C", "3C KD", "TH 4D", "5D 6D"))

    assert signals.weigh(state, [(0, parse_cards("2H")[0], False)], "x") == []


def test_an_interval_needs_rounds() -> None:
    none, one, some = index([]), index([1.0]), index([1.0, 2.0, 3.0, 2.0])

    assert (none.rounds, none.low, one.high) == (0, -math.inf, math.inf)
    assert some.low < some.mean == 2.0 < some.high
    assert not signals.is_flagged(index([1.0, 1.1] * 14))
    assert signals.is_flagged(index([1.0, 1.1] * 15))
    assert not signals.is_flagged(index([1.0, -1.0] * 15))


def test_a_lift_of_places_is_held_against_their_other_matches() -> None:
    apart = [(f"a{n}", 1 + n % 4) for n in range(20)]
    also = [(f"b{n}", 1 + n % 4) for n in range(20)]
    good = [(f"c{n}", 1) for n in range(8)]

    lifted, chance = signals.place_lift(
        {"one": apart + good, "two": also + good}, "one", "two", permutations=400
    )
    usual, often = signals.place_lift(
        {"one": apart + apart[:4], "two": also + apart[:4]}, "one", "two", permutations=400
    )
    alone, never = signals.place_lift({"one": good, "two": good}, "one", "two")

    assert lifted.rounds == 8
    assert lifted.mean > 0.9
    assert lifted.low > 0
    assert chance < 0.01
    assert often > 0.05
    assert usual.low < 0 < usual.high
    assert (alone.low, never) == (-math.inf, 1.0)


# Kept by pair


def test_finished_rounds_of_people_are_weighed_once(
    asha: User, bina: User, chandra: User, dipak: User
) -> None:
    game = seated([asha, bina, chandra, dipak], ARCADIA.replace(rounds=2))
    play_on(game, decisions=20)
    assert signalling.weigh_some(now=NOW) == signalling.Progress(0, 0)
    play_on(game)

    slices = [signalling.weigh_some(now=NOW, seconds=0) for _ in range(3)]

    assert [each.weighed for each in slices] == [1, 2, 2]
    assert slices[-1].waiting == 0
    assert PairSignal.objects.count() == 6
    pair = PairSignal.objects.get(one=asha, two=bina)
    assert pair.rounds == pair.gift["rounds"] == 2
    assert pair.gift["low"] <= pair.gift["mean"] <= pair.gift["high"]
    assert pair.places["low"] is None
    assert not pair.is_flagged
    assert set(signalling.signals_at(game)) == set(PairSignal.objects.all())
    assert not signalling.flagged().exists()


def test_games_of_one_person_against_bots_are_left_alone(asha: User) -> None:
    play_on(new_game(asha, ONE_ROUND, ("me", "bot:steady", "bot:steady", "bot:steady")))

    assert signalling.weigh_some(now=NOW) == signalling.Progress(0, 0)


def test_a_pair_that_the_cards_speak_against_is_flagged(
    asha: User, bina: User, chandra: User, dipak: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [asha, bina, chandra, dipak]
    for number in range(6):
        game = seated(people, ONE_ROUND if number else ARCADIA)
        play_on(game)
    signalling.weigh_some(now=NOW, seconds=600)
    between = PAIRS.index((0, 1))
    for row in RoundSignal.objects.all():
        row.values[between] = [3.0 + row.pk % 2, 0.0]
        row.save()
    assert RoundSignal.objects.count() == 10

    def flagged() -> list[tuple[User, User]]:
        signalling._add_up(asha.pk, bina.pk, now=NOW)
        return [(each.one, each.two) for each in signalling.flagged()]

    assert flagged() == []
    monkeypatch.setattr(signals, "LEAST_ROUNDS", 10)  # playing thirty would take too long
    assert flagged() == [(asha, bina)]
