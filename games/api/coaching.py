"""The coach's endpoints: what it says about a finished round, about the match so far, and about a hand to be bid on."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.models import Scope
from games.api import answers, serializers
from games.api.base import ApiView, user_of
from games.api.parsing import body_of, query_of
from games.api.schema import GAME, READING, ROUND, WRITING, endpoint
from games.models import Coaching
from games.services import coaching


class RoundView(ApiView):
    scopes = {"GET": Scope.GAMES_READ, "POST": Scope.GAMES_READ}
    buckets = {"POST": limits.CREATIONS}

    @endpoint(
        "coach",
        answers={200: answers.RoundCoaching},
        scope=Scope.GAMES_READ,
        problems=(*READING, 409),
        parameters=[GAME, ROUND],
    )
    def get(self, request: Request, game: str, round: int) -> Response:
        """What the coach says about your decisions in a round that is over, if it was asked."""
        query_of(request, serializers.NoQuery)
        kept = coaching.found(user_of(request), game, round=round, now=timezone.now())
        return Response(_as_json(round, kept))

    @endpoint(
        "ask_coach",
        body=serializers.StartGame,
        answers={202: answers.RoundCoaching, 200: answers.RoundCoaching},
        scope=Scope.GAMES_READ,
        problems=WRITING,
        parameters=[GAME, ROUND],
    )
    def post(self, request: Request, game: str, round: int) -> Response:
        """Ask the coach about a round that is over. 202 while it works, 200 once it is done."""
        body_of(request, serializers.StartGame)
        kept = coaching.ask(user_of(request), game, round=round, now=timezone.now())
        return Response(_as_json(round, kept), status=200 if kept.is_done else 202)


class MatchView(ApiView):
    scopes = {"GET": Scope.GAMES_READ}

    @endpoint(
        "match_coach",
        answers={200: answers.MatchCoaching},
        scope=Scope.GAMES_READ,
        parameters=[GAME],
    )
    def get(self, request: Request, game: str) -> Response:
        """What cost you most in this match, and how often your bids were made, of the rounds that the coach was asked about."""
        query_of(request, serializers.NoQuery)
        return Response(coaching.summary(user_of(request), game, now=timezone.now()))


class BidHelpView(ApiView):
    scopes = {"GET": Scope.GAMES_PLAY}
    buckets = {"GET": limits.MOVES}

    @endpoint(
        "bid_help",
        answers={200: answers.BidHelp},
        scope=Scope.GAMES_PLAY,
        problems=(*READING, 409),
        parameters=[GAME, ROUND],
    )
    def get(self, request: Request, game: str, round: int) -> Response:
        """What you can expect of the hand that you are about to bid on. At unrated tables alone."""
        query_of(request, serializers.NoQuery)
        seen = coaching.help_to_bid(user_of(request), game, round=round, now=timezone.now())
        return Response(
            {
                "round": round,
                "best": seen.best,
                "tricks": list(seen.tricks),
                "bids": [{"bid": bid, "score": score} for bid, score in seen.scores.items()],
            }
        )


def _as_json(round: int, kept: Coaching | None) -> coaching.Json:
    told = {"round": round, **coaching.status_of(kept), "bid": None, "cards": []}
    return told if kept is None else told | {"bid": kept.bid, "cards": kept.cards}
