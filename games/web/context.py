"""What the frame of every page needs: how this browser wants cards shown, and how many games wait."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from games import queries
from games.web.display import Display

Frame = dict[str, object]


def frame(request: HttpRequest) -> Frame:
    """`next_count` asks the database only on a page that shows it; a view that knows better overrides it."""
    display = Display.of(request)
    return {
        "theme": display.theme,
        "root_classes": display.classes,
        "next_count": SimpleLazyObject(lambda: waiting_games(request)),
    }


def waiting_games(request: HttpRequest, *, besides: str | None = None) -> int:
    """How many games wait for the person of this request, not counting game `besides`."""
    if not isinstance(request.user, User):
        return 0
    return queries.games_awaiting(request.user).exclude(pk=besides or "").count()
