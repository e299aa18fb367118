"""Server-Sent Events: what is opened here is served by `live`, in a process of its own. What a stream tells is read from the log."""

import re
from dataclasses import dataclass
from typing import Any, Final, Protocol

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from accounts import limits
from accounts.access import Access
from accounts.models import Scope
from games import news, queries
from games.api import serializers
from games.api.base import ApiView, user_of
from games.api.errors import Malformed, NotStreamed
from games.api.parsing import query_of
from games.api.schema import GAME, READING, endpoint

# In the META of a request that came to a process which serves streams.
SERVED: Final = "callbreak.streams"
MEDIA_TYPE: Final = "text/event-stream"
LAST_EVENT_ID: Final = OpenApiParameter(
    "Last-Event-ID",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The last `id` that was received: the stream goes on behind it, without a gap and without telling anything twice.",
)
_PAGE: Final = 200
_SEQ: Final = re.compile("[0-9]{1,9}")
_LONGEST_PLACE: Final = 4000


class Stream(Protocol):
    """Something that goes on being told."""

    @property
    def topic(self) -> str | int:
        """What wakes it: a game's id, or a user's number for all of theirs."""

    def read(self) -> tuple[str, bool]:
        """What is new since the last time, as it is sent, and whether there is more. `GameNotFound` once it is not for the caller."""


@dataclass(slots=True)
class GameStream:
    """The public log of a game, as in its feed. `after`: the last event that was told."""

    game: str
    viewer: int | None
    after: int

    @property
    def topic(self) -> str:
        return self.game

    def read(self) -> tuple[str, bool]:
        feed = queries.public_events(self.game, self.viewer, after=self.after, limit=_PAGE)
        text = "".join(_message(line["seq"], line) for line in feed["events"])
        if feed["events"]:
            self.after = feed["events"][-1]["seq"]
        return text, self.after < feed["seq"]


@dataclass(slots=True)
class AccountStream:
    """What waits for a user, and which of their games begin and end."""

    user: int
    place: news.Place

    @property
    def topic(self) -> int:
        return self.user

    def read(self) -> tuple[str, bool]:
        told, self.place = news.since(self.user, self.place, now=timezone.now())
        return "".join(_message(place, each.data, event=each.kind) for each, place in told), False


@dataclass(frozen=True, slots=True)
class Begun:
    """A stream, what let its listener in, and whose it is."""

    stream: Stream
    access: Access
    caller: str


class Opening(HttpResponse):
    """The answer that begins a stream."""

    def __init__(self, begun: Begun) -> None:
        headers = {"X-Accel-Buffering": "no"}  # a proxy would wait for more
        super().__init__(content_type=f"{MEDIA_TYPE}; charset=utf-8", headers=headers)
        self.begun = begun


class EventStream(BaseRenderer):
    """For the Accept header alone: what a stream sends is rendered line by line."""

    media_type = MEDIA_TYPE
    format = "sse"


class GameStreamView(ApiView):
    scopes = {"GET": Scope.GAMES_READ}
    is_public = True
    renderer_classes = [EventStream]

    @endpoint(
        "stream_game",
        answers={(200, MEDIA_TYPE): OpenApiTypes.STR},
        scope=Scope.GAMES_READ,
        public=True,
        problems=READING,
        parameters=[GAME, serializers.StreamQuery, LAST_EVENT_ID],
    )
    def get(self, request: Request, game: str) -> HttpResponse:
        """The public log as it grows: `id` is the seq, `data` an event as in the feed. A comment line every 15 seconds."""
        query = query_of(request, serializers.StreamQuery)
        last = request.headers.get("Last-Event-ID")
        if last is not None and not _SEQ.fullmatch(last):
            raise _bad_id()
        queries.version(game, request.user.pk)
        after = query["after"] if last is None else int(last)
        return _opening(request, GameStream(game, request.user.pk, after))


class AccountStreamView(ApiView):
    scopes = {"GET": Scope.GAMES_READ}
    renderer_classes = [EventStream]

    @endpoint(
        "stream_account",
        answers={(200, MEDIA_TYPE): OpenApiTypes.STR},
        scope=Scope.GAMES_READ,
        problems=READING,
        parameters=[LAST_EVENT_ID],
    )
    def get(self, request: Request) -> HttpResponse:
        """All my games: `event` is `turn_opened` (`data` as in `GET /me/turns`), `game_started` or `game_finished`.

        It begins with every decision that waits. `deadline` is null for one that you made before it could be told.
        """
        query_of(request, serializers.NoQuery)
        last = request.headers.get("Last-Event-ID")
        user = user_of(request)
        return _opening(request, AccountStream(user.pk, _place(last)))


def _opening(request: Request, stream: Stream) -> Opening:
    if SERVED not in request.META:
        raise NotStreamed
    access = Access.of(request._request, request.user, request.auth)
    return Opening(Begun(stream, access, limits.caller(request._request, request.user)))


def _place(last: str | None) -> news.Place:
    if last is None:
        return news.Place(timezone.now(), is_new=True)
    try:
        if len(last) > _LONGEST_PLACE:
            raise ValueError
        return news.Place.parse(last)
    except ValueError:
        raise _bad_id() from None


def _bad_id() -> Malformed:
    return Malformed(gettext("This is no id of an event in this stream."), field="Last-Event-ID")


def _message(number: object, data: Any, *, event: str = "") -> str:
    kind = f"event: {event}\n" if event else ""
    return f"id: {number}\n{kind}data: {JSONRenderer().render(data).decode()}\n\n"
