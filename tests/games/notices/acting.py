"""What tests of notices do again and again: a game of four people, a decision made, a visit, the sweep at some minute."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from accounts.models import User
from games import queries
from games.engine.rules import HouseRules
from games.models import Notice
from games.notices import sending
from games.queries import running
from games.services import lobby, pace, play
from tests.games.tables import NOW, ONE_ROUND, decisions, loaded, new_game, steadily

MINUTE: Final = timedelta(minutes=1)
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
ONE_DAY: Final = {"kind": "per_turn", "seconds": 86400}
# When mail that waits for a visit is due for what happened at `NOW`.
WAITED: Final = NOW + 15 * MINUTE


def four(people: Sequence[User], rules: HouseRules = ONE_ROUND, **options: Any) -> str:
    """A started game of these four with a day for each decision. Their invitations are not of interest."""
    seats = ["me", *(f"user:{user.username}" for user in people[1:])]
    game = new_game(people[0], rules, seats, clock=ONE_DAY, **options)
    for user in people[1:]:
        lobby.sit(user, game, now=NOW)
    Notice.objects.filter(game=game, kind=Notice.Kind.INVITATION).delete()
    return game


def next_player(game: str) -> User:
    """Whose decision the game waits for."""
    table = loaded(game)
    _, _, seat = decisions(table)[0]
    user = table.seats[seat].user
    assert user is not None
    return user


def act(game: str, *, now: datetime) -> User:
    """Have the next player decide at `now`; returns who it was."""
    table = queries.open_table(game, None, now=now)
    number = running(table)[0]
    state = table.rounds[number]
    seat = state.actors[0]
    user = table.seats[seat].user
    assert user is not None
    answer = steadily(table.observe(number, seat))
    turn = state.turn_of(seat)
    if isinstance(answer, int):
        play.place_bid(user, game, answer, round=number, turn=turn, now=now)
    else:
        play.play_card(user, game, answer, round=number, turn=turn, now=now)
    return user


def run_out(game: str, *, round: int = 1) -> datetime:
    """Let the time of whoever is to act run out; when the sweep saw it."""
    table = loaded(game)
    _, _, seat = decisions(table)[0]
    deadline = queries.deadline_of(table.rows[round], seat)
    assert deadline is not None
    pace.wake(game, round=round, now=deadline + MINUTE)
    return deadline + MINUTE


def look_in(user: User, at: datetime) -> None:
    User.objects.filter(pk=user.pk).update(last_visit_at=at)


def wants(user: User, **choices: str) -> None:
    User.objects.filter(pk=user.pk).update(notice_choices=choices)
    user.refresh_from_db()


def send(at: datetime) -> int:
    return sending.send_due(now=at, limit=1000)


def of(user: User, kind: str | None = None) -> list[tuple[str, str, str]]:
    """`(kind, status, reason)` of this person's notices, oldest first."""
    notices = Notice.objects.filter(user=user).order_by("pk")
    rows = notices.values_list("kind", "status", "reason")
    return [row for row in rows if kind in (None, row[0])]
