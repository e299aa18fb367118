"""A seat that a bot has kept for long: the forms that offer it to a substitute, and the one that takes it over."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from games.services import substituting
from games.web.company import SEATS
from games.web.table import answer


@login_required
@require_POST
def offer(request: HttpRequest, game_id: str, seat: int) -> HttpResponse:
    """Offer the seat, to whoever sees the table or to one player; or, with `on=no`, offer it no longer."""
    _check_seat(seat)
    now = timezone.now()

    def act(user: User) -> object:
        if request.POST.get("on") == "no":
            return substituting.withdraw(user, game_id, seat=seat, now=now)
        to = request.POST.get("to", "").strip()
        return substituting.offer(user, game_id, seat=seat, to=to, now=now)

    return answer(request, game_id, act)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def take_over(request: HttpRequest, game_id: str, seat: int) -> HttpResponse:
    """Play on in the seat. Who has to sign in first comes back by a link, to the table."""
    _check_seat(seat)
    if request.method != "POST":
        return redirect("table", game_id)
    return answer(
        request,
        game_id,
        lambda user: substituting.take_over(user, game_id, seat=seat, now=timezone.now()),
    )


def _check_seat(seat: int) -> None:
    if seat not in SEATS:
        raise Http404
