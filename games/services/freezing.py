"""A frozen game: nobody can move, its clock stands still, and the time is given back when it goes on."""

from datetime import datetime, timedelta

from django.db.models import Max

from games import store
from games.models import Event, Game, Outage, Round
from games.services import settling, timing
from games.store import By, Kind
from games.table import Table


def freeze(table: Table, *, by: str) -> None:
    """Stop a game that is being played. Its deadlines wait where they are."""
    store.append_fact(table, Kind.FROZEN, by=by)
    table.game.status, table.game.frozen_at = Game.Status.FROZEN, table.now
    for row in table.rows.values():
        row.alarm_at = None
        table.changed.add(row.number)


def freeze_untold(game_id: str, *, now: datetime) -> None:
    """Stop a game whose log takes no more lines: the log will not say so."""
    Round.objects.filter(game=game_id).update(alarm_at=None)
    Game.objects.filter(pk=game_id, status=Game.Status.PLAYING).update(
        status=Game.Status.FROZEN, frozen_at=now, next_attempt_at=None
    )


def thaw(table: Table, *, by: str = By.STAFF) -> None:
    """Let a frozen game go on, with all the time that it stood still. `BrokenLog` if it cannot be read any more."""
    game = table.game
    stood = table.now - (game.frozen_at or table.now)
    if _is_told(table):
        store.append_fact(table, Kind.THAWED, by=by)
    game.status, game.frozen_at = Game.Status.PLAYING, None
    # An outage meanwhile took nothing from this game.
    game.given_back = max(game.given_back, newest_outage())
    seconds = int(stood / timedelta(seconds=1))
    if seconds:
        store.append_fact(table, Kind.DEADLINES_MOVED, by=by, data={"seconds": seconds})
    for row in table.rows.values():
        if row.clocks:
            timing.give_back(row, timedelta(seconds=seconds))
            table.changed.add(row.number)
    store.fold(table, *table.rows)
    settling.go_on(table)


def _is_told(table: Table) -> bool:
    """Whether the log says that the game was frozen."""
    told = Event.objects.filter(game=table.game, kind__in=(Kind.FROZEN, Kind.THAWED))
    return told.order_by("-seq").values_list("kind", flat=True).first() == Kind.FROZEN


def newest_outage() -> int:
    """The number of the last outage that was noticed, 0 before the first."""
    return Outage.objects.aggregate(newest=Max("pk"))["newest"] or 0
