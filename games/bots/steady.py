"""Steady: bids for the best expected score and plays by counted cards, without searching.

Every card that makes sense is weighed by what it may win now and what the rest of the hand may win later: the chance to make
the bid first, tricks beyond it second, and a trick that sinks the leader of the match is worth something to everybody else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.bots.bidding import best_bid
from games.bots.parameters import CARDS
from games.bots.policy import roll
from games.bots.sight import ABOVE, Sight, look
from games.bots.worth import THOUSAND, after, chance_to_win, worths
from games.engine.cards import Card
from games.engine.observation import Observation

SINK_SHARE: Final = 4  # a leader's lost bid is worth a quarter of our own

_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Steady:
    """The level that counts. `trick_units` is what a trick is worth beside the bid: the rules pay one unit."""

    trick_units: int = 1

    def bid(self, observation: Observation) -> int:
        if not observation.hand:
            raise ValueError("nobody bids without a hand")
        return best_bid(observation)

    def play(self, observation: Observation) -> Card:
        legal = observation.legal
        if not legal:
            raise ValueError("it is not this seat's turn to play")
        if len(legal) == 1:
            return legal[0]
        sight = look(observation)
        chances = {card: chance_to_win(observation, sight, card) for card in legal}
        return max(
            _sensible(observation, sight, chances),
            key=lambda card: (
                _value(observation, sight, card, chances[card], self.trick_units),
                -card.rank,
                roll(observation, card.index, _MILLION),
            ),
        )


def _sensible(observation: Observation, sight: Sight, chances: dict[Card, int]) -> list[Card]:
    """The cards left when those are gone that are never better than another one."""
    need = _needed(observation)
    if need == len(observation.hand) and any(chances.values()):
        most = max(chances.values())  # one trick lost is the bid lost: nothing to save up for
        return [card for card, chance in chances.items() if chance == most]
    winning = [card for card, chance in chances.items() if chance]
    if len(observation.trick) == 3:
        winning = _lowest_of_each_suit(winning)
    losing = _lowest_of_each_suit([card for card, chance in chances.items() if not chance])
    return winning + _idle(sight, losing)


def _idle(sight: Sight, losing: list[Card]) -> list[Card]:
    """Of the cards that lose: those neither spade nor highest of their suit, if there are any."""
    idle = [card for card in losing if not card.is_spade and sight.unseen & ABOVE[card.index]]
    return idle or losing


def _lowest_of_each_suit(cards: list[Card]) -> list[Card]:
    return [
        card
        for card in cards
        if not any(other.suit == card.suit and other < card for other in cards)
    ]


def _value(
    observation: Observation, sight: Sight, card: Card, chance: int, trick_units: int
) -> int:
    """What playing `card` is worth, in thousandths of a unit."""
    rules = observation.rules
    later = worths(CARDS[rules.must_beat, rules.must_trump], after(observation, sight, card))
    value = trick_units * (chance + sum(later)) + _sinking_units(observation) * chance
    need = _needed(observation)
    if need > 0:
        made = chance_of_tricks(need, [chance, *later])
        value += _stake_units(observation, observation.seat) * made // THOUSAND
    return value


def chance_of_tricks(need: int, chances: Sequence[int]) -> int:
    """The chance, in millionths, that at least `need` of these cards win, taken as independent."""
    exactly = [_MILLION, *[0] * need]
    for chance in chances:
        for count in range(need, 0, -1):
            exactly[count] += (exactly[count - 1] - exactly[count]) * chance // THOUSAND
        exactly[0] -= exactly[0] * chance // THOUSAND
    return _MILLION - sum(exactly[:need])


def _needed(observation: Observation, seat: int | None = None) -> int:
    """The tricks that a seat, the observer if none is given, still needs for its bid; 0 or less when it is made."""
    place = observation.seat if seat is None else seat
    assert place is not None
    return (observation.bids[place] or 0) - observation.won[place]


def _stake_units(observation: Observation, seat: int | None) -> int:
    """The difference between making a bid and missing it."""
    assert seat is not None
    return 20 * (observation.bids[seat] or 0)


def _sinking_units(observation: Observation) -> int:
    """What it is worth to take a trick that a leader of the match, who needs every one that is left, cannot do without."""
    others = [seat for seat in range(4) if seat != observation.seat]
    best = max(observation.totals[seat] for seat in others)
    left = len(observation.hand)
    return sum(
        _stake_units(observation, seat) // SINK_SHARE
        for seat in others
        if observation.totals[seat] == best and _needed(observation, seat) == left
    )
