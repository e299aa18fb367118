"""What players may read of the desk: their cases, what was decided, and what the site decides in all, month by month."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import TruncMonth

from accounts.models import User
from games.models import TO_APPEAL, Case, Decision, Report, Seat, SeatHolder
from games.refusals import GameNotFound
from games.services.desk.verdicts import can_be_appealed

MONTHS: Final = 12


def cases_of(user: User) -> QuerySet[Case]:
    """The cases that this user may read, the newest first: what they reported, and what was decided in public of games of theirs.

    Nobody but the reporters and the staff hears of a report before that.
    """
    mine = Report.objects.filter(case=OuterRef("pk"), user=user)
    seated = SeatHolder.objects.filter(Q(user=user) | Q(person=user), game=OuterRef("game"))
    in_public = Decision.objects.filter(
        Q(made_at__isnull=False) | Q(takes_effect_at__isnull=False),
        case=OuterRef("pk"),
        withdrawn_at__isnull=True,
    )
    seats = Seat.objects.select_related("user", "invited").order_by("number")
    return (
        Case.objects.filter(Exists(mine) | (Exists(seated) & Exists(in_public)))
        .select_related("game")
        .prefetch_related("reports", "decisions", Prefetch("game__seats", seats))
        .order_by("-opened_at", "-pk")
    )


def case_of(user: User, case_id: int) -> Case:
    """`GameNotFound` for a case that is not there, or not for this user to read."""
    found = cases_of(user).filter(pk=case_id).first()
    if found is None:
        raise GameNotFound
    return found


def report_in(case: Case, user: User) -> Report | None:
    """What this user reported in it."""
    return next((each for each in case.reports.all() if each.user_id == user.pk), None)


def decisions_in(case: Case) -> list[Decision]:
    """What was decided, or waits in public, in order."""
    public = [
        each
        for each in case.decisions.all()
        if each.withdrawn_at is None and (each.made_at or each.takes_effect_at)
    ]
    return sorted(public, key=lambda each: each.proposed_at)


def appeal_until(case: Case, *, now: datetime) -> datetime | None:
    """By when this case can be appealed; None if it cannot."""
    if not can_be_appealed(case, now=now) or case.decided_at is None:
        return None
    return case.decided_at + TO_APPEAL


@dataclass(slots=True)
class Month:
    """What was reported, decided and appealed in a month. `rulings` counts decisions by their kind, in the order of the list."""

    month: datetime
    reports: int = 0
    appeals: int = 0
    rulings: dict[str, int] = field(default_factory=dict)


def months() -> list[Month]:
    """The last months in which anything happened, the newest first."""
    found: dict[datetime, Month] = {}

    def at(line: Mapping[str, Any]) -> Month:
        return found.setdefault(line["month"], Month(line["month"]))

    for line in _by_month(Report.objects.all(), "created_at"):
        at(line).reports = line["count"]
    for line in _by_month(Case.objects.filter(appealed_at__isnull=False), "appealed_at"):
        at(line).appeals = line["count"]
    made = Decision.objects.filter(made_at__isnull=False)
    for line in _by_month(made, "made_at", "ruling"):
        at(line).rulings[line["ruling"]] = line["count"]
    return [found[month] for month in sorted(found, reverse=True)[:MONTHS]]


def _by_month(rows: QuerySet[Any], column: str, *more: str) -> list[dict[str, Any]]:  # any model's
    by_month = rows.annotate(month=TruncMonth(column)).order_by().values("month", *more)
    return list(by_month.annotate(count=Count("pk")))
