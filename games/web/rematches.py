"""The Rematch button."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.models import User
from games.services import rematching
from games.web.table import answer


@login_required
@require_POST
def rematch(request: HttpRequest, game_id: str) -> HttpResponse:
    """To the table that follows this match, made now unless somebody has made it."""

    def act(user: User) -> HttpResponse:
        made = rematching.rematch(
            user,
            game_id,
            now=timezone.now(),
            contribution=request.POST.get("contribution", "").encode(),
            reservation=request.POST.get("reservation") or None,
        )
        return redirect("table", made)

    return answer(request, game_id, act)
