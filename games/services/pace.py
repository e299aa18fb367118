"""Time at the table: what happens when a person's time runs out, and the sweep that finds what a lost message would have done.

When time runs out a stand-in bot plays that decision and the seat is late; the second time running it keeps the seat until
its owner takes it back. A match whose people have all been replaced so is abandoned. Nobody is made to wait.
"""

from datetime import datetime, timedelta
from operator import attrgetter
from typing import Final

from django.db import transaction

from accounts.models import User
from games import notices, nudges, projections, store
from games.engine import clock as clocks
from games.models import Game, Heartbeat, Outage, Round, Seat
from games.refusals import GameNotFound, NothingToTakeBack, NotSeated
from games.services import settling, timing
from games.services.deciding import play_bot
from games.services.timing import OpenTurn
from games.store import By, Kind
from games.table import Table

SWEEP_LIMIT: Final = 500
# What was nudged is not looked at again before this: without it, a slow queue would be flooded.
NEXT_LOOK: Final = timedelta(seconds=20)
# So many decisions in a row that ran out of time, and a bot keeps the seat.
KEPT_AFTER: Final = 2
SWEEPER: Final = "sweep"


# The sweep


def sweep(*, now: datetime, limit: int = SWEEP_LIMIT) -> int:
    """Give back an outage if there was one, then nudge bots that are overdue and wake games whose time has come.

    Returns how many were found, at most `limit` of each. What is found is moved on in the same transaction, and rows that
    another sweep holds are passed over, so two sweeps at once nudge a game once. What is found is found by index alone: the
    games that wait cost nothing.
    """
    _notice_outage(now)
    found = _nudge_bots(now, limit)
    if _give_back(now, limit):
        found += _wake_rounds(now, limit)
    return found


def _nudge_bots(now: datetime, limit: int) -> int:
    """Told from the rows alone: to fold so many games under lock would hold up everybody."""
    with transaction.atomic():
        due = list(
            Game.objects.select_for_update(skip_locked=True)
            .filter(status=Game.Status.PLAYING, next_attempt_at__lte=now)
            .order_by("next_attempt_at")
            .prefetch_related("seats", "rounds")[:limit]
        )
        Game.objects.filter(pk__in=[game.pk for game in due]).update(
            next_attempt_at=now + NEXT_LOOK
        )
        for game in due:
            _nudge_again(game)
    return len(due)


def _nudge_again(game: Game) -> None:
    seats = sorted(game.seats.all(), key=attrgetter("number"))
    rows = {row.number: row for row in game.rounds.all()}
    for number, seat in projections.answers_due(game, seats, rows):
        turn = projections.turn_of(game, rows[number], seat)
        nudges.to_answer(game.pk, number, turn, after_seconds=0)


def _wake_rounds(now: datetime, limit: int) -> int:
    with transaction.atomic():
        due = list(
            Round.objects.select_for_update(skip_locked=True)
            .filter(alarm_at__lte=now)
            .order_by("alarm_at")
            .values_list("pk", "game_id", "number")[:limit]
        )
        Round.objects.filter(pk__in=[pk for pk, _, _ in due]).update(alarm_at=now + NEXT_LOOK)
        for _, game_id, number in due:
            nudges.time_to_look(game_id, number)
    return len(due)


# When time runs out


def wake(game_id: str, *, round: int, now: datetime) -> None:
    """See to every clock of this round that has run out. May run late, twice, or for nothing.

    After a silence of the sweep, which may have been the whole service's, nothing is judged before the sweep has spoken.
    """
    if _is_silent(now):
        return
    with store.locked(game_id, round, now=now) as table:
        row = table.rows.get(round)
        if row is None or table.game.status != Game.Status.PLAYING:
            return
        give_back(table)
        for seat in [int(seat) for seat in row.clocks]:
            if seat in row.autopilot:
                continue  # a bot was given this decision, so nobody is late with it
            kept = OpenTurn.of(row, seat)
            if kept is not None and clocks.is_due(kept.deadline_at, now):
                _time_ran_out(table, row, seat, kept.turn)
                if table.game.status != Game.Status.PLAYING:
                    return
            elif kept is not None and not kept.reminded and now >= kept.remind_at:
                notices.reminder(table, round=round, turn=kept.turn, seat=seat)
                timing.remind(row, seat, kept)


def _time_ran_out(table: Table, row: Round, number: int, turn: int) -> None:
    seat = table.seats[number]
    seat.timeouts_running += 1
    if seat.timeouts_running >= KEPT_AFTER:
        # On another board its time may run out once more before the bot gets there.
        seat.stand_in_since = seat.stand_in_since or table.now
        notices.seat_taken_over(table, round=row.number, turn=turn, seat=number)
    else:
        notices.time_ran_out(table, round=row.number, turn=turn, seat=number)
    seat.save(update_fields=["timeouts_running", "stand_in_since"])
    store.append_fact(table, Kind.STOOD_IN, by=By.CLOCK, seat=number, round=row.number)
    if not any(other.is_person for other in table.seats):
        abandon(table)
        return
    play_bot(table, row.number, number, by=By.BOT)
    settling.settle(table, row.number)


def abandon(table: Table) -> None:
    """Close a match that every person has left. Nobody won it."""
    store.append_fact(table, Kind.ABANDONED, by=By.CLOCK)
    for row in table.rows.values():
        row.clocks, row.alarm_at = {}, None
        table.changed.add(row.number)
    settling.finish(table, settling.standings_of(table), reason=settling.ABANDONED)


# Coming back


def take_back(user: User, game_id: str, *, now: datetime) -> Table:
    """Let a person have their seat back from the bot that kept it."""
    with store.locked(game_id, now=now) as table:
        if not table.is_visible_to(user.pk):
            raise GameNotFound
        number = table.seat_of(user.pk)
        if number is None:
            raise NotSeated
        table.check_not_frozen()
        if table.game.status != Game.Status.PLAYING or table.seats[number].is_person:
            raise NothingToTakeBack
        come_back(table, table.seats[number])
        running = [row.number for row in table.rows.values() if row.actors]
        store.fold(table, *running)
        table.changed.update(running)
        settling.go_on(table)
    return table


def come_back(table: Table, seat: Seat, *, by: str = By.PLAYER) -> None:
    """Whoever answers in person is no longer late, and has their seat back if a bot kept it."""
    if seat.stand_in_since is not None:
        store.append_fact(table, Kind.RETURNED, by=by, seat=seat.number)
    if seat.timeouts_running:
        seat.timeouts_running, seat.stand_in_since = 0, None
        if seat.offered_at is not None:
            seat.offered_at, seat.invited = None, None
        seat.save(update_fields=["timeouts_running", "stand_in_since", "offered_at", "invited"])


# Outages


def _is_silent(now: datetime) -> bool:
    beat = Heartbeat.objects.filter(name=SWEEPER).first()
    return beat is not None and bool(clocks.outage(beat.at, now))


def _notice_outage(now: datetime) -> None:
    """Keep the sweep's heartbeat; after a long silence, record an outage, which every running game then gives back."""
    with transaction.atomic():
        beat, is_first = Heartbeat.objects.select_for_update().get_or_create(
            name=SWEEPER, defaults={"at": now}
        )
        gap = clocks.outage(beat.at, now)
        if gap and not is_first:
            Outage.objects.create(began_at=beat.at, ended_at=now, seconds=gap.total_seconds())
        beat.at = max(beat.at, now)
        beat.save(update_fields=["at"])


def _give_back(now: datetime, limit: int) -> bool:
    """Give so many games back what they are owed. Whether all have it now: no clock is to be judged before."""
    newest = Outage.objects.order_by("-pk").first()
    if newest is None:
        return True
    owed = Game.objects.filter(status=Game.Status.PLAYING, given_back__lt=newest.pk)
    games = list(owed.values_list("pk", flat=True)[:limit])
    for game_id in games:
        with store.locked(game_id, now=now) as table:
            if not give_back(table):
                table.game.given_back = newest.pk
                table.game.save(update_fields=["given_back"])
    return len(games) < limit


def give_back(table: Table) -> bool:
    """Move the open clocks of this game on by the outages since the last that it gave back. Whether there were any."""
    began_at = table.game.started_at or table.now
    missed = Outage.objects.filter(pk__gt=table.game.given_back, ended_at__gt=began_at)
    outages = list(missed.order_by("pk"))
    if not outages:
        return False
    seconds = sum(outage.seconds for outage in outages)
    table.game.given_back = outages[-1].pk
    store.append_fact(table, Kind.DEADLINES_MOVED, by=By.CLOCK, data={"seconds": seconds})
    for row in table.rows.values():
        if row.clocks:
            timing.give_back(row, timedelta(seconds=seconds))
            table.changed.add(row.number)
    return True
