"""A person's own language and clock, on every page."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone, translation

Handler = Callable[[HttpRequest], HttpResponseBase]


def persons_own_settings(get_response: Handler) -> Handler:
    """Show times in the user's zone and, if they chose one, words in their language."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        user = request.user
        if not user.is_authenticated:
            timezone.deactivate()
            return get_response(request)
        timezone.activate(ZoneInfo(user.time_zone))
        if user.language:
            translation.activate(user.language)
            request.LANGUAGE_CODE = translation.get_language()
        try:
            return get_response(request)
        finally:
            # Threads are used again: the next request must not inherit this person's clock.
            timezone.deactivate()

    return middleware
