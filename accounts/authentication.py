"""`Authorization: Bearer cbk_...`, or `cbo_...` of an app, for the API."""

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import ApiToken, User
from accounts.oauth.granted import AppToken, recognise_app_token
from accounts.tokens import recognise_token

Bearer = ApiToken | AppToken


def bearer_of(auth: object) -> Bearer | None:
    """The token that a request came with, by DRF's `request.auth`; None for a session and for nobody, who have no scopes."""
    if auth is None:
        return None
    # Whatever else lets somebody in one day is not taken for a session of our own pages.
    assert isinstance(auth, Bearer)
    return auth


class BearerToken(BaseAuthentication):
    """The user of a personal token, or of an app's; `request.auth` is the token.

    Whoever sends an Authorization header is judged by it alone: a bad token is never rescued by a
    cookie, so a client cannot believe that it acts with less than it does.
    """

    def authenticate(self, request: Request) -> tuple[User, Bearer] | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _, text = header.partition(" ")
        token: Bearer | None = None
        if scheme.lower() == "bearer":
            text, now = text.strip(), timezone.now()
            token = recognise_token(text, now=now) or recognise_app_token(text, now=now)
        if token is None:
            raise AuthenticationFailed("This token is unknown, expired or revoked.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="callbreak"'
