"""How many days a match takes among people who look in now and then, by what the table lets them do.

`python -m bench.pace [--matches 12] [--visits 4] [--check] [--plot FILE]`, and `--clocks` for how often time runs out under
each clock. Simulated people in four time zones, awake from seven to eleven, look in at random moments, answer what waits for
them and go away again. Everything goes through the real services with a clock of our own; workers and the sweep act at once.
Tables on standard output, ready for `docs/pace.md`.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles

from bench.site import set_up

BAR = 6.0  # rounds side by side with everything is to be so many times as quick as the plain game
TWO_DAYS = "2 days a turn"  # long enough that nobody is hurried


@dataclass(frozen=True, slots=True)
class Mode:
    """What a table and its people use. Nights: whether their clocks stand still from eleven to seven."""

    name: str
    sealed: bool = False
    side_by_side: bool = False
    plans: str = ""
    claims: bool = False
    clock: str = TWO_DAYS
    nights: bool = False
    visits: float = 4


CAREFUL, BOLD = "careful", "bold"
IN_TURN = {"sealed": True, "plans": CAREFUL, "claims": True}
ALL = {**IN_TURN, "side_by_side": True}
PLAIN, EVERYTHING = "plain", "side by side, all of these"
MODES: tuple[Mode, ...] = (
    Mode(PLAIN),
    Mode("sealed bids", sealed=True),
    Mode("claims", claims=True),
    Mode("plans", plans=CAREFUL),
    Mode("in turn, all of these", **IN_TURN),
    Mode("side by side", side_by_side=True),
    Mode(EVERYTHING, **ALL),
    Mode("the same, plans for every card", **{**ALL, "plans": BOLD}),
)
BANKS = ("fast", "standard", "relaxed")
CLOCKS = (*BANKS, "1 day a turn", TWO_DAYS)
HELP: Mapping[str, Mapping[str, object]] = {
    PLAIN: {},
    "in turn, all": IN_TURN,
    "side by side, all": ALL,
}


@dataclass(frozen=True, slots=True)
class Played:
    """One match: how long it took, and of each of its four how often they looked in, how many mails they got, how often
    their time ran out, and how many decisions they made by hand and a bot made for them.
    """

    started_at: datetime
    ended_at: datetime
    last_day: datetime | None
    reason: str
    visits: list[int]
    mails: list[int]
    timeouts: list[int]
    by_hand: list[int]
    by_bot: list[int]

    @property
    def days(self) -> float:
        return (self.ended_at - self.started_at).total_seconds() / 86400

    @property
    def of_last_day(self) -> float:
        """The part of the time until the provable last day that it took."""
        assert self.last_day is not None
        return (self.ended_at - self.started_at) / (self.last_day - self.started_at)

    @property
    def is_over_mailed(self) -> bool:
        return any(mails > visits for mails, visits in zip(self.mails, self.visits, strict=True))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--matches", type=int, default=12, help="matches for each line")
    options.add_argument("--visits", type=float, default=4, help="visits of each person a day")
    options.add_argument("--clocks", action="store_true", help="how often time runs out instead")
    options.add_argument("--plot", type=Path, help="draw the days as an SVG into this file")
    options.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    given = options.parse_args()
    set_up(durable=False)
    if given.clocks:
        return measure_clocks(given.matches, given.visits)
    return measure_modes(given.matches, given.visits, given.plot, check=given.check)


def measure_modes(matches: int, visits: float, plot: Path | None, *, check: bool) -> int:
    runs: dict[str, list[Played]] = {}
    print(
        f"{matches} matches a line, {visits:g} visits a day, {TWO_DAYS}, medians and means of a person\n"
    )
    heads = "| mode | days, median | p90 | visits | mails | by hand | time ran out | of the last day, most |"
    print(f"{heads}\n|---|--:|--:|--:|--:|--:|--:|--:|")
    for mode in MODES:
        runs[mode.name] = played(Mode(**{**_fields(mode), "visits": visits}), matches)
        print(line_of(mode.name, runs[mode.name]), flush=True)
    medians = {name: median(run.days for run in each) for name, each in runs.items()}
    every = [run for each in runs.values() for run in each]
    ratio = medians[PLAIN] / medians[EVERYTHING]
    late = sum(run.of_last_day > 1 for run in every)
    mailed = sum(run.is_over_mailed for run in every)
    print(f"\n{PLAIN} / {EVERYTHING}: {ratio:.1f} (bar {BAR:g})")
    print(f"matches that went beyond the provable last day: {late} of {len(every)} (bar 0)")
    print(f"matches in which somebody got more mails than visits: {mailed} of {len(every)} (bar 0)")
    if plot:
        plot.write_text(drawn({name: [run.days for run in each] for name, each in runs.items()}))
    return 1 if check and (ratio < BAR or late or mailed) else 0


def measure_clocks(matches: int, visits: float) -> int:
    """How often time runs out, by clock and by what helps; and how near people who hardly look in come to the last day."""
    print(f"{matches} matches a line, {visits:g} visits a day; of a person and match\n")
    print(
        "| clock | nights | mode | days, median | time ran out | decisions of a bot | of the last day, most |"
    )
    print("|---|---|---|--:|--:|--:|--:|")
    for clock in CLOCKS:
        for nights in (False, True) if clock in BANKS else (False,):
            for name, helps in HELP.items():
                mode = Mode(name, clock=clock, nights=nights, visits=visits, **helps)
                print(clock_line_of(mode, played(mode, matches)), flush=True)
    print("\nThe same among people who look in every third day:\n")
    for clock in BANKS:
        mode = Mode(PLAIN, clock=clock, nights=True, visits=1 / 3)
        print(clock_line_of(mode, played(mode, matches)), flush=True)
    return 0


def played(mode: Mode, matches: int) -> list[Played]:
    from bench.company import Company

    def one(number: int) -> Played:
        print(
            f"{mode.name}, {mode.clock}: match {number} of {matches}", file=sys.stderr, flush=True
        )
        return Company(mode, Random(f"{mode} {number}")).play()

    return [one(number) for number in range(1, matches + 1)]


def line_of(name: str, runs: list[Played]) -> str:
    days = [run.days for run in runs]
    visits, mails, by_hand, late = (
        mean_of(getattr(run, each) for run in runs)
        for each in ("visits", "mails", "by_hand", "timeouts")
    )
    return (
        f"| {name} | {median(days):.1f} | {p90(days):.1f} | {visits:.0f} | {mails:.0f} | {by_hand:.0f} | {late:.2f} |"
        f" {max(run.of_last_day for run in runs):.0%} |"
    )


def clock_line_of(mode: Mode, runs: list[Played]) -> str:
    late, bots = (mean_of(getattr(run, each) for run in runs) for each in ("timeouts", "by_bot"))
    return (
        f"| {mode.clock} | {'yes' if mode.nights else 'no'} | {mode.name} | {median(run.days for run in runs):.1f} |"
        f" {late:.2f} | {bots:.1f} | {max(run.of_last_day for run in runs):.0%} |"
    )


def mean_of(lists: Iterable[list[int]]) -> float:
    return mean(each for of_match in lists for each in of_match)


def p90(values: list[float]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]


def _fields(mode: Mode) -> dict[str, object]:
    return {name: getattr(mode, name) for name in Mode.__slots__}


def drawn(days: Mapping[str, list[float]]) -> str:
    """A bar for the median of each mode, a line on to the ninetieth percentile, as an SVG."""
    left, wide = 220, 400 / max(p90(each) for each in days.values())

    def row(place: int, name: str, each: list[float]) -> Iterator[str]:
        top, end, far = 30 * place, left + wide * median(each), left + wide * p90(each)
        yield f'<text x="{left - 10}" y="{top + 20}" text-anchor="end">{name}</text>'
        yield f'<rect x="{left}" y="{top + 6}" width="{end - left:.1f}" height="20" fill="#2f6f8f"/>'
        yield f'<path d="M{end:.1f} {top + 16}H{far:.1f}m0-5v10" stroke="#2f6f8f" stroke-width="2"/>'
        yield f'<text x="{far + 10:.1f}" y="{top + 20}">{median(each):.1f} ({p90(each):.1f})</text>'

    rows = [
        part for place, (name, each) in enumerate(days.items()) for part in row(place, name, each)
    ]
    high = 30 * len(days) + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="740" height="{high}" viewBox="0 0 740 {high}"'
        ' font-family="sans-serif" font-size="13"><title>Days that a match takes: median, and ninetieth percentile</title>'
        f'<rect width="740" height="{high}" fill="#fff"/>{"".join(rows)}</svg>\n'
    )


if __name__ == "__main__":
    sys.exit(main())
