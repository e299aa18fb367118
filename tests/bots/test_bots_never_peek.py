"""A bot's answer depends on its seat's observation and on nothing else."""

import random
import subprocess
import sys
from dataclasses import replace

import pytest

from games.bots import BOTS
from games.bots.boards import BIT, mask
from games.bots.sight import look
from games.engine.cards import parse_cards
from games.engine.round import RoundState
from games.engine.rules import PRESETS, HouseRules
from tests.bots.positions import ARCADIA, LEVELS, STEADY, answer, decisions, to_play

# After one trick, with every other card still out.
HAND = "8H 7H 2C 7C 2D 3D 4D 5D 6D 7D JS QS"
ALLOWED_ENGINE = {"cards", "errors", "legal", "observation", "rules", "scoring"}


def other_world(row: RoundState, seat: int, dice: random.Random) -> RoundState | None:
    """The same round with the unseen cards dealt differently among the other seats, within what they have shown.

    None when the dice find no second world in a fair number of tries.
    """
    may_hold = look(row.observe(seat)).may_hold
    others = [each for each in range(4) if each != seat]
    unseen = [card for each in others for card in row.hands[each]]
    for _ in range(200):
        dice.shuffle(unseen)
        rest = iter(unseen)
        hands = list(row.hands)
        for each in others:
            hands[each] = tuple(sorted(next(rest) for _ in row.hands[each]))
        fits = all(mask(hands[each]) & ~may_hold[each] == 0 for each in others)
        if fits and tuple(hands) != row.hands:
            return replace(row, hands=tuple(hands))
    return None


def held(possible: int, text: str) -> str:
    """Which of these cards a seat may hold."""
    return " ".join(str(card) for card in parse_cards(text) if possible & BIT[card.index])


@pytest.mark.parametrize("level", BOTS)
@pytest.mark.parametrize("preset", ["arcadia", "everestbuzz-friends", "yeeqia"])
def test_a_decision_is_unchanged_when_the_unseen_cards_change_places(
    level: str, preset: str
) -> None:
    dice = random.Random(preset)
    compared = 0
    for row, seat, seen in decisions(PRESETS[preset], [STEADY] * 4, range(6)):
        swapped = other_world(row, seat, dice)
        if swapped is None:
            continue
        also_seen = replace(swapped.observe(seat), tie_break=seen.tie_break)
        assert answer(LEVELS[level], also_seen) == answer(LEVELS[level], seen)
        compared += 1

    assert compared >= 170  # over the three presets: more than 500 positions a level


def test_failing_to_follow_to_beat_and_to_trump_is_remembered() -> None:
    seen = to_play(HAND, tricks=[(0, "2H KH 5H 3C", 1)])

    sight = look(seen)

    assert held(sight.may_hold[1], "AH 6H") == "AH 6H"
    assert held(sight.may_hold[2], "AH 6H 2S") == "6H 2S"  # it would have had to beat the king
    assert held(sight.may_hold[3], "AH 6H 2S AS 4C") == "4C"  # neither hearts nor a spade


def test_a_seat_that_could_not_overruff_has_no_higher_spade() -> None:
    seen = to_play(HAND, tricks=[(0, "2H 9S 3S 4C", 1)])

    sight = look(seen)

    assert held(sight.may_hold[1], "6H 8S TS") == "8S TS"
    assert held(sight.may_hold[2], "6H 8S TS") == "8S"
    assert held(sight.may_hold[3], "6H 8S TS 5C") == "8S 5C"


def test_a_seat_that_must_ruff_low_and_does_not_has_no_spade() -> None:
    rules = HouseRules(must_trump=True, must_trump_low=True)

    sight = look(to_play(HAND, rules=rules, tricks=[(0, "2H 9S 3C 4S", 1)]))

    assert held(sight.may_hold[2], "8S TS 5C") == "5C"
    assert held(sight.may_hold[3], "8S TS 5C") == "8S 5C"


def test_after_a_ruff_a_low_card_proves_nothing_unless_the_rules_say_so() -> None:
    story = [(0, "2H 9S 5H 4H", 1)]
    strict = ARCADIA.replace(must_beat_after_trump=True)

    free = look(to_play(HAND, tricks=story))
    bound = look(to_play(HAND, rules=strict, tricks=story))

    assert held(free.may_hold[3], "AH 3H") == "AH 3H"
    assert held(bound.may_hold[3], "AH 3H") == "3H"


def test_the_tie_break_varies_the_beginner() -> None:
    seen = next(seen for _, _, seen in decisions(ARCADIA, [STEADY] * 4, range(1)))

    bids = {BOTS["beginner"].bid(replace(seen, tie_break=number)) for number in range(40)}

    assert len(bids) == 3


def test_the_bots_load_nothing_but_the_lower_engine_and_the_standard_library() -> None:
    script = "import sys; import games.bots; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()

    strangers = {name.split(".")[0] for name in loaded} - sys.stdlib_module_names - {"games"}
    ours = {name for name in loaded if name.startswith("games.") and name.count(".") > 1}
    engine = {name.removeprefix("games.engine.") for name in ours if ".engine." in name}

    assert {name for name in strangers if name != "__main__"} == set()
    assert {"Django", "django", "random", "secrets"}.isdisjoint(loaded)
    assert engine - ALLOWED_ENGINE == set()
