"""Expert: imagines the hidden cards many times over and takes what comes out best on average."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.bots.bidding import bid_on
from games.bots.boards import CARD
from games.bots.search import chances_of, foresee_tricks, weigh_cards
from games.engine.cards import Card
from games.engine.observation import Observation


@dataclass(frozen=True, slots=True)
class Expert:
    """The level that searches. The number of worlds is fixed, so an answer never depends on how fast the machine is.

    `VERSION` goes up whenever the same observation may get another answer.
    """

    VERSION: ClassVar = 1

    bid_worlds: int = 300
    play_worlds: int = 100

    def bid(self, observation: Observation) -> int:
        if not observation.hand:
            raise ValueError("nobody bids without a hand")
        return bid_on(observation, chances_of(foresee_tricks(observation, self.bid_worlds)))

    def play(self, observation: Observation) -> Card:
        legal = observation.legal
        if not legal:
            raise ValueError("it is not this seat's turn to play")
        if len(legal) == 1:
            return legal[0]
        weighed = weigh_cards(observation, self.play_worlds)
        return CARD[weighed.cards[preferred(weighed.values)]]


def preferred(values: Sequence[Sequence[int]]) -> int:
    """The place of the best card. The first, which is the usual one, unless another is better by more than the sampling error: a
    difference that is mere chance must not make the play look odd.
    """
    best, lead = 0, 0
    for place, row in enumerate(values):
        gains = [value - usual for value, usual in zip(row, values[0], strict=True)]
        gained = sum(gains)
        if gained > lead and gained * gained > sum(gain * gain for gain in gains):
            best, lead = place, gained
    return best
