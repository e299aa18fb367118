"""Cursor pagination of games, newest first: stable while games are made, and no count is taken."""

from datetime import UTC, datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from games import base64url
from games.api.errors import Malformed
from games.models import Game


def page_of(
    games: QuerySet[Game], *, cursor: str | None, limit: int
) -> tuple[list[Game], str | None]:
    """At most `limit` games after `cursor`, and the cursor of the page after them if there is one."""
    if cursor is not None:
        at, pk = _position(cursor)
        games = games.filter(Q(created_at__lt=at) | Q(created_at=at, pk__gt=pk))
    found = list(games[: limit + 1])
    shown = found[:limit]
    return shown, _cursor(shown[-1]) if len(found) > limit else None


def _cursor(last: Game) -> str:
    return base64url.to_text(f"{last.created_at.isoformat()} {last.pk}".encode())


def _position(cursor: str) -> tuple[datetime, str]:
    try:
        raw = base64url.to_bytes(cursor).decode("ascii")
        at, pk = raw.split(" ")
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is not None:
            moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):  # the latter: the first hours of the calendar, east of here
        raise Malformed(gettext("This is no cursor of ours."), field="cursor") from None
    if moment.tzinfo is None or not pk.isalnum():
        raise Malformed(gettext("This is no cursor of ours."), field="cursor")
    return moment, pk
