"""Pages that show no game: fairness, and the door to one's own settings."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.services import counting
from games.web import plots as plots_of
from games.web.display import Display


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    """In plain words, with what our own deals add up to: counted by a task, never here."""
    count = counting.counted()
    plots = None
    if count is not None and count.deals:
        plots = {
            "bars": plots_of.spade_bars(count),
            "dots": plots_of.card_dots(count),
            "figures": plots_of.figures(count),
        }
    return render(request, "games/fairness.html", {"plots": plots})


@login_required
@require_safe
def settings(request: HttpRequest) -> HttpResponse:
    context = {"display": Display.of(request), "section": "account"}
    return render(request, "accounts/settings.html", context)
