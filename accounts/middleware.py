"""A person's own language and clock, on every page."""

from collections.abc import Callable
from typing import Final
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone, translation

# What the script of an open page sends with its polls. Most of them find nothing new, and need to know nothing of the person.
POLL: Final = "X-Poll"

Handler = Callable[[HttpRequest], HttpResponseBase]


def persons_own_settings(get_response: Handler) -> Handler:
    """Show times in the user's zone and, if they chose one, words in their language. A poll does so itself when it has news."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        timezone.deactivate()
        if POLL not in request.headers:
            use_own_settings(request)
        try:
            return get_response(request)
        finally:
            # Threads are used again: the next request must not inherit this person's clock.
            timezone.deactivate()

    return middleware


def use_own_settings(request: HttpRequest) -> None:
    """The person's zone and language, from here to the end of the request."""
    user = request.user
    if not user.is_authenticated:
        return
    timezone.activate(ZoneInfo(user.time_zone))
    if user.language:
        translation.activate(user.language)
        request.LANGUAGE_CODE = translation.get_language()
