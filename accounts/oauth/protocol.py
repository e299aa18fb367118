"""The three addresses that apps speak to: the page that asks a person, and where codes become tokens and tokens end."""

import json
import math
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe
from oauth2_provider.models import Application
from oauth2_provider.views import AuthorizationView, RevokeTokenView, TokenView

from accounts import limits
from accounts.models import Scope, User

# They could have a person pass by the question.
_NOT_ASKED_HERE = ("approval_prompt", "prompt")


class ConsentView(AuthorizationView):  # type: ignore[misc] # no types there
    """Asks the person, every time: an app without a secret could be anybody who knows its name."""

    template_name = "accounts/consent.html"

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        asked = request.GET.copy()
        for name in _NOT_ASKED_HERE:
            asked.pop(name, None)
        request.GET = asked  # type: ignore[assignment] # a QueryDict all the same
        super().setup(request, *args, **kwargs)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if _has_nul(request):
            return HttpResponse(status=400)
        if isinstance(request.user, User) and request.user.is_guest:
            return redirect("account_keep")
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer

    def form_valid(self, form: Any) -> HttpResponseBase:
        if not Application.objects.filter(client_id=form.cleaned_data["client_id"]).exists():
            return self.form_invalid(form)
        answer: HttpResponseBase = super().form_valid(form)
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        """What was sent is not what the page had put there."""
        error = {"error": "invalid_request", "description": "The form was changed."}
        return self.render_to_response({"error": error}, status=400)

    def render_to_response(self, context: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().render_to_response(context, **kwargs)
        if "redirect_uri" in context:
            # A browser holds the policy against the redirect that follows the form, too.
            where = urlsplit(context["redirect_uri"])
            origin = f"{where.scheme}://{where.netloc}"
            response._csp_update = {"form-action": [origin]}  # type: ignore[attr-defined] # as its decorator does
        return response


class AppTokenView(TokenView):  # type: ignore[misc] # no types there
    """A code, or a refresh token, becomes an access token and a new refresh token."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return _refused(request) or self.authorization_flow_token_response(request)


class AppRevokeView(RevokeTokenView):  # type: ignore[misc] # no types there
    """An app gives up a token; with either of the two, both."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return _refused(request) or super().post(request, *args, **kwargs)


@require_safe
def metadata(request: HttpRequest) -> HttpResponse:
    """RFC 8414: where everything is, for clients that look for it."""
    site = settings.SITE_URL
    found = {
        "issuer": site,
        "authorization_endpoint": f"{site}/oauth/authorize",
        "token_endpoint": f"{site}/oauth/token",
        "revocation_endpoint": f"{site}/oauth/revoke",
        "scopes_supported": list(Scope.values),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "service_documentation": f"{site}/api/docs/start",
    }
    return HttpResponse(json.dumps(found), content_type="application/json")


def _refused(request: HttpRequest) -> HttpResponse | None:
    """The answer to what is asked too often, or cannot be asked."""
    allowance = limits.take(limits.MOVES, limits.address(request))
    if allowance is not None and not allowance.is_granted:
        wait = str(math.ceil(allowance.wait))
        return _error("temporarily_unavailable", 429, {**allowance.headers, "Retry-After": wait})
    return _error("invalid_request", 400, {}) if _has_nul(request) else None


def _error(code: str, status: int, headers: dict[str, str]) -> HttpResponse:
    body = json.dumps({"error": code})
    return HttpResponse(body, status=status, headers=headers, content_type="application/json")


def _has_nul(request: HttpRequest) -> bool:
    """No value of ours holds one, and PostgreSQL does not even look for it."""
    values = [*request.GET.lists(), *request.POST.lists()]
    return any("\0" in text for _, texts in values for text in texts)
