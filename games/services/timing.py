"""The clocks of people: opened when a decision becomes theirs, closed when it is made.

Kept on the round's row, in step with its state: a deadline is worked out once, when the turn opens, from the table's clock, the
seat's bank and the person's habits at that moment. The arithmetic is `engine.clock`'s. Called inside the transaction and the
lock of whoever acts; the round must have been folded.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from games import notices
from games.engine import clock as clocks
from games.engine.claim import publicly_forced
from games.engine.clock import Clock, Habits
from games.models import Game, Round, Seat
from games.table import Table


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A person's open turn as its row keeps it."""

    turn: int
    deadline_at: datetime
    remind_at: datetime
    reminded: bool
    habits: Habits

    @classmethod
    def of(cls, row: Round, seat: int) -> "OpenTurn | None":
        """The open turn of this seat in this round, if it has one."""
        kept = row.clocks.get(str(seat))
        if kept is None:
            return None
        return cls(
            turn=kept["turn"],
            deadline_at=datetime.fromisoformat(kept["deadline"]),
            remind_at=datetime.fromisoformat(kept["remind"]),
            reminded=kept["reminded"],
            habits=Habits.from_json(kept["habits"]),
        )

    def keep(self, row: Round, seat: int) -> None:
        row.clocks[str(seat)] = {
            "turn": self.turn,
            "deadline": self.deadline_at.isoformat(),
            "remind": self.remind_at.isoformat(),
            "reminded": self.reminded,
            "habits": self.habits.to_json(),
        }


def keep_time(table: Table) -> None:
    """Open and close clocks until they agree with whose turn it is, in every round that changed."""
    clock = clocks.clock_from_json(table.game.clock)
    for number in sorted(table.changed):
        row = table.rows[number]
        if not row.banks:
            row.banks = _first_banks(table, number, clock)
        turns = _turns_of_people(table, row)
        for seat in [int(seat) for seat in row.clocks]:
            kept = OpenTurn.of(row, seat)
            # Time runs on for a decision given to the autopilot: to call it off must not begin the turn anew.
            if kept is not None and turns.get(seat) != kept.turn:
                _close(row, seat, kept, clock, table.now)
        for seat, turn in turns.items():
            if str(seat) not in row.clocks and seat not in row.autopilot:
                _open(table, row, seat, turn, clock)
        set_alarm(row)


def set_alarm(row: Round) -> None:
    """Set when the sweep must look: at the first reminder that was not given, or the first end of time.

    Not for what a bot was given to answer: that never comes too late.
    """
    seats = [int(seat) for seat in row.clocks if int(seat) not in row.autopilot]
    open_turns = [OpenTurn.of(row, seat) for seat in seats]
    row.alarm_at = min(_alarms(turn for turn in open_turns if turn is not None), default=None)


def remind(row: Round, seat: int, kept: OpenTurn) -> None:
    """Write down that this turn's reminder was given. No event says so, hence the row is written here."""
    replace(kept, reminded=True).keep(row, seat)
    set_alarm(row)
    row.save(update_fields=["clocks", "alarm_at"])


def habits_of(game: Game, seat: Seat) -> Habits:
    """When time does not count for the person of this seat at this table."""
    user = seat.user
    if user is None:
        return clocks.ALWAYS
    night = (
        (user.night_start, user.night_end)
        if user.night_start is not None and user.night_end is not None
        else None
    )
    habits = Habits(
        zone=user.time_zone,
        night=night,
        holidays=frozenset(date.fromisoformat(day) for day in user.holidays),
    )
    # The last day that a table promises counts the holidays of four people, not those of their substitutes too.
    counts = game.allows_holidays and not seat.since_seq
    return habits.at_table(holidays=counts, weekends=game.pauses_weekends)


def give_back(row: Round, gap: timedelta) -> None:
    """Move every open deadline and reminder of a round on by the time that the service was down."""
    for seat in [int(seat) for seat in row.clocks]:
        _move_on(row, seat, gap)
    set_alarm(row)


def restore(row: Round, seat: int, gap: timedelta) -> bool:
    """Give one seat so much time more: for its open turn, else in its bank. Whether this round is one to give it in."""
    if not row.actors:
        return False
    if str(seat) in row.clocks:
        _move_on(row, seat, gap)
        set_alarm(row)
    else:
        row.banks[seat] += int(gap.total_seconds())
    return True


def _move_on(row: Round, seat: int, gap: timedelta) -> None:
    kept = OpenTurn.of(row, seat)
    if kept is not None:
        OpenTurn(
            kept.turn,
            clocks.given_back(kept.deadline_at, gap, kept.habits),
            clocks.given_back(kept.remind_at, gap, kept.habits),
            kept.reminded,
            kept.habits,
        ).keep(row, seat)


def _turns_of_people(table: Table, row: Round) -> dict[int, int]:
    """The seats of people that are to act in this round, autopilot or not, and the turn that is theirs. A card that plays
    itself is nobody's.
    """
    if table.game.status != Game.Status.PLAYING or not row.actors:
        return {}
    state = table.rounds[row.number]
    if publicly_forced(state.observe(None)):
        return {}
    return {seat: state.turn_of(seat) for seat in row.actors if table.seats[seat].is_person}


def _first_banks(table: Table, number: int, clock: Clock) -> list[int]:
    """Rounds in turn share one bank a seat; side by side every board has its own."""
    before = table.rows.get(number - 1)
    if before is not None and before.banks and not table.rules.parallel_rounds:
        return list(before.banks)
    return [int(clocks.start_bank(clock).total_seconds())] * 4


def _open(table: Table, row: Round, seat: int, turn: int, clock: Clock) -> None:
    habits = habits_of(table.game, table.seats[seat])
    opened = clocks.open_turn(clock, timedelta(seconds=row.banks[seat]), table.now, habits)
    OpenTurn(turn, opened.deadline_at, opened.remind_at, False, habits).keep(row, seat)
    notices.your_turn(table, round=row.number, turn=turn, seat=seat)


def _close(row: Round, seat: int, kept: OpenTurn, clock: Clock, now: datetime) -> None:
    left = clocks.close_turn(
        clock,
        timedelta(seconds=row.banks[seat]),
        deadline_at=kept.deadline_at,
        closed_at=now,
        habits=kept.habits,
    )
    row.banks[seat] = int(left.total_seconds())
    del row.clocks[str(seat)]


def _alarms(turns: Iterable[OpenTurn]) -> Iterable[datetime]:
    for turn in turns:
        yield turn.deadline_at + clocks.GRACE
        if not turn.reminded:
            yield turn.remind_at
