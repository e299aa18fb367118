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

# Where that one fails too, the lowest legal answer is given.
LOWEST: Final = "lowest"
# How often a bot may try for one decision.
TRIES: Final = 2

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
    """Let a bot answer for this seat at once: its own one, or the stand-in for a person."""
    answer = ask_bot(table, table.observe(round, seat), level=level_of(table, seat))
    append_answer(table, round, seat, answer, by=by)


def level_of(table: Table, seat: int) -> str:
    """Which bot answers when one is to answer for this seat."""
    return table.seats[seat].bot or STAND_IN


def ask_bot(table: Table, seen: Observation, *, level: str) -> Card | int:
    """The bot's answer; steady's if the bot fails; the lowest legal one if that fails too. A table never hangs on a bot."""
    return ask(table.game.id, with_dice(table.game.id, seen), level=level)[0]


def with_dice(game: str, seen: Observation) -> Observation:
    """The observation with the private number that lets a bot vary its play."""
    assert seen.seat is not None
    dice = dealkeys.tie_break(game, seen.round, seen.attempt, seen.turn, seen.seat)
    return replace(seen, tie_break=dice)


def ask(game: str, seen: Observation, *, level: str, tries: int = TRIES) -> tuple[Card | int, str]:
    """The answer, and which bot gave it: the own one within so many tries, else the stand-in, else `LOWEST`."""
    for asked in (*[level] * tries, STAND_IN):
        try:
            return _legal(seen, BOTS[asked]), asked
        except Exception as error:  # whatever a policy does, the other three must not wait for it
            logger.error("bot_failed", game=game, level=asked, error=type(error).__name__)
    return seen.legal[0] if seen.legal else seen.rules.min_bid, LOWEST


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
