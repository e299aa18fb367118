"""How strong the bots are: points a round in duplicate design, 1 point being 10 units.

    python -m bench.bots [--deals 500] [--preset arcadia] [--check]     every bot and yardstick against three steady
    python -m bench.bots --bot beginner --against steady                 one pair

Each line is the challenger in each of the four seats of a deal against three of the reigning bot, less what the reigning bot scores
in the same seat of the same deal, with its 95 % confidence interval over the deals. `--check` exits with 1 when a bar is missed;
the bars hold for the Arcadia rules. The same numbers come out on every machine, apart from the milliseconds.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

from bench.arena import UNITS_PER_POINT, Estimate, Line, duel, estimate, self_play
from bench.players import Greedy, LowLeader, RandomCards, RandomLegal
from games.bots import BOTS, Policy
from games.engine.cards import Card
from games.engine.observation import Observation
from games.engine.rules import PRESETS, HouseRules

PLAYERS: dict[str, Policy] = {
    **BOTS,
    "greedy": Greedy(BOTS["steady"]),
    "low-leader": LowLeader(BOTS["steady"]),
    "random-cards": RandomCards(BOTS["steady"]),
    "random-legal": RandomLegal(),
}
CHALLENGERS = ("beginner", "greedy", "low-leader", "random-cards", "random-legal")
BARS_PRESET = "arcadia"
MOST_MS = 2.0
PROGRESS_SECONDS = 5

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
        return f"{self.name:34} {self.value:8.3f}  {wanted}{'' if self.is_met else '  MISSED'}"


class Timed:
    """A policy with a watch."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.seconds: list[float] = []

    def bid(self, observation: Observation) -> int:
        start = perf_counter()
        bid = self.policy.bid(observation)
        self.seconds.append(perf_counter() - start)
        return bid

    def play(self, observation: Observation) -> Card:
        start = perf_counter()
        card = self.policy.play(observation)
        self.seconds.append(perf_counter() - start)
        return card

    @property
    def mean_ms(self) -> float:
        return 1000 * sum(self.seconds) / len(self.seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description="How strong the bots are.")
    options.add_argument("--deals", type=int, default=500)
    options.add_argument("--first-deal", type=int, default=0, help="number of the first deal")
    options.add_argument("--preset", choices=PRESETS, default=BARS_PRESET)
    options.add_argument("--bot", choices=PLAYERS, help="only this challenger")
    options.add_argument("--against", choices=PLAYERS, default="steady", help="the reigning bot")
    options.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    given = options.parse_args(arguments)
    rules, deals = PRESETS[given.preset], range(given.first_deal, given.first_deal + given.deals)

    print(f"{given.preset}, {given.deals} deals, points a round (10 units)\n")
    print(
        f"{'player':14} {'against':10} {'difference':>16}   {'mean':>6} {'made':>6} {'bid':>6} {'ms':>6}"
    )
    reigning = measure_alone(rules, given.against, deals)
    challengers = [given.bot] if given.bot else CHALLENGERS
    gaps = {name: measure_pair(rules, name, given.against, deals) for name in challengers}
    if given.bot or given.against != "steady" or given.preset != BARS_PRESET:
        return 0
    bars = [*reigning, *bars_of(gaps)]
    print("", *bars, sep="\n")
    return 1 if given.check and not all(bar.is_met for bar in bars) else 0


def measure_alone(rules: HouseRules, name: str, deals: range) -> list[Bar]:
    """Print how `name` fares among its like, and return the bars for that."""
    timed = Timed(PLAYERS[name])
    rounds = list(progress(f"{name} alone", self_play(rules, timed, deals), len(deals)))
    played = [line for row in rounds for line in row]
    show(name, name, None, played, timed)
    mean, made, bid = averages(played)
    return [
        Bar("steady: points a round", mean, low=2.15),
        Bar("steady: bids made", made, low=0.88, high=0.93),
        Bar("steady: mean bid", bid, low=2.4),
        Bar("steady: mean ms a decision", timed.mean_ms, high=MOST_MS),
    ]


def measure_pair(rules: HouseRules, name: str, against: str, deals: range) -> Estimate:
    """Print and return what `name` gains against three of `against`."""
    timed = Timed(PLAYERS[name])
    runs = duel(rules, timed, PLAYERS[against], deals)
    tried, gains = [], []
    for lines, base in progress(f"{name} against {against}", runs, len(deals)):
        tried += lines
        gain = sum(a.score - b.score for a, b in zip(lines, base, strict=True))
        gains.append(gain / 4 / UNITS_PER_POINT)
    gap = estimate(gains)
    show(name, against, gap, tried, timed)
    return gap


def bars_of(gaps: dict[str, Estimate]) -> list[Bar]:
    """The bars for the differences to steady."""
    return [
        Bar("beginner against steady", gaps["beginner"].mean, low=-1.2, high=-0.4),
        Bar("greedy against steady", gaps["greedy"].mean, high=-0.25),
        Bar("random legal against steady", gaps["random-legal"].mean, high=-1.2),
    ]


def averages(played: Sequence[Line]) -> tuple[float, float, float]:
    """Points a round, the share of bids made, the mean bid."""
    rounds = len(played)
    points = sum(line.score for line in played) / UNITS_PER_POINT / rounds
    made = sum(line.won >= line.bid for line in played) / rounds
    return points, made, sum(line.bid for line in played) / rounds


def show(
    name: str, against: str, gap: Estimate | None, played: Sequence[Line], timed: Timed
) -> None:
    mean, made, bid = averages(played)
    difference = "" if gap is None else str(gap)
    print(
        f"{name:14} {against:10} {difference:>16}   "
        f"{mean:6.3f} {made:6.3f} {bid:6.3f} {timed.mean_ms:6.3f}",
        flush=True,
    )


def progress(title: str, steps: Iterable[T], total: int) -> Iterator[T]:
    """The steps, with a word on stderr every few seconds."""
    last = perf_counter()
    for done, step in enumerate(steps, start=1):
        if perf_counter() - last > PROGRESS_SECONDS:
            last = perf_counter()
            print(f"{title}: {done} of {total} deals", file=sys.stderr, flush=True)
        yield step


if __name__ == "__main__":
    sys.exit(main())
