"""How many days a match takes among people who look in now and then, by what the table lets them do.

`python -m bench.pace [--matches 12] [--visits 4] [--check]`. Simulated people in four time zones, awake from seven to
eleven, look in at random moments, answer what waits for them and go away again. Everything goes through the real services
with a clock of our own; workers and the sweep act at once. A table of medians on standard output, `--plot FILE` an SVG.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import TYPE_CHECKING

from bench.site import set_up

if TYPE_CHECKING:
    from accounts.models import User

START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
ZONES = (
    ("Asia/Kathmandu", 345),
    ("Asia/Kolkata", 330),
    ("Europe/Berlin", 60),
    ("America/New_York", -300),
)
AWAKE = (7 * 60, 23 * 60)
BAR = 6.0  # rounds side by side with everything is to be so many times as quick as the plain game


@dataclass(frozen=True, slots=True)
class Mode:
    """What a table and its people use."""

    name: str
    sealed: bool = False
    side_by_side: bool = False
    plans: bool = False
    claims: bool = False


MODES = (
    Mode("plain"),
    Mode("sealed bids", sealed=True),
    Mode("claims", claims=True),
    Mode("plans", plans=True),
    Mode("in turn, all", sealed=True, plans=True, claims=True),
    Mode("side by side", side_by_side=True),
    Mode("side by side, all", sealed=True, side_by_side=True, plans=True, claims=True),
)


@dataclass
class Played:
    """One match: how long it took, how often its people looked in, how many mails they got, and what answered for them."""

    days: float
    visits: int
    mails: int
    by_hand: int
    timeouts: int
    last_day: datetime | None
    ended_at: datetime
    reason: str = field(default="")

    @property
    def kept_its_word(self) -> bool:
        return self.last_day is None or self.ended_at <= self.last_day


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--matches", type=int, default=12, help="matches for each mode")
    options.add_argument("--visits", type=int, default=4, help="visits of each person a day")
    options.add_argument("--plot", type=Path, help="write the medians as an SVG to this file")
    options.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    given = options.parse_args()
    set_up(durable=False)
    from bench.company import Company

    print(
        f"{'mode':20} {'days':>6} {'p90':>6} {'visits':>7} {'mails':>6} {'by hand':>8} {'late':>5}"
    )
    medians: dict[str, float] = {}
    broken: list[str] = []
    for mode in MODES:
        runs = []
        for number in range(given.matches):
            print(f"{mode.name}: match {number + 1} of {given.matches}", file=sys.stderr)
            runs.append(Company(mode, Random(f"{mode.name} {number}"), given.visits).play())
        medians[mode.name] = median(run.days for run in runs)
        broken += [mode.name for run in runs if not run.kept_its_word or run.mails > run.visits]
        print(line_of(mode, runs))
    ratio = medians["plain"] / medians["side by side, all"]
    print(f"plain / side by side, all: {ratio:.1f} (bar {BAR:g})")
    print(f"beyond the last day, or more mails than visits: {len(broken)} matches (bar 0)")
    if given.plot:
        given.plot.write_text(plot(medians))
    return 1 if given.check and (ratio < BAR or broken) else 0


def line_of(mode: Mode, runs: list[Played]) -> str:
    days = [run.days for run in runs]
    p90 = quantiles(days, n=10)[-1] if len(days) > 1 else days[0]
    means = (
        sum(getattr(run, name) for run in runs) / len(runs) / 4
        for name in ("visits", "mails", "by_hand", "timeouts")
    )
    visits, mails, by_hand, late = means
    return f"{mode.name:20} {median(days):6.1f} {p90:6.1f} {visits:7.0f} {mails:6.0f} {by_hand:8.0f} {late:5.1f}"


def visits_of(dice: Random, zone_minutes: int, a_day: int) -> Iterator[datetime]:
    """The moments at which somebody looks in, without end."""
    midnight = START.replace(hour=0) - timedelta(minutes=zone_minutes)
    while True:
        moments = sorted(dice.randrange(*AWAKE) for _ in range(a_day))
        yield from (
            at for minute in moments if (at := midnight + timedelta(minutes=minute)) >= START
        )
        midnight += timedelta(days=1)


class Diary:
    """What happens when: visits of everybody, in order of time."""

    def __init__(self, people: list["User"], dice: Random, a_day: int) -> None:
        self.coming: list[tuple[datetime, int]] = []
        self.of = [
            visits_of(Random(dice.random()), minutes, a_day) for _, minutes in ZONES[: len(people)]
        ]
        for who in range(len(people)):
            heappush(self.coming, (next(self.of[who]), who))

    def next_visit(self) -> tuple[datetime, int]:
        at, who = heappop(self.coming)
        heappush(self.coming, (next(self.of[who]), who))
        return at, who


def plot(medians: dict[str, float]) -> str:
    """Bars, one a mode, as an SVG."""
    longest = max(medians.values())
    rows = [
        f'<text x="150" y="{30 * place + 20}" text-anchor="end">{name}</text>'
        f'<rect x="160" y="{30 * place + 6}" width="{400 * days / longest:.0f}" height="20"/>'
        f'<text x="{170 + 400 * days / longest:.0f}" y="{30 * place + 20}">{days:.1f} days</text>'
        for place, (name, days) in enumerate(medians.items())
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="660" height="{30 * len(rows) + 10}"'
        f' font-family="sans-serif" font-size="13">{"".join(rows)}</svg>\n'
    )


if __name__ == "__main__":
    sys.exit(main())
