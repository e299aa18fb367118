"""A frozen game: nobody can move, its clock stands still, and the time is given back when it goes on."""

from datetime import timedelta

from django.db.models import Max

from games import store
from games.models import Game, Outage
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


def thaw(table: Table, *, by: str = By.STAFF) -> None:
    """Let a frozen game go on, with all the time that it stood still."""
    game = table.game
    stood = table.now - (game.frozen_at or table.now)
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


def newest_outage() -> int:
    """The number of the last outage that was noticed, 0 before the first."""
    return Outage.objects.aggregate(newest=Max("pk"))["newest"] or 0
