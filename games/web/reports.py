"""What a player reports, how far staff have come with it, what was decided, and the appeal. Works without a script."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.barring import open_to_the_barred
from accounts.models import User
from games import queries
from games.engine.rules import PRESETS
from games.models import Case, Decision, Event, Report
from games.refusals import CannotAppeal, GameNotFound, Refusal
from games.services.desk import outcomes, reports, verdicts
from games.table import Table
from games.web.company import Company
from games.web.foot import Foot
from games.web.records import log_line, opened
from games.wording import decision_text

# Lines offered to choose from: what was asked for, some before and some after.
BEFORE: Final = 40
OFFERED: Final = 60
SHOWN: Final = 50
CONFLICT: Final = 409
CHECKS: Final[Sequence[tuple[str, Promise]]] = (
    ("chain", gettext_lazy("The log is whole: every line follows from the line before it.")),
    ("deal", gettext_lazy("Every deal is the one that was fixed before the match.")),
    ("legality", gettext_lazy("Every bid and every card was allowed.")),
    ("scores", gettext_lazy("Tricks, scores and totals are right.")),
)


class ReportForm(forms.Form):
    seq = forms.TypedChoiceField(label=gettext_lazy("What is it about?"), coerce=int)
    category = forms.ChoiceField(
        label=gettext_lazy("What is wrong?"), choices=Report.Category.choices
    )
    text = forms.CharField(
        label=gettext_lazy("Tell the staff"),
        max_length=reports.LONGEST,
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    def __init__(self, data: object, *, lines: Sequence[tuple[int, str]], seq: int) -> None:
        super().__init__(data, initial={"seq": seq})  # type: ignore[arg-type] # request.POST or None
        field = self.fields["seq"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = lines


class AppealForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("Why should somebody look again?"),
        max_length=verdicts.LONGEST_APPEAL,
        widget=forms.Textarea(attrs={"rows": 5}),
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """A decision in words. `cites` are the rules and events it rests on, each with its address."""

    text: str
    reason: str
    cites: tuple[tuple[str, str], ...]
    at: datetime | None
    takes_effect_at: datetime | None
    is_appeal: bool
    seq: int | None
    head: str


@dataclass(frozen=True, slots=True)
class Row:
    """A case in a list."""

    url: str
    where: str
    state: str
    opened_at: datetime
    outcome: str
    is_mine: bool


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, game_id: str) -> HttpResponse:
    """A form about event `?seq=`, or the last one of `?round=`, or of the game; then the report."""
    table, viewer = opened(request, game_id)
    asked = (request.POST or request.GET).get("seq") or _last_of_round(request, table)
    seq = _seq(asked, table)
    form = ReportForm(request.POST or None, lines=_lines(table, viewer, seq), seq=seq)
    status = 200
    if form.is_valid():
        try:
            made = reports.report(_me(request), game_id, **form.cleaned_data, now=timezone.now())
        except Refusal as refused:
            form.add_error(None, str(refused.sentence))
            status = CONFLICT
        else:
            messages.success(request, _("Sent. Staff are going to look at it."))
            return redirect("case", made.case_id)
    return render(
        request, "games/report.html", {"form": form, "foot": Foot.of(table)}, status=status
    )


@open_to_the_barred
@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """What I reported, and what staff decided about games of mine."""
    me = _me(request)
    rows = [_row(case, me) for case in outcomes.cases_of(me)[:SHOWN]]
    return render(request, "games/reports.html", {"rows": rows, "section": "games"})


@open_to_the_barred
@login_required
@require_safe
def case(request: HttpRequest, case_id: int) -> HttpResponse:
    """One case: my report and what the check found, what was decided, how to appeal."""
    return _case(request, case_id, AppealForm())


@open_to_the_barred
@login_required
@require_POST
def appeal(request: HttpRequest, case_id: int) -> HttpResponse:
    """Ask for a second look."""
    form = AppealForm(request.POST)
    if not form.is_valid():
        return _case(request, case_id, form)
    try:
        verdicts.appeal(_me(request), case_id, form.cleaned_data["text"], now=timezone.now())
    except GameNotFound:
        raise Http404 from None
    except CannotAppeal as refused:
        messages.error(request, str(refused.sentence))
    else:
        messages.success(request, _("Sent. Somebody else decides now."))
    return redirect("case", case_id)


@require_safe
def counts(request: HttpRequest) -> HttpResponse:
    """What was reported and decided, month by month. Counts alone."""
    names = dict(Decision.Ruling.choices)
    months = [
        (each, [(names[kind], each.rulings[kind]) for kind in names if kind in each.rulings])
        for each in outcomes.months()
    ]
    return render(request, "games/rulings.html", {"months": months})


def _case(request: HttpRequest, case_id: int, form: AppealForm) -> HttpResponse:
    me = _me(request)
    try:
        found = outcomes.case_of(me, case_id)
    except GameNotFound:
        raise Http404 from None
    mine = outcomes.report_in(found, me)
    context = {
        "case": found,
        "where": _where(found),
        "state": found.get_state_display(),
        "mine": mine,
        "checks": [(str(words), mine.checks.get(name)) for name, words in CHECKS] if mine else (),
        "outcomes": [_outcome(found, each) for each in outcomes.decisions_in(found)],
        "appeal_until": outcomes.appeal_until(found, now=timezone.now()),
        "form": form,
        "section": "games",
    }
    return render(request, "games/case.html", context)


def _row(case: Case, me: User) -> Row:
    decided = outcomes.decisions_in(case)
    return Row(
        url=reverse("case", args=[case.pk]),
        where=_where(case),
        state=str(case.get_state_display()),
        opened_at=case.opened_at,
        outcome=_text(case, decided[-1]) if decided else "",
        is_mine=outcomes.report_in(case, me) is not None,
    )


def _where(case: Case) -> str:
    names = ", ".join(queries.names_of(case.game))
    if not case.round:
        return names
    return _("Round %(round)d, %(names)s") % {"round": case.round, "names": names}


def _outcome(case: Case, decision: Decision) -> Outcome:
    return Outcome(
        text=_text(case, decision),
        reason=decision.reason,
        cites=tuple(_cites(case, decision.cites)),
        at=decision.made_at,
        takes_effect_at=decision.takes_effect_at,
        is_appeal=decision.is_appeal,
        seq=decision.seq,
        head=decision.head,
    )


def _text(case: Case, decision: Decision) -> str:
    names, scale = queries.names_of(case.game), case.game.rules["score_scale"]
    return decision_text(decision, names=names, scale=scale)


def _cites(case: Case, cites: Iterable[str | int]) -> Iterable[tuple[str, str]]:
    for cite in cites:
        if isinstance(cite, int):
            after = f"?after={max(0, cite - 5)}#e{cite}"
            yield _("Event %(seq)d") % {"seq": cite}, reverse("log", args=[case.game_id]) + after
            continue
        name, _slash, topic = cite.partition("/")
        url = reverse("rules_preset", args=[name]) if name in PRESETS else reverse("rules")
        yield cite, f"{url}#{topic}"


def _me(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # a page for people who are logged in
    return request.user


def _last_of_round(request: HttpRequest, table: Table) -> str:
    number = request.GET.get("round", "")
    if not (number.isascii() and number.isdigit() and int(number) in table.rows):
        return str(table.game.seq)
    of_round = Event.objects.filter(game=table.game, round=int(number)).order_by("-seq")
    return str(of_round.values_list("seq", flat=True).first() or table.game.seq)


def _seq(text: str, table: Table) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Http404
    return min(max(int(text), 1), table.game.seq)


def _lines(table: Table, viewer: int | None, seq: int) -> list[tuple[int, str]]:
    """The events around this one, in words."""
    company = Company.of(queries.game_as_seen(table, viewer))
    after = max(0, seq - BEFORE)
    events = queries.public_events(table.game.pk, viewer, after=after, limit=OFFERED)["events"]
    lines = [log_line(each, company.at(each["seq"], table.seats), table.rules) for each in events]
    return [(line.seq, f"{line.seq}: {line.words}") for line in lines]
