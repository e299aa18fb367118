"""The first page, and Play now: a game against three bots for anybody, without a form before the first card."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import TooManyGuests, make_guest
from games.engine.rules import PRESETS
from games.refusals import ReservationRefused, TooManyGames
from games.services import lobby
from games.web import reservations
from games.web.forms import PlayNowForm
from games.web.rules import in_short
from games.wording import rules_name


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    return _page(request, PlayNowForm())


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Make a guest, unless somebody is logged in, seat three bots and go to the table.

    Sent twice, the form leads to the one table it made.
    """
    form = PlayNowForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=400)
    new, owner = form.new_game(), reservations.owner_of(request)
    try:
        # Looked at before there is a guest: a refused form must leave nobody behind.
        made = reservations.game_made_with(new.reservation, owner) if new.reservation else None
        if made is not None and made.created_by == request.user:
            return redirect("table", made.pk)
        if made is not None:
            raise ReservationRefused
        table = lobby.create_game(make_guest(request), new, now=timezone.now(), owner=owner)
    except ReservationRefused:
        messages.error(
            request,
            _("This page was too old for its deal. A new one is sealed: press Play now again."),
        )
        return redirect("landing")
    except TooManyGames as refused:
        messages.error(request, refused.sentence)
        return redirect("home")
    except TooManyGuests as refused:
        return too_many_guests(request, refused)
    return redirect("table", table.game.pk)


def too_many_guests(request: HttpRequest, refused: TooManyGuests) -> HttpResponse:
    """The first page again, with how long to wait."""
    messages.error(
        request,
        ngettext(
            "Too many people began to play from your network without an account. Sign up, or try again in %(minutes)d minute.",
            "Too many people began to play from your network without an account. Sign up, or try again in %(minutes)d minutes.",
            refused.minutes,
        )
        % {"minutes": refused.minutes},
    )
    response = _page(request, PlayNowForm(), status=429)
    response.headers["Retry-After"] = str(60 * refused.minutes)
    return response


def _page(request: HttpRequest, form: PlayNowForm, *, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "reserved": form.reserved(request),
        "presets": [
            {"name": name, "title": rules_name(name), "about": in_short(rules)}
            for name, rules in PRESETS.items()
        ],
        "chosen": form["preset"].value() or "arcadia",
    }
    return render(request, "games/landing.html", context, status=status)
