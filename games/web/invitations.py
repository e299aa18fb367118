"""Invitation links: the forms that make one and take it back."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.models import User
from games.services import inviting
from games.web.table import answer, seat_asked


@login_required
@require_POST
def make(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make a link for any free seat, or for the one chosen."""
    seat = seat_asked(request)

    def act(user: User) -> HttpResponse:
        inviting.invite(user, game_id, now=timezone.now(), seat=seat)
        return _to_the_links(game_id)

    return answer(request, game_id, act)


@login_required
@require_POST
def revoke(request: HttpRequest, game_id: str, invitation: int) -> HttpResponse:
    """Take a link back. Doing it again is the same."""

    def act(user: User) -> HttpResponse:
        inviting.revoke(user, game_id, invitation, now=timezone.now())
        return _to_the_links(game_id)

    return answer(request, game_id, act)


def _to_the_links(game_id: str) -> HttpResponse:
    return redirect(reverse("table", args=[game_id]) + "#invitations")
