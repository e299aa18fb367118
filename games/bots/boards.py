"""Boards: sets of cards as integers, and what the rules say about them.

A card is one bit, 4 * (rank - 2) + the place of its suit in CDHS, so the lowest bit of a set is its lowest card whatever the
suit. A trick is told by three numbers: `led`, all cards of the suit led (0 before the lead), `best`, the card that takes it
so far, and `best_led`, the highest card of the suit led. The engine is the referee: the tests hold `legal` and `BEATS`
against it.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from games.engine.cards import DECK, SUITS, Card
from games.engine.rules import HouseRules

FULL: Final = (1 << 52) - 1
CLUBS: Final = FULL // 15
SUIT_SETS: Final = tuple(CLUBS << place for place in range(4))
SIDE_SUITS: Final = SUIT_SETS[:3]
SPADES: Final = SUIT_SETS[3]

BIT: Final = tuple(1 << (4 * (card.rank - 2) + SUITS.index(card.suit)) for card in DECK)
CARD: Final[Mapping[int, Card]] = MappingProxyType(dict(zip(BIT, DECK, strict=True)))
# A search looks these up all the time: bare dictionaries are quickest.
SUIT_OF: Final[Mapping[int, int]] = {
    bit: next(suit for suit in SUIT_SETS if suit & bit) for bit in BIT
}


def above(card: int) -> int:
    """The cards of the same suit that are higher."""
    return SUIT_OF[card] & -(card << 1)


# By card: what takes the trick from it.
BEATS: Final[Mapping[int, int]] = {
    bit: above(bit) if bit & SPADES else above(bit) | SPADES for bit in BIT
}


def mask(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    return sum(BIT[card.index] for card in cards)


def singles(cards: int) -> Iterator[int]:
    """The cards of a set one by one, the lowest first."""
    while cards:
        card = cards & -cards
        yield card
        cards ^= card


def legal(rules: HouseRules, hand: int, led: int, best: int, best_led: int) -> int:
    """The cards of `hand` that may be played to this trick; all of them to an empty one."""
    following = hand & led
    if following:
        if rules.must_beat and (best & led or rules.must_beat_after_trump):
            return following & BEATS[best_led] or following
        return following
    if led and rules.must_trump:
        spades = hand & SPADES
        return spades & BEATS[best] or (rules.must_trump_low and spades) or hand
    return hand


def missing(rules: HouseRules, card: int, led: int, best: int, best_led: int) -> int:
    """The cards that a seat cannot hold which follows this trick with `card`: it would have had to play one of them."""
    if card & led:
        if rules.must_beat and (best & led or rules.must_beat_after_trump):
            return 0 if card & BEATS[best_led] else led & BEATS[best_led]
        return 0
    if not rules.must_trump or card & SPADES & BEATS[best]:
        return led
    if rules.must_trump_low and not card & SPADES:
        return led | SPADES
    return led | (SPADES & BEATS[best])
