"""Somebody who listens to a stream, is cut off again and again, and goes on where they were."""

import http.client
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from subprocess import Popen
from typing import Any, Final, NamedTuple

from tests.reliability.races import PATIENCE_SECONDS, Server
from tests.site.processes import free_port

UVICORN: Final = ("-m", "uvicorn", "callbreak_site.asgi:application", "--no-access-log")


class Told(NamedTuple):
    """One event of a stream."""

    id: str
    kind: str
    data: dict[str, Any]


@dataclass
class Streams:
    """The process that serves the streams of a site."""

    server: Server
    port: int = 0
    process: Popen[bytes] | None = None

    def start(self) -> None:
        self.port = self.port or free_port()
        self.process = self.server.site.start(
            *UVICORN, "--log-level", "warning", "--host", "127.0.0.1", "--port", str(self.port)
        )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                with Line(self, "games/222222222222/stream"):
                    return
            except OSError:
                assert time.monotonic() < deadline, "the streams do not start"
                time.sleep(0.1)

    def kill(self) -> None:
        assert self.process is not None
        self.server.site.kill(self.process)


class Line:
    """One connection to a stream, of a person or (None) of nobody."""

    def __init__(
        self, streams: Streams, path: str, person: int | None = None, last: str | None = None
    ) -> None:
        self._link = http.client.HTTPConnection("127.0.0.1", streams.port, timeout=PATIENCE_SECONDS)
        headers = {"Accept": "text/event-stream"}
        if person is not None:
            headers["Authorization"] = f"Bearer {streams.server.tokens[person]}"
        if last is not None:
            headers["Last-Event-ID"] = last
        self._link.request("GET", f"/api/v1/{path}", headers=headers)
        self.response = self._link.getresponse()
        self.status = self.response.status

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self._link.close()
        self.response.close()

    def wait_at_most(self, seconds: float) -> None:
        self._link.sock.settimeout(seconds)

    def problem(self) -> str:
        """The code of the problem that it was answered with."""
        assert self.response.headers["Content-Type"] == "application/problem+json"
        return str(json.loads(self.response.read())["code"])

    def told(self) -> Iterator[Told]:
        """What is told, until the stream ends."""
        assert self.status == 200, self.response.read()
        fields: dict[str, str] = {}
        while line := self.response.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif "data" in fields:
                yield Told(fields["id"], fields.get("event", ""), json.loads(fields["data"]))
                fields = {}


@dataclass
class Listener:
    """Hears a stream, hanging up after each event; whatever breaks, it calls again with the last id that it heard."""

    streams: Streams
    path: str
    person: int | None = None
    last: str | None = None
    heard: list[Told] = field(default_factory=list)
    calls: int = 0

    def hear(self, until: int) -> None:
        """Listen until so many events were heard in all. AssertionError when they have not come after two minutes."""
        latest = time.monotonic() + 120
        while len(self.heard) < until:
            assert time.monotonic() < latest, f"heard {len(self.heard)} of {until}"
            self.calls += 1
            try:
                with Line(self.streams, self.path, self.person, self.last) as line:
                    line.wait_at_most(5.0)  # a stream with nothing to tell goes on for ever
                    told = next(line.told(), None)
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)  # the process was killed, or is not there yet
                continue
            if told is not None:
                self.heard.append(told)
                self.last = told.id
