"""Pages that show no game: fairness, and the door to one's own settings."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.web.display import Display


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    return render(request, "games/fairness.html")


@login_required
@require_safe
def settings(request: HttpRequest) -> HttpResponse:
    context = {"display": Display.of(request), "section": "account"}
    return render(request, "accounts/settings.html", context)
