"""An answer to a decision: what a bot would say, and how any answer becomes an event."""

from dataclasses import replace
from typing import Final, TypeAlias

import structlog

from games import dealkeys, store
from games.bots import BOTS, Policy
from games.engine.cards import Card
from games.engine.events import Bid, Claimed, Played
from games.engine.observation import Observation
from games.engine.round import State
from games.table import Table

logger = structlog.get_logger(__name__)

# Who sits in for a person, and who answers when another bot fails.
STAND_IN: Final = "steady"

# A card, a bid, or None: "the rest are mine".
Answer: TypeAlias = Card | int | None


def append_answer(
    table: Table, round: int, seat: int, answer: Answer, *, by: str, via: str = ""
) -> tuple[int, str]:
    """Write an answer into the log; returns number and hash of its event. RuleViolation changes nothing."""
    if isinstance(answer, Card):
        event = store.append(table, Played(round, seat, answer), by=by, via=via)
    elif answer is None:
        event = store.append(table, Claimed(round, seat), by=by)
    elif table.rules.sealed_bids:
        event = store.append_sealed_bid(table, round, seat, answer, by=by)
    else:
        event = store.append(table, Bid(round, seat, answer), by=by)
    return event.seq, event.hash


def play_bot(table: Table, round: int, seat: int, *, by: str) -> None:
    """Let a bot answer for this seat: its own one, or the stand-in for a person."""
    level = table.seats[seat].bot or STAND_IN
    append_answer(
        table, round, seat, ask_bot(table, table.observe(round, seat), level=level), by=by
    )


def ask_bot(table: Table, seen: Observation, *, level: str) -> Card | int:
    """The bot's answer; steady's if the bot fails; the lowest legal one if that fails too. A table never hangs on a bot."""
    assert seen.seat is not None
    dice = dealkeys.tie_break(table.game.id, seen.round, seen.attempt, seen.turn, seen.seat)
    seen = replace(seen, tie_break=dice)
    for policy in (BOTS[level], BOTS[STAND_IN]):
        try:
            return _legal(seen, policy)
        except Exception as error:  # whatever a policy does, the other three must not wait for it
            logger.error("bot_failed", game=table.game.id, level=level, error=type(error).__name__)
    return seen.legal[0] if seen.legal else seen.rules.min_bid


def _legal(seen: Observation, policy: Policy) -> Card | int:
    """What the policy answers. ValueError if the rules would refuse it."""
    if seen.state == State.PLAYING:
        card = policy.play(seen)
        if card not in seen.legal:
            raise ValueError("a card that may not be played")
        return card
    bid = policy.bid(seen)
    if not seen.rules.allows_bid(bid):
        raise ValueError("a bid out of range")
    return bid
