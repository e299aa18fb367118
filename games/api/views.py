"""The endpoints: take what was sent, call a service or a query, answer. Decides nothing."""

from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe
from drf_spectacular.types import OpenApiTypes
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.authentication import bearer_of
from accounts.models import Scope, User
from games import queries
from games.api import answers, serializers
from games.api.base import ApiView, PlainText, user_of, viewer_of
from games.api.errors import PROBLEMS
from games.api.paging import page_of
from games.api.parsing import body_of, query_of
from games.api.retries import answered_once
from games.api.rulebook import rulebook
from games.api.schema import (
    GAME,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    IF_NONE_MATCH,
    PLANNING,
    READING,
    ROUND,
    SEAT,
    WRITING,
    endpoint,
)
from games.api.waiting import wait_for
from games.engine import transcript
from games.models import Game
from games.services import autopilot, lobby, pace, plans, play, substituting
from games.table import Table


class RulesView(ApiView):
    scopes = {"GET": None}
    is_public = True

    @endpoint("rules", answers={200: answers.Rulebook}, scope=None, public=True)
    def get(self, request: Request) -> Response:
        """Presets with every field, what a table may change, our readings, and the schema of custom rules."""
        query_of(request, serializers.NoQuery)
        return Response(rulebook())


class MeView(ApiView):
    scopes = {"GET": Scope.ACCOUNT_READ}

    @endpoint("me", answers={200: answers.Me}, scope=Scope.ACCOUNT_READ)
    def get(self, request: Request) -> Response:
        """Who these credentials belong to."""
        query_of(request, serializers.NoQuery)
        user = user_of(request)
        bearer = bearer_of(request.auth)
        return Response(
            {
                "player": user.username,
                "kind": "bot_account" if user.is_bot else "guest" if user.is_guest else "human",
                "owner": user.owner.username if user.owner else None,
                "language": user.language,
                "time_zone": user.time_zone,
                "scopes": Scope.values if bearer is None else bearer.scopes,
            }
        )


class TurnsView(ApiView):
    scopes = {"GET": Scope.GAMES_READ}

    @endpoint("my_turns", answers={200: answers.Turns}, scope=Scope.GAMES_READ)
    def get(self, request: Request) -> Response:
        """The decisions that wait for me, most urgent first; 100 at the most."""
        query_of(request, serializers.NoQuery)
        turns = queries.decisions_awaiting(user_of(request))
        return Response({"turns": turns[:100]})


class GamesView(ApiView):
    scopes = {"GET": Scope.GAMES_READ, "POST": Scope.TABLES_WRITE}
    buckets = {"POST": limits.CREATIONS}
    is_public = True

    @endpoint(
        "list_games",
        answers={200: answers.GamePage},
        scope=Scope.GAMES_READ,
        public=True,
        parameters=[serializers.ListQuery],
    )
    def get(self, request: Request) -> Response:
        """The games that the caller may see, newest first."""
        query = query_of(request, serializers.ListQuery)
        viewer = viewer_of(request)
        games = _listed(viewer, mine=query.get("mine"), awaiting=query.get("awaiting"))
        if "status" in query:
            games = games.filter(status=query["status"])
        shown, after = page_of(games, cursor=query.get("cursor"), limit=query["limit"])
        return Response(
            {"games": [queries.summary(game, now=timezone.now()) for game in shown], "next": after}
        )

    @endpoint(
        "create_game",
        body=serializers.CreateGame,
        answers={201: answers.Game},
        scope=Scope.TABLES_WRITE,
        problems=WRITING,
        parameters=[IDEMPOTENCY_KEY],
    )
    @answered_once
    def post(self, request: Request) -> Response:
        """Make a table. The match starts by itself when no seat is left open."""
        new = body_of(request, serializers.CreateGame)
        table = lobby.create_game(user_of(request), new, now=timezone.now())
        location = request.build_absolute_uri(f"/api/v1/games/{table.game.pk}")
        return _game(table, request, status=201, headers={"Location": location})


class ReserveView(ApiView):
    scopes = {"POST": Scope.TABLES_WRITE}
    buckets = {"POST": limits.READS}  # nothing is made of it

    @endpoint(
        "reserve_game",
        body=serializers.ReserveGame,
        answers={201: answers.Reservation},
        scope=Scope.TABLES_WRITE,
        problems=WRITING,
    )
    def post(self, request: Request) -> Response:
        """Fix a game's id and anchor before you contribute to its shuffle."""
        body_of(request, serializers.ReserveGame)
        kept = lobby.reserve(f"user:{user_of(request).pk}")
        answer = {"game": kept.game, "anchor": kept.anchor, "reservation": kept.token}
        return Response(answer, status=201)


class GameView(ApiView):
    scopes = {"GET": Scope.GAMES_READ}
    is_public = True

    @endpoint(
        "game",
        answers={200: answers.Game, 304: None},
        scope=Scope.GAMES_READ,
        public=True,
        parameters=[GAME, IF_NONE_MATCH],
    )
    def get(self, request: Request, game: str) -> HttpResponse:
        """The game as the caller sees it. With If-None-Match, 304 while nothing has changed."""
        query_of(request, serializers.NoQuery)
        viewer = request.user.pk
        version, own = queries.versions(game, viewer)
        etag = _etag(game, version, viewer, own)
        if etag in parse_etags(request.headers.get("If-None-Match", "")):
            return _validated(HttpResponse(status=304), etag)
        table = queries.open_table(game, viewer, now=timezone.now())
        # Of the game that was read, which may have moved on meanwhile.
        return _validated(_game(table, request), _etag(game, table.game.version, viewer, own))


class SeatsView(ApiView):
    scopes = {"POST": Scope.TABLES_WRITE}
    buckets = {"POST": limits.CREATIONS}

    @endpoint(
        "sit_down",
        body=serializers.SitDown,
        answers={200: answers.Game},
        scope=Scope.TABLES_WRITE,
        problems=WRITING,
        parameters=[GAME, IDEMPOTENCY_KEY],
    )
    @answered_once
    def post(self, request: Request, game: str) -> Response:
        """Sit down. Doing it again answers alike."""
        wanted = body_of(request, serializers.SitDown)
        return _game(lobby.sit(user_of(request), game, now=timezone.now(), **wanted), request)


class MySeatView(ApiView):
    scopes = {"DELETE": Scope.TABLES_WRITE}

    @endpoint(
        "leave",
        answers={204: None},
        scope=Scope.TABLES_WRITE,
        problems=(*READING, 409),
        parameters=[GAME],
    )
    def delete(self, request: Request, game: str) -> Response:
        """Give the seat up before the start. A table that nobody sits at any more is cancelled."""
        lobby.leave(user_of(request), game, now=timezone.now())
        return Response(status=204)


class BackView(ApiView):
    scopes = {"POST": Scope.GAMES_PLAY}

    @endpoint(
        "take_back",
        body=serializers.StartGame,
        answers={200: answers.Game},
        scope=Scope.GAMES_PLAY,
        problems=WRITING,
        parameters=[GAME, IDEMPOTENCY_KEY],
    )
    @answered_once
    def post(self, request: Request, game: str) -> Response:
        """Have your seat back from the bot that keeps it. Any move of yours does that too."""
        body_of(request, serializers.StartGame)
        return _game(pace.take_back(user_of(request), game, now=timezone.now()), request)


class OfferView(ApiView):
    scopes = {"PUT": Scope.TABLES_WRITE, "DELETE": Scope.TABLES_WRITE}

    @endpoint(
        "offer_seat",
        body=serializers.OfferSeat,
        answers={200: answers.Game},
        scope=Scope.TABLES_WRITE,
        problems=WRITING,
        parameters=[GAME, SEAT],
    )
    def put(self, request: Request, game: str, seat: int) -> Response:
        """Offer a seat that a bot has kept for seven days to a substitute. Whoever plays here may."""
        wanted = body_of(request, serializers.OfferSeat)
        now = timezone.now()
        return _game(
            substituting.offer(user_of(request), game, seat=seat, now=now, **wanted), request
        )

    @endpoint(
        "withdraw_seat",
        answers={200: answers.Game},
        scope=Scope.TABLES_WRITE,
        parameters=[GAME, SEAT],
    )
    def delete(self, request: Request, game: str, seat: int) -> Response:
        """Offer it no longer."""
        now = timezone.now()
        return _game(substituting.withdraw(user_of(request), game, seat=seat, now=now), request)


class SubstituteView(ApiView):
    scopes = {"POST": Scope.TABLES_WRITE}

    @endpoint(
        "take_over_seat",
        body=serializers.StartGame,
        answers={200: answers.Game},
        scope=Scope.TABLES_WRITE,
        problems=WRITING,
        parameters=[GAME, SEAT],
    )
    def post(self, request: Request, game: str, seat: int) -> Response:
        """Play on in a seat that is offered. You see its hand from now on. Doing it again answers alike."""
        body_of(request, serializers.StartGame)
        now = timezone.now()
        return _game(substituting.take_over(user_of(request), game, seat=seat, now=now), request)


class StartView(ApiView):
    scopes = {"POST": Scope.TABLES_WRITE}

    @endpoint(
        "start",
        body=serializers.StartGame,
        answers={200: answers.Game},
        scope=Scope.TABLES_WRITE,
        problems=WRITING,
        parameters=[GAME],
    )
    def post(self, request: Request, game: str) -> Response:
        """Fill the open seats with bots and begin. Only who made the table may."""
        body_of(request, serializers.StartGame)
        return _game(lobby.start(user_of(request), game, now=timezone.now()), request)


class MovesView(ApiView):
    scopes = {"POST": Scope.GAMES_PLAY}

    @endpoint(
        "move",
        body=serializers.MakeMove,
        answers={201: answers.Accepted, 200: answers.Accepted},
        scope=Scope.GAMES_PLAY,
        problems=WRITING,
        parameters=[GAME],
    )
    def post(self, request: Request, game: str) -> Response:
        """Answer the decision `(round, turn)`. The same answer again is 200 with the same receipt."""
        sent = body_of(request, serializers.MakeMove)
        place = {"round": sent["round"], "turn": sent["turn"], "now": timezone.now()}
        if "card" in sent:
            move = play.play_card(user_of(request), game, sent["card"], **place)
        else:
            move = play.place_bid(user_of(request), game, sent["bid"], **place)
        return _accepted(move, request)


class ClaimsView(ApiView):
    scopes = {"POST": Scope.GAMES_PLAY}

    @endpoint(
        "claim",
        body=serializers.ClaimRest,
        answers={201: answers.Accepted, 200: answers.Accepted},
        scope=Scope.GAMES_PLAY,
        problems=WRITING,
        parameters=[GAME],
    )
    def post(self, request: Request, game: str) -> Response:
        """Claim the rest instead of leading. Your hand and what was played must prove it; a refusal is told to nobody."""
        sent = body_of(request, serializers.ClaimRest)
        return _accepted(play.claim(user_of(request), game, **sent, now=timezone.now()), request)


class PlanView(ApiView):
    scopes = {"GET": Scope.GAMES_PLAY, "PUT": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @endpoint(
        "plan",
        answers={200: serializers.StandingPlan},
        scope=Scope.GAMES_PLAY,
        parameters=[GAME, ROUND],
    )
    def get(self, request: Request, game: str, round: int) -> HttpResponse:
        """Your standing plan for a running round. Its ETag names this version of it."""
        query_of(request, serializers.NoQuery)
        return _plan(plans.plan_of(user_of(request), game, round=round, now=timezone.now()))

    @endpoint(
        "save_plan",
        body=serializers.StandingPlan,
        answers={200: serializers.StandingPlan, 201: serializers.StandingPlan},
        scope=Scope.GAMES_PLAY,
        problems=PLANNING,
        parameters=[GAME, ROUND, IF_MATCH],
    )
    def put(self, request: Request, game: str, round: int) -> HttpResponse:
        """Keep a plan. While it is your turn, it applies from your next decision on. Its queue names cards you hold."""
        wanted = body_of(request, serializers.StandingPlan)
        kept, is_first = plans.save(
            user_of(request),
            game,
            wanted,
            round=round,
            seen=_plans_meant(request),
            now=timezone.now(),
        )
        return _plan(kept, status=201 if is_first else 200)

    @endpoint(
        "throw_plan_away",
        answers={204: None},
        scope=Scope.GAMES_PLAY,
        problems=(*READING, 412, 428),
        parameters=[GAME, ROUND, IF_MATCH],
    )
    def delete(self, request: Request, game: str, round: int) -> Response:
        """Throw the plan away."""
        seen = _plans_meant(request)
        plans.throw_away(user_of(request), game, round=round, seen=seen, now=timezone.now())
        return Response(status=204)


class AutopilotView(ApiView):
    scopes = {"PUT": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @endpoint(
        "autopilot_on",
        body=serializers.StartGame,
        answers={200: answers.Game},
        scope=Scope.GAMES_PLAY,
        problems=WRITING,
        parameters=[GAME, ROUND],
    )
    def put(self, request: Request, game: str, round: int) -> Response:
        """Give the rest of this round to a bot. Everybody sees it."""
        body_of(request, serializers.StartGame)
        return self._switch(request, game, round, on=True)

    @endpoint(
        "autopilot_off",
        answers={200: answers.Game},
        scope=Scope.GAMES_PLAY,
        problems=(*READING, 409),
        parameters=[GAME, ROUND],
    )
    def delete(self, request: Request, game: str, round: int) -> Response:
        """Play on yourself."""
        return self._switch(request, game, round, on=False)

    def _switch(self, request: Request, game: str, round: int, *, on: bool) -> Response:
        now = timezone.now()
        table = autopilot.switch(user_of(request), game, round=round, on=on, now=now)
        return _game(table, request)


class EventsView(ApiView):
    scopes = {"GET": Scope.GAMES_READ}
    is_public = True

    @endpoint(
        "events",
        answers={200: answers.Feed},
        scope=Scope.GAMES_READ,
        public=True,
        parameters=[GAME, serializers.EventsQuery],
    )
    def get(self, request: Request, game: str) -> Response:
        """The public log after event `after`, without a gap."""
        query = query_of(request, serializers.EventsQuery)
        viewer, after, seconds = request.user.pk, query["after"], query.pop("wait")
        if seconds:
            wait_for(lambda: queries.last_seq(game, viewer) > after, request, seconds=seconds)
        return Response(queries.public_events(game, viewer, **query))


class ExportView(ApiView):
    scopes = {"GET": Scope.GAMES_READ}
    is_public = True

    @endpoint(
        "export",
        answers={200: answers.Export},
        scope=Scope.GAMES_READ,
        public=True,
        parameters=[GAME],
    )
    def get(self, request: Request, game: str) -> Response:
        """The whole public record, `callbreak-game/1`: the input of the verifier."""
        query_of(request, serializers.NoQuery)
        return Response(queries.export(game, request.user.pk, now=timezone.now()))


class TranscriptView(ApiView):
    scopes = {"GET": Scope.GAMES_READ}
    is_public = True
    renderer_classes = [PlainText]

    @endpoint(
        "transcript",
        answers={(200, PlainText.media_type): OpenApiTypes.STR},
        scope=Scope.GAMES_READ,
        public=True,
        problems=(*READING, 409),
        parameters=[GAME],
    )
    def get(self, request: Request, game: str) -> Response:
        """The match as text: the hands of rounds that are over, all bids and cards."""
        query_of(request, serializers.NoQuery)
        match = queries.transcript(game, request.user.pk, now=timezone.now())
        return Response(transcript.write(match))


@cache
def _schema_text() -> bytes:
    return (settings.BASE_DIR / "games/api/openapi.yaml").read_bytes()


@require_safe
def schema_file(request: HttpRequest) -> HttpResponse:
    """The committed schema: what the code would say, as the checks see to, without asking all of it again for each caller."""
    return HttpResponse(_schema_text(), content_type="application/vnd.oai.openapi")


def errors_page(request: HttpRequest) -> HttpResponse:
    """Every code of a problem document, for people who write clients."""
    codes = [
        {"code": code, "status": status, "title": title}
        for code, (status, title) in PROBLEMS.items()
    ]
    return render(request, "api/errors.html", {"codes": codes})


def guide_page(request: HttpRequest) -> HttpResponse:
    """From nothing to a bot that plays, command by command."""
    return render(request, "api/guide.html", {"site": settings.SITE_URL})


def _listed(viewer: User | None, *, mine: bool | None, awaiting: bool | None) -> QuerySet[Game]:
    if not (mine or awaiting):
        return queries.visible_games(viewer)
    if viewer is None:
        raise NotAuthenticated
    return queries.games_awaiting(viewer) if awaiting else queries.games_of(viewer)


def _accepted(move: play.Move, request: Request) -> Response:
    return Response(
        {
            "seq": move.seq,
            "hash": move.hash,
            "signature": move.signature,
            "game": queries.game_as_seen(move.table, request.user.pk),
        },
        status=200 if move.repeated else 201,
    )


def _plan(kept: plans.Kept, *, status: int = 200) -> HttpResponse:
    return _validated(Response(kept.plan.to_json(), status=status), kept.etag)


def _plans_meant(request: Request) -> list[str] | None:
    """The tags in If-Match; None without it. A weak one is the name of no plan."""
    header = request.headers.get("If-Match")
    return None if header is None else [tag.strip('"') for tag in parse_etags(header)]


def _game(table: Table, request: Request, **answer: Any) -> Response:
    return Response(queries.game_as_seen(table, request.user.pk), **answer)


def _etag(game: str, version: str, viewer: int | None, own: str) -> str:
    """Changes with whatever the caller may see of the game, and with the day: by when it is over may hang on that.

    `own` is for their eyes alone.
    """
    today = timezone.now().date()
    seen = f"{game} {version} {viewer} {translation.get_language()} {own} {today}"
    return f'W/"{sha256(seen.encode()).hexdigest()[:32]}"'


def _validated(response: HttpResponse, etag: str) -> HttpResponse:
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Cookie", "Authorization", "Accept-Language"])
    return response
