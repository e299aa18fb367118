"""What every view of the API shares: who may call it, and how it is asked and answered."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import NotAuthenticated, PermissionDenied, Throttled
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import limits
from accounts.authentication import BearerToken, bearer_of
from accounts.barring import Barred, is_barred
from accounts.models import Scope, User
from accounts.oauth.granted import AppToken
from games.api.errors import CsrfRefused, MissingScope
from games.api.parsing import StrictJson


class SiteSession(SessionAuthentication):
    """The session cookie of our own pages. They may do everything, with their CSRF token."""

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as refused:
            raise CsrfRefused from refused


class MayCall(BasePermission):
    """The caller is known where the view wants that, and their token has the method's scope.

    A method that the view does not have is let through: it is answered 405.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        assert isinstance(view, ApiView)
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method not in view.scopes:
            return True
        if not request.user.is_authenticated:
            if view.is_public and method == "GET":
                return True
            raise NotAuthenticated
        scope, bearer = view.scopes[method], bearer_of(request.auth)
        if method in view.personal and isinstance(bearer, AppToken):
            raise PermissionDenied(gettext("An app makes and revokes no tokens of yours."))
        if bearer is not None and scope and not bearer.allows(scope):
            raise MissingScope(scope)
        return True


class PlainText(BaseRenderer):
    """Text as it is."""

    media_type = "text/plain"
    format = "txt"

    def render(
        self,
        data: str,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return data.encode()


class ApiView(APIView):
    """A view of the API. `scopes`: what a token needs for each method (None: any token will do).

    `is_public`: what it shows with GET may be read without an account. `buckets`: by method, what a request is counted as, where
    it is neither a read nor a move. `personal`: methods that no app may call, since what they do would outlast it.
    """

    scopes: ClassVar[Mapping[str, Scope | None]]
    is_public: ClassVar[bool] = False
    personal: ClassVar[frozenset[str]] = frozenset()
    buckets: ClassVar[Mapping[str, limits.Bucket]] = {}
    allowance: limits.Allowance | None = None

    authentication_classes = [BearerToken, SiteSession]
    permission_classes = [MayCall]
    parser_classes = [StrictJson]
    renderer_classes = [JSONRenderer]
    http_method_names = ["get", "head", "post", "put", "delete"]

    def perform_authentication(self, request: Request) -> None:
        """Find out who asks, and whether they ask too often: before what they may do, since refusals are counted too."""
        try:
            super().perform_authentication(request)
        finally:
            self._count(request)
        if isinstance(request.user, User) and is_barred(request.user, now=timezone.now()):
            raise Barred(request.user)

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in (self.allowance.headers if self.allowance else {}).items():
            response.headers[name] = value
        return response

    def _count(self, request: Request) -> None:
        method = str(request.method)
        usual = limits.READS if method in SAFE_METHODS else limits.MOVES
        who = limits.caller(request._request, request.user)
        self.allowance = limits.take(self.buckets.get(method, usual), who)
        if self.allowance is not None and not self.allowance.is_granted:
            raise Throttled(self.allowance.wait)


def viewer_of(request: Request) -> User | None:
    """Who asks; None for somebody without an account."""
    return request.user if isinstance(request.user, User) else None


def user_of(request: Request) -> User:
    """Who asks, where `MayCall` let nobody else through."""
    assert isinstance(request.user, User)
    return request.user
