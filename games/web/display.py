"""How cards are shown in this browser: cookies, set by a form that every page may carry."""

from dataclasses import dataclass
from typing import Final, Self

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

THEMES: Final = ("light", "dark")
SORTS: Final = ("high", "low", "rank", "dealt")
_YEAR: Final = 365 * 24 * 3600
# The fields of the form, each kept in the cookie of its name, with what it may be. The first is what holds without one.
_FIELDS: Final = {
    "theme": ("", *THEMES),
    "suits": ("", "four"),
    "ask": ("", "yes"),
    "sort": SORTS,
    "cards": ("", "large"),
    "motion": ("", "none"),
}


@dataclass(frozen=True, slots=True)
class Display:
    """`ask`: a first press chooses a card and a second plays it. Off unless wanted: one press, one card."""

    theme: str = ""
    four_colours: bool = False
    ask: bool = False
    sort: str = "high"
    large_cards: bool = False
    no_motion: bool = False

    @property
    def classes(self) -> str:
        """Of the page's root: what style sheets go by."""
        wanted = {
            "four-colour": self.four_colours,
            "large-cards": self.large_cards,
            "no-motion": self.no_motion,
        }
        return " ".join(name for name, is_on in wanted.items() if is_on)

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        chosen = {name: _known(name, request.COOKIES.get(name, "")) for name in _FIELDS}
        return cls(
            theme=chosen["theme"],
            four_colours=chosen["suits"] == "four",
            ask=chosen["ask"] == "yes",
            sort=chosen["sort"],
            large_cards=chosen["cards"] == "large",
            no_motion=chosen["motion"] == "none",
        )


@require_POST
def change(request: HttpRequest) -> HttpResponse:
    """Keep the choices of the form for a year, then go back to `next`. A field that the form lacks stays as it is."""
    # Not `redirect`: it takes a word for the name of a view.
    response = HttpResponseRedirect(_way_back(request))
    shown = request.POST.getlist("shown")
    for name in _FIELDS:
        if name in request.POST or name in shown:
            value = _known(name, request.POST.get(name, ""))
            response.set_cookie(
                name,
                value,
                max_age=_YEAR,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
    return response


def _known(name: str, value: str) -> str:
    return value if value in _FIELDS[name] else _FIELDS[name][0]


def _way_back(request: HttpRequest) -> str:
    wanted = request.POST.get("next", "")
    if "/" in wanted and url_has_allowed_host_and_scheme(wanted, {request.get_host()}):
        return wanted
    return "/"
