"""One's own personal tokens. A token manages those that may do no more than it may itself."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.authentication import bearer_of
from accounts.models import ApiToken, Scope, User
from accounts.tokens import issue_token, revoke_token
from games.api import answers, serializers
from games.api.base import ApiView, user_of
from games.api.errors import MissingScope
from games.api.parsing import body_of, query_of
from games.api.retries import answered_once
from games.api.schema import IDEMPOTENCY_KEY, READING, WRITING, endpoint

TOKEN: Final = OpenApiParameter(
    "token",
    {"type": "integer", "minimum": 1},
    OpenApiParameter.PATH,
    description="A token's id.",
)


class TokensView(ApiView):
    scopes = {"GET": Scope.ACCOUNT_READ, "POST": None}
    personal = frozenset({"POST"})
    buckets = {"POST": limits.CREATIONS}

    @endpoint("tokens", answers={200: answers.Tokens}, scope=Scope.ACCOUNT_READ)
    def get(self, request: Request) -> Response:
        """The tokens that still open something, the newest first."""
        query_of(request, serializers.NoQuery)
        alive = user_of(request).api_tokens.alive(now=timezone.now())
        return Response({"tokens": [_shown(token) for token in alive]})

    @endpoint(
        "make_token",
        body=serializers.MakeToken,
        answers={201: answers.NewToken},
        scope=None,
        problems=WRITING,
        parameters=[IDEMPOTENCY_KEY],
    )
    @answered_once
    def post(self, request: Request) -> Response:
        """Make a token. With a token, only one that may do no more and lives no longer than that one."""
        wanted = body_of(request, serializers.MakeToken)
        return Response(issued(request, user_of(request), **wanted), status=201)


class TokenView(ApiView):
    scopes = {"DELETE": None}
    personal = frozenset({"DELETE"})

    @endpoint("revoke_token", answers={204: None}, scope=None, problems=READING, parameters=[TOKEN])
    def delete(self, request: Request, token: int) -> Response:
        """Revoke a token: it opens nothing from the next request on. A token may revoke itself."""
        found = user_of(request).api_tokens.filter(pk=token).first()
        if found is None:
            raise Http404
        _check_within(request, found.scopes)
        revoke_token(found, now=timezone.now())
        return Response(status=204)


def issued(
    request: Request, user: User, *, name: str, scopes: list[str], days: int
) -> dict[str, Any]:
    """A new token of `user` as the request that makes it is answered: one that may do no more, and lives no longer, than what asks."""
    now, life = timezone.now(), timedelta(days=days)
    _check_within(request, scopes)
    if (bearer := bearer_of(request.auth)) is not None:
        life = min(life, bearer.expires_at - now)
    token, text = issue_token(user, name=name, scopes=scopes, now=now, life=life)
    return {**_shown(token), "token": text}


def _check_within(request: Request, scopes: Iterable[str]) -> None:
    """Else whoever found a token that may only read could make one that plays."""
    bearer = bearer_of(request.auth)
    if bearer is None:
        return
    for scope in scopes:
        if not bearer.allows(scope):
            raise MissingScope(scope)


def _shown(token: ApiToken) -> dict[str, Any]:
    return {
        "id": token.pk,
        "name": token.name,
        "prefix": token.prefix,
        "scopes": token.scopes,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "last_used_at": token.last_used_at,
    }
