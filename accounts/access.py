"""What let somebody in, and whether it still would: asked again and again for answers that go on for hours."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Self, TypeVar

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.models import Session
from django.http import HttpRequest

from accounts import barring
from accounts.authentication import bearer_of
from accounts.models import ApiToken, User
from accounts.oauth.granted import AppToken, alive

# SQLite takes so many parameters of a query, and more than enough.
_AT_ONCE: Final = 500

T = TypeVar("T", int, str)


@dataclass(frozen=True, slots=True)
class Access:
    """A personal token, an app's, a session and the form of the password it was made with, or neither of them: whoever may look without an account."""

    token: int | None = None
    app_token: int | None = None
    user: int | None = None
    session: str | None = None
    password: str = ""

    @classmethod
    def of(cls, request: HttpRequest, user: object, auth: object) -> Self:
        """What let this request in. `auth` is DRF's `request.auth`."""
        match bearer_of(auth):
            case ApiToken(pk=pk):
                return cls(token=pk)
            case AppToken(pk=pk):
                return cls(app_token=pk)
        if not isinstance(user, User):
            return cls()
        return cls(
            user=user.pk,
            session=request.session.session_key,
            password=request.session.get(HASH_SESSION_KEY, ""),
        )


def closed(accesses: Collection[Access], *, now: datetime) -> set[Access]:
    """Those that would not let anybody in any more: revoked, expired, logged out, or of an account that was closed or
    suspended."""
    tokens = {each.token for each in accesses if each.token is not None}
    app_tokens = {each.app_token for each in accesses if each.app_token is not None}
    sessions = {each.session for each in accesses if each.session is not None}
    users = {each.user for each in accesses if each.user is not None}
    open_tokens = {
        pk
        for some in _batches(tokens)
        for pk in ApiToken.objects.alive(now=now)
        .filter(barring.free("user__", now=now), pk__in=some, user__is_active=True)
        .values_list("pk", flat=True)
    }
    open_app_tokens = {
        pk
        for some in _batches(app_tokens)
        for pk in alive(now=now)
        .filter(barring.free("user__", now=now), pk__in=some)
        .values_list("pk", flat=True)
    }
    open_sessions = {
        key
        for some in _batches(sessions)
        for key in Session.objects.filter(session_key__in=some, expire_date__gt=now).values_list(
            "session_key", flat=True
        )
    }
    passwords = {
        user.pk: user.get_session_auth_hash()
        for some in _batches(users)
        for user in User.objects.filter(barring.free(now=now), pk__in=some, is_active=True).only(
            "password"
        )
    }
    return {
        each
        for each in accesses
        if (each.token is not None and each.token not in open_tokens)
        or (each.app_token is not None and each.app_token not in open_app_tokens)
        or (each.session is not None and each.session not in open_sessions)
        or (each.user is not None and each.password != passwords.get(each.user))
    }


def _batches(some: Collection[T]) -> Iterator[list[T]]:
    them = list(some)
    for start in range(0, len(them), _AT_ONCE):
        yield them[start : start + _AT_ONCE]
