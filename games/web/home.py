"""My games, and the way from one to the next."""

from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from games import queries
from games.engine.round import State
from games.models import Game, Round
from games.web import reservations
from games.web.lately import news_of
from games.web.rows import Row, my_row, offered_row, open_row, result

LATELY = 10
LONGEST_FIRST = ("started_at", "pk")
_RUNNING = Prefetch("rounds", Round.objects.filter(state__in=[State.BIDDING, State.PLAYING]))


@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What waits for me first, then what I wait for. As many queries for a hundred games as for one."""
    me = _user(request)
    running = queries.games_of(me).filter(status__in=[Game.Status.PLAYING, Game.Status.FROZEN])
    now = timezone.now()
    offered = list(queries.offered_seats(me).filter(seats__invited=me))
    mine = running.exclude(pk__in=[game.pk for game in offered])
    games = list(mine.order_by(*LONGEST_FIRST).prefetch_related(_RUNNING))
    rows = [my_row(game, me, now=now) for game in games]
    due = sorted((row for row in rows if row.due), key=lambda row: _urgency(row, now))
    openings = [
        open_row(game, me, now=now) for game in queries.games_of(me).filter(status=Game.Status.OPEN)
    ]
    finished = queries.games_of(me).filter(status=Game.Status.FINISHED).order_by("-finished_at")
    context = {
        "due": due,
        "waiting": [row for row in rows if not row.due],
        "invitations": [
            *(offered_row(game, me) for game in offered),
            *(row for row in openings if row.due),
        ],
        "openings": [row for row in openings if not row.due],
        "news": news_of(games, me),
        "results": [each for game in finished[:LATELY] if (each := result(game, me))],
        "here": _here(timezone.localtime()),
        "next_count": len(due),
        "section": "games",
    }
    if not due:
        context["reserved"] = reservations.reserve(request)
    return render(request, "games/home.html", context)


@login_required
@require_safe
def next_game(request: HttpRequest) -> HttpResponse:
    """To the most urgent table, but not back to the one I come `from`."""
    here = request.GET.get("from", "")
    waiting = queries.decisions_awaiting(_user(request))
    game_id = next((turn["game"] for turn in waiting if turn["game"] != here), None)
    return redirect("home") if game_id is None else redirect("table", game_id)


def _urgency(row: Row, now: datetime) -> datetime:
    return row.deadline.at if row.deadline else now


def _here(now: datetime) -> dict[str, object]:
    """The reader's time and the city of their zone, `Asia/Kathmandu` as `Kathmandu`."""
    zone = timezone.get_current_timezone_name()
    return {"now": now, "city": zone.rpartition("/")[2].replace("_", " ")}


def _user(request: HttpRequest) -> User:
    """The person behind a page that only people who are logged in reach."""
    assert isinstance(request.user, User)
    return request.user
