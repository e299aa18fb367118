"""The desk's pages: the queue, one case with its evidence, and what a reviewer does with it. Nobody sees a case of their own games."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games.models import Case, Decision
from games.refusals import CannotRule, GameNotFound, MayNotReview, NotStarted
from games.services.audit import verify_game
from games.services.desk import cases, outcomes, reviewers, verdicts
from games.table import BrokenLog
from games.web.company import SEATS
from games.web.desk.evidence import Evidence, marks, signals
from games.web.desk.forms import ProposalForm

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]
SHOWN: Final = 100
CLOSED: Final = (Case.State.DECIDED, Case.State.FINAL)


def for_reviewers(view: View[P]) -> View[P]:
    """A page of the admin, for who may review. Everybody else is refused before anything is read."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not reviewers.is_reviewer(request.user):
            raise PermissionDenied
        try:
            return view(request, *args, **kwargs)
        except MayNotReview:
            # Nothing of the case, not even that it is one.
            raise PermissionDenied from None
        except (Case.DoesNotExist, GameNotFound):
            raise Http404 from None

    # Its type says nothing of further arguments.
    return cast(View[P], admin.site.admin_view(cast(Any, guarded)))


@for_reviewers
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """What waits, the oldest first, without the games that the reviewer has a part in; `?state=` shows others."""
    me, now = _me(request), timezone.now()
    state = request.GET.get("state", "")
    found = Case.objects.select_related("game", "holder").order_by("opened_at", "pk")
    found = (
        found.filter(state=state) if state in Case.State.values else found.exclude(state__in=CLOSED)
    )
    context = {
        **_frame(request, "The referee's desk"),
        "cases": [
            case for case in found[:SHOWN] if not reviewers.is_involved(me, case.game, now=now)
        ],
        "states": Case.State.choices,
        "state": state,
        "now": now,
    }
    return render(request, "desk/queue.html", context)


@for_reviewers
@require_POST
def open_case(request: HttpRequest) -> HttpResponse:
    """A case that nobody reported."""
    number = request.POST.get("round", "") or "0"
    if not (number.isascii() and number.isdigit() and len(number) < 5):
        messages.error(request, "The round is a whole number.")
        return redirect("desk")
    game_id = request.POST.get("game", "").strip().upper()
    try:
        made = cases.open_case(_me(request), game_id, round=int(number), now=timezone.now())
    except CannotRule as refused:
        if isinstance(refused, MayNotReview):
            raise
        messages.error(request, refused.sentence)
        return redirect("desk")
    return redirect("desk_case", made.pk)


@for_reviewers
@require_safe
def review(request: HttpRequest, case_id: int) -> HttpResponse:
    """The case, and the game after event `?seq=` of round `?round=`."""
    return _review(request, _case(request, case_id), None)


@for_reviewers
@require_POST
def act(request: HttpRequest, case_id: int) -> HttpResponse:
    """One press of a button, `do` says which."""
    me, now = _me(request), timezone.now()
    number = _whole(request, "number")
    match request.POST.get("do", ""):
        case "take":
            return _done(request, case_id, lambda: cases.take(me, case_id, now=now))
        case "let_go":
            return _done(request, case_id, lambda: cases.let_go(me, case_id, now=now))
        case "open_hands":
            return _done(
                request, case_id, lambda: cases.open_hands(me, case_id, round=number, now=now)
            )
        case "freeze":
            return _done(request, case_id, lambda: cases.freeze(me, case_id, now=now))
        case "thaw":
            return _done(request, case_id, lambda: cases.thaw(me, case_id, now=now))
        case "sign" if _is_of(case_id, number):
            return _done(request, case_id, lambda: verdicts.sign(me, number, now=now))
        case "send_back" if _is_of(case_id, number):
            return _done(request, case_id, lambda: verdicts.send_back(me, number, now=now))
        case _:
            raise Http404


@for_reviewers
@require_POST
def propose(request: HttpRequest, case_id: int) -> HttpResponse:
    """Propose a ruling: made at once where one person is enough."""
    found = _case(request, case_id)
    form = ProposalForm(request.POST)
    if form.is_valid():
        try:
            verdicts.propose(_me(request), case_id, form.proposal(), now=timezone.now())
        except MayNotReview:
            raise
        except CannotRule as refused:
            form.add_error(None, refused.sentence)
        else:
            return redirect("desk_case", case_id)
    return _review(request, found, form, status=422)


def _review(
    request: HttpRequest, case: Case, form: ProposalForm | None, *, status: int = 200
) -> HttpResponse:
    me, now = _me(request), timezone.now()
    evidence, trouble = None, ""
    try:
        evidence = Evidence.of(
            case, seq=_asked(request, "seq"), number=_asked(request, "round"), now=now
        )
    except NotStarted:
        trouble = "The match has not begun."
    except BrokenLog as broken:
        trouble = f"This game cannot be replayed: {broken}"
    waiting = cases.proposal(case)
    is_held = case.holder_at(now) == me.pk
    context = {
        **_frame(request, f"Case {case.pk}"),
        "case": case,
        "evidence": evidence,
        "trouble": trouble,
        "marks": marks(case, evidence.page.seq) if evidence else {},
        "reports": case.reports.select_related("user").order_by("pk"),
        "steps": case.steps.select_related("by").order_by("number"),
        "decisions": outcomes.decisions_in(case),
        "signals": signals(case),
        "found": verify_game(case.game_id, now=now) if "verify" in request.GET else None,
        "waiting": waiting,
        "may_sign": waiting is not None and waiting.proposed_by_id != me.pk,
        "may_take": case.state in cases.TO_TAKE and waiting is None and not is_held,
        "is_held": is_held,
        "form": form or (ProposalForm() if is_held and waiting is None else None),
        "seats": [(seat, case.game.seats.get(number=seat)) for seat in SEATS],
    }
    return render(request, "desk/review.html", context, status=status)


def _case(request: HttpRequest, case_id: int) -> Case:
    """The case, for a reviewer who has no part in its game."""
    found = Case.objects.select_related("game", "holder").get(pk=case_id)
    reviewers.check(_me(request), found.game, now=timezone.now())
    return found


def _done(request: HttpRequest, case_id: int, do: Callable[[], object]) -> HttpResponse:
    try:
        do()
    except MayNotReview:
        raise
    except CannotRule as refused:
        messages.error(request, refused.sentence)
    return redirect("desk_case", case_id)


def _is_of(case_id: int, decision_id: int) -> bool:
    return Decision.objects.filter(Q(pk=decision_id) & Q(case=case_id)).exists()


def _frame(request: HttpRequest, title: str) -> dict[str, Any]:
    return {**admin.site.each_context(request), "title": title}


def _me(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # see `for_reviewers`
    return request.user


def _whole(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _asked(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
