"""What a ruling does to its game: one event that compensates, never rewrites, and everything that follows from it.

Who may rule, and when a ruling takes effect, is for `review` to say. A ruling on a ruling is one more event: a score that was
adjusted is adjusted back, a void round replayed, a cancelled game let go on by a ruling that lifts the cancellation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from games import store
from games.engine.errors import RuleViolation
from games.engine.events import Ruled, Ruling
from games.models import Event, Game, Notice, SeatHolder
from games.refusals import CannotRule
from games.services import freezing, pace, plans, settling, timing
from games.services.deciding import STAND_IN
from games.store import By, Kind
from games.table import BrokenLog, Table

MAX_SECONDS_BACK: Final = 30 * 86400
_RUNNING: Final = (Game.Status.PLAYING, Game.Status.FROZEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A ruling with everything that the log is to say of it.

    `cites` are citation ids of rules and numbers of events, `reason` is public. `seconds` are given back by `restore_clock`;
    `to_player`: `replace_seat` gives the seat back to the person whom an earlier ruling replaced.
    """

    ruled: Ruled
    reason: str
    cites: Sequence[str | int] = ()
    seconds: int = 0
    to_player: bool = False

    def data(self) -> dict[str, object]:
        """What the event says besides the ruling's own fields."""
        data: dict[str, object] = {"reason": self.reason, "cites": list(self.cites)}
        if self.ruled.ruling is Ruling.RESTORE_CLOCK:
            data["seconds"] = self.seconds
        if self.ruled.ruling is Ruling.REPLACE_SEAT:
            data["to"] = "player" if self.to_player else "bot"
        return data


def rule(table: Table, order: Order) -> Event:
    """Write the ruling and let all that follows from it happen. `CannotRule` changes nothing.

    Called under the lock of the game, which it leaves as every transaction does: clocks in step, seeds revealed, deals made.
    """
    check(table, order)
    if table.game.status == Game.Status.FROZEN and order.ruled.ruling is not Ruling.CANCEL_GAME:
        freezing.thaw(table)
    try:
        event = store.append_ruling(table, order.ruled, data=order.data())
    except RuleViolation:
        raise CannotRule("The game is not in a state for that ruling.") from None
    _follow(table, order)
    return event


def replace_seat(game_id: str, seat: int, *, reason: str, now: datetime) -> Event:
    """Give a person's seat to a bot by a ruling of its own, without a report."""
    order = Order(ruled=Ruled(Ruling.REPLACE_SEAT, seat=seat), reason=reason)
    try:
        with store.locked(game_id, now=now) as table:
            return rule(table, order)
    except BrokenLog:
        raise CannotRule("Its log cannot be read: mend it first, or cancel the game.") from None


def check(table: Table, order: Order) -> None:
    """`CannotRule`, with a sentence that says why, unless this can be ruled of the game as it is now."""
    ruled, status = order.ruled, table.game.status
    is_cancelled = status == Game.Status.CANCELLED and ruled.lifts is None
    match ruled.ruling:
        case Ruling.DISMISS | Ruling.UPHOLD_PLAY:
            pass
        case _ if is_cancelled:
            raise CannotRule("The game was cancelled. Lift that first, or only say what is so.")
        case Ruling.VOID_ROUND:
            _check_void(table, ruled)
        case Ruling.ADJUST_SCORE if table.game.started_at is None:
            raise CannotRule("The match has not begun: there is no score to adjust.")
        case Ruling.RESTORE_CLOCK:
            _check_clock(table, order)
        case Ruling.REPLACE_SEAT:
            _check_seat(table, order)
    if ruled.lifts is not None:
        _check_lifts(table, ruled.lifts)


def _check_void(table: Table, ruled: Ruled) -> None:
    row = table.rows.get(ruled.round or 0)
    if row is None:
        raise CannotRule("That round was not dealt.")
    if ruled.replay and was_abandoned(table):
        raise CannotRule("Everybody had left this match: nobody is there to replay a round.")


def _check_clock(table: Table, order: Order) -> None:
    if table.game.status not in _RUNNING:
        raise CannotRule("No clock is running in this game.")
    if not _person_sits_at(table, order.ruled.seat):
        raise CannotRule("Nobody's clock runs at that seat: choose one that a person holds.")
    if not 0 < order.seconds <= MAX_SECONDS_BACK:
        raise CannotRule("The time to give back is between a minute and 30 days.")


def _check_seat(table: Table, order: Order) -> None:
    if table.game.status not in _RUNNING:
        raise CannotRule("This match is not being played: no seat of it can change hands.")
    if order.to_player:
        if _holder_of(table, order.ruled.seat) is None:
            raise CannotRule("Nobody was replaced at that seat who could have it back.")
    elif not _person_sits_at(table, order.ruled.seat):
        raise CannotRule("No person holds that seat.")


def _check_lifts(table: Table, seq: int) -> None:
    rulings = Event.objects.filter(game=table.game, kind=Kind.RULED, data__ruling="cancel_game")
    last = rulings.order_by("-seq").values_list("seq", flat=True).first()
    if table.game.status != Game.Status.CANCELLED or last != seq:
        raise CannotRule("Only the ruling that cancelled this game can be lifted.")


def _person_sits_at(table: Table, seat: int | None) -> bool:
    return seat is not None and table.seats[seat].user_id is not None


def _holder_of(table: Table, seat: int | None) -> SeatHolder | None:
    """Who held a seat that a bot has now."""
    if seat is None or table.seats[seat].user_id is not None:
        return None
    holders = SeatHolder.objects.filter(game=table.game, seat=seat).select_related("user")
    return holders.order_by("-pk").first()


def was_abandoned(table: Table) -> bool:
    return Event.objects.filter(game=table.game, kind=Kind.ABANDONED).exists()


# What follows


def _follow(table: Table, order: Order) -> None:
    ruled = order.ruled
    match ruled.ruling:
        case Ruling.DISMISS | Ruling.UPHOLD_PLAY if ruled.lifts is None:
            return
        case Ruling.CANCEL_GAME:
            settling.cancel(table)
            return
        case Ruling.VOID_ROUND if ruled.round is not None:
            _void(table, ruled.round)
        case Ruling.RESTORE_CLOCK if ruled.seat is not None:
            _restore_clock(table, ruled.seat, timedelta(seconds=order.seconds))
        case Ruling.REPLACE_SEAT if ruled.seat is not None:
            _replace_seat(table, ruled.seat, order)
    settling.after_a_ruling(table, was_abandoned=was_abandoned(table))
    if ruled.ruling is Ruling.REPLACE_SEAT and not any(seat.is_person for seat in table.seats):
        pace.abandon(table)


def _void(table: Table, number: int) -> None:
    """What was kept for this round dies with it; that it is over again, and perhaps the match, is news once more."""
    plans.forget(table, number)
    table.rows[number].autopilot = []
    Notice.objects.filter(game=table.game, kind=Notice.Kind.ROUND_OVER, round=number).delete()


def _restore_clock(table: Table, number: int, gap: timedelta) -> None:
    """Time on the seat's clocks; whoever was late is late no longer, and has their seat back if a bot kept it."""
    for row in table.rows.values():
        if timing.restore(row, number, gap):
            table.changed.add(row.number)
    pace.come_back(table, table.seats[number], by=By.STAFF)


def _replace_seat(table: Table, number: int, order: Order) -> None:
    seat, holder = table.seats[number], _holder_of(table, number)
    if order.to_player:
        seat.user, seat.bot = holder.user if holder else None, ""
    else:
        seat.user, seat.bot = None, STAND_IN
    seat.timeouts_running, seat.stand_in_since, seat.offered_at, seat.invited = 0, None, None, None
    seat.save(
        update_fields=[
            *("user", "bot", "timeouts_running", "stand_in_since", "offered_at", "invited")
        ]
    )
    for row in table.rows.values():
        plans.forget(table, row.number, number)
        row.autopilot = [other for other in row.autopilot if other != number]
        if row.actors:
            table.changed.add(row.number)
