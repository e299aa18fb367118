"""What is written when something happens that a person is told about. Called by services, inside their transaction and lock.

Bots read the API and are told nothing; nobody without a mail address is told by mail. Each device that somebody switched on has a row
of its own. Everything else is decided when the notice is due: what is off, seen, stale or too much by then (`sending`).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from accounts.models import User
from games.models import Decision, Notice, PushDevice, Seat
from games.notices import devices
from games.notices.choices import due_on_devices_at, first_due_at
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


def ruling(table: Table, decision: Decision, people: Iterable[User]) -> None:
    """To everybody whom a decision of staff concerns: it was made."""
    _write(table, Kind.RULING, people, round=decision.case.round, turn=1, decision=decision)


def ruling_waits(table: Table, decision: Decision, people: Iterable[User]) -> None:
    """To them: it takes effect by itself after a day, since nobody else could sign it."""
    _write(table, Kind.RULING, people, round=decision.case.round, turn=0, decision=decision)


def _tell(
    table: Table, kind: Notice.Kind, seats: Iterable[Seat], *, round: int = 0, turn: int = 0
) -> None:
    _write(table, kind, (seat.user for seat in seats), round=round, turn=turn)


def _write(
    table: Table,
    kind: Notice.Kind,
    people: Iterable[User | None],
    *,
    round: int = 0,
    turn: int = 0,
    decision: Decision | None = None,
) -> None:
    persons = [user for user in people if user is not None and not user.is_bot]
    about = _About(kind, round, turn, decision)
    rows = [_row(table, about, user) for user in persons if user.email]
    if devices.is_on():
        rows += [
            _row(table, about, device.user, device)
            for device in PushDevice.objects.filter(user__in=persons).select_related("user")
        ]
    if rows:
        # A notice that is there was written by this very step, run before.
        Notice.objects.bulk_create(rows, ignore_conflicts=True)


@dataclass(frozen=True, slots=True)
class _About:
    kind: Notice.Kind
    round: int
    turn: int
    decision: Decision | None


def _row(table: Table, about: _About, user: User, device: PushDevice | None = None) -> Notice:
    if device is None:
        due_at = first_due_at(user, about.kind, now=table.now)
    else:
        due_at = due_on_devices_at(about.kind, now=table.now)
    return Notice(
        user=user,
        device=device,
        device_name=device.name if device else "",
        kind=about.kind,
        game=table.game,
        round=about.round,
        turn=about.turn,
        decision=about.decision,
        created_at=table.now,
        due_at=due_at,
        next_attempt_at=due_at,
    )
