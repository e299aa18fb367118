"""What a person was told and was not told, and why, as lines of a page: newest first, what is alike in one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Prefetch
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Notice, Seat
from games.notices.freshness import foreseen
from games.web.deadlines import moment
from games.web.rows import company

A_PAGE: Final = 60  # notices, in as many lines or fewer
Status = Notice.Status
_TAGS: Final = {Status.SENT: "tag--warm", Status.DROPPED: "tag--red"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. `at` is when it was sent, or else when what it tells about happened; `when` is that in words."""

    what: str
    url: str
    status: str
    tag: str
    at: datetime
    when: str
    why: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """`last` is the oldest notice of the page if there are older ones, else None."""

    entries: Sequence[Entry]
    last: int | None


def ledger_of(user: User, *, before: str) -> Ledger:
    """A page of what is older than the notice `before`, if that names one."""
    seats = Prefetch("game__seats", Seat.objects.select_related("user").order_by("number"))
    rows = Notice.objects.filter(user=user).select_related("game").prefetch_related(seats)
    if before.isdecimal() and len(before) < 19:
        rows = rows.filter(pk__lt=int(before))
    notices = list(rows.order_by("-pk")[: A_PAGE + 1])
    shown = notices[:A_PAGE]
    # Whoever has moved reads that, and not that something still waits: nothing will be sent.
    for notice, reason in foreseen([each for each in shown if each.status == Status.QUEUED]):
        notice.status, notice.reason = Status.DROPPED, reason
    lines = [_entry(alike[0], len(alike)) for alike in _alike(shown).values()]
    return Ledger(lines, shown[-1].pk if len(notices) > A_PAGE else None)


def _alike(notices: Sequence[Notice]) -> Mapping[object, list[Notice]]:
    """Notices by what a line would say. Of what was not sent, those of one round and reason are one line, where the newest is."""
    lines: dict[object, list[Notice]] = {}
    for notice in notices:
        is_sent = notice.status in (Status.SENT, Status.QUEUED) or notice.game_id is None
        about = (notice.kind, notice.game_id, notice.round, notice.device_name)
        key = notice.pk if is_sent else (*about, notice.status, notice.reason)
        lines.setdefault(key, []).append(notice)
    return lines


def _entry(notice: Notice, count: int) -> Entry:
    at = notice.sent_at or notice.created_at
    return Entry(
        what=", ".join(_what(notice, count)),
        url="" if notice.game_id is None else reverse("table", args=[notice.game_id]),
        status=notice.get_status_display(),
        tag=_TAGS.get(Status(notice.status), ""),
        at=timezone.localtime(at),
        when=moment(at, timezone.now()),
        why=notice.why,
    )


def _what(notice: Notice, count: int) -> Iterator[str]:
    yield notice.get_kind_display()
    if notice.game is None:
        return
    mine = next((seat for seat in notice.game.seats.all() if seat.user_id == notice.user_id), None)
    others = company(notice.game, besides=mine.number if mine else None)
    if others:
        yield others
    if notice.round:
        yield _("round %(round)d") % {"round": notice.round}
    if notice.device_name:
        yield _("on a device: %(device)s") % {"device": notice.device_name}
    if count > 1:
        yield ngettext("%(count)d time", "%(count)d times", count) % {"count": count}
