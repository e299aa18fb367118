"""Fit the numbers of `games/bots/parameters.py` by self-play, and print that file.

    python -m bench.fit_bots --deals 4000 > fitted.py && mv fitted.py games/bots/parameters.py

For each family of rules four steady players play the deals out. Least squares then finds the weights that predict, from the
features of a hand, its tricks, and from the features of a card kept in hand, whether it takes a trick later; counting finds how
often a hand takes at least so many tricks more or fewer than predicted. What the players believe changes how they play, so run it
again until the numbers hardly move.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bench.arena import deal, play_round
from games.bots import BOTS, Policy
from games.bots.bidding import THOUSAND, expected_tricks, features
from games.bots.parameters import Bidding, Weights
from games.bots.policy import roll
from games.bots.sight import look
from games.bots.steady import Steady
from games.bots.worth import SIDE_ROWS, SPADE_ROWS, after, doubtful_cards
from games.engine.cards import Card
from games.engine.observation import Observation
from games.engine.round import RoundState
from games.engine.rules import HouseRules

FIRST_DEAL = 1_000_000  # far from the deals that the benchmarks count on
MARGIN_FROM, MARGIN_STEP, MARGIN_STEPS = -3000, 250, 25
BIDS_COUNTED = range(1, 9)
CARD_VALUES = 9
STRAY_ONE_IN, STRAY_SALT = 6, 1000
EAGER = 10  # units a trick: who has made the bid plays on in earnest, so that the late tricks teach something

Family = tuple[bool, bool]  # must_beat, must_trump


class LeastSquares:
    """Weights that minimise the squared error of what was added so far, from the normal equations."""

    def __init__(self, size: int) -> None:
        self._matrix = [[0.0] * (size + 1) for _ in range(size)]
        for place in range(size):
            self._matrix[place][place] = 1.0  # one sample's worth of doubt keeps rare features tame

    def add(self, values: Sequence[int], target: int) -> None:
        present = [(place, value) for place, value in enumerate(values) if value]
        for i, factor in present:
            line = self._matrix[i]
            for j, value in present:
                line[j] += factor * value
            line[-1] += factor * target

    def weights(self) -> tuple[int, ...]:
        """In thousandths."""
        return tuple(round(THOUSAND * row[-1]) for row in _solved(self._matrix))


@dataclass(slots=True)
class Witness:
    """Plays like `policy`, but strays to any legal card at times, and notes what was kept in hand after each play.

    Without straying, what a card is worth would be learnt only where the policy already keeps it.
    """

    policy: Policy
    kept: list[tuple[int, Card, int, tuple[int, ...]]] = field(default_factory=list)

    def bid(self, observation: Observation) -> int:
        return self.policy.bid(observation)

    def play(self, observation: Observation) -> Card:
        card = self.policy.play(observation)
        if roll(observation, STRAY_SALT, STRAY_ONE_IN) == 0:
            card = observation.legal[roll(observation, STRAY_SALT + 1, len(observation.legal))]
        assert observation.seat is not None
        for kept, row, values in doubtful_cards(after(observation, look(observation), card)):
            self.kept.append((observation.seat, kept, row, values))
        return card


def main() -> None:
    options = argparse.ArgumentParser(description="Fit the numbers of the bots by self-play.")
    options.add_argument("--deals", type=int, default=4000, help="deals played for each family")
    deals = options.parse_args().deals
    bidding, cards = {}, {}
    for family in [(False, False), (False, True), (True, False), (True, True)]:
        print("must_beat={} must_trump={}".format(*family), file=sys.stderr)
        bidding[family], cards[family] = fit(family, deals)
    print(source(bidding, cards), end="")


def fit(family: Family, deals: int) -> tuple[Bidding, Weights]:
    """The numbers that describe self-play in this family of rules best."""
    rules = HouseRules(must_beat=family[0], must_trump=family[1])
    numbers = range(FIRST_DEAL, FIRST_DEAL + deals)
    return fit_bidding(rules, numbers), fit_cards(rules, numbers)


def fit_cards(rules: HouseRules, numbers: range) -> Weights:
    """What kept cards turn out to take."""
    rows = [LeastSquares(CARD_VALUES) for _ in range(SPADE_ROWS + SIDE_ROWS)]
    for number in told(numbers, "cards"):
        witness = Witness(Steady(trick_units=EAGER))
        winners = winning_cards(play_round(rules, number, [witness] * 4))
        for seat, card, place, values in witness.kept:
            rows[place].add(values, (seat, card) in winners)
    return tuple(row.weights() for row in rows)


def winning_cards(row: RoundState) -> set[tuple[int, Card]]:
    """The cards that took a trick, each with its seat."""
    return {(trick.winner, trick.cards[(trick.winner - trick.leader) % 4]) for trick in row.tricks}


def fit_bidding(rules: HouseRules, numbers: range) -> Bidding:
    """What whole hands turn out to take."""
    hands: list[tuple[tuple[Card, ...], int]] = []
    for number in told(numbers, "bids"):
        row = play_round(rules, number, [BOTS["steady"]] * 4)
        hands += zip(deal(number, row.attempt), row.won, strict=True)
    squares = LeastSquares(len(features(hands[0][0])))
    for hand, won in hands:
        squares.add(features(hand), won)
    draft = Bidding(squares.weights(), MARGIN_FROM, MARGIN_STEP, ())
    means = [expected_tricks(draft, hand) for hand, _ in hands]
    chances = made_by_margin(means, [won for _, won in hands])
    return Bidding(draft.weights, MARGIN_FROM, MARGIN_STEP, chances)


def told(numbers: range, title: str) -> Iterator[int]:
    """The numbers of the deals, with a word on stderr every 500."""
    for done, number in enumerate(numbers):
        if done % 500 == 0:
            print(f"  {title}: {done} of {len(numbers)} deals", file=sys.stderr, flush=True)
        yield number


def made_by_margin(means: Sequence[int], tricks: Sequence[int]) -> tuple[int, ...]:
    """Thousandths of the bids made, by how far the predicted mean lies above the bid."""
    tried, made = [0] * MARGIN_STEPS, [0] * MARGIN_STEPS
    for mean, won in zip(means, tricks, strict=True):
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


def source(bidding: dict[Family, Bidding], cards: dict[Family, Weights]) -> str:
    """The text of `parameters.py`."""
    bids = "".join(
        f"        {family}: Bidding(\n"
        f"            weights={_wrapped(fitted.weights)},\n"
        f"            margin_from={fitted.margin_from},\n"
        f"            margin_step={fitted.margin_step},\n"
        f"            chances={_wrapped(fitted.chances)},\n"
        f"        ),\n"
        for family, fitted in bidding.items()
    )
    rows = "".join(
        f"        {family}: (\n"
        + "".join(f"            {row},\n" for row in weights)
        + "        ),\n"
        for family, weights in cards.items()
    )
    return f"{HEAD}{BIDDING_HEAD}{bids}    }}\n)\n\n{CARDS_HEAD}{rows}    }}\n)\n"


def _wrapped(numbers: Sequence[int]) -> str:
    """A tuple in lines of ten numbers."""
    lines = [numbers[start : start + 10] for start in range(0, len(numbers), 10)]
    text = "".join(f"                {', '.join(map(str, line))},\n" for line in lines)
    return f"(\n{text}            )"


HEAD = '''"""The fitted numbers of the bots. Written by `python -m bench.fit_bots`: fit again instead of tuning by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

Family: TypeAlias = tuple[bool, bool]  # must_beat, must_trump
Weights: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Bidding:
    """How many tricks a hand takes.

    `weights` are thousandths of a trick for each of `bidding.features`. `chances[i]` is the chance, in thousandths,
    to make a bid that lies `margin_from + i * margin_step` thousandths of a trick below the expected tricks.
    """

    weights: tuple[int, ...]
    margin_from: int
    margin_step: int
    chances: tuple[int, ...]


'''

BIDDING_HEAD = """# fmt: off
BIDDING: Final[Mapping[Family, Bidding]] = MappingProxyType(
    {
"""

CARDS_HEAD = """# By row of `worth.doubtful_cards`, thousandths for each of its values: a spade that one, two, ... five or more unseen spades
# beat; then side cards that none, one, two, three or more beat, each where a ruff is impossible, possible, to be expected.
CARDS: Final[Mapping[Family, Weights]] = MappingProxyType(
    {
"""


if __name__ == "__main__":
    main()
