"""What dealt cards look like when nobody has a hand in it, and how far a count is from that. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

# That a hand holds 0, 1, ... 13 spades; that two hands of one deal hold none.
SPADES: Final = tuple(comb(13, n) * comb(39, 13 - n) / comb(52, 13) for n in range(14))
NO_SPADES: Final = SPADES[0]
_TWO_WITHOUT: Final = comb(26, 13) / comb(52, 13)
CARD_SEAT_FREEDOM: Final = 51 * 3


@dataclass(frozen=True, slots=True)
class Chi:
    """A chi-square statistic, its degrees of freedom, and how often chance alone comes as far or farther."""

    value: float
    freedom: int
    chance: float


@dataclass(frozen=True, slots=True)
class Count:
    """How often something happened, how often it should have, and between which counts 95 % of such samples lie."""

    seen: int
    expected: float
    low: float
    high: float


def card_seat(counts: Sequence[Sequence[int]], deals: int) -> Chi:
    """Of how often each of 52 cards went to each of 4 seats.

    A deal gives every seat 13 cards and every card one seat, hence 51 * 3 degrees of freedom and the factor 51/52.
    """
    even = deals / 4
    value = sum((seen - even) ** 2 / even for row in counts for seen in row) * 51 / 52
    return Chi(value, CARD_SEAT_FREEDOM, chance(value, CARD_SEAT_FREEDOM))


def deviation(seen: int, deals: int) -> float:
    """How many standard deviations a card's count at a seat is from a quarter of the deals."""
    return (seen - deals / 4) / math.sqrt(deals * 3 / 16) if deals else 0.0


def without_spades(seen: int, deals: int) -> Count:
    """Of hands without a spade: four hands a deal, which take the spades from each other."""
    expected = 4 * deals * NO_SPADES
    each = 4 * NO_SPADES * (1 - NO_SPADES) + 12 * (_TWO_WITHOUT - NO_SPADES**2)
    spread = 1.96 * math.sqrt(deals * each)
    return Count(seen, expected, max(0.0, expected - spread), expected + spread)


def even(counts: Sequence[int]) -> Chi:
    """Of independent draws among equally likely outcomes."""
    expected = sum(counts) / len(counts)
    value = sum((seen - expected) ** 2 / expected for seen in counts)
    return Chi(value, len(counts) - 1, chance(value, len(counts) - 1))


def chance(value: float, freedom: int) -> float:
    """That a chi-square variable is at least `value` (Wilson and Hilferty's approximation, good to the third digit from 3 on)."""
    if value <= 0:
        return 1.0
    spread = 2 / (9 * freedom)
    return math.erfc(((value / freedom) ** (1 / 3) - 1 + spread) / math.sqrt(2 * spread)) / 2
