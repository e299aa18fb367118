"""Sight: which cards are still unseen and who may hold them, from what lay open on the table.

A set of cards is an integer with the bit `card.index` set. Every failure to follow, to beat or to trump deletes cards from
what a seat may hold; nothing else is concluded from the way people play.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from games.engine.cards import DECK, SPADES, SUITS, Card
from games.engine.observation import Observation
from games.engine.rules import HouseRules

FULL: Final = (1 << 52) - 1
SUIT: Final = {suit: 0x1FFF << (13 * place) for place, suit in enumerate(SUITS)}
# By index: the cards of the same suit that are higher, and lower.
ABOVE: Final = tuple(SUIT[card.suit] & ~((2 << card.index) - 1) for card in DECK)
BELOW: Final = tuple(SUIT[card.suit] & ((1 << card.index) - 1) for card in DECK)
BIT: Final = tuple(1 << card.index for card in DECK)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat can work out. `may_hold` goes by seat: the unseen cards that seat could have (none for the observer)."""

    hand: int
    unseen: int
    may_hold: tuple[int, int, int, int]


def mask(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    return sum(BIT[card.index] for card in cards)


def look(observation: Observation) -> Sight:
    """The sight of the seat that observes."""
    hand = mask(observation.hand)
    seen = hand | mask(observation.trick)
    never = [0, 0, 0, 0]  # by seat: cards it has shown it does not hold
    for trick in observation.tricks:
        seen |= mask(trick.cards)
        _rule_out(observation.rules, never, trick.leader, trick.cards)
    if observation.leader is not None:
        _rule_out(observation.rules, never, observation.leader, observation.trick)
    unseen = FULL & ~seen
    a, b, c, d = (0 if seat == observation.seat else unseen & ~never[seat] for seat in range(4))
    return Sight(hand, unseen, (a, b, c, d))


def _rule_out(rules: HouseRules, never: list[int], leader: int, cards: tuple[Card, ...]) -> None:
    """Add to `never` what the cards of one trick prove."""
    if not cards:
        return
    led = cards[0].suit
    best_led, best_spade = cards[0], None if led != SPADES else cards[0]
    for place, card in enumerate(cards[1:], start=1):
        seat = (leader + place) % 4
        ruffed = led != SPADES and best_spade is not None
        if card.suit != led:
            never[seat] |= SUIT[led]
            if rules.must_trump:
                never[seat] |= _missing_spades(rules, card, best_spade)
        elif (
            rules.must_beat
            and card.rank < best_led.rank
            and (rules.must_beat_after_trump or not ruffed)
        ):
            never[seat] |= ABOVE[best_led.index]
        if card.suit == led and card.rank > best_led.rank:
            best_led = card
        if card.is_spade and (best_spade is None or card.rank > best_spade.rank):
            best_spade = card


def _missing_spades(rules: HouseRules, card: Card, best_spade: Card | None) -> int:
    """The spades that a seat without the led suit would have had to play instead of `card`."""
    if not card.is_spade and (best_spade is None or rules.must_trump_low):
        return SUIT[SPADES]
    if best_spade is not None and (not card.is_spade or card.rank < best_spade.rank):
        return ABOVE[best_spade.index]
    return 0
