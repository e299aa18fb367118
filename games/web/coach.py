"""The coach's page of a game: ask about a round that is over, and read what it says."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.models import Coaching
from games.refusals import NotSeated
from games.services import coaching
from games.web.coach_page import match_advice, round_advice
from games.web.foot import Foot
from games.web.records import opened
from games.web.table import answer


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def coach(request: HttpRequest, game_id: str) -> HttpResponse:
    """What the coach says about `?round=`, else about the latest round that is over. A POST asks it."""
    assert isinstance(request.user, User)
    if request.method == "POST":
        asked = _number(request.POST.get("round", ""))
        return answer(request, game_id, lambda user: _ask(user, game_id, asked), number=asked)
    table, _ = opened(request, game_id)
    try:
        told = coaching.summary(request.user, game_id, now=timezone.now())
    except NotSeated:
        raise Http404 from None
    over = [row["round"] for row in told["rounds"]]
    number = _number(request.GET.get("round", "")) if "round" in request.GET else None
    if number is not None and number not in over:
        raise Http404
    number = number or (over[-1] if over else None)
    scale = table.rules.score_scale
    advice = None
    if number is not None:
        kept = Coaching.objects.filter(game=table.game, round=number, owner=request.user).first()
        advice = round_advice(game_id, number, kept, scale)
    context = {
        "foot": Foot.of(table),
        "has_started": table.game.first_dealer is not None,
        "section": "games",
        "rounds": over,
        "advice": advice,
        "match": match_advice(game_id, told, scale),
    }
    return render(request, "games/coach.html", context)


def _ask(user: User, game_id: str, number: int) -> HttpResponse:
    coaching.ask(user, game_id, round=number, now=timezone.now())
    return redirect(f"{reverse('coach', args=[game_id])}?round={number}")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise BadRequest
    return int(text)
