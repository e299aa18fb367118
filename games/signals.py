"""What the cards say about two people playing together: worked out of finished rounds, for a person to look at. Never a verdict.

Every decision between two cards or more is weighed by the simulator: for each legal card the round is played out steadily by all
four, and the seats' scores are compared.

**Gift**: in how many decisions a round the card helped one other seat more than it helped the two others, less those in which it
helped that seat less; each against what the legal cards do for a seat on average. Who plays for themselves helps and harms the three
alike, in the long run, however well or badly they play.
**Knowledge**: by how much better the card that was played does for its own seat as the cards really lay than in worlds drawn from
what that seat could see; for two seats, against the two others at the same table, who draw the same conclusions from the bidding.

Both are taken round by round, so an interval needs nothing but the rounds: they are dealt apart. Pure, no dice: worlds are drawn
by a hash of the round's name.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from statistics import fmean, stdev
from typing import Final

from games.bots.boards import CARD, mask, singles
from games.bots.sight import Sight, look
from games.bots.simulator import play_out
from games.bots.steady import choose
from games.bots.worlds import Worlds
from games.engine.cards import Card
from games.engine.events import Played
from games.engine.round import RoundState
from games.engine.scoring import round_score

PAIRS: Final = tuple(combinations(range(4), 2))
WORLDS: Final = 2
Z_95: Final = 1.96
# From how many standard errors of the gift index on a pair is flagged: bench.collusion says how often that finds whom.
FLAG_Z: Final = 3.4
LEAST_ROUNDS: Final = 30

Hands = Sequence[int]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A decision: what the card did for each seat (units, above the legal cards' average), and what knowledge it shows."""

    seat: int
    helped: tuple[float, ...]
    knew: float


@dataclass(frozen=True, slots=True)
class PairRound:
    """What one round says about two of its seats: gifts in both directions (decisions), knowledge against the two others (units)."""

    gift: float
    knowledge: float


@dataclass(frozen=True, slots=True)
class Index:
    """A mean over rounds with its 95 % interval and how many standard errors it is from nothing."""

    rounds: int
    mean: float
    low: float
    high: float
    z: float


def weigh(
    state: RoundState, plays: Iterable[tuple[int, Card, bool]], name: str, *, worlds: int = WORLDS
) -> list[Weighed]:
    """The decisions of a round. `state` is the round when the first card is due; `name` tells it from all other rounds.

    `plays` are seat, card, and whether the seat's own person chose it. Without `worlds` nothing is said about knowledge.
    """
    found = []
    for turn, (seat, card, is_own) in enumerate(plays):
        seen = state.observe(seat)
        if is_own and len(seen.legal) > 1:
            hands = [mask(hand) for hand in state.hands]
            found.append(_weigh_one(look(seen), seen.legal, hands, card, f"{name}/{turn}", worlds))
        state = state.apply(Played(state.number, seat, card))
    return found


def pair_rounds(weighed: Sequence[Weighed]) -> dict[tuple[int, int], PairRound]:
    """By two seats, lower first: what a round says about them."""
    knew = [[each.knew for each in weighed if each.seat == seat] for seat in range(4)]
    means = [fmean(values) if values else 0.0 for values in knew]
    gifts = dict.fromkeys(PAIRS, 0.0)
    for each in weighed:
        others = [seat for seat in range(4) if seat != each.seat]
        for seat in others:
            rest = [each.helped[other] for other in others if other != seat]
            gifts[_pair(each.seat, seat)] += _sign(each.helped[seat] - fmean(rest))
    return {
        (one, two): PairRound(
            gift=gifts[one, two],
            knowledge=(
                means[one] + means[two] - sum(means[s] for s in range(4) if s not in (one, two))
            )
            / 2,
        )
        for one, two in PAIRS
    }


def index(values: Sequence[float]) -> Index:
    """Of one value a round. With fewer than two rounds nothing can be said: the interval is the whole line."""
    count = len(values)
    mean = fmean(values) if values else 0.0
    error = stdev(values) / math.sqrt(count) if count > 1 else math.inf
    z = mean / error if 0 < error < math.inf else 0.0
    return Index(count, mean, mean - Z_95 * error, mean + Z_95 * error, z)


def is_flagged(gift: Index) -> bool:
    """Whether a reviewer should look at a pair."""
    return gift.rounds >= LEAST_ROUNDS and gift.z >= FLAG_Z


def place_lift(
    places: Mapping[str, Sequence[tuple[str, int]]], one: str, two: str, *, permutations: int = 400
) -> tuple[Index, float]:
    """How much better `one` and `two` place in matches with each other than by their own other matches; and how often chance does as well.

    `places`: by player, `(match, place)` of each of theirs, 1 the best. The null takes as many of each one's matches as they
    played together, whichever those are. The interval is the null's own, laid around the lift.
    """
    shared = {match for match, _ in places[one]} & {match for match, _ in places[two]}
    count = len(shared)
    all_of = [[place for _, place in places[name]] for name in (one, two)]
    if not count or all(len(each) == count for each in all_of):
        return Index(count, 0.0, -math.inf, math.inf, 0.0), 1.0
    usual = sum(fmean(each) for each in all_of) / 2
    mine = [fmean([p for m, p in places[name] if m in shared]) for name in (one, two)]
    lift = usual - sum(mine) / 2
    null = []
    for number in range(permutations):
        drawn = [
            _some(each, count, f"{one}/{two}/{number}/{side}") for side, each in enumerate(all_of)
        ]
        null.append(usual - sum(fmean(each) for each in drawn) / 2)
    spread = stdev(null)
    chance = (1 + sum(value >= lift for value in null)) / (1 + permutations)
    z = lift / spread if spread else 0.0
    return Index(count, lift, lift - Z_95 * spread, lift + Z_95 * spread, z), chance


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _pair(one: int, two: int) -> tuple[int, int]:
    return min(one, two), max(one, two)


def _weigh_one(
    sight: Sight, legal: Sequence[Card], hands: Hands, card: Card, name: str, count: int
) -> Weighed:
    seat = sight.position.seat
    helped = _helped(sight, legal, hands, card)
    if not count:
        return Weighed(seat, helped, 0.0)
    worlds = Worlds(sight)
    imagined = []
    for number in range(count):
        world = worlds.hands(_draw(f"{name}/{number}", worlds.count))
        world[seat] = sight.hand
        imagined.append(_helped(sight, legal, world, card)[seat])
    return Weighed(seat, helped, helped[seat] - fmean(imagined))


def _helped(sight: Sight, legal: Sequence[Card], hands: Hands, card: Card) -> tuple[float, ...]:
    """What `card` does for each seat, above the average of the legal cards."""
    position = sight.position
    values = {}
    for bit in singles(mask(legal)):
        won = play_out(position, hands, bit, choose)
        values[CARD[bit]] = [round_score(b, w) for b, w in zip(position.bids, won, strict=True)]
    return tuple(
        values[card][seat] - fmean(row[seat] for row in values.values()) for seat in range(4)
    )


def _draw(name: str, below: int) -> int:
    # Worlds are many: 32 bytes keep the draw even.
    return int.from_bytes(sha256(name.encode()).digest()) % below


def _some(values: Sequence[int], count: int, name: str) -> list[int]:
    """So many of the values, which ones told by the name."""
    order = sorted(
        range(len(values)), key=lambda place: sha256(f"{name}/{place}".encode()).digest()
    )
    return [values[place] for place in order[:count]]
