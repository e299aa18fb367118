"""What players report. The automatic check runs at once, and its reporter sees which parts of it were in order.

A report stops nothing: the game goes on, and nobody else is told until staff decide.
"""

from datetime import datetime, timedelta
from typing import Final

from accounts.models import User
from games import store
from games.models import Case, Event, Report, SeatHolder
from games.refusals import (
    AlreadyReported,
    GameNotFound,
    NoSuchEvent,
    NotSeated,
    TooManyReports,
)
from games.services import audit
from games.services.desk import trail
from games.table import Table

A_DAY: Final = 10
LONGEST: Final = 2000
OPEN: Final = (Case.State.REPORTED, Case.State.IN_REVIEW, Case.State.PROPOSED)
_OF_THE_DEAL: Final = ("dealt", "thrown_in", "revealed", "sealed")


def report(
    user: User, game_id: str, *, seq: int, category: str, text: str, now: datetime
) -> Report:
    """Report what event `seq` shows, for a seat that this user has or had. `GameNotFound`, `NotSeated`, `NoSuchEvent`,
    `AlreadyReported`, `TooManyReports`; ValueError for a text or category that the forms should have refused.
    """
    text = text.strip()
    if not 0 < len(text) <= LONGEST or category not in Report.Category.values:
        raise ValueError("a report has a category and 1 to 2,000 characters")
    check_open_to(store.load(game_id, now=now), user, seq)
    checks = checked(game_id, now=now)
    with store.locked(game_id, now=now) as table:
        seat = check_open_to(table, user, seq)
        _count(user, now)
        case = _case_of(table, seq)
        if case.reports.filter(seat=seat).exists():
            raise AlreadyReported
        made = Report.objects.create(
            case=case,
            user=user,
            seat=seat,
            seq=seq,
            category=category,
            text=text,
            created_at=now,
            checks=checks,
        )
        facts = {"report": made.pk, "seat": seat, "seq": seq, "category": category}
        trail.add(case, trail.Kind.REPORTED, by=user, now=now, **facts)
    return made


def check_open_to(table: Table, user: User, seq: int) -> int:
    """The seat for which this user may report event `seq`: the one they hold, or held."""
    if not table.is_visible_to(user.pk):
        raise GameNotFound
    seat = table.seat_of(user.pk)
    if seat is None:
        held = SeatHolder.objects.filter(game=table.game, user=user)
        seat = held.values_list("seat", flat=True).first()
    if seat is None:
        raise NotSeated
    if not 1 <= seq <= table.game.seq:
        raise NoSuchEvent(seq=table.game.seq)
    return seat


def checked(game_id: str, *, now: datetime) -> dict[str, bool]:
    """Whether chain, deal, legality and scores of a game are in order; scores are left out where the log does not replay.

    Nothing more than that is told, since the place of a mistake could tell of a hand that is still being played.
    """
    checks = {"chain": True, "deal": True, "legality": True, "scores": True}
    for found in audit.verify_game(game_id, now=now):
        name, _, words = found.partition(": ")
        match name:
            case "chain" | "heads":
                checks["chain"] = False
            case "seed":
                checks["deal"] = False
            case "columns":
                checks["scores"] = False
            case _:
                of_the_deal = any(f"({kind})" in words for kind in _OF_THE_DEAL)
                checks["deal" if of_the_deal else "legality"] = False
    if not checks["deal"] or not checks["legality"]:
        del checks["scores"]
    return checks


def _count(user: User, now: datetime) -> None:
    """Under a lock of the user's own: their reports in two games at once must see each other."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if user.reports.filter(created_at__gt=now - timedelta(days=1)).count() >= A_DAY:
        raise TooManyReports


def _case_of(table: Table, seq: int) -> Case:
    """The open case about the round of this event, a new one if there is none."""
    event = Event.objects.filter(game=table.game, seq=seq).only("round").first()
    number = (event.round if event else None) or 0
    return case_about(table, number)[0]


def case_about(table: Table, number: int) -> tuple[Case, bool]:
    """The open case about this round (0: none in particular), and whether it was made for that. Under the lock of the game."""
    return Case.objects.get_or_create(
        game=table.game, round=number, state__in=OPEN, defaults={"opened_at": table.now}
    )
