"""How strong the bots are: points a round in duplicate design, 1 point being 10 units.

    python -m bench.bots --check --deals 300                                     every bot and yardstick against three steady
    python -m bench.bots --check --deals 2000 --other-deals 500 --matches 400    every bar, in about an hour
    python -m bench.bots --bot beginner --against steady --rules yeeqia          one pair

Each line is the challenger in each of the four seats of a deal against three of the reigning bot, less what the reigning bot scores
in the same seat of the same deal, with its 95 % confidence interval over the deals. `--other-deals` does the same for the expert
under other rules, `--matches` counts the five-round matches that it wins. `--check` exits with 1 when a bar is missed; `--plot FILE`
draws what was found. The same numbers come out on every machine, apart from the milliseconds, which are of processor time.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Final, TypeVar

from bench.arena import (
    UNITS_PER_POINT,
    Estimate,
    Line,
    duel,
    estimate,
    self_play,
    win_shares,
)
from bench.bots_plot import drawn
from bench.players import Greedy, LowLeader, RandomCards, RandomLegal
from games.bots import BOTS, Policy
from games.engine.cards import Card
from games.engine.observation import Observation
from games.engine.rules import PRESETS, HouseRules

PLAYERS: Final[dict[str, Policy]] = {
    **BOTS,
    "greedy": Greedy(BOTS["steady"]),
    "low-leader": LowLeader(BOTS["steady"]),
    "random-cards": RandomCards(BOTS["steady"]),
    "random-legal": RandomLegal(),
}
CHALLENGERS: Final = (
    "beginner",
    "greedy",
    "low-leader",
    "random-cards",
    "random-legal",
    "expert",
)
BARS_RULES: Final = "arcadia"
RULES: Final[dict[str, HouseRules]] = {
    **PRESETS,
    "basic": HouseRules(),
    "must-trump": HouseRules(must_trump=True),
}
OTHER_RULES: Final = ("must-trump", "basic", "yeeqia")
STEADY_MS, EXPERT_MS, EXPERT_P99_MS = 2.0, 60.0, 300.0
PROGRESS_SECONDS: Final = 5

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Bar:
    """What a figure must lie between."""

    name: str
    value: float
    low: float = float("-inf")
    high: float = float("inf")

    @property
    def is_met(self) -> bool:
        return self.low <= self.value <= self.high

    def __str__(self) -> str:
        if self.high == float("inf"):
            wanted = f"at least {self.low:g}"
        elif self.low == float("-inf"):
            wanted = f"at most {self.high:g}"
        else:
            wanted = f"{self.low:g} to {self.high:g}"
        return f"{self.name:40} {self.value:8.3f}  {wanted}{'' if self.is_met else '  MISSED'}"


class Timed:
    """A policy with a watch."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.seconds: list[float] = []

    def bid(self, observation: Observation) -> int:
        start = process_time()
        bid = self.policy.bid(observation)
        self.seconds.append(process_time() - start)
        return bid

    def play(self, observation: Observation) -> Card:
        start = process_time()
        card = self.policy.play(observation)
        self.seconds.append(process_time() - start)
        return card

    @property
    def mean_ms(self) -> float:
        return 1000 * sum(self.seconds) / len(self.seconds)

    @property
    def p99_ms(self) -> float:
        return 1000 * sorted(self.seconds)[len(self.seconds) * 99 // 100]


@dataclass(slots=True)
class Report:
    """What was measured so far: the bars, the advantages by name, and by player the bids that were tried and made."""

    bars: list[Bar] = field(default_factory=list)
    gaps: dict[str, Estimate] = field(default_factory=dict)
    made: dict[str, dict[int, tuple[int, int]]] = field(default_factory=dict)


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description="How strong the bots are.")
    options.add_argument("--deals", type=int, default=300)
    options.add_argument("--first-deal", type=int, default=0, help="number of the first deal")
    options.add_argument("--rules", choices=RULES, default=BARS_RULES)
    options.add_argument("--bot", choices=PLAYERS, help="only this challenger")
    options.add_argument("--against", choices=PLAYERS, default="steady", help="the reigning bot")
    options.add_argument("--other-deals", type=int, default=0, help="deals under each other rules")
    options.add_argument("--matches", type=int, default=0, help="five-round matches in each seat")
    options.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    options.add_argument("--plot", type=Path, help="draw what was found as an SVG into this file")
    given = options.parse_args(arguments)
    deals = range(given.first_deal, given.first_deal + given.deals)

    print(f"{given.rules}, {given.deals} deals, points a round (10 units)\n")
    print(
        f"{'player':14} {'against':10} {'difference':>16}   {'mean':>6} {'made':>6} {'bid':>6} {'ms':>7} {'p99':>6}"
    )
    report = Report()
    measure_alone(report, given.rules, given.against, deals)
    for name in [given.bot] if given.bot else CHALLENGERS:
        measure_pair(report, given.rules, name, given.against, deals)
    if given.matches:
        measure_matches(report, range(given.matches))
    for rules in OTHER_RULES if given.other_deals else ():
        measure_elsewhere(report, rules, range(given.other_deals))
    if given.plot:
        given.plot.write_text(drawn(report.gaps, report.made))
    if given.bot or given.against != "steady" or given.rules != BARS_RULES:
        return 0
    print("", *report.bars, sep="\n")
    return 1 if given.check and not all(bar.is_met for bar in report.bars) else 0


def measure_alone(report: Report, rules: str, name: str, deals: range) -> None:
    """How `name` fares among its like."""
    timed = Timed(PLAYERS[name])
    rounds = progress(f"{name} alone", self_play(RULES[rules], timed, deals), len(deals))
    played = [line for row in rounds for line in row]
    show(name, name, None, played, timed)
    report.made[name] = made_by_bid(played)
    mean, made, bid = averages(played)
    report.bars += [
        Bar("steady: points a round", mean, low=2.15),
        Bar("steady: bids made", made, low=0.88, high=0.93),
        Bar("steady: mean bid", bid, low=2.4),
        Bar("steady: mean ms a decision", timed.mean_ms, high=STEADY_MS),
    ]


def measure_pair(report: Report, rules: str, name: str, against: str, deals: range) -> None:
    """What `name` gains against three of `against`."""
    timed = Timed(PLAYERS[name])
    gap, tried = measured_gap(rules, name, timed, against, deals)
    show(name, against, gap, tried, timed)
    report.gaps[name] = gap
    report.made[name] = made_by_bid(tried)
    match name:
        case "beginner":
            report.bars.append(Bar("beginner against steady", gap.mean, low=-1.2, high=-0.4))
        case "greedy":
            report.bars.append(Bar("greedy with steady's bids", gap.mean, high=-0.25))
        case "random-legal":
            report.bars.append(Bar("random legal against steady", gap.mean, high=-1.2))
        case "expert":
            report.bars += [
                Bar("expert against steady", gap.mean, low=0.12),
                Bar("expert against steady, lower bound", gap.low, low=0.08),
                Bar("expert: mean ms a decision", timed.mean_ms, high=EXPERT_MS),
                Bar("expert: 99 % of decisions within ms", timed.p99_ms, high=EXPERT_P99_MS),
            ]


def measure_elsewhere(report: Report, rules: str, deals: range) -> None:
    """What the expert gains under other rules."""
    timed = Timed(PLAYERS["expert"])
    gap, tried = measured_gap(rules, f"expert, {rules}", timed, "steady", deals)
    show(f"expert, {rules}", "steady", gap, tried, timed)
    report.gaps[f"expert, {rules}"] = gap
    report.bars.append(Bar(f"expert under {rules}, lower bound", gap.low, low=0.05))


def measure_matches(report: Report, matches: range) -> None:
    """What share of five-round matches the expert wins."""
    shares = win_shares(RULES[BARS_RULES], PLAYERS["expert"], PLAYERS["steady"], matches)
    share = estimate(list(progress("expert's matches", shares, len(matches))))
    print(f"expert wins {share.mean:.3f} ± {share.half_width:.3f} of its matches", flush=True)
    report.bars.append(Bar("expert: share of matches won", share.mean, low=0.30))


def measured_gap(
    rules: str, title: str, timed: Timed, against: str, deals: range
) -> tuple[Estimate, list[Line]]:
    """The gain a round, and every round that the challenger played."""
    tried, gains = [], []
    runs = duel(RULES[rules], timed, PLAYERS[against], deals)
    for lines, base in progress(f"{title} against {against}", runs, len(deals)):
        tried += lines
        gain = sum(a.score - b.score for a, b in zip(lines, base, strict=True))
        gains.append(gain / 4 / UNITS_PER_POINT)
    return estimate(gains), tried


def averages(played: Sequence[Line]) -> tuple[float, float, float]:
    """Points a round, the share of bids made, the mean bid."""
    rounds = len(played)
    points = sum(line.score for line in played) / UNITS_PER_POINT / rounds
    made = sum(line.won >= line.bid for line in played) / rounds
    return points, made, sum(line.bid for line in played) / rounds


def made_by_bid(played: Sequence[Line]) -> dict[int, tuple[int, int]]:
    """By bid: how often it was tried and how often made."""
    found: dict[int, tuple[int, int]] = {}
    for line in played:
        tried, made = found.get(line.bid, (0, 0))
        found[line.bid] = (tried + 1, made + (line.won >= line.bid))
    return dict(sorted(found.items()))


def show(
    name: str, against: str, gap: Estimate | None, played: Sequence[Line], timed: Timed
) -> None:
    mean, made, bid = averages(played)
    difference = "" if gap is None else str(gap)
    print(
        f"{name:18} {against:6} {difference:>16}   "
        f"{mean:6.3f} {made:6.3f} {bid:6.3f} {timed.mean_ms:7.3f} {timed.p99_ms:6.1f}",
        flush=True,
    )


def progress(title: str, steps: Iterable[T], total: int) -> Iterator[T]:
    """The steps, with a word on stderr every few seconds."""
    last = perf_counter()
    for done, step in enumerate(steps, start=1):
        if perf_counter() - last > PROGRESS_SECONDS:
            last = perf_counter()
            print(f"{title}: {done} of {total}", file=sys.stderr, flush=True)
        yield step


if __name__ == "__main__":
    sys.exit(main())
