"""The page for a game whose stored log cannot be read: a worker is told to look at it, and the person that it is our fault."""

from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import get_template

from games import nudges
from games.table import BrokenLog

logger = structlog.get_logger(__name__)


class OutOfService:
    """Middleware: answers what a page could not, because of the game that it was to show."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, BrokenLog):
            return None
        logger.error("log_broken", error=type(exception).__name__)
        nudges.to_inspect(exception.game)
        return HttpResponse(get_template("503.html").render(), status=503)
