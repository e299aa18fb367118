"""What thousands of open streams cost the one process that serves them, and how soon they tell: `python -m bench.streams [--check]`

Idle streams of forty people on one game that nothing happens in; then a match is played beside them, and one more stream hears it.
`--postgres` runs it on PostgreSQL, whose notifications wake the process, instead of the embedded edition's look at the log.
"""

import argparse
import importlib
import json
import os
import resource
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from threading import Thread
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from tests.elsewhere import Elsewhere

MOST_KILOBYTES = 80.0
MOST_SECONDS = 1.0
PEOPLE = 40
WARM_UP = 64
SEATED = """
    import json
    from accounts.models import Scope, User
    from accounts.tokens import issue_token
    from django.utils import timezone
    from tests.games.tables import ARCADIA, seated
    people = [User.objects.create_user(f"p{number}", f"p{number}@example.com") for number in range(PEOPLE)]
    tokens = [issue_token(each, name="bench", scopes=Scope.values, now=timezone.now())[1] for each in people]
    games = [seated(people[:4], ARCADIA.replace(rounds=1)) for _ in range(2)]
    print("SEATED", json.dumps({"tokens": tokens, "games": games}))
    """
PLAYED = """
    import json, time
    from games.models import Game
    from tests.games.tables import step
    moves = {}
    while step(GAME):
        moves[Game.objects.get(pk=GAME).seq] = time.time()
        time.sleep(0.1)
    print("PLAYED", json.dumps(moves))
    """


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", type=int, default=2000)
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL instead of SQLite")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    wanted = parser.parse_args()
    # The tests' own environment, before the settings are read; with PostgreSQL its server as well.
    importlib.import_module("tests.pgserver" if wanted.postgres else "tests.environment")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")
    django.setup()
    figures = measure(wanted.streams)
    for name, value in figures.items():
        print(f"{name:44} {value:10.2f}")
    kilobytes, seconds = figures["memory per idle stream, KB"], figures["told after, p95, s"]
    missed = kilobytes > MOST_KILOBYTES or seconds > MOST_SECONDS
    print(f"bars: {MOST_KILOBYTES:g} KB, {MOST_SECONDS:g} s{'  MISSED' if missed else ''}")
    return 1 if missed and wanted.check else 0


def measure(streams: int) -> dict[str, float]:
    """The figures by name."""
    from tests.elsewhere import Elsewhere

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="callbreak-streams-") as folder:
        site = Elsewhere(Path(folder))
        try:
            site.manage("migrate", "--verbosity=0")
            site.manage("createcachetable")
            return _measured(site, streams)
        finally:
            site.remove()


def _measured(site: "Elsewhere", streams: int) -> dict[str, float]:
    seated = _said(site.run(f"PEOPLE = {PEOPLE}\n" + _flat(SEATED)), "SEATED")
    tokens, (idle, played) = seated["tokens"], seated["games"]
    port = _free_port()
    server = site.start(
        "-m", "uvicorn", "callbreak_site.asgi:application", "--no-access-log",
        "--log-level", "warning", "--host", "127.0.0.1", "--port", str(port),
    )  # fmt: skip
    opened = [*_opened(port, idle, tokens, WARM_UP)]
    before = _resident_kilobytes(server.pid)
    began = time.monotonic()
    opened += _opened(port, idle, tokens, streams)
    seconds = time.monotonic() - began
    time.sleep(1)
    after = _resident_kilobytes(server.pid)

    heard: dict[int, float] = {}
    [listener] = _opened(port, played, tokens[-1:], 1, after=0)
    Thread(target=_hear, args=(listener, heard), daemon=True).start()
    cpu = _cpu_seconds(server.pid)
    began = time.monotonic()
    moves = _said(site.run(f"GAME = {played!r}\n" + _flat(PLAYED)), "PLAYED")
    cpu = (_cpu_seconds(server.pid) - cpu) / (time.monotonic() - began)
    time.sleep(2)
    waits = sorted(heard[int(seq)] - at for seq, at in moves.items())
    for each in [*opened, listener]:
        each.close()
    return {
        "idle streams": float(streams),
        "memory per idle stream, KB": (after - before) / streams,
        "memory of the process, MB": after / 1024,
        "opened a second": streams / seconds,
        "moves heard beside them": float(len(waits)),
        "told after, median, s": median(waits),
        "told after, p95, s": quantiles(waits, n=20)[-1],
        "share of a core meanwhile": cpu,
    }


def _opened(
    port: int, game: str, tokens: list[str], number: int, *, after: int = 999
) -> Iterator[socket.socket]:
    """Streams of this game behind event `after`, each once its first line has come. Nothing is behind 999."""
    for nth in range(number):
        link = _connected(port)
        link.sendall(
            f"GET /api/v1/games/{game}/stream?after={after} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {tokens[nth % len(tokens)]}\r\n\r\n".encode()
        )
        answer = b""
        while b"retry:" not in answer:
            answer += (more := link.recv(4096))
            assert more, answer
        yield link


def _connected(port: int) -> socket.socket:
    deadline = time.monotonic() + 60
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=60)
        except OSError:
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.1)


def _hear(listener: socket.socket, heard: dict[int, float]) -> None:
    """When each event of the log came."""
    with listener.makefile("rb") as lines:
        for line in lines:
            if line.startswith(b"id: "):
                heard[int(line.removeprefix(b"id: "))] = time.time()


def _resident_kilobytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1])


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _said(text: str, word: str) -> Any:  # Any: what our own script printed
    line = next(line for line in text.splitlines() if line.startswith(word))
    return json.loads(line.removeprefix(word))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _flat(code: str) -> str:
    return "\n".join(line.removeprefix("    ") for line in code.splitlines())


if __name__ == "__main__":
    sys.exit(main())
