"""Plots as the templates draw them: numbers turned into places on a sheet of 720 x 220. Colours are classes."""

from dataclasses import dataclass
from typing import Final

from games.dealstats import SPADES, card_seat, deviation, without_spades
from games.engine.cards import DECK
from games.models import DealCount

WIDE: Final = 720
FLOOR: Final = 190  # where bars stand
TALL: Final = 170
MIDDLE: Final = 105  # where nothing deviates
PER_DEVIATION: Final = 22


@dataclass(frozen=True, slots=True)
class Bar:
    """Hands with so many spades: `seen` and `due` in tenths of a percent, and where they are drawn."""

    label: int
    x: int
    y: float
    height: float
    due_y: float
    seen: str
    due: str


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    seat: int


def spade_bars(count: DealCount) -> list[Bar]:
    """The share of hands with 0, 1, ... 13 spades, beside what chance gives."""
    hands, scale = sum(count.spades), TALL / 0.32
    bars = []
    for spades, (seen, due) in enumerate(zip(count.spades, SPADES, strict=True)):
        share = seen / hands if hands else 0.0
        height = round(min(TALL, share * scale), 1)
        bars.append(
            Bar(
                label=spades,
                x=24 + 50 * spades,
                y=round(FLOOR - height, 1),
                height=height,
                due_y=round(FLOOR - due * scale, 1),
                seen=f"{100 * share:.2f}",
                due=f"{100 * due:.2f}",
            )
        )
    return bars


def card_dots(count: DealCount) -> list[Dot]:
    """For each card and seat, by how many standard deviations it came there more or less often than to every fourth hand."""
    return [
        Dot(
            x=20 + 13.2 * card.index,
            y=round(MIDDLE - PER_DEVIATION * max(-4, min(4, deviation(seen, count.deals))), 1),
            seat=seat,
        )
        for card, row in zip(DECK, count.cards, strict=True)
        for seat, seen in enumerate(row)
    ]


def figures(count: DealCount) -> dict[str, object]:
    """The numbers beside the plots, as they are written."""
    chi, none = card_seat(count.cards, count.deals), without_spades(count.spades[0], count.deals)
    far = sum(abs(deviation(seen, count.deals)) > 1.96 for row in count.cards for seen in row)
    return {
        "deals": count.deals,
        "chi": f"{chi.value:.1f}",
        "freedom": chi.freedom,
        "chance": f"{100 * chi.chance:.1f}",
        "spadeless": none.seen,
        "expected": f"{none.expected:.0f}",
        "low": f"{none.low:.0f}",
        "high": f"{none.high:.0f}",
        "far": far,
        "cells": 208,
    }
