"""One's own bot accounts: accounts that programs play with, and that their owner never shares a table with."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.bots import make_bot
from accounts.models import Scope, User
from games.api import answers, serializers
from games.api.base import ApiView, user_of
from games.api.parsing import body_of, query_of
from games.api.retries import answered_once
from games.api.schema import IDEMPOTENCY_KEY, WRITING, endpoint
from games.api.tokens import issued


class BotsView(ApiView):
    scopes = {"GET": Scope.ACCOUNT_READ, "POST": None}
    personal = frozenset({"POST"})
    buckets = {"POST": limits.CREATIONS}

    @endpoint("bots", answers={200: answers.Bots}, scope=Scope.ACCOUNT_READ)
    def get(self, request: Request) -> Response:
        """My bot accounts, the oldest first."""
        query_of(request, serializers.NoQuery)
        return Response({"bots": [_shown(bot) for bot in user_of(request).bots.order_by("pk")]})

    @endpoint(
        "make_bot",
        body=serializers.MakeBot,
        answers={201: answers.NewBot},
        scope=None,
        problems=WRITING,
        parameters=[IDEMPOTENCY_KEY],
    )
    @answered_once
    def post(self, request: Request) -> Response:
        """Make a bot account and its first token. With a token, the new one may do no more and lives no longer than that one."""
        wanted = body_of(request, serializers.MakeBot)
        with transaction.atomic():
            bot = make_bot(user_of(request), wanted["name"], now=timezone.now())
            token = issued(request, bot, **wanted)
        return Response({**_shown(bot), "token": token}, status=201)


def _shown(bot: User) -> dict[str, Any]:
    return {"player": bot.username, "created_at": bot.date_joined}
