"""How far each player has seen their tables, so that a page can tell them what happened since their last visit."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError

from games.models import Game, LastSeen
from games.table import Table

# Who comes back after so long comes for another visit.
AWAY: Final = timedelta(minutes=30)
# How often a look at a table where nothing has changed is noted: a page reloaded every minute is one visit.
GRAIN: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Since:
    """The end of a visit: the last event that was seen, and when that was."""

    seq: int
    at: datetime


def look(table: Table, user_id: int | None) -> Since | None:
    """Note that this user sees the table now. Answers with the end of their visit before; None if this is their first.

    Only of those who sit at a table that plays or has played, and only for themselves. One query when there is nothing new.
    """
    if user_id is None or table.seat_of(user_id) is None or table.game.status == Game.Status.OPEN:
        return None
    seq, now = table.game.seq, table.now
    mine = LastSeen.objects.filter(game=table.game, user=user_id)
    last = mine.first()
    if last is None:
        first = LastSeen(game=table.game, user_id=user_id, seq=seq, at=now)
        # Two tabs at once: one of them is enough. No transaction is open around a page, so none is spoilt.
        with suppress(IntegrityError):
            first.save(force_insert=True)
        return None
    before = Since(last.since_seq, last.since_at) if last.since_at else None
    if now - last.at > AWAY:
        before = Since(last.seq, last.at)
    elif seq <= last.seq and now - last.at < GRAIN:
        return before
    mine.update(
        seq=max(seq, last.seq),
        at=max(now, last.at),
        since_seq=before.seq if before else 0,
        since_at=before.at if before else None,
    )
    return before
