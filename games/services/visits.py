"""How far each player has seen their tables, so that a page can tell them what happened since their last visit."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db import IntegrityError
from django.db.models import Count, Q

from games.engine.round import State
from games.models import Event, Game, LastSeen, Round
from games.table import Table

# Who comes back after so long comes for another visit.
AWAY: Final = timedelta(minutes=30)
# How often a look at a table where nothing has changed is noted: a page reloaded every minute is one visit.
GRAIN: Final = timedelta(minutes=10)
# What an open page shows without being loaded again, whoever looks away then.
AT_ONCE: Final = timedelta(minutes=1)


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


@dataclass(slots=True)
class Unseen:
    """What a player's table saw since they last looked at it, counted. `scores`: theirs of each round that ended meanwhile."""

    bids: int = 0
    cards: int = 0
    # Of the player's own seat: what their plan played, and what a bot decided for them.
    by_plan: int = 0
    by_bot: int = 0
    scores: dict[int, int] = field(default_factory=dict)


def unseen(user_id: int, games: Iterable[Game]) -> Mapping[str, Unseen]:
    """What these running games saw since this player looked, of the first few that saw anything. Needs their seats at hand.

    What came at once, as bots answer, was seen on the open page. Three queries, however many games there are; a game that the player never looked at has nothing to tell.
    """
    mine = {
        game.pk: seat.number
        for game in games
        for seat in game.seats.all()
        if seat.user_id == user_id
    }
    looks = LastSeen.objects.filter(user=user_id, game__in=mine)
    seen = {look.game_id: look for look in looks}
    moved = [game.pk for game in games if game.pk in seen and game.seq > seen[game.pk].seq][:_MOST]
    told = {game: Unseen() for game in moved}
    rows = _counted([seen[game] for game in moved])
    opened = {(row["game"], row["round"]) for row in rows if row["kind"] == Event.Kind.BID}
    for row in rows:
        # A bid that was sealed and opened meanwhile came once.
        if row["kind"] == Event.Kind.SEALED and (row["game"], row["round"]) in opened:
            continue
        _add(told[row["game"]], row, is_mine=row["seat"] == mine[row["game"]])
    touched = {(row["game"], row["round"]) for row in rows}
    over = Round.objects.filter(game__in=moved, state=State.SCORED).order_by("number")
    for game, number, scores in over.values_list("game_id", "number", "scores"):
        if scores is not None and (game, number) in touched:
            told[game].scores[number] = scores[mine[game]]
    return told


def _counted(looks: Sequence[LastSeen]) -> list[Mapping[str, Any]]:  # Any: columns of the log
    """How many decisions of each sort each of these games saw after the look."""
    if not looks:
        return []
    since = reduce(
        or_, (Q(game=look.game_id, seq__gt=look.seq, at__gt=look.at + AT_ONCE) for look in looks)
    )
    rows = Event.objects.filter(since, kind__in=_DECISIONS).order_by()
    columns = ("game", "round", "kind", "seat", "by", "via")
    return [{**row} for row in rows.values(*columns).annotate(count=Count("pk"))]


_MOST: Final = 20  # games: more than a page tells of
_BIDS: Final = (Event.Kind.SEALED, Event.Kind.BID)
_DECISIONS: Final = (*_BIDS, Event.Kind.PLAYED, Event.Kind.CLAIMED)


def _add(told: Unseen, row: Mapping[str, Any], *, is_mine: bool) -> None:
    if is_mine and row["by"] == Event.By.BOT:
        told.by_bot += row["count"]
    elif is_mine and row["via"] == Event.Via.PLAN:
        told.by_plan += row["count"]
    elif not is_mine and row["kind"] == Event.Kind.PLAYED:
        told.cards += row["count"]
    elif not is_mine and row["kind"] in _BIDS:
        told.bids += row["count"]
