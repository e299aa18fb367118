"""Fit the numbers of `games/bots/parameters.py` by self-play, and print that file.

    python -m bench.fit_bots --deals 20000 > fitted.py && mv fitted.py games/bots/parameters.py

For each family of rules, with and without the duty to beat, four steady players play the deals out. Least squares finds what spades and side suits are worth, by
their honours and length; counting finds how often a hand takes at least so many tricks more or fewer than that. What players
believe changes how they bid, and that how they play: so the deals are played again with the new numbers, a few times over.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from games.bots.bidding import (
    LONGEST_SHORT,
    LONGEST_SIDE,
    LONGEST_SPADES,
    THOUSAND,
    bid_value,
    cells,
    chances_around,
    expected_tricks,
)
from games.bots.boards import BIT, FULL
from games.bots.parameters import BIDDING, Bidding, Table
from games.bots.simulator import BEFORE_THE_LEAD, Position, play_out
from games.bots.steady import choose
from games.engine.rules import HouseRules

FIRST_DEAL: Final = 1_000_000  # far from the deals that the benchmarks count on
MARGIN_FROM, MARGIN_STEP, MARGIN_STEPS = -3000, 250, 25
BIDS_COUNTED: Final = range(1, 9)
PASSES: Final = 3

Sample: TypeAlias = tuple[int, int]  # a hand and the tricks that it took

# The shape of the three tables: rows by honours or length, columns by length or trumps.
SPADES, SIDES, SHORTS = (
    (16, LONGEST_SPADES + 1),
    (8, LONGEST_SIDE + 1),
    (LONGEST_SHORT + 1, LONGEST_SPADES + 1),
)


def main() -> None:
    options = argparse.ArgumentParser(description="Fit the numbers of the bots by self-play.")
    options.add_argument("--deals", type=int, default=20000, help="deals played for each family")
    deals = options.parse_args().deals
    fitted = {}
    for must_beat in (False, True):
        print(f"must_beat={must_beat}", file=sys.stderr)
        fitted[must_beat] = fit(must_beat, deals)
    print(source(fitted), end="")


def fit(must_beat: bool, deals: int) -> Bidding:
    """The numbers that describe self-play in this family of rules best."""
    rules = HouseRules(must_beat=must_beat)
    numbers = BIDDING[must_beat]
    for again in range(PASSES):
        first = FIRST_DEAL + again * deals
        samples = list(played(rules, numbers, range(first, first + deals)))
        numbers = fitted_to(samples)
        print(f"  pass {again + 1}: error {error(numbers, samples):.3f} tricks", file=sys.stderr)
    return numbers


def played(rules: HouseRules, numbers: Bidding, deals: range) -> Iterator[Sample]:
    """Every hand of these deals with the tricks that it took, all four seats bidding by `numbers` and playing steadily."""
    for deal in deals:
        hands = dealt(deal)
        bids = tuple(bid_by(rules, numbers, hand) for hand in hands)
        leader = deal % 4
        position = Position(rules, leader, BEFORE_THE_LEAD, leader, 3, 0, bids, (0, 0, 0, 0))
        out = FULL & ~hands[leader]
        lead = choose(hands[leader], hands[leader], out, 0, 0, 3, bids[leader], 0)
        yield from zip(hands, play_out(position, hands, lead, choose), strict=True)


def dealt(number: int) -> list[int]:
    """The hands of a deal."""
    cards = list(BIT)
    random.Random(number).shuffle(cards)
    return [sum(cards[seat::4]) for seat in range(4)]


def bid_by(rules: HouseRules, numbers: Bidding, hand: int) -> int:
    chances = chances_around(numbers, expected_tricks(numbers, hand))
    return max(range(1, 14), key=lambda bid: (bid_value(rules, bid, chances), -bid))


def fitted_to(samples: Sequence[Sample]) -> Bidding:
    """The tables and the curve that fit what was played."""
    squares = LeastSquares(sum(rows * columns for rows, columns in (SPADES, SIDES, SHORTS)))
    for hand, won in samples:
        squares.add(places(hand), won)
    weights = squares.weights()
    spades = _cut(weights, SPADES)
    sides = _cut(weights[SPADES[0] * SPADES[1] :], SIDES)
    shorts = _cut(weights[-SHORTS[0] * SHORTS[1] :], SHORTS)
    draft = Bidding(spades, sides, shorts, MARGIN_FROM, MARGIN_STEP, ())
    return Bidding(spades, sides, shorts, MARGIN_FROM, MARGIN_STEP, curve(draft, samples))


def places(hand: int) -> list[int]:
    """Where the cells of a hand stand when the tables are laid end to end."""
    spades, sides, shorts = cells(hand)
    after_spades = SPADES[0] * SPADES[1]
    after_sides = after_spades + SIDES[0] * SIDES[1]
    return [
        spades[0] * SPADES[1] + spades[1],
        *(after_spades + row * SIDES[1] + column for row, column in sides),
        *(after_sides + row * SHORTS[1] + column for row, column in shorts),
    ]


class LeastSquares:
    """Weights whose sums, over the places where a sample counts, come nearest to its target: from the normal equations."""

    def __init__(self, size: int) -> None:
        self._matrix = [[0.0] * (size + 1) for _ in range(size)]
        for place in range(size):
            self._matrix[place][place] = 1.0  # one sample's worth of doubt keeps rare cells tame

    def add(self, places: Sequence[int], target: int) -> None:
        for place in places:
            line = self._matrix[place]
            for other in places:
                line[other] += 1
            line[-1] += target

    def weights(self) -> tuple[int, ...]:
        """In thousandths."""
        return tuple(round(THOUSAND * row[-1]) for row in _solved(self._matrix))


def curve(draft: Bidding, samples: Sequence[Sample]) -> tuple[int, ...]:
    """Thousandths of the bids made, by how far the expected tricks lie above the bid."""
    tried, made = [0] * MARGIN_STEPS, [0] * MARGIN_STEPS
    for hand, won in samples:
        mean = expected_tricks(draft, hand)
        for bid in BIDS_COUNTED:
            step = (mean - bid * THOUSAND - MARGIN_FROM + MARGIN_STEP // 2) // MARGIN_STEP
            if 0 <= step < MARGIN_STEPS:
                tried[step] += 1
                made[step] += won >= bid
    chances, best = [], 0
    for count, hits in zip(tried, made, strict=True):
        best = max(best, THOUSAND * hits // max(count, 1))  # a higher mean is never a worse one
        chances.append(best)
    return tuple(chances)


def error(numbers: Bidding, samples: Sequence[Sample]) -> float:
    """The root mean square of what the expected tricks miss by."""
    misses = [expected_tricks(numbers, hand) / THOUSAND - won for hand, won in samples]
    return (sum(miss * miss for miss in misses) / len(misses)) ** 0.5


def _cut(weights: Sequence[int], shape: tuple[int, int]) -> Table:
    rows, columns = shape
    return tuple(tuple(weights[row * columns : (row + 1) * columns]) for row in range(rows))


def _solved(matrix: list[list[float]]) -> list[list[float]]:
    """Gauss-Jordan on an augmented, positive definite matrix: the last column is the answer."""
    rows = [list(row) for row in matrix]
    for place, pivot_row in enumerate(rows):
        pivot = pivot_row[place]
        pivot_row[:] = [value / pivot for value in pivot_row]
        for other in rows:
            factor = other[place]
            if other is not pivot_row and factor:
                other[:] = [
                    value - factor * base for value, base in zip(other, pivot_row, strict=True)
                ]
    return rows


def source(fitted: dict[bool, Bidding]) -> str:
    """The text of `parameters.py`."""
    parts = "".join(
        f"        {must_beat}: Bidding(\n"
        f"            spades={_table(numbers.spades)},\n"
        f"            sides={_table(numbers.sides)},\n"
        f"            shorts={_table(numbers.shorts)},\n"
        f"            margin_from={numbers.margin_from},\n"
        f"            margin_step={numbers.margin_step},\n"
        f"            chances={_curve(numbers.chances)},\n"
        f"        ),\n"
        for must_beat, numbers in fitted.items()
    )
    return f"{HEAD}{parts}    }}\n)\n"


def _table(table: Table) -> str:
    return "(\n" + "".join(f"                {row},\n" for row in table) + "            )"


def _curve(numbers: Sequence[int]) -> str:
    """A tuple in lines of ten numbers."""
    lines = [numbers[start : start + 10] for start in range(0, len(numbers), 10)]
    text = "".join(f"                {', '.join(map(str, line))},\n" for line in lines)
    return f"(\n{text}            )"


HEAD = '''"""The fitted numbers of the bots. Written by `python -m bench.fit_bots`: fit again instead of tuning by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

Table: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Bidding:
    """How many tricks a hand takes, in thousandths: what its spades, its side suits and its short suits are worth, added up.

    `spades`: a row for each set of honours (ace 8, king 4, queen 2, jack 1), a column for each length from 0 to 7 and more.
    `sides`: the same for a side suit (ace 4, king 2, queen 1), to 6 and more. `shorts`: what a void, a singleton or a doubleton
    adds, by the number of spades. `chances[i]` is the chance, in thousandths, to make a bid that lies
    `margin_from + i * margin_step` thousandths below the expected tricks.
    """

    spades: Table
    sides: Table
    shorts: Table
    margin_from: int
    margin_step: int
    chances: tuple[int, ...]


# fmt: off
# By whether whoever follows must beat.
BIDDING: Final[Mapping[bool, Bidding]] = MappingProxyType(
    {
'''


if __name__ == "__main__":
    main()
