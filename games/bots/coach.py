"""The coach: what the expert would have done with what a seat knew, and what another choice costs on average.

Costs are hundredths of a unit of this round: the own score less half of what the others score on average. Each comes with the
half-width of its 95 % interval, as far as the number of worlds tried leaves it open. Places in the match are left aside.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.bots.bidding import THOUSAND, bid_on, bid_values
from games.bots.boards import BIT, CARD
from games.bots.expert import preferred
from games.bots.search import SIXTHS, chances_of, foresee_tricks, weigh_cards
from games.engine.cards import Card
from games.engine.observation import Observation
from games.engine.scoring import round_score

WORLDS: Final = 300
HUNDRED: Final = 100

_Z_95: Final = 1.96


@dataclass(frozen=True, slots=True)
class JudgedCard:
    """`best` is what the expert would have played, `choices` how many cards made a difference."""

    best: Card
    choices: int
    cost: int
    error: int


@dataclass(frozen=True, slots=True)
class Foresight:
    """What a seat about to bid can expect: the chance of exactly 0, 1, ... 13 tricks in thousandths, the average score of each
    bid in hundredths of a unit, and the bid that the expert would make.
    """

    tricks: tuple[int, ...]
    scores: dict[int, int]
    best: int


@dataclass(frozen=True, slots=True)
class JudgedBid:
    """`made` is the chance, in thousandths, that the bid is made."""

    foresight: Foresight
    made: int
    cost: int
    error: int


def judge_card(observation: Observation, card: Card) -> JudgedCard:
    """What it costs to play `card` here. Nothing where it is as good as the expert's, card for card."""
    weighed = weigh_cards(observation, WORLDS, for_points=True)
    best = preferred(weighed.values)
    mine = next(place for place, run in enumerate(weighed.runs) if run & BIT[card.index])
    if mine == best:
        return JudgedCard(card, len(weighed.cards), 0, 0)
    losses = [
        better - own for better, own in zip(weighed.values[best], weighed.values[mine], strict=True)
    ]
    cost, error = _average(losses, [1] * len(losses))
    return JudgedCard(
        CARD[weighed.cards[best]], len(weighed.cards), cost // SIXTHS, -(-error // SIXTHS)
    )


def judge_bid(observation: Observation, bid: int) -> JudgedBid:
    """What it costs to bid `bid` here."""
    foreseen = foresee_tricks(observation, WORLDS)
    foresight = _foresight(observation, foreseen)
    losses = [round_score(foresight.best, won) - round_score(bid, won) for won, _ in foreseen]
    _, error = _average(losses, [weight for _, weight in foreseen])
    cost = foresight.scores[foresight.best] - foresight.scores[bid]
    return JudgedBid(foresight, chances_of(foreseen)[bid], cost, error)


def foresee(observation: Observation) -> Foresight:
    """What the seat, about to bid, can expect."""
    return _foresight(observation, foresee_tricks(observation, WORLDS))


def _foresight(observation: Observation, foreseen: Sequence[tuple[int, int]]) -> Foresight:
    chances = [*chances_of(foreseen), 0]
    values = bid_values(observation, chances)
    return Foresight(
        tricks=tuple(chances[tricks] - chances[tricks + 1] for tricks in range(14)),
        scores={bid: value * HUNDRED // THOUSAND for bid, value in values.items()},
        best=bid_on(observation, chances),
    )


def _average(values: Sequence[int], weights: Sequence[int]) -> tuple[int, int]:
    """The weighted mean and the half-width of its 95 % interval, in hundredths."""
    whole = sum(weights)
    mean = sum(value * weight for value, weight in zip(values, weights, strict=True)) / whole
    spread = sum(
        (weight * (value - mean)) ** 2 for value, weight in zip(values, weights, strict=True)
    )
    return round(HUNDRED * mean), round(HUNDRED * _Z_95 * spread**0.5 / whole)
