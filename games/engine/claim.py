"""Claims that prove themselves, and the cards that everybody knows to be forced.

Neither asks what others hold. A claim's answer follows from the claimant's own hand and the public history, so it is the
same for every way the unseen cards may lie; `publicly_forced` follows from the public history alone. Nothing else may ever
be played without being asked for: a card that only its holder knows to be forced would tell the table of a void.
"""

from games.engine.cards import DECK, Card
from games.engine.observation import TRICKS, Observation


def claim_proven(observation: Observation) -> bool:
    """Whether this seat takes every remaining trick, whatever the others hold and however they defend.

    It must be its turn to lead an empty trick, every card it holds must outrank all unseen cards of its suit, and it must
    hold as many spades as are unseen, or nothing but spades. Then spades led first draw all others, or are all there is,
    and no lead of the rest can be beaten or ruffed. True is a proof; False says only that this is none.
    """
    if not observation.acts or observation.state != "playing" or observation.trick:
        return False
    hand = observation.hand
    unseen = unseen_cards(observation)
    best_unseen = {card.suit: card.rank for card in unseen}  # canonical order: the last is the best
    if any(card.rank < best_unseen.get(card.suit, 0) for card in hand):
        return False
    spades = sum(card.is_spade for card in hand)
    return spades == len(hand) or sum(card.is_spade for card in unseen) <= spades


def unseen_cards(observation: Observation) -> tuple[Card, ...]:
    """The cards neither played nor held by this seat, in canonical order: 52 - played - own."""
    seen = {*observation.hand, *observation.trick}
    for trick in observation.tricks:
        seen.update(trick.cards)
    return tuple(card for card in DECK if card not in seen)


def publicly_forced(observation: Observation) -> bool:
    """Whether the whole table knows that the next card leaves no choice: it belongs to the last trick.

    Made for the spectator's view, `row.observe(None)`; no hand is looked at, so any view of the round gives the same answer.
    """
    return observation.state == "playing" and len(observation.tricks) == TRICKS - 1
