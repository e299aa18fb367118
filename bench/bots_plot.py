"""The picture that `bench.bots --plot` draws: what each player gains on steady, and how often each bid is made."""

from collections.abc import Iterator, Mapping
from typing import Final

from bench.arena import Estimate

LEFT, WIDE, ROW = 190, 480, 26
MOST_POINTS: Final = 1.6  # what lies further out is cut off at the edge
LEAST_TRIED: Final = 20  # a bid tried less often says nothing yet
COLOURS: Final = ("#2f6f8f", "#b5562b", "#5b8c3a", "#7a5ba6", "#8a8a8a", "#333333", "#b8860b")


def drawn(gaps: Mapping[str, Estimate], made: Mapping[str, Mapping[int, tuple[int, int]]]) -> str:
    """Both panels as one SVG. `made` goes by player, then by bid: how often tried, how often made."""
    high = ROW * len(gaps) + 60
    parts = [*_advantages(gaps), *_made_rates(made, top=high)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="740" height="{high + 290}" '
        f'viewBox="0 0 740 {high + 290}" font-family="sans-serif" font-size="13">'
        "<title>Points a round against three steady bots, with 95 % intervals; share of bids made, by bid</title>"
        f'<rect width="740" height="{high + 290}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _advantages(gaps: Mapping[str, Estimate]) -> Iterator[str]:
    def x(points: float) -> float:
        return LEFT + WIDE * (min(max(points, -MOST_POINTS), 0.4) + MOST_POINTS) / (
            MOST_POINTS + 0.4
        )

    yield f'<path d="M{x(0):.1f} 10V{ROW * len(gaps) + 14}" stroke="#999"/>'
    for place, (name, gap) in enumerate(gaps.items()):
        y = ROW * place + 26
        yield f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{name}</text>'
        yield f'<path d="M{x(gap.low):.1f} {y}H{x(gap.high):.1f}" stroke="{COLOURS[0]}" stroke-width="3"/>'
        yield f'<circle cx="{x(gap.mean):.1f}" cy="{y}" r="4" fill="{COLOURS[0]}"/>'
        yield f'<text x="730" y="{y + 4}" text-anchor="end" font-size="11">{gap.mean:+.2f}</text>'
    foot = ROW * len(gaps) + 32
    yield f'<text x="{LEFT}" y="{foot}">points a round more than steady</text>'


def _made_rates(made: Mapping[str, Mapping[int, tuple[int, int]]], *, top: int) -> Iterator[str]:
    def y(share: float) -> float:
        return top + 220 - 200 * share

    for share in (0, 0.25, 0.5, 0.75, 1):
        yield f'<path d="M{LEFT} {y(share)}H{LEFT + WIDE}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 10}" y="{y(share) + 4}" text-anchor="end">{share:.0%}</text>'
    for bid in range(14):
        yield f'<text x="{LEFT + 36 * bid}" y="{top + 240}" text-anchor="middle">{bid}</text>'
    yield f'<text x="{LEFT}" y="{top + 262}">share of bids made, by bid</text>'
    for place, (name, bids) in enumerate(made.items()):
        colour = COLOURS[place % len(COLOURS)]
        points = [
            f"{LEFT + 36 * bid} {y(hits / tried):.1f}"
            for bid, (tried, hits) in bids.items()
            if tried >= LEAST_TRIED
        ]
        yield f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield f'<text x="10" y="{top + 30 + 18 * place}" fill="{colour}">{name}</text>'
