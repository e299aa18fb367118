"""Suits, ranks and the 52 cards; `"QS"` in and out.

A card is one of 52 shared values, so cards compare by identity and sort in the canonical order of a hand:
suit C D H S, rank low to high. Nothing here knows a rule except that spades are a suit like any other.
"""

from collections.abc import Iterable
from typing import Final

SUITS: Final = "CDHS"
RANKS: Final = "23456789TJQKA"
SPADES: Final = "S"


class Card:
    """One of the 52 cards. `rank` is 2..14 (ace high), `suit` one of `CDHS`, `index` its place in canonical order.

    There is exactly one object for each card: take it from `card("QS")`, never make one.
    """

    __slots__ = ("index", "rank", "suit", "text")

    index: int
    rank: int
    suit: str
    text: str

    def __init__(self, index: int) -> None:
        suit, rank = divmod(index, 13)
        self.index = index
        self.rank = rank + 2
        self.suit = SUITS[suit]
        self.text = RANKS[rank] + SUITS[suit]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return self.index

    def __lt__(self, other: "Card") -> bool:
        return self.index < other.index

    def __reduce__(self) -> tuple[object, tuple[str]]:
        # One object per card must survive copying and pickling, else `is` and `in` would tell two aces apart.
        return card, (self.text,)

    @property
    def is_spade(self) -> bool:
        return self.suit == SPADES

    @property
    def is_face(self) -> bool:
        """Jack, queen or king. The ace is not a face card."""
        return 11 <= self.rank <= 13


DECK: Final[tuple[Card, ...]] = tuple(Card(index) for index in range(52))
_BY_TEXT: Final = {card.text: card for card in DECK}


def card(text: str) -> Card:
    """The card written `text` (rank then suit, ten is `T`). ValueError on anything else, lower case included."""
    try:
        return _BY_TEXT[text]
    except (KeyError, TypeError):
        raise ValueError(f"not a card: {text!r} (write rank then suit, as in QS or TD)") from None


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards written in `text`, separated by white space, in the order written. ValueError on anything else."""
    if not isinstance(text, str):
        raise ValueError(f"not a text of cards: {text!r}")
    return tuple(card(word) for word in text.split())


def show_cards(cards: Iterable[Card]) -> str:
    """The text that `parse_cards` reads back: `"AS KD"`."""
    return " ".join(card.text for card in cards)
