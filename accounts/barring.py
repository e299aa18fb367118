"""Accounts that may not be used for a time, or for good: what staff decided is kept to everywhere.

A suspended person can still log in, read why, and appeal; every other page, every move and the whole API answer with the reason.
The views that stay open are marked `open_to_the_barred`.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, TypeVar

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User

FOR_GOOD: Final = datetime(9999, 1, 1, tzinfo=UTC)
# Pages that concern no game and no other person: to log out, to choose a language.
OPEN_PATHS: Final = ("/accounts/logout/", "/i18n/")
STATUS: Final = 403

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
Handler = Callable[[HttpRequest], HttpResponseBase]


class Barred(Exception):
    """A request of somebody whose account is suspended or closed."""

    def __init__(self, user: User) -> None:
        super().__init__("barred")
        self.user = user


def bar(user: User, *, until: datetime, reason: str) -> None:
    """Suspend an account and its bots until then (`FOR_GOOD`: for good). `reason` is shown to its person.

    Whoever is suspended for longer stays so, for the reason given then.
    """
    freer = Q(barred_until=None) | Q(barred_until__lt=until)
    _with_bots(user).filter(freer).update(barred_until=until, barred_reason=reason)


def lift(user: User) -> None:
    _with_bots(user).update(barred_until=None, barred_reason="")


def is_barred(user: User, *, now: datetime) -> bool:
    return user.barred_until is not None and user.barred_until > now


def free(user: str = "", *, now: datetime) -> Q:
    """Not barred, for rows. `user` leads to the account from the model that is asked, such as `user__`."""
    return Q(**{f"{user}barred_until": None}) | Q(**{f"{user}barred_until__lte": now})


def sentence(user: User) -> str:
    """What a barred person is told: for how long, and why."""
    assert user.barred_until is not None
    if user.barred_until >= FOR_GOOD:
        said = _("Your account has been closed by staff.")
    else:
        until = date_format(timezone.localtime(user.barred_until), "DATETIME_FORMAT")
        said = _("Your account is suspended until %(until)s.") % {"until": until}
    return said + " " + _("Why: %(reason)s") % {"reason": user.barred_reason}


def _with_bots(user: User) -> QuerySet[User]:
    return User.objects.filter(Q(pk=user.pk) | Q(owner=user.pk))


def open_to_the_barred(view: View) -> View:
    """Marks a view that a barred person may use: what they reported, what was decided, the appeal."""
    view.is_open_to_the_barred = True  # type: ignore[attr-defined] # read by `Gate`
    return view


def answer(request: HttpRequest) -> HttpResponse | None:
    """What a barred person is answered with; None for anybody else."""
    user = request.user
    if not isinstance(user, User) or not is_barred(user, now=timezone.now()):
        return None
    context = {"sentence": sentence(user)}
    return render(request, "accounts/barred.html", context, status=STATUS)


class Gate:
    """Answers a barred person's requests for pages with the reason. The API asks for itself, since it knows tokens too."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponseBase | None:
        if request.path.startswith(("/api/", *OPEN_PATHS)):
            return None
        # Nor is a poll stopped, which must find nothing new without a look at the person, and asks when there is something.
        if getattr(view, "is_open_to_the_barred", False) or getattr(view, "is_polled", False):
            return None
        return answer(request)
