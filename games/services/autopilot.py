"""Autopilot: a player gives the rest of one round to a bot. Everybody sees it, and it can be called off at any time."""

from datetime import datetime

from accounts.models import User
from games import store
from games.models import Game
from games.refusals import GameNotFound, NothingToGiveUp, NotSeated
from games.services import settling
from games.store import By, Kind
from games.table import Table


def switch(user: User, game_id: str, *, round: int, on: bool, now: datetime) -> Table:
    """Let a bot play this seat for the rest of a running round, or no longer. What is so already stays so."""
    with store.locked(game_id, round, now=now) as table:
        if not table.is_visible_to(user.pk):
            raise GameNotFound
        seat = table.seat_of(user.pk)
        if seat is None:
            raise NotSeated
        table.check_not_frozen()
        row = table.rows.get(round)
        if row is None or table.game.status != Game.Status.PLAYING or not row.actors:
            raise NothingToGiveUp
        if on is (seat in row.autopilot):
            return table
        if on:
            row.autopilot.append(seat)
        else:
            row.autopilot.remove(seat)
        kind = Kind.STOOD_IN if on else Kind.RETURNED
        store.append_fact(table, kind, by=By.PLAYER, seat=seat, round=round)
        table.changed.add(round)
        settling.go_on(table)
    return table
