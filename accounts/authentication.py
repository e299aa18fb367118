"""`Authorization: Bearer cbk_...` for the API."""

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import ApiToken, User
from accounts.tokens import recognise_token


class BearerToken(BaseAuthentication):
    """The user of a personal token; `request.auth` is the token.

    Whoever sends an Authorization header is judged by it alone: a bad token is never rescued by a
    cookie, so a client cannot believe that it acts with less than it does.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _, text = header.partition(" ")
        token = None
        if scheme.lower() == "bearer":
            token = recognise_token(text.strip(), now=timezone.now())
        if token is None:
            raise AuthenticationFailed("This token is unknown, expired or revoked.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="callbreak"'
