"""The arena: bots against bots on the same deals, refereed by the engine.

Duplicate design: a deal is first played by four of the reigning bot, then four more times with the challenger in one seat after
the other. What counts is the difference to the same seat of the same deal, so the luck of the cards mostly cancels. Everything
follows from the number of the deal.
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from games.bots import Policy
from games.engine.cards import DECK
from games.engine.events import Bid, Dealt, Hands, Played, ThrownIn
from games.engine.observation import Observation
from games.engine.round import RoundState, State
from games.engine.rules import HouseRules
from games.engine.scoring import Standings, standings

UNITS_PER_POINT = 10
Z_95 = 1.96


def deal(number: int, attempt: int) -> Hands:
    """The hands of a deal."""
    cards = list(DECK)
    random.Random(f"{number}/{attempt}").shuffle(cards)
    return tuple(tuple(sorted(cards[seat::4])) for seat in range(4))


def play_round(rules: HouseRules, number: int, policies: Sequence[Policy]) -> RoundState:
    """Deal `number`, bid and played to the end by the four policies, thrown-in attempts included."""
    return played_out(RoundState(rules=rules, number=1, dealer=number % 4), number, policies)


def play_match(rules: HouseRules, number: int, policies: Sequence[Policy]) -> Standings:
    """Match `number` to its end, of rules with a fixed number of rounds."""
    assert rules.rounds is not None
    totals: tuple[int, ...] = (0, 0, 0, 0)
    results = []
    for place in range(rules.rounds):
        dealer = (number + place) % 4
        start = RoundState(rules=rules, number=place + 1, dealer=dealer, totals=totals)
        row = played_out(start, rules.rounds * number + place, policies)
        results.append((row.bids_made, row.won))
        totals = standings(rules, results).totals
    return standings(rules, results)


def played_out(row: RoundState, number: int, policies: Sequence[Policy]) -> RoundState:
    while not row.is_over:
        row = advance(row, number, policies)
    return row


def advance(row: RoundState, number: int, policies: Sequence[Policy]) -> RoundState:
    """The round one event later."""
    if row.throw_in is not None:
        return row.apply(ThrownIn(row.number, row.attempt, row.throw_in))
    if row.awaits_deal:
        return row.apply(Dealt(row.number, row.attempt + 1, deal(number, row.attempt + 1)))
    seat = row.actors[0]
    seen = see(row, number, seat)
    if row.state is State.BIDDING:
        return row.apply(Bid(row.number, seat, policies[seat].bid(seen)))
    return row.apply(Played(row.number, seat, policies[seat].play(seen)))


def see(row: RoundState, number: int, seat: int) -> Observation:
    """What `seat` sees, with a tie-break of its own for every decision."""
    tie_break = random.Random(f"{number}/{row.attempt}/{row.turn}/{seat}").getrandbits(64)
    return replace(row.observe(seat), tie_break=tie_break)


@dataclass(frozen=True, slots=True)
class Line:
    """One seat's round: what it bid, took and scored (units)."""

    bid: int
    won: int
    score: int


def lines(row: RoundState) -> list[Line]:
    """The four seats of a finished round."""
    assert row.scores is not None
    return [
        Line(bid or 0, won, score)
        for bid, won, score in zip(row.bids, row.won, row.scores, strict=True)
    ]


def self_play(rules: HouseRules, policy: Policy, deals: range) -> Iterator[list[Line]]:
    """Deal by deal, the four lines when `policy` sits everywhere."""
    for number in deals:
        yield lines(play_round(rules, number, [policy] * 4))


def duel(
    rules: HouseRules, challenger: Policy, reigning: Policy, deals: range
) -> Iterator[tuple[list[Line], list[Line]]]:
    """Deal by deal, the challenger's line in each seat and the reigning bot's line in the same seats."""
    for number in deals:
        base = lines(play_round(rules, number, [reigning] * 4))
        tried = []
        for seat in range(4):
            table = [reigning] * 4
            table[seat] = challenger
            tried.append(lines(play_round(rules, number, table))[seat])
        yield tried, base


def win_shares(
    rules: HouseRules, challenger: Policy, reigning: Policy, matches: range
) -> Iterator[float]:
    """Match by match, the challenger's share of the wins when it sits in each of the four seats in turn. Par is a quarter."""
    for number in matches:
        share = 0.0
        for seat in range(4):
            table = [reigning] * 4
            table[seat] = challenger
            winners = play_match(rules, number, table).winners
            share += (seat in winners) / len(winners)
        yield share / 4


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with the half-width of its 95 % confidence interval."""

    mean: float
    half_width: float

    @property
    def low(self) -> float:
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        return self.mean + self.half_width

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.half_width:.3f}"


def estimate(samples: Sequence[float]) -> Estimate:
    """Of independent samples, at least two."""
    count = len(samples)
    mean = sum(samples) / count
    variance = sum((sample - mean) ** 2 for sample in samples) / (count - 1)
    return Estimate(mean, Z_95 * math.sqrt(variance / count))
