"""A request that waits for news. Each holds a thread of the web server, so a quarter of them may, and whoever comes then is answered at once."""

import time
from collections.abc import Callable
from threading import BoundedSemaphore
from typing import Final

from django.conf import settings
from django.utils import timezone
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from accounts.access import Access, closed

LONGEST_SECONDS: Final = 25
LOOK_EVERY_SECONDS: Final = 0.25

_places = BoundedSemaphore(settings.CALLBREAK_WAITING_THREADS)


def wait_for(is_there: Callable[[], bool], request: Request, *, seconds: int) -> None:
    """Return once `is_there`, or after so many seconds, or at once while too many wait. `NotAuthenticated` when the caller's token
    is revoked meanwhile.
    """
    if not _places.acquire(blocking=False):
        return
    try:
        access = Access.of(request._request, request.user, request.auth)
        until = time.monotonic() + seconds
        while not is_there() and (left := until - time.monotonic()) > 0:
            time.sleep(min(LOOK_EVERY_SECONDS, left))
            if closed({access}, now=timezone.now()):
                raise NotAuthenticated
    finally:
        _places.release()
