"""Mail from us: what a person wants and when, what was sent and what not, and the link in a mail that stops its kind."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.models import Notice, Seat
from games.notices import devices, sending, stopping
from games.web.deadlines import moment
from games.web.notices_form import NoticesForm
from games.web.rows import company

A_PAGE: Final = 30
_TAGS: Final = {
    Notice.Status.SENT: "tag--warm",
    Notice.Status.DROPPED: "tag--red",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger. `at` is when it was sent, or else when what it tells about happened; `when` is that in words."""

    what: str
    url: str
    status: str
    tag: str
    at: datetime
    when: str
    why: str


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """The form, and below it the ledger, newest first; `?before=` shows what is older than that notice."""
    assert isinstance(request.user, User)
    me = User.objects.get(pk=request.user.pk)  # the form writes into it before it is valid
    form = NoticesForm(request.POST or None, user=me)
    if form.is_valid():
        form.save()
        sending.look_again(me, now=timezone.now())
        messages.success(request, _("Saved. Turns that are open already keep their deadline."))
        return redirect("notices")
    notices = _ledger(me, request.GET.get("before", ""))
    context = {
        "form": form,
        "push": _push(me) if devices.is_on() else None,
        "entries": [_entry(notice) for notice in notices[:A_PAGE]],
        "older": f"?before={notices[A_PAGE - 1].pk}" if len(notices) > A_PAGE else "",
        "section": "account",
    }
    return render(request, "games/notices.html", context)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop a kind of mail, for whoever holds one: mail programs post here by themselves, people press a button.

    No log-in and no CSRF token: the token is the right to do this one thing. Reading changes nothing, since links in mails are
    fetched by machines; posting can only switch off.
    """
    asked = stopping.read_token(token)
    if asked is None:
        raise Http404
    if request.method == "POST":
        stopping.stop(asked)
    context = {"kind": asked.kind.label, "is_done": request.method == "POST"}
    return render(request, "games/notices_stop.html", context)


def _push(user: User) -> dict[str, object]:
    """The devices of this person, and what a browser needs to become one."""
    worker = f"{reverse('push_worker')}?lang={get_language() or 'en'}"
    return {
        "devices": user.push_devices.order_by("pk"),
        "key": devices.public_key(),
        "worker": worker,
    }


def _ledger(user: User, before: str) -> list[Notice]:
    seats = Prefetch("game__seats", Seat.objects.select_related("user").order_by("number"))
    notices = Notice.objects.filter(user=user).select_related("game")
    notices = notices.prefetch_related(seats)
    if before.isdecimal() and len(before) < 19:
        notices = notices.filter(pk__lt=int(before))
    return list(notices.order_by("-pk")[: A_PAGE + 1])


def _entry(notice: Notice) -> Entry:
    at = notice.sent_at or notice.created_at
    return Entry(
        what=", ".join(_what(notice)),
        url="" if notice.game_id is None else reverse("table", args=[notice.game_id]),
        status=notice.get_status_display(),
        tag=_TAGS.get(Notice.Status(notice.status), ""),
        at=timezone.localtime(at),
        when=moment(at, timezone.now()),
        why=notice.why,
    )


def _what(notice: Notice) -> Iterator[str]:
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
