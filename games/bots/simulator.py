"""The simulator: a round played out on bitboards by one way of choosing, from any point of a trick to the last card.

It knows all four hands and is handed imagined ones by the search. A choice is asked for only where there is one, and is told
no more than the seat to choose may know.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.bots.boards import BEATS, SUIT_OF, legal
from games.engine.rules import HouseRules

# choose(may_play, hand, out, led, best, behind, need, short) -> the card to play. `out` are the cards that others hold,
# `behind` is how many seats still play to the trick, `need` the tricks the bid still asks for (0 or less once it is made) and
# `short` the suits, each with all its cards, that somebody has failed to follow.
Choose: TypeAlias = Callable[[int, int, int, int, int, int, int, int], int]

BEFORE_THE_LEAD: Final = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Position:
    """A round when `seat` is to play, but for the hands. `trick` is led, best and best_led (see `boards`), `winner` the seat
    of the best card; `bids` and `won` go by seat.
    """

    rules: HouseRules
    seat: int
    trick: tuple[int, int, int]
    winner: int
    behind: int
    short: int
    bids: tuple[int, ...]
    won: tuple[int, ...]


def play_out(position: Position, hands: Sequence[int], card: int, choose: Choose) -> list[int]:
    """The tricks by seat when `position.seat` plays `card` and everybody goes on as `choose` says."""
    # One long loop on local names: this is where a search spends its time.
    rules, seat, winner, behind = position.rules, position.seat, position.winner, position.behind
    short, bids = position.short, position.bids
    led, best, best_led = position.trick
    must_beat, must_beat_after_trump = rules.must_beat, rules.must_beat_after_trump
    must_trump, beats, suit_of = rules.must_trump, BEATS, SUIT_OF
    held, won = list(hands), list(position.won)
    live = held[0] | held[1] | held[2] | held[3]
    while True:
        held[seat] ^= card
        live ^= card
        if not led:
            led, best, best_led, winner = suit_of[card], card, card, seat
        else:
            if card & beats[best]:
                best, winner = card, seat
            if card & led and card > best_led:
                best_led = card
        if behind:
            behind -= 1
            seat = (seat + 1) & 3
        else:
            won[winner] += 1
            if not live:
                return won
            seat, behind = winner, 3
            led = best = best_led = 0
        hand = held[seat]
        # `legal`, told again here for the common cases: calling it takes a fifth of the time.
        card = hand & led
        if card:
            if must_beat and (best & led or must_beat_after_trump):
                card = card & beats[best_led] or card
        elif led and must_trump:
            short |= led
            card = legal(rules, hand, led, best, best_led)
        else:
            short |= led
            card = hand
        if card & (card - 1):
            need = bids[seat] - won[seat]
            card = choose(card, hand, live & ~hand, led, best, behind, need, short)
