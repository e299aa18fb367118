"""The streams of one process: who listens, what wakes them, and when they end.

All of them share one listener, one pulse and one look at who may still listen. An idle stream is a connection and this one small
object: what it has to tell is read and sent by a task that lives as long as that takes. A woken stream reads the log from where it
was, so a wake too many costs a query, and one that was lost costs nothing, since the next finds the same.
"""

import asyncio
import io
import re
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar

import structlog
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.db import DatabaseError, close_old_connections
from django.http.response import HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext

from accounts.access import closed
from games import heralds
from games.api.errors import problem
from games.api.streams import SERVED, Begun, Opening
from games.models import Seat
from games.refusals import Refusal

logger = structlog.get_logger(__name__)

HEARTBEAT_SECONDS: Final = 15.0
CHECK_EVERY_SECONDS: Final = 0.5
AGAIN_AFTER_SECONDS: Final = 1.0
MOST: Final = 5000
MOST_OF_ONE: Final = 64
THREADS: Final = 8
_PULSE: Final = ":\n\n"
# Long enough for a site that starts again; clients would wait three seconds, some of them.
_HELLO: Final = b"retry: 1000\n\n"
_IS_STREAM: Final = re.compile("^/api/v1/.+/stream$")

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """How a request is answered: whole, or with a stream that has begun."""

    start: Message
    body: bytes
    begun: Begun | None


class Listening:
    """One open stream. Nothing of it runs while there is nothing to tell."""

    __slots__ = ("access", "caller", "is_due", "is_over", "live", "pulse", "send", "stream", "task")

    def __init__(self, live: "Live", begun: Begun, send: Send) -> None:
        self.live, self.send = live, send
        self.stream, self.access, self.caller = begun.stream, begun.access, begun.caller
        self.task: asyncio.Task[None] | None = None
        self.is_due = self.pulse = self.is_over = False

    def wake(self) -> None:
        """There may be something new."""
        self.is_due = True
        self._go()

    def beat(self) -> None:
        """Show that the line stands."""
        self.pulse = True
        self._go()

    def end(self) -> None:
        """Tell nothing more, and close."""
        self.is_over = True
        self._go()

    def _go(self) -> None:
        if self.task is None:
            self.task = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        try:
            while (self.is_due or self.pulse) and not self.is_over:
                text = _PULSE if self.pulse else ""
                self.pulse = False
                if self.is_due:
                    self.is_due = False
                    text += await self._read()
                if text and not self.is_over:
                    await self._send(text, more=True)
            if self.is_over:
                await self._send("", more=False)
        finally:
            self.task = None

    async def _read(self) -> str:
        try:
            text, more = await self.live.ask(self.stream.read)
        except Refusal:  # not for them to see any more
            self.is_over = True
            return ""
        except DatabaseError as error:
            logger.warning("stream_waits", error=type(error).__name__)
            await asyncio.sleep(AGAIN_AFTER_SECONDS)
            text, more = "", True
        self.is_due = self.is_due or more
        return text

    async def _send(self, text: str, *, more: bool) -> None:
        await self.send({"type": "http.response.body", "body": text.encode(), "more_body": more})


class Live:
    """An ASGI application that serves streams and nothing else. Its work goes on between `start` and `stop`."""

    def __init__(self) -> None:
        self.listening: defaultdict[str | int, set[Listening]] = defaultdict(set)
        self.callers: Counter[str] = Counter()
        self._handler = BaseHandler()
        self._pool: ThreadPoolExecutor | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        if not self._tasks:
            self._handler.load_middleware()
            self._pool = ThreadPoolExecutor(THREADS, "streams")
            work = (self._wake_those_concerned, self._beat, self._close_what_is_closed)
            self._tasks = [asyncio.create_task(_for_ever(each)) for each in work]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for each in self._all():
            each.end()
        self._tasks = []
        if self._pool is not None:
            self._pool.shutdown(wait=False)

    async def ask(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns, which may ask the database: it runs in a thread."""

        def run() -> T:
            try:
                return function(*args, **kwargs)
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._pool, run)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self.ask(self._answer, scope)
        begun = answer.begun
        if begun is not None and not self._has_room(begun):
            answer, begun = _whole(_too_many()), None
        await send(answer.start)
        await send(
            {"type": "http.response.body", "body": answer.body, "more_body": begun is not None}
        )
        del scope, answer  # not for the hours to come
        if begun is not None:
            await self._serve(Listening(self, begun, send), receive)

    def _answer(self, scope: Scope) -> Answer:
        """What the site answers to the request, with all its middleware."""
        request_started.send(sender=type(self), scope=scope)
        try:
            request = ASGIRequest(scope, io.BytesIO())
        except UnicodeDecodeError:
            return _whole(problem(400, "malformed", gettext("This request cannot be understood.")))
        if not _IS_STREAM.search(request.path):
            return _whole(problem(404, "not_found", gettext("There is nothing here.")))
        request.META[SERVED] = True
        response = self._handler.get_response(request)
        response.close()
        if isinstance(response, Opening):
            return Answer(_start(response), _HELLO, response.begun)
        return _whole(response)

    def _has_room(self, begun: Begun) -> bool:
        return self.callers[begun.caller] < MOST_OF_ONE and self.callers.total() < MOST

    async def _serve(self, each: Listening, receive: Receive) -> None:
        topic, caller = each.stream.topic, each.caller
        self.callers[caller] += 1
        self.listening[topic].add(each)
        try:
            each.wake()
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            if each.task is not None:
                each.task.cancel()
            self.listening[topic].discard(each)
            if not self.listening[topic]:
                del self.listening[topic]
            self.callers[caller] -= 1
            if not self.callers[caller]:
                del self.callers[caller]

    def _all(self) -> list[Listening]:
        return [each for some in self.listening.values() for each in some]

    def _wake(self, topics: Iterable[str | int]) -> None:
        for topic in topics:
            for each in self.listening.get(topic, ()):
                each.wake()

    async def _wake_those_concerned(self) -> None:
        async for games in heralds.moved(self.ask):
            if games is None:
                self._wake([*self.listening])
                continue
            self._wake(games)
            if any(isinstance(topic, int) for topic in self.listening):
                self._wake(await self.ask(_people_at, games))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for each in self._all():
                each.beat()

    async def _close_what_is_closed(self) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY_SECONDS)
            everybody = self._all()
            shut = await self.ask(closed, {each.access for each in everybody}, now=timezone.now())
            for each in everybody:
                if each.access in shut:
                    each.end()


async def _for_ever(work: Callable[[], Awaitable[None]]) -> None:
    """Do the work, and begin again when the database broke it off."""
    while True:
        try:
            await work()
        except Exception as error:  # whatever it was, thousands of streams hang on it
            logger.error("streams_interrupted", work=work.__name__, error=type(error).__name__)
        await asyncio.sleep(AGAIN_AFTER_SECONDS)


def _people_at(games: Collection[str]) -> list[int]:
    seats = Seat.objects.filter(game__in=games, user__isnull=False)
    return list(seats.values_list("user", flat=True).distinct())


def _start(response: HttpResponseBase) -> Message:
    headers = [
        (name.lower().encode("ascii"), value.encode("latin-1"))
        for name, value in [
            *response.items(),
            *(("Set-Cookie", each.OutputString()) for each in response.cookies.values()),
        ]
        # A stream has none, and of everything else the server knows it.
        if name != "Content-Length"
    ]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}


def _whole(response: HttpResponseBase) -> Answer:
    assert isinstance(response, HttpResponse)
    return Answer(_start(response), response.content, None)


def _too_many() -> HttpResponseBase:
    detail = gettext("Too many streams are open. Close one, or read the feed of events.")
    return problem(429, "throttled", detail, {"retry_after": 15}, headers={"Retry-After": "15"})
