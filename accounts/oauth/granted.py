"""Whom an app's token lets in, which apps act for somebody, and the end of it."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken, clear_expired

from accounts.models import Scope, User
from accounts.oauth.server import ACCESS_PREFIX

LENGTH: Final = len(ACCESS_PREFIX) + 43
MOST_APPS: Final = 10


class TooManyApps(Exception):
    sentence = _("Ten apps are the most that a person has.")


@dataclass(frozen=True, slots=True)
class AppToken:
    """An app's access token: what it may do for its user, and until when."""

    pk: int
    user: User
    scopes: list[str]
    expires_at: datetime

    def allows(self, scope: str) -> bool:
        return scope in self.scopes


@dataclass(frozen=True, slots=True)
class Connected:
    """An app that acts for somebody, and what it may."""

    app: Any  # no types there
    scopes: list[str]


def recognise_app_token(text: str, *, now: datetime) -> AppToken | None:
    """The living access token with this text; None for anything else. One query."""
    if len(text) != LENGTH or not text.startswith(ACCESS_PREFIX) or not text.isascii():
        return None
    checksum = hashlib.sha256(text.encode()).hexdigest()
    found = alive(now=now).select_related("user").filter(token_checksum=checksum).first()
    if found is None:
        return None
    return AppToken(found.pk, found.user, _in_order(found.scope.split()), found.expires)


def alive(*, now: datetime) -> Any:  # Any: a queryset without types
    """The access tokens that let somebody in."""
    return AccessToken.objects.filter(
        expires__gt=now, user__is_active=True, application__isnull=False
    )


def connected(user: User, *, now: datetime) -> list[Connected]:
    """The apps that act for this user or can begin to again, by name."""
    granted: dict[Any, set[str]] = {}
    tokens = AccessToken.objects.filter(user=user, application__isnull=False).filter(
        Q(expires__gt=now) | Q(refresh_token__revoked__isnull=True, refresh_token__isnull=False)
    )
    for token in tokens.select_related("application__user"):
        granted.setdefault(token.application, set()).update(token.scope.split())
    by_name = sorted(granted.items(), key=lambda item: (item[0].name, item[0].pk))
    return [Connected(app, _in_order(scopes)) for app, scopes in by_name]


def disconnect(user: User, app: Any, *, now: datetime) -> None:
    """From the next request on nothing that the app was given for this user opens anything."""
    with transaction.atomic():
        Grant.objects.filter(user=user, application=app).delete()
        RefreshToken.objects.filter(user=user, application=app, revoked=None).update(revoked=now)
        AccessToken.objects.filter(user=user, application=app).delete()


def register(user: User, name: str, addresses: Iterable[str]) -> Any:
    """A new app of the user's: a public client, which proves itself by PKCE and has no secret. `TooManyApps`."""
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if Application.objects.filter(user=user).count() >= MOST_APPS:
            raise TooManyApps
        return Application.objects.create(
            user=user,
            name=name,
            client_type=Application.CLIENT_PUBLIC,
            authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
            client_secret="",
            hash_client_secret=False,
            redirect_uris=" ".join(addresses),
        )


def forget_expired() -> None:
    """Delete what lets nobody in any more. Refresh tokens that were used stay while their reuse is to be noticed."""
    clear_expired()


def _in_order(scopes: Iterable[str]) -> list[str]:
    given = set(scopes)
    return [scope for scope in Scope.values if scope in given]
