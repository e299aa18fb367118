"""A round looked at again, step by step, by an address that can be passed on."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from games.models import Coaching
from games.refusals import GameNotFound, NotStarted
from games.replay import replay
from games.web.coach_page import advice_at
from games.web.context import waiting_games
from games.web.display import Display
from games.web.replay_page import replay_page


@require_safe
def show(request: HttpRequest, game_id: str) -> HttpResponse:
    """The game after event `?seq=`; `?round=` says which of the rounds that run side by side."""
    viewer = request.user.pk if isinstance(request.user, User) else None
    try:
        found = replay(
            game_id,
            viewer,
            now=timezone.now(),
            seq=_number(request, "seq"),
            number=_number(request, "round"),
        )
    except GameNotFound:
        raise Http404 from None
    except NotStarted:
        return redirect("table", game_id)
    page = replay_page(found, viewer, sort=Display.of(request).sort)
    context = {
        "page": page,
        "game_id": game_id,
        "next_count": waiting_games(request, besides=game_id),
        "section": "games" if page.is_seated else "tables",
    }
    if page.is_seated and found.table.rows[found.round].scores is not None:
        kept = Coaching.objects.filter(game=game_id, round=found.round, owner=viewer).first()
        advice = advice_at(kept, found.step.seq, found.table.rules.score_scale)
        context["coach"] = {"said": advice}
    return render(request, "games/replay.html", context)


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Http404
    return int(text)
