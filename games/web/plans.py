"""The page on which a player writes the plan for a round. Its buttons change the form and nothing else; saving stores it."""

from dataclasses import dataclass, field
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games import queries
from games.engine.cards import Card
from games.engine.errors import RuleViolation
from games.engine.observation import TRICKS, Observation
from games.refusals import GameNotFound, NoPlan, NotSeated, PlanChanged, PlanUnseen
from games.services import plans
from games.web.hindsight import asked_lately
from games.web.plan_draft import Draft
from games.web.plan_words import CHOICES, POSITIONS, STOPS, in_words
from games.wording import SUIT_NAMES, SUIT_SIGNS, card_name, explain, rules_name

LATELY: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPage:
    """`tag` is the stored plan that the form goes back to, empty for none; `is_stored`: the form shows just that."""

    game: str
    round: int
    table_name: str
    draft: Draft = field(repr=False)
    tag: str
    is_stored: bool
    words: tuple[str, ...]
    lately: str
    to_lead: tuple[tuple[str, str], ...] = field(repr=False)
    waits_for_next: bool
    refusal: str

    @property
    def url(self) -> str:
        return reverse("plan", args=[self.game, self.round])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def plan(request: HttpRequest, game_id: str, number: int) -> HttpResponse:
    """The plan of a running round, and the form that changes it. A round that is over has none: back to the table."""
    assert isinstance(request.user, User)
    seen = _own_round(request.user, game_id, number)
    if seen is None:
        return redirect("table", game_id)
    kept = _kept(request.user, game_id, number)
    if request.method != "POST":
        draft = Draft() if kept is None else Draft.of_plan(kept.plan, seen.hand)
        return _page(request, game_id, seen, draft, kept)
    draft = Draft.of_form(request.POST, seen.hand)
    button = request.POST.get("do", "")
    if button != "save":
        draft = draft.after(button, request.POST.get("lead", ""), seen.hand)
        return _page(request, game_id, seen, draft, kept, tag=request.POST.get("tag", ""))
    return _save(request, request.user, game_id, seen, draft, kept)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def throw_away(request: HttpRequest, game_id: str, number: int) -> HttpResponse:
    """Ask, then forget the plan."""
    assert isinstance(request.user, User)
    seen = _own_round(request.user, game_id, number)
    kept = None if seen is None else _kept(request.user, game_id, number)
    if seen is None or kept is None:
        return redirect("table", game_id)
    if request.method == "POST":
        try:
            plans.throw_away(
                request.user, game_id, round=number, seen=[plans.ANY], now=timezone.now()
            )
        except NoPlan:
            return redirect("table", game_id)
        messages.success(request, _("Your plan is thrown away."))
        return redirect("table", game_id)
    context = {
        "game_id": game_id,
        "number": number,
        "words": in_words(kept.plan, seen.hand),
        "section": "games",
    }
    return render(request, "games/plan_away.html", context)


def _save(
    request: HttpRequest,
    user: User,
    game_id: str,
    seen: Observation,
    draft: Draft,
    kept: plans.Kept | None,
) -> HttpResponse:
    wanted = draft.plan()
    if wanted is None:
        number = draft.empty_slips[0]
        refusal = _("Rule %(number)d has no condition yet: choose one, or take the rule out.")
        return _page(
            request,
            game_id,
            seen,
            draft,
            kept,
            tag=request.POST.get("tag", ""),
            refusal=refusal % {"number": number},
            status=400,
        )
    tag = request.POST.get("tag", "")
    try:
        plans.save(
            user,
            game_id,
            wanted,
            round=seen.round,
            seen=[tag] if tag else None,
            now=timezone.now(),
        )
    except (PlanChanged, PlanUnseen):
        refusal = _(
            "Your plan was changed elsewhere meanwhile. Save again, and this one replaces it."
        )
        return _page(request, game_id, seen, draft, kept, refusal=refusal, status=409)
    except (
        RuleViolation
    ) as refused:  # the round has ended or the card was played while the page was being read
        return _page(request, game_id, seen, draft, kept, refusal=explain(refused), status=422)
    messages.success(request, _("Your plan is kept. Only you can see it."))
    return redirect(f"{reverse('table', args=[game_id])}?round={seen.round}")


def _own_round(user: User, game_id: str, number: int) -> Observation | None:
    """The round as this player sees it; None if it is not running (any more). 404 for whoever has no hand in it."""
    try:
        table = queries.open_table(game_id, user.pk, now=timezone.now())
    except GameNotFound:
        raise Http404 from None
    if table.seat_of(user.pk) is None or number not in table.rows:
        raise Http404
    if number not in queries.running(table) or table.game.status != table.game.Status.PLAYING:
        return None
    return queries.observation(table, number, user.pk)


def _kept(user: User, game_id: str, number: int) -> plans.Kept | None:
    try:
        return plans.plan_of(user, game_id, round=number, now=timezone.now())
    except (NoPlan, NotSeated):
        return None


def _page(
    request: HttpRequest,
    game_id: str,
    seen: Observation,
    draft: Draft,
    kept: plans.Kept | None,
    *,
    tag: str | None = None,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    wanted = draft.plan()
    stored = None if kept is None else Draft.of_plan(kept.plan, seen.hand)
    page = PlanPage(
        game=game_id,
        round=seen.round,
        table_name=rules_name(seen.rules.name),
        draft=draft,
        tag=tag if tag is not None else "" if kept is None else kept.tag,
        is_stored=draft == stored,
        words=() if wanted is None else tuple(in_words(wanted, seen.hand)),
        lately="" if wanted is None else _lately(asked_lately(wanted, seen, tricks=LATELY)),
        to_lead=tuple((each.text, card_name(each.text)) for each in _left(draft, seen.hand)),
        waits_for_next=seen.acts,
        refusal=refusal,
    )
    context: dict[str, Any] = {
        "page": page,
        "suits": [(suit, SUIT_SIGNS[suit], SUIT_NAMES[suit]) for suit in "SHCD"],
        "positions": [(str(place), words) for place, words in POSITIONS.items()],
        "choices": [(choice.value, words) for choice, words in CHOICES.items()],
        "stops": [(reason.value, words) for reason, words in STOPS.items()],
        "lefts": [str(left) for left in range(1, TRICKS)],
        "game_id": game_id,
        "section": "games",
    }
    return render(request, "games/plan.html", context, status=status)


def _left(draft: Draft, hand: tuple[Card, ...]) -> list[Card]:
    return [each for each in reversed(hand) if each not in draft.queue]


def _lately(counted: tuple[int, int]) -> str:
    asked, tricks = counted
    if not tricks:
        return ""
    times = ngettext("%(asked)d time", "%(asked)d times", asked) % {"asked": asked}
    return ngettext(
        "With this plan you would have been asked %(times)s in the last trick.",
        "With this plan you would have been asked %(times)s in the last %(tricks)d tricks.",
        tricks,
    ) % {"times": times, "tricks": tricks}
