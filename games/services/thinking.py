"""A bot that searches takes its time: it is asked outside the lock of its game, and may be killed while it thinks.

Before it thinks a row says that a worker has begun. So a decision that nobody finished is known: the next worker gives the bot
one try more, the one after that asks the stand-in. The sweep brings these workers within a minute.
"""

from dataclasses import dataclass, field

import structlog

from games.bots import BOTS
from games.bots.expert import Expert
from games.engine.cards import Card
from games.engine.observation import Observation
from games.engine.round import State
from games.models import BotChoice
from games.services.deciding import TRIES, ask, level_of, with_dice
from games.table import Table

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Thought:
    """A decision to be thought about: what the bot sees, and how many workers have begun on it."""

    choice: BotChoice
    seat: int
    seen: Observation = field(repr=False)


def begin(table: Table, round: int, seat: int) -> Thought | None:
    """Note that a worker begins on this decision; None where the bot of this seat answers without searching."""
    level = level_of(table, seat)
    policy = BOTS[level]
    if not isinstance(policy, Expert):
        return None
    seen = with_dice(table.game.id, table.observe(round, seat))
    choice, _ = BotChoice.objects.get_or_create(
        game=table.game,
        round=round,
        turn=seen.turn,
        defaults={
            "seat": seat,
            "level": level,
            "version": policy.VERSION,
            "worlds": policy.play_worlds if seen.state == State.PLAYING else policy.bid_worlds,
            "tie_break": f"{seen.tie_break:016x}",
            "asked_at": table.now,
        },
    )
    choice.tries += 1
    choice.save(update_fields=["tries"])
    if choice.tries > 1:
        logger.error("bot_not_finished", game=table.game.id, level=level, tries=choice.tries)
    return Thought(choice, seat, seen)


def finish(thought: Thought) -> Card | int:
    """The answer. Who gave it stands in the thought's row then, which the caller saves with what comes of it."""
    choice = thought.choice
    tries_left = max(TRIES + 1 - choice.tries, 0)
    answer, choice.answered_by = ask(
        choice.game_id, thought.seen, level=choice.level, tries=tries_left
    )
    return answer
