"""Time at the table: the sweep that finds what a lost message would have done."""

from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db import transaction

from games import store
from games.models import Game
from games.services import settling
from games.table import BrokenLog

logger = structlog.get_logger(__name__)

SWEEP_LIMIT: Final = 200
# A game that was nudged is not looked at again before this: without it, a slow queue would be flooded.
NEXT_LOOK: Final = timedelta(seconds=20)


def sweep(*, now: datetime, limit: int = SWEEP_LIMIT) -> int:
    """Nudge every game whose bots are overdue, `limit` of them at the most; returns how many.

    Each game's `next_attempt_at` is moved on in the same transaction, and rows that another sweep holds are passed over, so
    two sweeps at once nudge a game once.
    """
    with transaction.atomic():
        due = list(
            Game.objects.select_for_update(skip_locked=True)
            .filter(status=Game.Status.PLAYING, next_attempt_at__lte=now)
            .order_by("next_attempt_at")
            .values_list("pk", flat=True)[:limit]
        )
        Game.objects.filter(pk__in=due).update(next_attempt_at=now + NEXT_LOOK)
        for game_id in due:
            _nudge_again(game_id, now=now)
    return len(due)


def _nudge_again(game_id: str, *, now: datetime) -> None:
    table = store.load(game_id, now=now)
    try:
        store.fold(table, *{number for number, _ in table.bots_due()})
    except BrokenLog:
        # One game that contradicts itself must not stop the sweep for all others.
        logger.error("broken_log", game=game_id)
        return
    settling.nudge(table, at_once=True)
