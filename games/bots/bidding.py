"""How many tricks a hand is worth, and the bid that scores most on average.

The two are not the same question: a missed bid costs the whole bid and a trick more brings one unit, so it pays to bid less
than the expected tricks. The numbers are fitted by self-play and live in `parameters`.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from games.bots.parameters import BIDDING, Bidding
from games.engine.cards import SPADES, SUITS, Card
from games.engine.observation import Observation
from games.engine.rules import HouseRules
from games.engine.scoring import round_score

THOUSAND: Final = 1000
NEW_DEAL_UNITS: Final = (
    20  # what a seat scores on average when the deal is thrown in and dealt again
)
INSTANT_WIN_UNITS: Final = 30  # on top of its score, for a made bid that wins the match at once

# The kinds of side suits that count, each with the ranges of length that are told apart.
_TOPS: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {
    "A": ((1, 2), (3, 3), (4, 4), (5, 5), (6, 13)),
    "AQ": ((2, 3), (4, 4), (5, 13)),
    "AK": ((2, 3), (4, 4), (5, 13)),
    "AKQ": ((3, 4), (5, 13)),
    "K": ((1, 1), (2, 2), (3, 3), (4, 4), (5, 13)),
    "KQ": ((2, 3), (4, 4), (5, 13)),
    "Q": ((1, 2), (3, 3), (4, 4), (5, 13)),
}


def best_bid(observation: Observation) -> int:
    """The bid with the highest expected score. Ties go to the lower bid, which is the surer one."""
    rules = observation.rules
    chances = made_chances(fit_of(rules), observation.hand)
    bids = range(rules.min_bid, rules.max_bid + 1)
    return max(bids, key=lambda bid: (_value(observation, bid, chances), -bid))


def fit_of(rules: HouseRules) -> Bidding:
    """The parameters for this family of rules: duties to beat and to trump change what a hand is worth."""
    return BIDDING[rules.must_beat, rules.must_trump]


def features(hand: Sequence[Card]) -> list[int]:
    """A hand of 13 as the numbers that the linear model weighs, the constant 1 first."""
    ranks = {suit: {card.rank for card in hand if card.suit == suit} for suit in SUITS}
    spades = ranks.pop(SPADES)
    sides = list(ranks.values())
    return [1, *_spade_features(spades), *_honours(sides), *_shortness(sides, len(spades))]


def _spade_features(spades: set[int]) -> list[int]:
    length = len(spades)
    return [
        *(int(rank in spades) for rank in (14, 13, 12, 11, 10)),
        *(int(length == exactly) for exactly in (0, 1, 2, 3, 5, 6)),
        max(length - 6, 0),
        int(13 in spades and length <= 2),
        int(12 in spades and length <= 3),
        int(11 in spades and length <= 4),
        int({14, 13} <= spades),
        int({13, 12} <= spades),
    ]


def _honours(sides: Sequence[set[int]]) -> list[int]:
    """How many side suits have each kind of top, by length: a long suit is ruffed sooner, a short one has no guard."""
    tops = [(_top(side), len(side)) for side in sides]
    return [
        sum(top == kind and low <= length <= high for top, length in tops)
        for kind, lengths in _TOPS.items()
        for low, high in lengths
    ]


def _shortness(sides: Sequence[set[int]], spades: int) -> list[int]:
    """Voids, singletons and doubletons, alone and with the spades to ruff there; and the longest side suit."""
    values = []
    for length in (0, 1, 2):
        count = sum(len(side) == length for side in sides)
        values += [count, count * min(spades, 3), count * min(max(spades - 3, 0), 3)]
    return [*values, max(map(len, sides))]


def _top(side: set[int]) -> str:
    """The kind of a side suit by its ace, king and queen: `AK`, `A`, `KQ`, ... or nothing."""
    return "".join(letter for letter, rank in (("A", 14), ("K", 13), ("Q", 12)) if rank in side)


def expected_tricks(fit: Bidding, hand: Sequence[Card]) -> int:
    """The tricks that `hand` takes on average, in thousandths."""
    total = sum(weight * value for weight, value in zip(fit.weights, features(hand), strict=True))
    return min(max(total, 0), 13 * THOUSAND)


def made_chances(fit: Bidding, hand: Sequence[Card]) -> list[int]:
    """The chance, in thousandths, that `hand` takes at least 0, 1, ... 13 tricks."""
    mean = expected_tricks(fit, hand)
    return [THOUSAND, *(_chance(fit, mean, tricks) for tricks in range(1, 14))]


def _chance(fit: Bidding, mean: int, tricks: int) -> int:
    """Read from the fitted curve by how far `mean` lies above `tricks`, in a straight line between its points."""
    offset = mean - tricks * THOUSAND - fit.margin_from
    step, rest = divmod(offset, fit.margin_step)
    if step < 0:
        return fit.chances[0]
    if step >= len(fit.chances) - 1:
        return fit.chances[-1]
    low, high = fit.chances[step], fit.chances[step + 1]
    return low + (high - low) * rest // fit.margin_step


def _value(observation: Observation, bid: int, chances: Sequence[int]) -> int:
    """The expected score of `bid` in thousandths of a unit."""
    if _throws_in(observation, bid):
        return NEW_DEAL_UNITS * THOUSAND
    made = chances[bid]
    missed_units, made_units = round_score(bid, -1), round_score(bid, bid)
    value = made_units * made + missed_units * (THOUSAND - made) + sum(chances[bid + 1 :])
    least = observation.rules.instant_win_bid
    if least is not None and bid >= least:
        value += INSTANT_WIN_UNITS * made
    return value


def _throws_in(observation: Observation, bid: int) -> bool:
    """Whether `bid`, the last of the four, surely brings a new deal."""
    rules = observation.rules
    others = [made for seat, made in enumerate(observation.bids) if seat != observation.seat]
    known = [made for made in others if made is not None]
    if rules.redeal_bids_below is None or len(known) < 3:
        return False
    # At most `attempt` deals of this round went for low bids, so below the limit one more is allowed for sure.
    return (
        sum(known) + bid < rules.redeal_bids_below and observation.attempt < rules.redeal_bids_limit
    )
