"""Round scores, totals, who has won and why. Integers only: a score is a whole number of units.

Nothing here knows a card: a finished round is four bids and four counts of tricks, by seat.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.engine.errors import Code, RuleViolation
from games.engine.rules import HouseRules

# A match has keys for so many deals (callbreak-deal/1): one with a target that nobody reaches ends here.
LAST_ROUND: Final = 128
_NOTHING: Final = (0, 0, 0, 0)


class End(StrEnum):
    """Why a match ended, the reason that is named first when several fall together."""

    INSTANT_WIN = "instant_win"
    TARGET = "target"
    ROUNDS = "rounds"
    ROUND_LIMIT = "round_limit"


@dataclass(frozen=True, slots=True)
class Standings:
    """Where a match stands. `totals` (units) and `ranks` go by seat; nobody is among the `winners`
    before the end.
    """

    finished: bool
    reason: End | None
    winners: tuple[int, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]


def round_score(bid: int, won: int) -> int:
    """Score of one seat in units: ten per trick bid and one per trick more, or the whole bid lost.

    Sources: Arcadia "Score a round", EverestBuzz "How a round ends and Scoring", Yeeqia its table
    of outcomes.
    """
    return 10 * bid + (won - bid) if won >= bid else -10 * bid


def round_scores(rules: HouseRules, bids: Sequence[int], won: Sequence[int]) -> list[int]:
    """Units by seat of a finished round.

    `bid_out_of_range` for a bid that the rules do not know, ValueError for what cannot be.
    """
    if len(bids) != 4 or len(won) != 4:
        raise ValueError(f"four bids and four counts of tricks, not {len(bids)} and {len(won)}")
    if any(type(count) is not int or count < 0 for count in won) or sum(won) != 13:
        raise ValueError("tricks won are four counts that add to 13")
    in_range = [rules.allows_bid(bid) for bid in bids]  # all of them: what is malformed comes first
    if not all(in_range):
        raise RuleViolation(Code.BID_OUT_OF_RANGE, min_bid=rules.min_bid, max_bid=rules.max_bid)
    return [round_score(bid, count) for bid, count in zip(bids, won, strict=True)]


def instant_winner(rules: HouseRules, bids: Sequence[int], won: Sequence[int]) -> int | None:
    """The seat whose bid, high enough and made, wins the match at once.

    One at most: `instant_win_bid` is never below 7, and two such bids would need 14 tricks.
    """
    least = rules.instant_win_bid
    if least is None:
        return None
    return next((seat for seat in range(4) if won[seat] >= bids[seat] >= least), None)


def standings(
    rules: HouseRules, results: Iterable[tuple[Sequence[int], Sequence[int]]]
) -> Standings:
    """The match after these finished rounds, each `(bids, won)` by seat.

    ValueError for a round after the end.
    """
    played = list(results)
    for count in range(1, len(played)):
        before = judge(rules, played[:count])
        if before.finished:
            raise ValueError(f"the match was over ({before.reason}) before round {count + 1}")
    return judge(rules, played)


def judge(
    rules: HouseRules,
    results: Iterable[tuple[Sequence[int], Sequence[int]]],
    *,
    void: int = 0,
    adjusted: Sequence[int] = _NOTHING,
    running: bool = False,
    last_key: bool = False,
) -> Standings:
    """Where a match stands, rulings and all: the scored rounds by number, and `adjusted` units by seat on top of them.

    `void` rounds count as played and score nothing. While a round is `running` no match is over; once the `last_key` has been
    dealt with, every match is. A ruling on an earlier round can leave two instant wins: that of the earlier round counts.
    """
    played = list(results)
    scores = [round_scores(rules, bids, won) for bids, won in played]
    totals = _sum([*scores, list(adjusted)])
    at_once = next(
        (seat for bids, won in played if (seat := instant_winner(rules, bids, won)) is not None),
        None,
    )
    reason = None if running else _end(rules, len(played) + void, totals, at_once)
    if reason is None and last_key and not running:
        reason = End.ROUND_LIMIT
    ranks = rank(totals, at_once)
    winners = tuple(seat for seat in range(4) if ranks[seat] == 1) if reason else ()
    return Standings(reason is not None, reason, winners, totals, ranks)


def rank(totals: Sequence[int], at_once: int | None = None) -> tuple[int, ...]:
    """Places by seat, the highest total first, ties sharing the better place (1 1 3 4).

    The seat that won `at_once` is first alone, and the others follow from the second place.
    """
    ahead = [total for seat, total in enumerate(totals) if seat != at_once]
    first = 1 if at_once is None else 2
    return tuple(
        1 if seat == at_once else first + sum(other > total for other in ahead)
        for seat, total in enumerate(totals)
    )


def _sum(scores: Iterable[Sequence[int]]) -> tuple[int, int, int, int]:
    a, b, c, d = (sum(column) for column in zip(*scores, strict=True))
    return a, b, c, d


def _end(rules: HouseRules, played: int, totals: Sequence[int], at_once: int | None) -> End | None:
    if at_once is not None:
        return End.INSTANT_WIN
    if rules.target is not None and max(totals) >= rules.target:
        return End.TARGET
    if rules.rounds is not None and played >= rules.rounds:
        return End.ROUNDS
    if played >= (rules.max_rounds or LAST_ROUND):
        return End.ROUND_LIMIT
    return None
