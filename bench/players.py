"""Players that only the benchmarks need: yardsticks that bid like a given bot and play by a single idea."""

from dataclasses import dataclass

from games.bots import Policy
from games.bots.policy import roll
from games.engine.cards import Card
from games.engine.legal import trick_winner
from games.engine.observation import Observation


@dataclass(frozen=True, slots=True)
class Greedy:
    """Wants every trick now: leads its highest card, wins as cheaply as it can, throws its lowest card otherwise."""

    bidder: Policy

    def bid(self, observation: Observation) -> int:
        return self.bidder.bid(observation)

    def play(self, observation: Observation) -> Card:
        trick = observation.trick
        legal = observation.legal
        if not trick:
            return max(legal, key=lambda card: (card.rank, card.index))
        winning = [card for card in legal if trick_winner((*trick, card)) == len(trick)]
        return min(winning or legal, key=lambda card: (card.is_spade, card.rank, card.index))


@dataclass(frozen=True, slots=True)
class LowLeader(Greedy):
    """Greedy only when it follows: it opens every trick with its lowest card."""

    def play(self, observation: Observation) -> Card:
        if observation.trick:
            return Greedy.play(self, observation)
        return min(observation.legal, key=lambda card: (card.is_spade, card.rank, card.index))


@dataclass(frozen=True, slots=True)
class RandomCards:
    """Any legal card, after a sensible bid."""

    bidder: Policy

    def bid(self, observation: Observation) -> int:
        return self.bidder.bid(observation)

    def play(self, observation: Observation) -> Card:
        legal = observation.legal
        return legal[roll(observation, 0, len(legal))]


class RandomLegal:
    """Any legal bid, any legal card."""

    def bid(self, observation: Observation) -> int:
        rules = observation.rules
        return rules.min_bid + roll(observation, 0, rules.max_bid - rules.min_bid + 1)

    def play(self, observation: Observation) -> Card:
        legal = observation.legal
        return legal[roll(observation, 0, len(legal))]
