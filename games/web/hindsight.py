"""How often a plan would have asked its owner lately: their own hand and public history say it, and only to them."""

from dataclasses import replace

from games.engine.observation import Observation
from games.engine.plan import Plan, Play, decide


def asked_lately(plan: Plan, seen: Observation, *, tricks: int) -> tuple[int, int]:
    """In how many of the last tricks, and of how many, this seat would have been asked."""
    numbers = range(len(seen.tricks))[-tricks:]
    asked = sum(not isinstance(decide(plan, _back_then(seen, number)), Play) for number in numbers)
    return asked, len(numbers)


def _back_then(seen: Observation, number: int) -> Observation:
    """The round as this seat saw it when it played to an earlier trick."""
    assert seen.seat is not None
    trick = seen.tricks[number]
    mine = [other.cards[(seen.seat - other.leader) % 4] for other in seen.tricks[number:]]
    if seen.leader is not None and (place := (seen.seat - seen.leader) % 4) < len(seen.trick):
        mine.append(seen.trick[place])
    winners = [other.winner for other in seen.tricks[:number]]
    return replace(
        seen,
        state="playing",
        to_act=seen.seat,
        acts=True,
        hand=tuple(sorted({*seen.hand, *mine})),
        won=tuple(winners.count(seat) for seat in range(4)),
        tricks=seen.tricks[:number],
        leader=trick.leader,
        trick=trick.cards[: (seen.seat - trick.leader) % 4],
    )
