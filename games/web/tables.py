"""The lobby and the form for a new table."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games import queries
from games.engine.rules import PRESETS
from games.refusals import ReservationRefused, SamePerson, TooManyGames
from games.services import lobby
from games.web import reservations
from games.web.clocks import CLOCK_NAMES, CLOCK_WORDS, PER_TURN, name_of
from games.web.forms import RULE_FIELDS, NewTableForm
from games.web.rows import offered_row, open_row
from games.web.rules import in_short
from games.web.table import FRAGMENT
from games.wording import rules_name

PER_PAGE = 30
BESIDE_THE_FORM = 5


@require_safe
def lobby_page(request: HttpRequest) -> HttpResponse:
    """Public tables at which somebody may still sit down."""
    viewer = request.user if isinstance(request.user, User) else None
    now = timezone.now()
    page = Paginator(queries.open_tables(viewer), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "rows": [open_row(game, viewer, now=now) for game in page],
        "offered": [offered_row(game, viewer) for game in queries.offered_seats(viewer)[:PER_PAGE]],
        "page": page,
        "section": "tables",
    }
    return render(request, "games/tables.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    """Make a table and go to it; or the form again, with a sentence beside what is wrong.

    With `reckon` no table is made: the form comes back with how long a match like this takes.
    """
    assert isinstance(request.user, User)
    if request.method != "POST":
        return _form_page(request, NewTableForm(creator=request.user))
    form = NewTableForm(request.POST, creator=request.user)
    is_whole = form.is_valid()
    if "reckon" in request.POST:
        return _reckoned(request, form)
    if not is_whole:
        return _form_page(request, form, status=400)
    new, owner = form.new_game(), reservations.owner_of(request)
    try:
        made = reservations.game_made_with(new.reservation, owner) if new.reservation else None
        if made is not None and made.created_by == request.user:
            return redirect("table", made.pk)
        table = lobby.create_game(request.user, new, now=timezone.now(), owner=owner)
    except ReservationRefused:
        form.add_error(
            None, _("This page was too old for its deal. A new one is sealed: send the form again.")
        )
        return _form_page(request, form, status=409)
    except (TooManyGames, SamePerson) as refused:
        form.add_error(None, str(refused.sentence))
        return _form_page(request, form, status=409)
    if form.became_house_rules:
        messages.info(
            request,
            _(
                "Your table plays house rules: your change goes beyond what tables of %(preset)s may set."
            )
            % {"preset": rules_name(form.cleaned_data["preset"])},
        )
    return redirect("table", table.game.pk)


def _reckoned(request: HttpRequest, form: NewTableForm) -> HttpResponse:
    """The form again; of a script's question, the lengths alone."""
    if FRAGMENT not in request.headers:
        return _form_page(request, form)
    lengths = form.lengths(now=timezone.now())
    return render(request, "games/_lengths.html", {"lengths": lengths.items()})


def _form_page(request: HttpRequest, form: NewTableForm, *, status: int = 200) -> HttpResponse:
    assert isinstance(request.user, User)
    now = timezone.now()
    lengths = form.lengths(now=now)
    tables = queries.open_tables(request.user)[:BESIDE_THE_FORM]
    context: dict[str, Any] = {
        "form": form,
        "reserved": form.reserved(request),
        "presets": [
            {"name": name, "title": rules_name(name), "about": in_short(rules)}
            for name, rules in PRESETS.items()
        ],
        "rule_fields": [form[name] for name in RULE_FIELDS],
        "clocks": [
            _pace(name, str(CLOCK_NAMES[name]), lengths, about=str(CLOCK_WORDS[name]))
            for name in CLOCK_NAMES
        ],
        "per_turn": [_pace(name, name_of(clock), lengths) for name, clock in PER_TURN.items()],
        "seats": [(form[f"seat{number}"], form[f"name{number}"]) for number in (1, 2, 3)],
        "rows": [open_row(game, request.user, now=now) for game in tables],
        "section": "tables",
    }
    return render(request, "games/new_table.html", context, status=status)


def _pace(name: str, title: str, lengths: Mapping[str, str], *, about: str = "") -> dict[str, str]:
    return {"name": name, "title": title, "about": about, "length": lengths.get(name, "")}
