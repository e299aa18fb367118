"""Four people at a table whose clocks run: who is waited for until when, answers at a moment, time that runs out."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from accounts.models import User
from games import queries
from games.models import Seat
from games.queries import running
from games.services import lobby, pace, play
from tests.games.tables import ARCADIA, NOW, new_game, steadily

GRACE: Final = timedelta(seconds=30)
HOUR: Final = timedelta(hours=1)
ONE_DAY: Final = {"kind": "per_turn", "seconds": 86400}
ONE_WEEK: Final = {"kind": "per_turn", "seconds": 604800}


def four_at(people: Sequence[User], **options: object) -> str:
    seats = ["me", *(f"user:{user.username}" for user in people[1:])]
    game = new_game(people[0], ARCADIA, seats, **options)
    for user in people[1:]:
        lobby.sit(user, game, now=NOW)
    return game


def due(game: str) -> tuple[int, int, int, datetime]:
    """Round, turn, seat and deadline of the decision that the table waits for."""
    table = queries.open_table(game, None, now=NOW)
    state = table.rounds[running(table)[0]]
    assert state.to_act is not None
    deadline = queries.deadline_of(table.rows[state.number], state.to_act)
    assert deadline is not None
    return state.number, state.turn, state.to_act, deadline


def answer(game: str, *, now: datetime) -> play.Move:
    """Have the person whose turn it is answer at `now`."""
    table = queries.open_table(game, None, now=NOW)
    number, turn, seat, _ = due(game)
    user = table.seats[seat].user
    assert user is not None
    chosen = steadily(table.observe(number, seat))
    if isinstance(chosen, int):
        return play.place_bid(user, game, chosen, round=number, turn=turn, now=now)
    return play.play_card(user, game, chosen, round=number, turn=turn, now=now)


def run_out(game: str) -> datetime:
    """Let the time of whoever is to act run out; returns the instant at which the sweep saw it."""
    number, _, _, deadline = due(game)
    pace.wake(game, round=number, now=deadline + GRACE)
    return deadline + GRACE


def seat_of(game: str, number: int) -> Seat:
    return Seat.objects.get(game=game, number=number)


def twice_late(game: str) -> tuple[int, datetime]:
    """Let one seat run out of time twice running while the others answer; returns the seat and the time."""
    _, _, seat, _ = due(game)
    now = run_out(game)
    while due(game)[2] != seat:
        now += HOUR
        answer(game, now=now)
    return seat, run_out(game)


def until_it_is_the_bots_turn(game: str, *, now: datetime) -> tuple[int, int]:
    """Have people answer until the stand-in is to act; returns that round and turn."""
    while not (waiting := queries.open_table(game, None, now=now)).bots_due():
        answer(game, now=now)
    number = running(waiting)[0]
    return number, waiting.rounds[number].turn
