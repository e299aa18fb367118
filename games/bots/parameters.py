"""The fitted numbers of the bots, in thousandths. Written by `python -m bench.fit_bids`; do not tune by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Bidding:
    """Thousandths of a trick for each feature of a hand; and the chance, in thousandths, to make a bid that lies
    `margin_from + i * margin_step` thousandths of a trick below the expected tricks."""

    weights: tuple[int, ...]
    margin_from: int
    margin_step: int
    chances: tuple[int, ...]


_FIRST: Final = Bidding(
    weights=(
        -900,
        500,
        400,
        300,
        200,
        100,
        550,
        200,
        900,
        700,
        200,
        550,
        400,
        200,
        150,
        100,
        100,
        300,
        150,
        50,
        50,
        30,
        10,
        0,
    ),
    margin_from=-3000,
    margin_step=500,
    chances=(5, 20, 50, 110, 200, 330, 500, 670, 800, 890, 950, 980, 995),
)

# By (must_beat, must_trump).
BIDDING: Final[Mapping[tuple[bool, bool], Bidding]] = MappingProxyType(
    {(beat, trump): _FIRST for beat in (False, True) for trump in (False, True)}
)
