"""Whether a notice is still news: asked of the game as it stands just before a mail leaves."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, assert_never

from django.db.models import Q

from games.models import Game, Notice, Round, Seat

Kind = Notice.Kind
Reason = Notice.Reason

# These are about something that waits for the person. The others are only news, and old once they have looked in.
OF_A_TURN: Final = (Kind.YOUR_TURN, Kind.REMINDER)


def why_stale(notice: Notice) -> Notice.Reason | None:
    """Why this is no news any more; None while it is."""
    match Kind(notice.kind):
        case Kind.YOUR_TURN | Kind.REMINDER:
            return _why_no_turn(notice)
        case Kind.TIME_RAN_OUT:
            return _why_no_seat(notice)
        case Kind.ROUND_OVER:
            return None if _is_running(notice) else Reason.NOT_RUNNING
        case Kind.SEAT_TAKEN_OVER:
            return _why_not_taken_over(notice)
        case Kind.INVITATION:
            return _why_not_invited(notice)
        case Kind.MATCH_OVER | Kind.RULING | Kind.DIGEST:
            return None
        case never:
            assert_never(never)


def has_been_seen(notice: Notice) -> bool:
    """Whether its receiver has looked in since it was written."""
    visit = notice.user.last_visit_at
    return visit is not None and visit > notice.created_at


def deadline_of(notice: Notice) -> datetime | None:
    """By when the decision must be made that a notice is about; None when it is not open, or there is none."""
    if notice.kind not in OF_A_TURN or not _is_running(notice):
        return None
    seat = seat_of(notice)
    row = Round.objects.filter(game=notice.game, number=notice.round).first()
    kept = _kept(notice, seat, row)
    return None if kept is None else datetime.fromisoformat(kept["deadline"])


def foreseen(notices: Iterable[Notice]) -> list[tuple[Notice, Notice.Reason]]:
    """Those of these that are about a turn which is over, with the reason for which they will be dropped.

    One query; needs each notice's game with its seats at hand.
    """
    of_turns = [notice for notice in notices if notice.kind in OF_A_TURN]
    rounds = Round.objects.filter(game__in={notice.game_id for notice in of_turns})
    rows = {(row.game_id, row.number): row for row in rounds}
    found = []
    for notice in of_turns:
        assert notice.game is not None
        held = (seat for seat in notice.game.seats.all() if seat.user_id == notice.user_id)
        row = rows.get((notice.game.pk, notice.round))
        if (reason := _why_closed(notice, next(held, None), row)) is not None:
            found.append((notice, reason))
    return found


def seat_of(notice: Notice) -> Seat | None:
    """The seat that the receiver holds in the game."""
    return Seat.objects.filter(game=notice.game, user=notice.user).first()


def _is_running(notice: Notice) -> bool:
    return notice.game is not None and notice.game.status == Game.Status.PLAYING


def _why_no_seat(notice: Notice) -> Notice.Reason | None:
    if not _is_running(notice):
        return Reason.NOT_RUNNING
    return Reason.REPLACED if seat_of(notice) is None else None


def _why_no_turn(notice: Notice) -> Notice.Reason | None:
    row = Round.objects.filter(game=notice.game, number=notice.round).first()
    return _why_closed(notice, seat_of(notice), row)


def _why_closed(notice: Notice, seat: Seat | None, row: Round | None) -> Notice.Reason | None:
    """Why the decision that a notice is about waits for its receiver no more, who holds this seat, in this round."""
    if not _is_running(notice):
        return Reason.NOT_RUNNING
    if seat is None:
        return Reason.REPLACED
    if _kept(notice, seat, row) is not None:
        return None
    return Reason.TIME_OVER if seat.timeouts_running else Reason.MOVED


def _kept(notice: Notice, seat: Seat | None, row: Round | None) -> Mapping[str, Any] | None:
    """What the round keeps of the clock of that very decision, while it is open."""
    kept = row and seat and row.clocks.get(str(seat.number))
    return kept if kept and kept["turn"] == notice.turn else None


def _why_not_taken_over(notice: Notice) -> Notice.Reason | None:
    if (gone := _why_no_seat(notice)) is not None:
        return gone
    seat = seat_of(notice)
    return Reason.CAME_BACK if seat is None or seat.stand_in_since is None else None


def _why_not_invited(notice: Notice) -> Notice.Reason | None:
    kept = Seat.objects.filter(game=notice.game, invited=notice.user)
    before_the_start = Q(game__status=Game.Status.OPEN, user=None, bot="")
    offered = Q(game__status=Game.Status.PLAYING, offered_at__isnull=False)
    return None if kept.filter(before_the_start | offered).exists() else Reason.NOT_OPEN
