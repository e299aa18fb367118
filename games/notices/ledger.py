"""What is written when something happens that a person is told about. Called by services, inside their transaction and lock.

Bots read the API and are told nothing; neither is anybody without a mail address. Everything else is decided when the notice
is due: what is off, seen, stale or too much by then (`sending`).
"""

from collections.abc import Iterable

from accounts.models import User
from games.models import Notice, Seat
from games.notices.choices import first_due_at
from games.table import Table

Kind = Notice.Kind


def your_turn(table: Table, *, round: int, turn: int, seat: int) -> None:
    """To the person of the seat: this decision waits for them."""
    _tell(table, Kind.YOUR_TURN, [table.seats[seat]], round=round, turn=turn)


def reminder(table: Table, *, round: int, turn: int, seat: int) -> None:
    """To the person of the seat: most of the time for this decision is gone."""
    _tell(table, Kind.REMINDER, [table.seats[seat]], round=round, turn=turn)


def time_ran_out(table: Table, *, round: int, turn: int, seat: int) -> None:
    """To the person of the seat: a stand-in made this decision."""
    _tell(table, Kind.TIME_RAN_OUT, [table.seats[seat]], round=round, turn=turn)


def seat_taken_over(table: Table, *, round: int, turn: int, seat: int) -> None:
    """To the person of the seat: since this decision a bot keeps it, until they take it back."""
    _tell(table, Kind.SEAT_TAKEN_OVER, [table.seats[seat]], round=round, turn=turn)


def round_over(table: Table, *, round: int) -> None:
    """To every person at the table."""
    _tell(table, Kind.ROUND_OVER, table.seats, round=round)


def match_over(table: Table) -> None:
    """To every person at the table, also those whose seat a bot keeps."""
    _tell(table, Kind.MATCH_OVER, table.seats)


def match_goes_on(table: Table) -> None:
    """What was said of the end of this match does not hold any more."""
    Notice.objects.filter(game=table.game, kind=Kind.MATCH_OVER).delete()


def invitation(table: Table) -> None:
    """To everybody for whom a free seat is kept."""
    invited = [seat.invited for seat in table.seats if not seat.is_taken]
    _write(table, Kind.INVITATION, invited)


def seat_offered(table: Table, seat: Seat) -> None:
    """To the person for whom a seat of a running match is kept. `turn` says at which event it was offered: it may be again."""
    _write(table, Kind.INVITATION, [seat.invited], turn=table.game.seq)


def _tell(
    table: Table, kind: Notice.Kind, seats: Iterable[Seat], *, round: int = 0, turn: int = 0
) -> None:
    _write(table, kind, (seat.user for seat in seats), round=round, turn=turn)


def _write(
    table: Table, kind: Notice.Kind, people: Iterable[User | None], *, round: int = 0, turn: int = 0
) -> None:
    rows = [
        _row(table, kind, user, round=round, turn=turn)
        for user in people
        if user is not None and user.email and not user.is_bot
    ]
    if rows:
        # A notice that is there was written by this very step, run before.
        Notice.objects.bulk_create(rows, ignore_conflicts=True)


def _row(table: Table, kind: Notice.Kind, user: User, *, round: int, turn: int) -> Notice:
    due_at = first_due_at(user, kind, now=table.now)
    return Notice(
        user=user,
        kind=kind,
        game=table.game,
        round=round,
        turn=turn,
        created_at=table.now,
        due_at=due_at,
        next_attempt_at=due_at,
    )
