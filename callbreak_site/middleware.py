"""What every answer has in common: one line in the log, and no copy in a shared cache."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django_structlog.middlewares import RequestMiddleware

from callbreak_site.logs import without_keys

_ASKED_BY_MACHINES = frozenset({"/healthz", "/readyz"})

# What a browser does with a document: an answer without one has no use for them, and polls are counted in bytes.
_FOR_DOCUMENTS = (
    "Content-Language",
    "Content-Length",
    "Content-Security-Policy",
    "Content-Type",
    "Cross-Origin-Opener-Policy",
    "Referrer-Policy",
    "Vary",
    "X-Content-Type-Options",
    "X-Frame-Options",
)

Handler = Callable[[HttpRequest], HttpResponseBase]


def nothing_needs_no_policy(get_response: Handler) -> Handler:
    """Take the headers about documents off an answer that is none (204)."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code == HTTPStatus.NO_CONTENT:
            for name in _FOR_DOCUMENTS:
                response.headers.pop(name, None)
        return response

    return middleware


def private_by_default(get_response: Handler) -> Handler:
    """Keep every answer out of shared caches unless its view said otherwise.

    Nearly all of them show what one person may see; a page that forgot to say so must not be the one
    that a proxy hands to the next player.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "private, no-store"
            patch_vary_headers(response, ["Cookie", "Authorization"])
        return response

    return middleware


class RequestLog(RequestMiddleware):
    """One line for each answer: method, path and status. Never the query, which may hold an invitation."""

    def __call__(self, request: HttpRequest) -> Any:
        if request.path in _ASKED_BY_MACHINES:
            return self.get_response(request)
        return super().__call__(request)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {without_keys(request.path)}"
