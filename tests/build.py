"""Positions written as card text, so that a reader of a test sees the hand."""

from games.engine.cards import Card, parse_cards


def hand(text: str) -> tuple[Card, ...]:
    return parse_cards(text)


def trick(text: str) -> tuple[Card, ...]:
    """The cards of a trick, in the order played."""
    return parse_cards(text)


def cards(text: str) -> list[Card]:
    """A list to compare an answer with."""
    return list(parse_cards(text))


def deal_of(*hands: str) -> tuple[tuple[Card, ...], ...]:
    """A deal, by seat."""
    return tuple(parse_cards(each) for each in hands)
