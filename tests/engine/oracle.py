"""What each house's text allows, written again from the texts, sharing nothing with the engine.

A card is its text and a ruleset is a function, one for each house. `allows(hand, trick, card)` asks
whether a held card may be played to the cards already down. There are no fields and no shortcuts
here: every sentence of a text is a line.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Final

Allows = Callable[[Collection[str], Sequence[str], str], bool]

_ORDER: Final = "23456789TJQKA"


def legal(allows: Allows, hand: Collection[str], trick: Sequence[str]) -> set[str]:
    return {card for card in hand if allows(hand, trick, card)}


def arcadia(hand: Collection[str], trick: Sequence[str], card: str) -> bool:
    """Arcadia: following, following after a trump, not being able to follow."""
    if leads(trick):
        return True
    if can_follow(hand, trick):
        if not follows(card, trick):
            return False
        if spades_were_led(trick) or not has_been_trumped(trick):
            return passes_the_suit(card, trick) or not any(
                passes_the_suit(other, trick) for other in hand
            )
        return True
    if any(beats_every_spade(other, trick) for other in hand):
        return beats_every_spade(card, trick)
    return True


def everestbuzz_basic(hand: Collection[str], trick: Sequence[str], card: str) -> bool:
    """EverestBuzz, without options: friends' tables, and practice as it comes."""
    if leads(trick):
        return True
    if can_follow(hand, trick):
        return follows(card, trick)
    return True


def everestbuzz_must_beat(hand: Collection[str], trick: Sequence[str], card: str) -> bool:
    """The basic rule and: following, a card over the best of that suit, while no trump wins."""
    if not everestbuzz_basic(hand, trick, card):
        return False
    if leads(trick) or not can_follow(hand, trick):
        return True
    if has_been_trumped(trick) and not spades_were_led(trick):
        return True
    return passes_the_suit(card, trick) or not any(passes_the_suit(other, trick) for other in hand)


def everestbuzz_must_trump(hand: Collection[str], trick: Sequence[str], card: str) -> bool:
    """The basic rule and: unable to follow, a winning spade, over one that is down already too."""
    if not everestbuzz_basic(hand, trick, card):
        return False
    if leads(trick) or can_follow(hand, trick):
        return True
    return beats_every_spade(card, trick) or not any(
        beats_every_spade(other, trick) for other in hand
    )


def everestbuzz_must_both(hand: Collection[str], trick: Sequence[str], card: str) -> bool:
    """Both options on: each says its own."""
    return everestbuzz_must_beat(hand, trick, card) and everestbuzz_must_trump(hand, trick, card)


def yeeqia(hand: Collection[str], trick: Sequence[str], card: str) -> bool:
    """Yeeqia, from the opening lead to what may be discarded."""
    if leads(trick):
        return True
    if can_follow(hand, trick):
        return follows(card, trick)
    if not any(is_spade(other) for other in hand):
        return True
    if not has_been_trumped(trick):
        return is_spade(card)
    if any(beats_every_spade(other, trick) for other in hand):
        return beats_every_spade(card, trick)
    return True


ORACLES: Final[dict[str, Allows]] = {
    "arcadia": arcadia,
    "everestbuzz-friends": everestbuzz_basic,
    "everestbuzz-practice": everestbuzz_basic,
    "everestbuzz-practice + must_beat": everestbuzz_must_beat,
    "everestbuzz-practice + must_trump": everestbuzz_must_trump,
    "everestbuzz-practice + must_beat + must_trump": everestbuzz_must_both,
    "yeeqia": yeeqia,
}


def leads(trick: Sequence[str]) -> bool:
    return not trick


def follows(card: str, trick: Sequence[str]) -> bool:
    return card[1] == trick[0][1]


def can_follow(hand: Collection[str], trick: Sequence[str]) -> bool:
    return any(follows(card, trick) for card in hand)


def is_spade(card: str) -> bool:
    return card[1] == "S"


def spades_were_led(trick: Sequence[str]) -> bool:
    return is_spade(trick[0])


def has_been_trumped(trick: Sequence[str]) -> bool:
    return any(is_spade(card) for card in trick)


def outranks(card: str, other: str) -> bool:
    return _ORDER.index(card[0]) > _ORDER.index(other[0])


def passes_the_suit(card: str, trick: Sequence[str]) -> bool:
    """Of the suit led, and over every card of it in the trick."""
    return follows(card, trick) and all(
        outranks(card, other) for other in trick if follows(other, trick)
    )


def beats_every_spade(card: str, trick: Sequence[str]) -> bool:
    return is_spade(card) and all(outranks(card, other) for other in trick if is_spade(other))
