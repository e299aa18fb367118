"""Steady: bids for the best expected score and plays by rules of thumb and counted cards."""

from games.bots.bidding import best_bid
from games.bots.sight import ABOVE, look
from games.engine.cards import SUITS, Card
from games.engine.legal import trick_winner
from games.engine.observation import Observation


class Steady:
    """The level that thinks, without searching."""

    def bid(self, observation: Observation) -> int:
        if not observation.hand:
            raise ValueError("nobody bids without a hand")
        return best_bid(observation)

    def play(self, observation: Observation) -> Card:
        legal = observation.legal
        if not legal:
            raise ValueError("it is not this seat's turn to play")
        sight = look(observation)
        if not observation.trick:
            bosses = [
                card for card in legal if not sight.unseen & ABOVE[card.index] and not card.is_spade
            ]
            return min(bosses or legal, key=_cheapest)
        winning = [
            card
            for card in legal
            if trick_winner((*observation.trick, card)) == len(observation.trick)
        ]
        return min(winning or legal, key=_cheapest)


def _cheapest(card: Card) -> tuple[bool, int, int]:
    return card.is_spade, card.rank, SUITS.index(card.suit)
