"""Beginner: counts points, leads its aces, wins cheaply when it can, throws its lowest card when it cannot, and is absent-minded
at times.

It counts no cards and remembers no trick, on purpose.
"""

from collections.abc import Sequence
from typing import Final

from games.bots.policy import roll
from games.engine.cards import SPADES, SUITS, Card
from games.engine.legal import trick_winner
from games.engine.observation import Observation

ACE: Final = 14
ABSENT_PERCENT: Final = 18  # how often any legal card will do

_BID_SALT, _ABSENT_SALT, _CARD_SALT = range(3)

# Tenths of a trick.
_HONOURS: Final = {14: 10, 13: 7, 12: 3}
_LONG_SPADE: Final = 7


class Beginner:
    """The easiest level."""

    def bid(self, observation: Observation) -> int:
        if not observation.hand:
            raise ValueError("nobody bids without a hand")
        rules = observation.rules
        guess = (_points(observation.hand) + 2) // 10 + roll(observation, _BID_SALT, 3) - 1
        return min(max(guess, rules.min_bid), rules.max_bid)

    def play(self, observation: Observation) -> Card:
        legal = observation.legal
        if not legal:
            raise ValueError("it is not this seat's turn to play")
        if roll(observation, _ABSENT_SALT, 100) < ABSENT_PERCENT:
            return legal[roll(observation, _CARD_SALT, len(legal))]
        aces = [card for card in legal if card.rank == ACE and not card.is_spade]
        if aces and not observation.trick:
            return aces[0]
        winning = [
            card
            for card in legal
            if trick_winner((*observation.trick, card)) == len(observation.trick)
        ]
        return min(winning or legal, key=_lowest_first)


def _points(hand: Sequence[Card]) -> int:
    honours = sum(_HONOURS.get(card.rank, 0) for card in hand)
    spades = sum(card.suit == SPADES for card in hand)
    return honours + _LONG_SPADE * max(spades - 3, 0)


def _lowest_first(card: Card) -> tuple[bool, int, int]:
    """Low before high, but any other card before a spade."""
    return card.is_spade, card.rank, SUITS.index(card.suit)
