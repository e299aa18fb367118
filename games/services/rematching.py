"""Another match of the same company, after one that is over."""

from datetime import datetime

from accounts.models import User
from games import store
from games.engine.rules import HouseRules
from games.models import Game, Seat
from games.refusals import GameNotFound, NotOver, NotSeated
from games.services import lobby


def rematch(
    user: User,
    game_id: str,
    *,
    now: datetime,
    contribution: bytes = b"",
    reservation: str | None = None,
) -> str:
    """The id of the table that follows this game: the one that somebody has made already, or a new one.

    It has the same rules, pace, options and visibility. `user` sits down in their old seat, bots sit again, every other person's
    seat is kept for them, and that of somebody who is gone is open.
    """
    # The old game's lock: of two who press at once, the second finds the first one's table.
    with store.locked(game_id, now=now) as old:
        if not old.is_visible_to(user.pk):
            raise GameNotFound
        if old.seat_of(user.pk) is None:
            raise NotSeated
        if old.game.status != Game.Status.FINISHED:
            raise NotOver
        made = Game.objects.filter(rematch_of=old.game).first()
        if made is not None:
            return made.pk
        new = lobby.NewGame(
            rules=HouseRules.from_json(old.game.rules),
            seats=[_again(seat, user) for seat in old.seats],
            clock=old.game.clock,
            rated=old.game.rated,
            auto_forced=old.game.auto_forced,
            pauses_weekends=old.game.pauses_weekends,
            allows_holidays=old.game.allows_holidays,
            bots_may_sit=old.game.bots_may_sit,
            visibility=old.game.visibility,
            contribution=contribution,
            reservation=reservation,
            rematch_of=old.game,
        )
        return lobby.create_game(user, new, now=now).game.pk


def _again(seat: Seat, user: User) -> str:
    if seat.user_id == user.pk:
        return lobby.ME
    if seat.user is not None:
        return f"user:{seat.user.username}"
    return f"bot:{seat.bot}" if seat.bot else lobby.OPEN
