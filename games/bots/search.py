"""Search: what each card, and each number of tricks, comes to over many worlds that fit what a seat knows.

In every world the round is played out by the steady way of choosing, for all four seats. What comes back are whole numbers,
world by world, so that whoever compares them can also tell how sure the comparison is. The worlds follow from the
observation and its tie-break alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.bots.bidding import THOUSAND, usual_bid
from games.bots.boards import FULL, SUIT_SETS, mask, singles
from games.bots.policy import Dice
from games.bots.sight import look
from games.bots.simulator import BEFORE_THE_LEAD, Position, play_out
from games.bots.steady import choose, choose_from
from games.bots.worlds import Worlds
from games.engine.observation import Observation
from games.engine.rules import HouseRules
from games.engine.scoring import round_score

# A value is this many times a unit: own score less half the mean of the others' makes sixths.
SIXTHS: Final = 6
# In the last round: what every seat that ends above, and half of it for one that ends level, takes away.
PLACE: Final = 2000

# How likely a bid is where a steady player would have bid so many tricks more or fewer.
_LIKENESS: Final = (8, 4, 1)

Value: TypeAlias = Callable[[Sequence[int]], int]


@dataclass(frozen=True, slots=True)
class Weighed:
    """`values[i]`, world by world, of playing `cards[i]`. Each stands for the `runs[i]` of cards that are as good as itself; the
    first is what a steady player would do. Where only one is left there is nothing to weigh, and no value.
    """

    cards: tuple[int, ...]
    runs: tuple[int, ...]
    values: tuple[tuple[int, ...], ...]


def weigh_cards(observation: Observation, worlds: int, *, for_points: bool = False) -> Weighed:
    """The cards that may be played now, each tried in the same worlds.

    Values are sixths of a unit: own score less half the mean of the others'. In the last round places are played for, and count
    as well, unless it is `for_points`.
    """
    sight = look(observation)
    seat, may_play = sight.position.seat, mask(observation.legal)
    usual = choose_from(may_play, sight)
    # Sorting is stable: the usual one comes first, the others from the lowest up.
    runs = sorted(
        runs_of(may_play, sight.unseen | mask(observation.trick)), key=lambda run: not run & usual
    )
    cards = [run & -run for run in runs]
    if len(cards) == 1:
        return Weighed(tuple(cards), tuple(runs), ((),))
    value = _value_of(observation, for_points=for_points)
    possible, dice = Worlds(sight), Dice(observation.tie_break ^ observation.turn)
    rows = []
    for _ in range(worlds):
        hands = possible.hands(dice.below(possible.count))
        hands[seat] = sight.hand
        rows.append([value(play_out(sight.position, hands, card, choose)) for card in cards])
    return Weighed(tuple(cards), tuple(runs), tuple(zip(*rows, strict=True)))


def runs_of(cards: int, others: int) -> list[int]:
    """The cards in runs between which nobody else has one: which card of a run is played makes no difference."""
    runs = []
    for suit in SUIT_SETS:
        run = 0
        for card in singles(cards & suit):
            if run and others & suit & (card - 1) & -run:
                runs.append(run)
                run = 0
            run |= card
        if run:
            runs.append(run)
    return sorted(runs, key=lambda run: run & -run)


def foresee_tricks(observation: Observation, worlds: int) -> list[tuple[int, int]]:
    """World by world: the tricks that the seat, about to bid, takes, and the weight of that world.

    A world counts for less where steady players would not have bid what was bid.
    """
    sight = look(observation)
    seat, rules, bids = sight.position.seat, observation.rules, observation.bids
    leader = (observation.dealer + 1) % 4
    possible, dice = Worlds(sight), Dice(observation.tie_break ^ observation.turn)
    foreseen = []
    for _ in range(worlds):
        hands = possible.hands(dice.below(possible.count))
        hands[seat] = sight.hand
        usual = [usual_bid(rules, each) for each in hands]
        assumed = tuple(
            expected if made is None else made for made, expected in zip(bids, usual, strict=True)
        )
        start = Position(rules, leader, BEFORE_THE_LEAD, leader, 3, 0, assumed, (0, 0, 0, 0))
        led = hands[leader]
        lead = choose(led, led, FULL & ~led, 0, 0, 3, assumed[leader], 0)
        won = play_out(start, hands, lead, choose)
        foreseen.append((won[seat], _likeness(rules, bids, usual)))
    return foreseen


def chances_of(foreseen: Sequence[tuple[int, int]]) -> list[int]:
    """The chance, in thousandths, of at least 0, 1, ... 13 tricks."""
    whole = sum(weight for _, weight in foreseen)
    return [
        THOUSAND * sum(weight for won, weight in foreseen if won >= tricks) // whole
        for tricks in range(14)
    ]


def _likeness(rules: HouseRules, bids: Sequence[int | None], usual: Sequence[int]) -> int:
    """How well the bids that were made go with the hands of a world, whose usual bids these are."""
    likeness = 1
    for made, expected in zip(bids, usual, strict=True):
        # A bid at the least or the most that the rules allow may stand for any worse or better hand.
        if made is not None and rules.min_bid < made < rules.max_bid:
            likeness *= _LIKENESS[min(abs(made - expected), 2)]
    return likeness


def _value_of(observation: Observation, *, for_points: bool) -> Value:
    """What a finished round is worth to the seat: its score against the others', or in the last round its place."""
    seat, totals = observation.seat, observation.totals
    bids = [bid or 0 for bid in observation.bids]
    assert seat is not None
    others = [other for other in range(4) if other != seat]

    def scored(won: Sequence[int]) -> int:
        scores = [round_score(bid, count) for bid, count in zip(bids, won, strict=True)]
        return (SIXTHS + 1) * scores[seat] - sum(scores)

    def placed(won: Sequence[int]) -> int:
        ends = [
            total + round_score(bid, count)
            for total, bid, count in zip(totals, bids, won, strict=True)
        ]
        above = sum((ends[other] > ends[seat]) + (ends[other] >= ends[seat]) for other in others)
        return scored(won) - PLACE // 2 * above

    # Side by side nobody knows, when the last round is dealt, what the others will bring.
    decides = observation.is_last_round and not observation.rules.parallel_rounds
    return placed if decides and not for_points else scored
