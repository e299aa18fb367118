"""The embedded broker: queues as a folder of small files, safe with several processes.

Kombu's own folder transport writes a message in place, so a worker can take a half-written one and die
of it. Here every file, message or table of queues, is written aside and renamed into place: a reader
sees all of it or nothing. A message that cannot be read all the same is set aside and said, and the
worker goes on.

It promises no more than a broker must for tasks that are hints: at most once, roughly in order.
"""

import fcntl
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

import structlog
from kombu.transport import filesystem
from kombu.utils.json import dumps, loads

log = structlog.get_logger(__name__)

SUFFIX = ".msg"


class Channel(filesystem.Channel):
    """A channel whose every write is a rename."""

    # kombu's two bases disagree about the second name.
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        # Nanoseconds of fixed width: names sort by age, also after a restart of the machine.
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}.{queue}{SUFFIX}"
        _write_atomically(self._folder / name, dumps(payload).encode())

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        """The oldest message of `queue`; `Empty` if there is none."""
        for name in sorted(self._names(queue)):
            # Only one worker can rename a file away, so a message is taken once.
            taken = self._folder / f".{name}.taken"
            try:
                (self._folder / name).rename(taken)
            except FileNotFoundError:
                continue
            payload = taken.read_bytes()
            try:
                message = loads(payload.decode())
            except ValueError:
                self._set_aside(taken, name)
                continue
            taken.unlink()
            return message
        raise Empty

    def _size(self, queue: str) -> int:
        return len(self._names(queue))

    def _purge(self, queue: str) -> int:
        names = self._names(queue)
        for name in names:
            (self._folder / name).unlink(missing_ok=True)
        return len(names)

    def get_table(self, exchange: str) -> list[Any]:
        """The queues bound to `exchange`."""
        try:
            rows = loads(self._table(exchange).read_text())
        except FileNotFoundError:
            return []
        return [filesystem.exchange_queue_t(*row) for row in rows]

    def _queue_bind(
        self, exchange: str, routing_key: str | None, pattern: str | None, queue: str
    ) -> None:
        row = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._table_lock():
            rows = self.get_table(exchange)
            if row not in rows:
                self._write_table(exchange, [row, *rows])

    def _delete(
        self, queue: str, exchange: str, routing_key: str, pattern: str, *args: Any, **kwargs: Any
    ) -> None:
        self._purge(queue)
        row = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._table_lock():
            rows = self.get_table(exchange)
            if row in rows:
                self._write_table(exchange, [other for other in rows if other != row])

    def _table(self, exchange: str) -> Path:
        # The name of an exchange becomes a file name: kombu's own check keeps it within the folder.
        path: Path = self._exchange_file(exchange)  # type: ignore[attr-defined] # newer than the stubs
        return path

    @property
    def _folder(self) -> Path:
        folder = Path(self.data_folder_in)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    def _names(self, queue: str) -> list[str]:
        """File names of the messages waiting in `queue`: never a dot-file, which is not there yet."""
        ending = f".{queue}{SUFFIX}"
        return [
            name
            for name in os.listdir(self._folder)
            if name.endswith(ending) and not name.startswith(".")
        ]

    def _set_aside(self, taken: Path, name: str) -> None:
        aside = self._folder / "unreadable"
        aside.mkdir(mode=0o700, exist_ok=True)
        taken.rename(aside / name)
        log.error("queue.message_unreadable", file=name)

    def _write_table(self, exchange: str, rows: list[Any]) -> None:
        _write_atomically(self._table(exchange), dumps(rows).encode())

    @contextmanager
    def _table_lock(self) -> Iterator[None]:
        folder = Path(self.control_folder)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (folder / ".lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # closing the file lets go
            yield


class Transport(filesystem.Transport):
    """Kombu's folder transport over the channel above."""

    Channel = Channel


def _write_atomically(path: Path, content: bytes) -> None:
    aside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        aside.write_bytes(content)
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
