"""Reports of a player, and what became of them."""

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.models import Scope, User
from games import queries
from games.api import answers, serializers
from games.api.base import ApiView, user_of
from games.api.parsing import body_of, query_of
from games.api.retries import answered_once
from games.api.schema import GAME, IDEMPOTENCY_KEY, WRITING, endpoint
from games.models import Case, Decision
from games.services.desk import outcomes, reports
from games.wording import decision_text

SHOWN = 100


class DisputesView(ApiView):
    scopes = {"POST": Scope.GAMES_PLAY}
    buckets = {"POST": limits.CREATIONS}

    @endpoint(
        "report",
        body=serializers.MakeReport,
        answers={201: answers.Dispute},
        scope=Scope.GAMES_PLAY,
        problems=WRITING,
        parameters=[GAME, IDEMPOTENCY_KEY],
    )
    @answered_once
    def post(self, request: Request, game: str) -> Response:
        """Report what event `seq` shows, for the seat that you have or had. The log is checked at once. 10 a day."""
        wanted = body_of(request, serializers.MakeReport)
        user = user_of(request)
        made = reports.report(user, game, **wanted, now=timezone.now())
        return Response(_dispute(outcomes.case_of(user, made.case_id), user), status=201)


class MyDisputesView(ApiView):
    scopes = {"GET": Scope.GAMES_READ}

    @endpoint("my_disputes", answers={200: answers.Disputes}, scope=Scope.GAMES_READ)
    def get(self, request: Request) -> Response:
        """What you reported, and what staff decided about games of yours: the newest 100."""
        query_of(request, serializers.NoQuery)
        user = user_of(request)
        cases = outcomes.cases_of(user)[:SHOWN]
        return Response({"disputes": [_dispute(case, user) for case in cases]})


def _dispute(case: Case, user: User) -> dict[str, Any]:
    mine = outcomes.report_in(case, user)
    return {
        "case": case.pk,
        "game": case.game_id,
        "round": case.round or None,
        "state": case.state,
        "opened_at": case.opened_at,
        "report": None
        if mine is None
        else {
            "seat": mine.seat,
            "seq": mine.seq,
            "category": mine.category,
            "text": mine.text,
            "created_at": mine.created_at,
            "checks": mine.checks,
        },
        "decisions": [_decision(case, each) for each in outcomes.decisions_in(case)],
        "appeal_until": outcomes.appeal_until(case, now=timezone.now()),
    }


def _decision(case: Case, decision: Decision) -> dict[str, Any]:
    names, scale = queries.names_of(case.game), case.game.rules["score_scale"]
    return {
        "ruling": decision.ruling,
        "sentence": decision_text(decision, names=names, scale=scale),
        "reason": decision.reason,
        "cites": [str(cite) for cite in decision.cites],
        "is_appeal": decision.is_appeal,
        "takes_effect_at": decision.takes_effect_at,
        "made_at": decision.made_at,
        "seq": decision.seq,
        "head": decision.head or None,
    }
