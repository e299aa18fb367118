"""When somebody last looked in: what decides whether a mail is needed.

**A visit** is a person loading a page, or sending anything (a form, a move by the API). It is written down at most once a minute.
**No visit** is what happens without a person: the script of an open table asking for news, the reload of a table without script,
what a browser fetches before it is wanted, and reads of the API, which programs repeat for ever. So an open tab, or a client left
running, does not keep mail away.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Final, TypeVar

from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from accounts.models import User

AT_MOST_EVERY: Final = timedelta(minutes=1)
# A page that reloads itself says so in its address.
BY_ITSELF: Final = "by-itself"

Handler = Callable[[HttpRequest], HttpResponseBase]
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def keep_visits(get_response: Handler) -> Handler:
    """Write down that the person of a request has looked in. After the view: tokens are read there."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not is_visit(request):
            return (
                response  # without a look at the user, who may not have been read from the database
            )
        user = getattr(request, "user", None)
        if isinstance(user, User) and not user.is_bot:
            _write(user)
        return response

    return middleware


def is_visit(request: HttpRequest) -> bool:
    if request.method not in ("GET", "HEAD", "OPTIONS"):
        return True
    if request.method != "GET" or request.path.startswith("/api/") or BY_ITSELF in request.GET:
        return False
    # Browsers say whether they show an answer or hand it to a script; those that do not say fetch pages alike.
    is_shown = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
    return is_shown and "Sec-Purpose" not in request.headers and not _is_polled(request)


def polled(view: View) -> View:
    """Marks a view that the script of an open page asks again and again."""
    view.is_polled = True  # type: ignore[attr-defined] # read by `is_visit`
    return view


def _is_polled(request: HttpRequest) -> bool:
    match = request.resolver_match
    return match is not None and getattr(match.func, "is_polled", False)


def _write(user: User) -> None:
    now = timezone.now()
    before = now - AT_MOST_EVERY
    if user.last_visit_at is not None and user.last_visit_at > before:
        return
    long_ago = Q(last_visit_at=None) | Q(last_visit_at__lte=before)
    User.objects.filter(long_ago, pk=user.pk).update(last_visit_at=now)
