"""The worlds a bot imagines: all that fit what the seats have shown, each as likely as any other."""

from collections import Counter
from itertools import combinations
from math import factorial

import pytest

from games.bots.boards import mask, singles
from games.bots.policy import Dice
from games.bots.sight import Sight, look
from games.bots.worlds import Worlds, settled
from games.engine.cards import parse_cards
from games.engine.rules import PRESETS
from tests.bots.positions import BEGINNER, decisions, to_bid, to_play

LEFT = "AS KS QS JS TS 9S 8S"


def enumerated(sight: Sight) -> set[tuple[int, ...]]:
    """Every way to deal the unseen cards that leaves each seat what it may hold, found by trying them all."""
    seat = sight.position.seat
    first, second, third = ((seat + step) % 4 for step in (1, 2, 3))
    cards = list(singles(sight.unseen))
    found = set()
    for to_first in combinations(cards, sight.holds[first]):
        rest = [card for card in cards if card not in to_first]
        for to_second in combinations(rest, sight.holds[second]):
            hands = [0, 0, 0, 0]
            hands[first], hands[second] = sum(to_first), sum(to_second)
            hands[third] = sum(rest) - hands[second]
            if all(hands[other] & ~sight.may_hold[other] == 0 for other in range(4)):
                found.add(tuple(hands))
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_every_world_that_fits_has_one_number(preset: str) -> None:
    endings = 0
    for _, _, seen in decisions(PRESETS[preset], [BEGINNER] * 4, range(8)):
        sight = look(seen)
        if seen.state != "playing" or sight.unseen.bit_count() > 9:
            continue
        worlds = Worlds(sight)

        numbered = [tuple(worlds.hands(number)) for number in range(worlds.count)]

        assert len(set(numbered)) == worlds.count
        assert set(numbered) == enumerated(sight)
        endings += 1

    assert endings >= 80


def test_before_the_first_card_everything_is_possible() -> None:
    worlds = Worlds(look(to_bid("AS KS QS JS TS 9S 8S AH KH QH AD KD AC")))

    assert worlds.count == factorial(39) // factorial(13) ** 3
    assert worlds.hands(0) != worlds.hands(worlds.count - 1)


def test_worlds_are_drawn_evenly() -> None:
    # Seat 2 has neither a heart nor a spade, and nobody but seat 1 can hold the ace of clubs; nine cards are out.
    seen = to_play(
        "2H 2D 2C",
        out="AS 5S QH 3H 9D 4D AC TC 3C",
        tricks=[(0, "4H JH 6D 9H", 1), (1, "KC 5C 4C 6C", 1)],
        won=(3, 3, 2, 2),
    )
    sight = look(seen)
    possible = enumerated(sight)
    worlds, dice, drawn = Worlds(sight), Dice(7), Counter[tuple[int, ...]]()
    each = 60

    for _ in range(each * len(possible)):
        drawn[tuple(worlds.hands(dice.below(worlds.count)))] += 1

    assert set(drawn) == possible
    chi_square = sum((drawn[world] - each) ** 2 / each for world in possible)
    freedom = len(possible) - 1
    # Three and a half standard deviations either way: too even would be as wrong as too uneven.
    assert abs(chi_square - freedom) < 3.5 * (2 * freedom) ** 0.5


def test_what_is_forced_forces_the_next() -> None:
    ace, king, queen, jack = (mask(parse_cards(text)) for text in ("AS", "KS", "QS", "JS"))

    # The first seat has room for the ace alone; so the second holds king and queen, and the third the jack.
    assert settled([ace, ace | king | queen, ace | king | jack], [1, 2, 1]) == [
        ace,
        king | queen,
        jack,
    ]


def test_a_table_that_nobody_can_have_played_at_is_refused() -> None:
    # Two seats have shown that they hold no heart, and only hearts are left.
    seen = to_play("AS", out="AH KH QH", tricks=[(0, "2H 3C 4C 5H", 3)], won=(3, 3, 3, 3))

    with pytest.raises(ValueError, match="fits"):
        Worlds(look(seen))
