"""Handing a connection from a web process to the one that serves streams, on a machine without a proxy in front.

There, both have one address. A thread of the web process reads the request, sees that a stream is asked for, and passes the socket on
through a door, a socket in the folder of the site; it answers nothing and is free again. Behind the door the connection is served like
any other. With a proxy that knows the addresses of streams nothing is ever handed over.
"""

import asyncio
import errno
import json
import os
import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import structlog

log = structlog.get_logger(__name__)

LONGEST_REQUEST: Final = 64 * 1024
PATIENCE_SECONDS: Final = 1.0
_STREAMS: Final = re.compile("/api/v1/.+/stream")

Environ = dict[str, Any]
Wsgi = Callable[[Environ, Any], Iterable[bytes]]
Asgi = Callable[[Any, Any, Any], Awaitable[None]]


def handing_over(application: Wsgi, door: Path) -> Wsgi:
    """The application, except that streams go through the door when somebody stands behind it."""

    def handing_over_or_answering(environ: Environ, start_response: Any) -> Iterable[bytes]:
        client = environ.get("gunicorn.socket")
        wanted = environ["REQUEST_METHOD"] == "GET" and _STREAMS.fullmatch(environ["PATH_INFO"])
        if wanted and isinstance(client, socket.socket) and _pass_on(client, environ, door):
            # What a server hears when a client is gone: it closes its end and answers nothing.
            raise ConnectionResetError(errno.ECONNRESET, "handed over")
        return application(environ, start_response)

    return handing_over_or_answering


def _pass_on(client: socket.socket, environ: Environ, door: Path) -> bool:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.settimeout(PATIENCE_SECONDS)
            sender.connect(str(door))
            socket.send_fds(sender, [json.dumps(_scope(environ)).encode()], [client.fileno()])
    except OSError:  # nobody is there, or too much is asked of them
        return False
    # The server goes on to shut its socket down, which would end the connection for everybody who has it: give it another one.
    ours, other = socket.socketpair()
    other.close()
    os.dup2(ours.fileno(), client.fileno())
    ours.close()
    return True


def _scope(environ: Environ) -> dict[str, Any]:
    """The request as ASGI has it, bytes written as latin-1."""
    headers = [
        (name.removeprefix("HTTP_").replace("_", "-").lower(), value)
        for name, value in environ.items()
        if name.startswith("HTTP_")
    ]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": environ["REQUEST_METHOD"],
        "scheme": environ["wsgi.url_scheme"],
        "path": environ["PATH_INFO"],
        "query_string": environ["QUERY_STRING"],
        "root_path": "",
        "headers": headers,
        "client": [environ.get("REMOTE_ADDR", ""), int(environ.get("REMOTE_PORT") or 0)],
        "server": [environ["SERVER_NAME"], int(environ["SERVER_PORT"] or 0)],
    }


class Door:
    """Takes connections for an application, in the loop of the process that serves streams, until it is closed."""

    def __init__(self, path: Path, application: Asgi) -> None:
        self._path, self._application = path, application
        self._connections: set[asyncio.Task[None]] = set()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind(str(path))
        path.chmod(0o600)
        asyncio.get_running_loop().add_reader(self._socket, self._take)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
        self._path.unlink(missing_ok=True)
        for each in self._connections:
            each.cancel()

    def _take(self) -> None:
        try:
            raw, descriptors, _, _ = socket.recv_fds(self._socket, LONGEST_REQUEST, 1)
        except OSError:  # taken by nobody else, but the kernel may change its mind
            return
        if not descriptors:
            return
        task = asyncio.create_task(self._serve(raw, socket.socket(fileno=descriptors[0])))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _serve(self, raw: bytes, client: socket.socket) -> None:
        client.setblocking(False)
        reader, writer = await asyncio.open_connection(sock=client)
        try:
            scope = json.loads(raw)
            scope["query_string"] = scope["query_string"].encode("latin-1")
            scope["headers"] = [
                (name.encode("latin-1"), value.encode("latin-1"))
                for name, value in scope["headers"]
            ]
            connection = _Connection(reader, writer)
            await self._application(scope, connection.receive, connection.send)
        except (ConnectionError, TimeoutError):
            pass
        except Exception as error:  # one connection must not end all others
            log.error("stream_failed", error=type(error).__name__)
        finally:
            writer.close()


class _Connection:
    """One request and its answer, which ends with the connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._is_read = False
        self._over = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        if not self._is_read:
            self._is_read = True
            return {"type": "http.request", "body": b"", "more_body": False}
        over = asyncio.create_task(self._over.wait())
        gone = asyncio.create_task(self._until_gone())
        _, waiting = await asyncio.wait({over, gone}, return_when=asyncio.FIRST_COMPLETED)
        for each in waiting:
            each.cancel()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            status = HTTPStatus(message["status"])
            lines = [f"HTTP/1.1 {status.value} {status.phrase}".encode(), b"connection: close"]
            lines += [name + b": " + value for name, value in message["headers"]]
            self._writer.write(b"\r\n".join(lines) + b"\r\n\r\n")
            return
        self._writer.write(message.get("body", b""))
        await self._writer.drain()
        if not message.get("more_body", False):
            self._over.set()

    async def _until_gone(self) -> None:
        while await self._reader.read(4096):
            pass
