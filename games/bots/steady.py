"""Steady: bids for the best expected score and plays by counted cards, without searching.

`choose` is the whole of its play, on bitboards: the search of stronger bots lets all four seats play on by it.
"""

from games.bots.bidding import best_bid
from games.bots.boards import BEATS, CARD, SIDE_SUITS, SPADES, mask
from games.bots.sight import Sight, look
from games.engine.cards import Card
from games.engine.observation import Observation


class Steady:
    """The level that counts."""

    def bid(self, observation: Observation) -> int:
        if not observation.hand:
            raise ValueError("nobody bids without a hand")
        return best_bid(observation)

    def play(self, observation: Observation) -> Card:
        may_play = mask(observation.legal)
        if not may_play:
            raise ValueError("it is not this seat's turn to play")
        return CARD[choose_from(may_play, look(observation))]


def choose_from(may_play: int, sight: Sight) -> int:
    """The card to play for the seat that sees this."""
    position = sight.position
    led, best, _ = position.trick
    need = position.bids[position.seat] - position.won[position.seat]
    return choose(
        may_play, sight.hand, sight.unseen, led, best, position.behind, need, position.short
    )


def choose(
    may_play: int, hand: int, out: int, led: int, best: int, behind: int, need: int, short: int
) -> int:
    """The card to play, as `simulator.Choose` asks."""
    if not led:
        return _lead(hand, out, need, short)
    winning = may_play & BEATS[best]
    if not winning:
        return _lowest(may_play) if may_play & led else _discard(may_play, out)
    if not behind:
        return _lowest(winning & ~SPADES or winning)
    following = winning & led
    if not following:
        return _lowest(winning)  # a low ruff: a higher one is saved for the next
    # Whoever beats it will have to do it with what is out: play what nothing in the suit beats, or else as little as can be.
    higher = out & led
    if following > higher:
        return _lowest(following & -(1 << higher.bit_length()))
    return _lowest(may_play & ~winning or following)


def _lead(hand: int, out: int, need: int, short: int) -> int:
    """The card to open a trick with."""
    spades, spades_out = hand & SPADES, out & SPADES
    leads_trumps = spades > spades_out
    if leads_trumps and need >= hand.bit_count():
        return _highest(spades)  # one trick lost is the bid lost: nothing to save up for
    safe, most_out, in_danger = 0, -1, False
    for suit in SIDE_SUITS:
        mine, others = hand & suit, out & suit
        if mine <= others:
            continue  # somebody can beat it
        if spades_out and short & suit:
            in_danger = True
        elif others.bit_count() > most_out:  # the more cards are out, the less likely is a ruff
            safe, most_out = _highest(mine), others.bit_count()
    if safe:
        return safe
    sides = hand & ~SPADES
    if sides and not (leads_trumps and spades_out and in_danger):
        return _lowest(sides)
    return _highest(spades) if leads_trumps else _lowest(spades)


def _discard(may_play: int, out: int) -> int:
    """The card to lose with: no spade, nor a card that nothing in its suit beats, while there is another."""
    sides = may_play & ~SPADES
    idle = sides
    for suit in SIDE_SUITS:
        idle &= ~(suit & -(1 << (out & suit).bit_length()))
    return _lowest(idle or sides or may_play)


def _lowest(cards: int) -> int:
    return cards & -cards


def _highest(cards: int) -> int:
    return 1 << (cards.bit_length() - 1)
