"""What cards are worth: the chance to take this trick with one, and the chance that those kept take a trick later.

Chances are whole thousandths. Nobody's cards are guessed: an unseen card is as likely to be with any seat that may hold it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import comb
from typing import Final

from games.bots.sight import ABOVE, BELOW, BIT, SUIT, Sight
from games.engine.cards import DECK, SPADES, SUITS, Card
from games.engine.legal import trick_winner
from games.engine.observation import Observation

THOUSAND: Final = 1000
SPADE_ROWS: Final = 5
SIDE_ROWS: Final = 12
ALL_SPADES: Final = SUIT[SPADES]

_SIDE_SUITS: Final = tuple(SUIT[suit] for suit in SUITS if suit != SPADES)


def chance_to_win(observation: Observation, sight: Sight, card: Card) -> int:
    """The chance that `card`, played now, takes the trick."""
    trick = (*observation.trick, card)
    if trick_winner(trick) != len(observation.trick):
        return 0
    held = 13 - len(observation.tricks)
    chance = THOUSAND
    for seat in behind(observation):
        chance = chance * _stays_below(sight.may_hold[seat], held, trick[0].suit, card) // THOUSAND
    return chance


def behind(observation: Observation) -> list[int]:
    """The seats that still play to this trick after the observer."""
    assert observation.seat is not None
    return [(observation.seat + step) % 4 for step in range(1, 4 - len(observation.trick))]


def _stays_below(possible: int, held: int, led: str, card: Card) -> int:
    """The chance that a seat, holding `held` cards of `possible`, does not beat `card`."""
    of_led = (possible & SUIT[led]).bit_count()
    void = none_of(of_led, held, possible.bit_count())
    if card.suit == led:
        below = none_of((possible & ABOVE[card.index]).bit_count(), held, possible.bit_count())
        ruffs = 0 if led == SPADES else possible & ALL_SPADES
    else:
        below = THOUSAND
        ruffs = possible & ABOVE[card.index]
    if not void or not ruffs:
        return below
    no_ruff = none_of(ruffs.bit_count(), held, possible.bit_count() - of_led)
    return below - void * (THOUSAND - no_ruff) // THOUSAND


def none_of(count: int, drawn: int, total: int) -> int:
    """The chance that `drawn` cards out of `total` contain none of `count` certain ones."""
    return THOUSAND * comb(total - count, drawn) // comb(total, drawn)


def after(observation: Observation, sight: Sight, card: Card) -> Sight:
    """The sight to be expected after this trick if `card` is played.

    Whoever can beats it with the highest card of the suit, the others follow with their lowest: that is how a suit is drawn
    and how a king behind an ace grows up.
    """
    led = (observation.trick or (card,))[0].suit
    followers = sum(bool(sight.may_hold[seat] & SUIT[led]) for seat in behind(observation))
    unseen = sight.unseen
    higher = unseen & ABOVE[card.index] if card.suit == led else 0
    if followers and higher:
        unseen &= ~(1 << (higher.bit_length() - 1))
        followers -= 1
    for _ in range(followers):
        following = unseen & SUIT[led]
        unseen &= ~(following & -following)
    a, b, c, d = (possible & unseen for possible in sight.may_hold)
    return replace(sight, hand=sight.hand & ~BIT[card.index], unseen=unseen, may_hold=(a, b, c, d))


def worths(weights: Sequence[Sequence[int]], sight: Sight) -> list[int]:
    """For each card in hand the chance that it takes a trick later."""
    chances = [
        sum(weight * value for weight, value in zip(weights[row], values, strict=True))
        for _, row, values in doubtful_cards(sight)
    ]
    sure = sight.hand.bit_count() - len(chances)
    return [THOUSAND] * sure + [min(max(chance, 0), THOUSAND) for chance in chances]


def doubtful_cards(sight: Sight) -> Iterator[tuple[Card, int, tuple[int, ...]]]:
    """Every held card but the spades that nothing beats, with the row of weights that fits it and the values to weigh."""
    hand, unseen = sight.hand, sight.unseen
    lengths = [(hand & suit).bit_count() for suit in _SIDE_SUITS if unseen & suit]
    short = (lengths.count(0), lengths.count(1), lengths.count(2))
    spades, unseen_spades = (hand & ALL_SPADES).bit_count(), (unseen & ALL_SPADES).bit_count()
    left = hand.bit_count()
    rest = hand
    while rest:
        index = (rest & -rest).bit_length() - 1
        rest &= rest - 1
        card = DECK[index]
        higher = (unseen & ABOVE[index]).bit_count()
        guards = min((hand & BELOW[index]).bit_count(), 4)
        ahead = (hand & ABOVE[index]).bit_count()
        if not card.is_spade:
            out = (unseen & SUIT[card.suit]).bit_count()
            row = SPADE_ROWS + 3 * min(higher, 3) + ruff_danger(sight, card.suit)
            covered = min(higher, guards)
            yield (
                card,
                row,
                (1, guards, ahead, out, out * out, left, unseen_spades, spades, covered),
            )
        elif higher:
            row = min(higher, SPADE_ROWS) - 1
            yield card, row, (1, guards, ahead, unseen_spades, higher, left, *short)


def ruff_danger(sight: Sight, suit: str) -> int:
    """0 when no unseen spade is left, 2 when a seat that may hold one is known to be out of `suit`, else 1."""
    if not sight.unseen & ALL_SPADES:
        return 0
    known = any(possible & ALL_SPADES and not possible & SUIT[suit] for possible in sight.may_hold)
    return 2 if known else 1
