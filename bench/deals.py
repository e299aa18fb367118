"""Whether the shuffle favours anybody: chi-square and related statistics over many deals, all in range or not.

    python -m bench.deals [--deals 100000] [--check]

The deals are those of callbreak-deal/1 under keys that are hashes of their number, so everybody gets the same ones.
"""

import argparse
import math
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise

from games import dealstats
from games.engine import deal
from games.engine.cards import DECK

# A statistic that is this unlikely by chance is out of range. Six are looked at.
LEAST_CHANCE = 0.001


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--deals", type=int, default=100_000)
    options.add_argument(
        "--check", action="store_true", help="exit with 1 when one is out of range"
    )
    given = options.parse_args()
    cards = [[0] * 4 for _ in DECK]
    places = [[0] * 52 for _ in DECK]
    spades, one_hand, dealers, follows = [0] * 14, [0] * 14, [0] * 4, 0
    for number in range(given.deals):
        key = sha256(f"bench/{number}".encode()).digest()
        deck = deal.deck(key, 0)
        dealers[deal.first_dealer(key)] += 1
        for seat in range(4):
            hand = deck[13 * seat : 13 * seat + 13]
            trumps = sum(card.is_spade for card in hand)
            spades[trumps] += 1
            # Hands of one deal take the spades from each other: of independent ones, one a deal.
            one_hand[trumps] += seat == number % 4
            for card in hand:
                cards[card.index][seat] += 1
        for place, card in enumerate(deck):
            places[card.index][place] += 1
        # How often a card still follows the one that it followed before the shuffle.
        follows += sum(a.index + 1 == b.index for a, b in pairwise(deck))
    n = given.deals
    even = n / 52
    place_value = sum((seen - even) ** 2 / even for row in places for seen in row) * 51 / 52
    spade_value = sum(
        (seen - n * due) ** 2 / (n * due)
        for seen, due in zip(_tail(one_hand), _tail(dealstats.SPADES), strict=True)
    )
    none = dealstats.without_spades(spades[0], n)
    # Each of 51 neighbours keeps its place after the other with chance 1/52.
    expected, spread = n * 51 / 52, math.sqrt(n * 51 / 52)
    tests = {
        "card x seat (153)": dealstats.card_seat(cards, n).chance,
        "card x place (2601)": dealstats.chance(place_value, 51 * 51),
        "first dealer (3)": dealstats.even(dealers).chance,
        "spades in a hand (8)": dealstats.chance(spade_value, 8),
        "neighbours kept": math.erfc(abs(follows - expected) / spread / math.sqrt(2)),
        "hands without spades": math.erfc(
            abs(none.seen - none.expected) / ((none.high - none.expected) / 1.96) / math.sqrt(2)
        ),
    }
    print(
        f"{n} deals; hands without spades {none.seen}, expected {none.expected:.0f} ({none.low:.0f} to {none.high:.0f})"
    )
    for name, value in tests.items():
        print(
            f"{name:24} chance {value:7.4f}  (bar {LEAST_CHANCE}){'' if value >= LEAST_CHANCE else '  MISSED'}"
        )
    return 1 if given.check and min(tests.values()) < LEAST_CHANCE else 0


def _tail(values: Sequence[float]) -> list[float]:
    """With 8 spades and more as one: there are few."""
    return [*values[:8], sum(values[8:])]


if __name__ == "__main__":
    raise SystemExit(main())
