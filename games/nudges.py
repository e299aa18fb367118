"""This game moved: tell a worker, by task name, once the transaction is in.

A nudge is a hint. The database is the queue of record: when the broker is down the move still stands, and the sweep finds
what the lost message would have done.
"""

from functools import partial
from typing import Final

import structlog
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = structlog.get_logger(__name__)

FOLLOW_UP: Final = "games.tasks.follow_up"
WAKE: Final = "games.tasks.wake"
COACH: Final = "games.tasks.coach"
INSPECT: Final = "games.tasks.inspect_game"


def to_answer(game_id: str, round: int, turn: int, *, after_seconds: float) -> None:
    """Have a worker see to this decision, `after_seconds` from now (seconds only: never a long delay)."""
    send = partial(_send, FOLLOW_UP, [game_id, round, turn], after_seconds)
    transaction.on_commit(send, robust=True)


def time_to_look(game_id: str, round: int) -> None:
    """Have a worker see to the clocks of this round."""
    transaction.on_commit(partial(_send, WAKE, [game_id, round], 0.0), robust=True)


def to_coach(game_id: str, round: int, owner: int) -> None:
    """Have a worker judge the decisions that this user made in a round."""
    transaction.on_commit(partial(_send, COACH, [game_id, round, owner], 0.0), robust=True)


def to_inspect(game_id: str) -> None:
    """Have a worker look whether what is stored of a game contradicts itself."""
    transaction.on_commit(partial(_send, INSPECT, [game_id], 0.0), robust=True)


def _send(task: str, args: list[object], after_seconds: float) -> None:
    try:
        current_app.send_task(task, args=args, countdown=after_seconds or None, ignore_result=True)
    except (OperationalError, OSError) as error:
        # The sweep will find it; say so once, without the traceback of a broker that is simply down.
        logger.warning("nudge_lost", task=task, game=args[0], error=type(error).__name__)
