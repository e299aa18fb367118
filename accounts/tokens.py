"""Personal tokens: issue, recognise, revoke. The only module that sees a token's text."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import ApiToken, Scope, User, check_scopes

PREFIX = "cbk_"
LENGTH = len(PREFIX) + 43
LIFE = timedelta(days=365)
LAST_USED_GRAIN = timedelta(minutes=1)


def issue_token(
    user: User, *, name: str, scopes: Iterable[str], now: datetime, life: timedelta = LIFE
) -> tuple[ApiToken, str]:
    """A new token of the user and its text, which nobody sees again. Unknown scope: ValidationError."""
    wanted = set(scopes)
    check_scopes(wanted)
    text = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        hash=_hash_of(text),
        prefix=text[: len(PREFIX) + 6],
        scopes=[scope for scope in Scope.values if scope in wanted],
        created_at=now,
        expires_at=now + life,
    )
    return token, text


def recognise_token(text: str, *, now: datetime) -> ApiToken | None:
    """The living token with this text, its user loaded; None for anything else. One query.

    The use is noted, in a second query, once a minute at most.
    """
    if len(text) != LENGTH or not text.startswith(PREFIX) or not text.isascii():
        return None
    token = (
        ApiToken.objects.alive(now=now)
        .select_related("user")
        .filter(hash=_hash_of(text), user__is_active=True)
        .first()
    )
    if token is not None and _is_use_worth_noting(token, now):
        # The condition again: of many requests at once, one writes.
        ApiToken.objects.filter(
            Q(last_used_at=None) | Q(last_used_at__lte=now - LAST_USED_GRAIN), pk=token.pk
        ).update(last_used_at=now)
    return token


def revoke_token(token: ApiToken, *, now: datetime) -> None:
    """From the next request on the token opens nothing. Revoking twice keeps the first time."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now)


def _is_use_worth_noting(token: ApiToken, now: datetime) -> bool:
    return token.last_used_at is None or token.last_used_at <= now - LAST_USED_GRAIN


def _hash_of(text: str) -> str:
    """What is stored of a token. It has 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(text.encode()).hexdigest()
