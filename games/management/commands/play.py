"""`manage.py play`: the whole site in one terminal.

It prepares the database and the static files, then keeps four children alive: the web server, the one for streams, a worker and
the clock, which no worker watches over if it carries it along. The listening socket belongs to this process, so a web server that is
started again loses no connection; and every child ends with this process, even when that is killed.
"""

import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any, Final

import structlog
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from callbreak_site.catalogues import compile_stale
from callbreak_site.processes import die_with_parent

log = structlog.get_logger(__name__)

HOST: Final = "127.0.0.1"
QUEUES: Final = "default,bots,mail"
TICK_SECONDS: Final = 0.1
FIRST_WAIT_SECONDS: Final = 0.5
LONGEST_WAIT_SECONDS: Final = 30.0
STEADY_AFTER_SECONDS: Final = 60.0
STOP_WITHIN_SECONDS: Final = 15.0
# The site is of use without streams: what keeps them from starting is said in the log.
DOOR_WITHIN_SECONDS: Final = 10.0
# A site that never came up and whose children died this often will not come up by itself.
HOPELESS_AFTER_DEATHS: Final = 5


class Command(BaseCommand):
    help = (
        "Serve the whole site from this machine: web, streams, worker and clock. Ctrl-C stops it."
    )
    requires_system_checks = []  # made below, with the database, once it is there

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--with-parent",
            action="store_true",
            help="stop when the program that started this one does (`make run`)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        stop = Event()
        self.parent = Parent() if options["with_parent"] else None
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        listener = _listen(settings.PORT)
        self._prepare()
        port = listener.getsockname()[1]
        children = [_web(listener, port), _streams(), _worker(), _clock()]
        try:
            self._watch(children, f"http://{HOST}:{port}/", stop)
        finally:
            _stop_all(children)

    def _prepare(self) -> None:
        settings.VAR.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings.CALLBREAK_STREAMS_DOOR.unlink(missing_ok=True)  # of a site that was killed
        call_command("migrate", interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)
        _collect_static_files()
        compile_stale()
        self.check(databases=["default"])
        # A child must not inherit an open connection.
        connections.close_all()

    def _watch(self, children: list["Child"], url: str, stop: Event) -> None:
        is_ready, started_at = False, time.monotonic()
        while not stop.wait(TICK_SECONDS):
            if self.parent is not None and self.parent.stops():
                return
            now = time.monotonic()
            for child in children:
                child.tend(now)
            if is_ready:
                continue
            if _answers(url + "healthz") and (
                settings.CALLBREAK_STREAMS_DOOR.exists() or now >= started_at + DOOR_WITHIN_SECONDS
            ):
                is_ready = True
                self.stdout.write(f"ready {url}")
                self.stdout.flush()
            elif hopeless := [c.name for c in children if c.deaths >= HOPELESS_AFTER_DEATHS]:
                raise CommandError(f"The {hopeless[0]} does not start: its messages are above.")


class Parent:
    """The program that started us, watched: make waits for us, but passes on SIGTERM alone."""

    def __init__(self) -> None:
        self.pid = os.getppid()
        self.catches_interrupts = _catches_interrupts(self.pid)

    def stops(self) -> bool:
        """True if it is gone, or waits for us to end after a SIGINT of its own.

        Make lets go of the signal as soon as it got it, which the kernel tells in /proc.
        """
        if os.getppid() != self.pid:
            return True
        return self.catches_interrupts and not _catches_interrupts(self.pid)


def _catches_interrupts(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:  # not Linux, or gone
        return False
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1)


def _collect_static_files() -> None:
    """Copy the static files under their hashed names, unless none changed since the last time.

    Finding that out takes a tenth of a second; hashing them all takes two or three.
    """
    stamp = settings.STATIC_ROOT / ".collected"
    found = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            status = os.stat(storage.path(path))
            found.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    if stamp.exists() and stamp.read_text() == found.hexdigest():
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(found.hexdigest())


@dataclass
class Child:
    """A process that is started again when it dies, at once at first, then ever more slowly."""

    name: str
    command: list[str]
    keep_open: tuple[int, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    deaths: int = 0
    started_at: float = 0.0
    start_again_at: float = 0.0

    def tend(self, now: float) -> None:
        """Start the process if it is due; notice if it died."""
        if self.process is None:
            if now >= self.start_again_at:
                self._start(now)
            return
        status = self.process.poll()
        if status is None:
            return
        if now - self.started_at >= STEADY_AFTER_SECONDS:
            self.deaths = 0
        self.deaths += 1
        wait = min(FIRST_WAIT_SECONDS * 2 ** (self.deaths - 1), LONGEST_WAIT_SECONDS)
        log.error("play.child_died", child=self.name, status=status, again_in_seconds=wait)
        self.process = None
        self.start_again_at = now + wait

    def _start(self, now: float) -> None:
        parent = os.getpid()
        self.process = subprocess.Popen(
            self.command,
            env=os.environ | self.environment,
            pass_fds=self.keep_open,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr.fileno(),  # standard output is for the one line that scripts wait for
            process_group=0,  # a terminal's Ctrl-C reaches us alone; we stop them in order
            preexec_fn=lambda: die_with_parent(parent),
        )
        self.started_at = now


def _web(listener: socket.socket, port: int) -> Child:
    descriptor = listener.fileno()
    return Child(
        "web server",
        [
            sys.executable, "-m", "gunicorn", "-c", "python:callbreak_site.gunicorn_conf",
            "--bind", f"fd://{descriptor}", "callbreak_site.wsgi",
        ],
        keep_open=(descriptor,),
        environment={"PORT": str(port)},
    )  # fmt: skip


def _streams() -> Child:
    """It is reached through its door; a socket of its own is what a server must have."""
    return Child(
        "server for streams",
        [
            sys.executable, "-m", "uvicorn", "callbreak_site.asgi:application",
            "--uds", str(settings.VAR / "streams.http"), "--no-access-log", "--log-level", "warning",
            "--timeout-graceful-shutdown", "1",
        ],
    )  # fmt: skip


def _worker() -> Child:
    return Child(
        "worker",
        [
            sys.executable, "-m", "celery", "-A", "callbreak_site", "--quiet", "worker",
            "--pool", "threads", "--concurrency", "4", "--queues", QUEUES,
            "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING",
        ],
    )  # fmt: skip


def _clock() -> Child:
    return Child(
        "clock",
        [
            sys.executable, "-m", "celery", "-A", "callbreak_site", "--quiet", "beat",
            "--pidfile=", "--loglevel", "WARNING",
        ],
    )  # fmt: skip


def _listen(port: int) -> socket.socket:
    """The socket that people connect to; a sentence if somebody else has it."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        raise CommandError(
            f"Port {port} is in use already. Choose another one: PORT=8001 make run"
        ) from error
    listener.listen(128)
    return listener


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _stop_all(children: list[Child]) -> None:
    """Ask every child to finish what it does; end by force what has not after a while."""
    running = [child.process for child in children if child.process is not None]
    for process in running:
        process.terminate()
    deadline = time.monotonic() + STOP_WITHIN_SECONDS
    for process in running:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
