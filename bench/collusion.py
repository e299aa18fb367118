"""How well the collusion signals tell a pair that plays together from people who do not.

    python -m bench.collusion [--pairs 100] [--tables 200] [--rounds 30] [--plot FILE.svg] [--check]

200 honest players of every strength (steady ones, absent-minded ones, beginners, greedy ones) sit at tables of four for 30 rounds, in new company each
time: every two of them at a table are a pair that must not be flagged. Colluding pairs sit down with two of them: each knows the other's
hand and plays the card that, in a few worlds, brings the two most together. Everything follows from the numbers of the deals. The index was
chosen on the first ten pairs and seven tables (`--first 0`), its threshold on those from 1000 on; the others are counted.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from bench.arena import advance, see
from bench.players import Greedy, LowLeader
from games.bots import BOTS, Policy
from games.bots.boards import CARD, mask, singles
from games.bots.policy import roll
from games.bots.sight import look
from games.bots.simulator import play_out
from games.bots.steady import choose
from games.bots.worlds import Worlds
from games.engine.cards import Card
from games.engine.events import Played
from games.engine.observation import Observation
from games.engine.round import RoundState, State
from games.engine.rules import PRESETS
from games.engine.scoring import round_score
from games.signals import FLAG_Z, PAIRS, PairRound, index, pair_rounds, weigh

PLAYERS = 200
WORLDS = 8
LEAST_FOUND = 0.80
MOST_FALSE = 0.005
RULES = PRESETS["arcadia"]


@dataclass(frozen=True, slots=True)
class Absent:
    """Plays like another, but for so many decisions in a hundred any legal card will do."""

    policy: Policy
    percent: int

    def bid(self, observation: Observation) -> int:
        return self.policy.bid(observation)

    def play(self, observation: Observation) -> Card:
        if roll(observation, 7, 100) < self.percent:
            return observation.legal[roll(observation, 8, len(observation.legal))]
        return self.policy.play(observation)


STEADY = BOTS["steady"]
KINDS: Sequence[Policy] = (
    *(Absent(STEADY, percent) for percent in (0, 3, 8, 15, 25)),
    BOTS["beginner"],
    Greedy(STEADY),
    LowLeader(STEADY),
)


def collude(row: RoundState, seat: int, mate: int, tie_break: int) -> Card:
    """The card that brings seat and mate most together, the mate's hand being known."""
    seen = replace(row.observe(seat), tie_break=tie_break)
    usual = STEADY.play(seen)
    if len(seen.legal) == 1:
        return usual
    known = mask(row.hands[mate])
    sight = look(seen)
    open_to = [each & ~known for each in sight.may_hold]
    open_to[mate] = known
    a, b, c, d = open_to
    worlds = Worlds(replace(sight, may_hold=(a, b, c, d)))
    totals = dict.fromkeys(singles(mask(seen.legal)), 0)
    for number in range(WORLDS):
        hands = worlds.hands(random.Random(f"{tie_break}/{number}").randrange(worlds.count))
        hands[seat] = sight.hand
        for bit in totals:
            won = play_out(sight.position, hands, bit, choose)
            bids = sight.position.bids
            totals[bit] += sum(round_score(bids[each], won[each]) for each in (seat, mate))
    best = max(totals.values())
    return usual if totals[mask([usual])] == best else CARD[max(totals, key=totals.__getitem__)]


def play(
    number: int, policies: Sequence[Policy], mates: Sequence[int] = ()
) -> tuple[RoundState, list[tuple[int, Card]]]:
    """A round: how it stood when the first card was due, and the cards. `mates` are the two seats that collude, if any do."""
    row = RoundState(rules=RULES, number=1, dealer=number % 4)
    while row.state is State.BIDDING:
        row = advance(row, number, policies)
    start, plays = row, list[tuple[int, Card]]()
    while not row.is_over:
        seat = row.actors[0]
        seen = see(row, number, seat)
        if seat in mates:
            mate = next(other for other in mates if other != seat)
            card = collude(row, seat, mate, seen.tie_break)
        else:
            card = policies[seat].play(seen)
        plays.append((seat, card))
        row = row.apply(Played(1, seat, card))
    return start, plays


def signals_of(
    number: int, policies: Sequence[Policy], mates: Sequence[int] = ()
) -> dict[tuple[int, int], PairRound]:
    """By two seats: what one round says about them."""
    start, plays = play(number, policies, mates)
    own = [(seat, card, True) for seat, card in plays]
    return pair_rounds(weigh(start, own, str(number), worlds=0))


def seatings(dice: random.Random, rounds: int) -> Iterator[list[int]]:
    """Who sits where, round by round: new places every match of five."""
    for _ in range(0, rounds, 5):
        order = dice.sample(range(4), 4)
        yield from [order] * 5


def z_of(rounds: Sequence[PairRound]) -> float:
    return index([each.gift for each in rounds]).z


def honest(table: int, rounds: int) -> list[float]:
    """How far each of the six pairs of an honest table is from nothing, in standard errors."""
    dice = random.Random(f"honest/{table}")
    people = [KINDS[person % len(KINDS)] for person in dice.sample(range(PLAYERS), 4)]
    found: dict[tuple[int, int], list[PairRound]] = {pair: [] for pair in PAIRS}
    for number, order in enumerate(seatings(dice, rounds)):
        by_seat = signals_of(table * 1000 + number, [people[p] for p in order])
        for one, two in PAIRS:
            found[one, two].append(by_seat[_seats(order, one, two)])
    return [z_of(each) for each in found.values()]


def colluding(pair: int, rounds: int) -> float:
    """The same of a pair that colludes, between two others."""
    dice = random.Random(f"pair/{pair}")
    people = [STEADY, STEADY, *(KINDS[dice.randrange(len(KINDS))] for _ in range(2))]
    found = []
    for number, order in enumerate(seatings(dice, rounds)):
        mates = _seats(order, 0, 1)
        by_seat = signals_of(10**6 + pair * 1000 + number, [people[p] for p in order], mates)
        found.append(by_seat[mates])
    return z_of(found)


def _seats(order: Sequence[int], one: int, two: int) -> tuple[int, int]:
    seats = order.index(one), order.index(two)
    return min(seats), max(seats)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pairs", type=int, default=100)
    options.add_argument("--tables", type=int, default=200, help="honest ones, six pairs each")
    options.add_argument("--rounds", type=int, default=30)
    options.add_argument("--first", type=int, default=100, help="number of the first of each")
    options.add_argument("--plot", type=Path)
    options.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    given = options.parse_args()
    guilty, innocent, started = list[float](), list[float](), perf_counter()
    for number in range(max(given.pairs, given.tables)):
        if number < given.tables:
            innocent += honest(given.first + number, given.rounds)
        if number < given.pairs:
            guilty.append(colluding(given.first + number, given.rounds))
        print(
            f"{number + 1}: found {_share(guilty):.1%} of {len(guilty)}, false {_share(innocent):.2%} of {len(innocent)},"
            f" {perf_counter() - started:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    found, false = _share(guilty), _share(innocent)
    print(f"{given.rounds} rounds each, flagged from {FLAG_Z} standard errors on")
    print(f"colluding pairs found   {found:7.1%} of {len(guilty)}  (bar {LEAST_FOUND:.0%})")
    print(f"honest pairs flagged    {false:7.2%} of {len(innocent)}  (bar {MOST_FALSE:.1%})")
    if given.plot:
        given.plot.write_text(plot(innocent, guilty))
    return 1 if given.check and (found < LEAST_FOUND or false > MOST_FALSE) else 0


def _share(pairs: Sequence[float]) -> float:
    return sum(z >= FLAG_Z for z in pairs) / max(1, len(pairs))


def plot(innocent: Sequence[float], guilty: Sequence[float]) -> str:
    """Both kinds of pairs by their number of standard errors, as SVG."""
    wide, high, low, up = 740, 320, -5.0, 12.0
    bins = int((up - low) * 2)
    parts = []
    for values, colour in ((innocent, "#27446f"), (guilty, "#962a24")):
        counts = [0] * bins
        for z in values:
            counts[min(bins - 1, max(0, int((z - low) * 2)))] += 1
        for place, count in enumerate(counts):
            tall = 240 * count / len(values) / 0.3
            x = 40 + place * (wide - 60) / bins
            parts.append(
                f'<rect x="{x:.1f}" y="{270 - tall:.1f}" width="{(wide - 60) / bins - 1:.1f}" height="{tall:.1f}" fill="{colour}" fill-opacity=".6"/>'
            )
    x = 40 + (FLAG_Z - low) / (up - low) * (wide - 60)
    parts.append(
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="20" y2="270" stroke="#000" stroke-dasharray="4"/>'
    )
    parts += [
        f'<text x="{40 + (z - low) / (up - low) * (wide - 60):.1f}" y="288" text-anchor="middle">{z:g}</text>'
        for z in (-4, -2, 0, 2, 4, 6, 8, 10)
    ]
    title = f"Share of pairs by standard errors: {len(innocent)} honest (blue), {len(guilty)} colluding (red); flagged right of the line"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="13">'
        f'<rect width="{wide}" height="{high}" fill="#fff"/>{"".join(parts)}<text x="40" y="310">{title}</text></svg>\n'
    )


if __name__ == "__main__":
    sys.exit(main())
