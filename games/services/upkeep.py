"""What staff do to a game that is no ruling on a report: stop it, let it go on, move its deadlines; and which games need them.

Each is an event that everybody sees. `CannotRule` says why something cannot be done, and changes nothing.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Q

from games import store
from games.models import Event, Game, Round
from games.refusals import CannotRule
from games.services import freezing, timing
from games.services.timing import OpenTurn
from games.store import By, Kind
from games.table import BrokenLog

# Nobody is to wait for the system for longer than this.
STUCK_AFTER: Final = timedelta(seconds=60)
MOST_MOVED: Final = timedelta(days=30)
# The sweep puts off what it has found; what is overdue is among what it looks at again soon.
_LOOKED_AT_SOON: Final = timedelta(minutes=2)


def stop(game_id: str, *, now: datetime) -> None:
    """Freeze a game that is being played."""
    with store.locked(game_id, now=now) as table:
        if table.game.status != Game.Status.PLAYING:
            raise CannotRule("Only a match that is being played can be stopped.")
        freezing.freeze(table, by=By.STAFF)


def let_go_on(game_id: str, *, now: datetime) -> None:
    """Thaw a frozen game, with all its time."""
    try:
        with store.locked(game_id, now=now) as table:
            if table.game.status != Game.Status.FROZEN:
                raise CannotRule("This game is not stopped.")
            freezing.thaw(table)
    except BrokenLog:
        raise CannotRule("Its log cannot be read: mend it first, or cancel the game.") from None


def move_deadlines(game_id: str, gap: timedelta, *, now: datetime) -> None:
    """Give everybody whose time runs so much more of it, in every round of the game."""
    if not timedelta(minutes=1) <= gap <= MOST_MOVED:
        raise CannotRule("Deadlines are moved on by a minute at least and 30 days at most.")
    with store.locked(game_id, now=now) as table:
        running = [row for row in table.rows.values() if row.clocks]
        if table.game.status != Game.Status.PLAYING or not running:
            raise CannotRule("Nobody's time runs in this game now.")
        seconds = int(gap.total_seconds())
        store.append_fact(table, Kind.DEADLINES_MOVED, by=By.STAFF, data={"seconds": seconds})
        for row in running:
            timing.give_back(row, gap)
            table.changed.add(row.number)


def stuck_games(*, now: datetime) -> set[str]:
    """The ids of running games that have waited for the system for more than a minute: a bot, a plan or a clock overdue."""
    long_ago = now - STUCK_AFTER
    waiting = Game.objects.filter(status=Game.Status.PLAYING, next_attempt_at__isnull=False)
    last = Event.objects.filter(game__in=waiting, seq=F("game__seq"), at__lt=long_ago)
    stuck = set(last.values_list("game", flat=True))
    soon = Round.objects.filter(alarm_at__lte=now + _LOOKED_AT_SOON)
    for row in soon.filter(game__status=Game.Status.PLAYING).only("game", "clocks", "autopilot"):
        if any(_is_overdue(row, int(seat), long_ago) for seat in row.clocks):
            stuck.add(row.game_id)
    return stuck


def late_games() -> Q:
    """Running games in which somebody's time ran out, or a bot keeps a person's seat."""
    late = Q(seats__timeouts_running__gt=0) | Q(seats__stand_in_since__isnull=False)
    return Q(status=Game.Status.PLAYING) & late


def _is_overdue(row: Round, seat: int, long_ago: datetime) -> bool:
    kept = OpenTurn.of(row, seat)
    return seat not in row.autopilot and kept is not None and kept.deadline_at < long_ago
