"""How many tricks a hand is worth, and the bid that scores most on average.

The two are not the same question: a missed bid costs the whole bid and a trick more brings one unit, so it pays to bid less
than the expected tricks. The numbers are fitted by self-play and live in `parameters`. Hands are sets on bitboards.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from games.bots.boards import CLUBS, mask
from games.bots.parameters import BIDDING, Bidding
from games.engine.observation import Observation
from games.engine.rules import HouseRules
from games.engine.scoring import round_score

THOUSAND: Final = 1000
STEP: Final = 50  # in thousandths of a trick: expected tricks are rounded down to it
NEW_DEAL_UNITS: Final = (
    20  # what a seat scores on average when the deal is thrown in and dealt again
)
INSTANT_WIN_UNITS: Final = 30  # on top of its score, for a made bid that wins the match at once

# The lengths that a table tells apart: from 0 to this one, which stands for all longer ones.
LONGEST_SPADES: Final = 7
LONGEST_SIDE: Final = 6
LONGEST_SHORT: Final = 2


def best_bid(observation: Observation) -> int:
    """The bid with the highest expected score."""
    hand = mask(observation.hand)
    return bid_on(observation, made_chances(fit_of(observation.rules), hand))


def bid_on(observation: Observation, chances: Sequence[int]) -> int:
    """The bid with the highest expected score, given the chances to take at least 0, 1, ... 13 tricks.

    Ties go to the lower bid, which is the surer one.
    """
    values = bid_values(observation, chances)
    return max(values, key=lambda bid: (values[bid], -bid))


def bid_values(observation: Observation, chances: Sequence[int]) -> dict[int, int]:
    """What each bid scores on average, in thousandths of a unit."""
    rules = observation.rules
    return {
        bid: NEW_DEAL_UNITS * THOUSAND
        if _throws_in(observation, bid)
        else bid_value(rules, bid, chances)
        for bid in range(rules.min_bid, rules.max_bid + 1)
    }


def usual_bid(rules: HouseRules, hand: int) -> int:
    """What a steady player bids on `hand`, the table's special chances aside: quick, for the hands that a search imagines."""
    return _usual_bids(rules)[expected_tricks(fit_of(rules), hand) // STEP]


@lru_cache(maxsize=32)
def _usual_bids(rules: HouseRules) -> tuple[int, ...]:
    """The best bid for each step of expected tricks."""
    fit, bids = fit_of(rules), range(rules.min_bid, rules.max_bid + 1)
    by_mean = [chances_around(fit, mean) for mean in range(0, 13 * THOUSAND + 1, STEP)]
    return tuple(
        max(bids, key=lambda bid: (bid_value(rules, bid, chances), -bid)) for chances in by_mean
    )


def fit_of(rules: HouseRules) -> Bidding:
    """The parameters for this family of rules. The duty to trump makes none: a steady player trumps whenever it can."""
    return BIDDING[rules.must_beat]


def expected_tricks(fit: Bidding, hand: int) -> int:
    """The tricks that a hand of 13 takes on average, in thousandths, rounded down to a whole `STEP`."""
    spades, sides, shorts = cells(hand)
    total = fit.spades[spades[0]][spades[1]]
    for top, length in sides:
        total += fit.sides[top][length]
    for length, trumps in shorts:
        total += fit.shorts[length][trumps]
    return min(max(total, 0), 13 * THOUSAND) // STEP * STEP


def cells(
    hand: int,
) -> tuple[tuple[int, int], list[tuple[int, int]], list[tuple[int, int]]]:
    """Where a hand stands in the tables of `Bidding`: its spades, its side suits, those of them that are short."""
    trumps = (hand >> 3 & CLUBS).bit_count()
    sides, shorts = [], []
    for place in range(3):
        suit = hand >> place
        length = (suit & CLUBS).bit_count()
        sides.append((_top(suit) >> 1, min(length, LONGEST_SIDE)))
        if length <= LONGEST_SHORT:
            shorts.append((length, min(trumps, LONGEST_SPADES)))
    return (_top(hand >> 3), min(trumps, LONGEST_SPADES)), sides, shorts


def _top(suit: int) -> int:
    """Which of ace (8), king (4), queen (2) and jack (1) of a suit are there; the suit's own bits are every fourth."""
    return (suit >> 45 & 8) | (suit >> 42 & 4) | (suit >> 39 & 2) | (suit >> 36 & 1)


def made_chances(fit: Bidding, hand: int) -> list[int]:
    """The chance, in thousandths, that `hand` takes at least 0, 1, ... 13 tricks."""
    return chances_around(fit, expected_tricks(fit, hand))


def chances_around(fit: Bidding, mean: int) -> list[int]:
    """The chance, in thousandths, of at least 0, 1, ... 13 tricks where `mean` thousandths are expected."""
    return [THOUSAND, *(_chance(fit, mean - tricks * THOUSAND) for tricks in range(1, 14))]


def _chance(fit: Bidding, margin: int) -> int:
    """Read from the fitted curve, in a straight line between its points."""
    step, rest = divmod(margin - fit.margin_from, fit.margin_step)
    if step < 0:
        return fit.chances[0]
    if step >= len(fit.chances) - 1:
        return fit.chances[-1]
    low, high = fit.chances[step], fit.chances[step + 1]
    return low + (high - low) * rest // fit.margin_step


def bid_value(rules: HouseRules, bid: int, chances: Sequence[int]) -> int:
    """The expected score of `bid` in thousandths of a unit."""
    made = chances[bid]
    missed_units, made_units = round_score(bid, -1), round_score(bid, bid)
    value = made_units * made + missed_units * (THOUSAND - made) + sum(chances[bid + 1 :])
    least = rules.instant_win_bid
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
