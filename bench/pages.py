"""What a page weighs and costs: bytes as gunicorn sends them in production's shape, and CPU beside an empty base page.

`python -m bench.pages [--rounds 40] [--check]`. PostgreSQL comes with the development requirements; no worker runs, the four players
answer in this process. The table is measured where it is heaviest: at the last trick of the last round.
"""

import argparse
import os
import re
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client

    from bench.table import FourPeople
    from tests.production.services import Production

MOVES_BEFORE_THE_LAST = 5 * (4 + 52) - 1
BARS = {
    "first load of the table, bytes": 90_000.0,
    "poll with news, bytes": 12_000.0,
    "poll without news, bytes": 300.0,
    "table page, ms of CPU": 20.0,
    "table page / empty base page": 4.0,
}
LINKED = re.compile(rb'(?:href|src)="(/static/[^"]+)"')


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=40, help="times that each page is rendered")
    options.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    given = options.parse_args()
    figures = measure(given.rounds)
    missed = [name for name, bar in BARS.items() if figures[name] > bar]
    for name, value in figures.items():
        bar = f"  (bar {BARS[name]:g})" if name in BARS else ""
        print(f"{name:34} {value:9.1f}{bar}{'  MISSED' if name in missed else ''}")
    return 1 if missed and given.check else 0


def measure(rounds: int) -> dict[str, float]:
    from tests.production.services import OWNER, Production, postgresql

    with (
        tempfile.TemporaryDirectory(prefix="callbreak-bench-") as name,
        postgresql(Path(name) / "postgres") as socket_folder,
    ):
        site = Production(Path(name), socket_folder, redis_port=0)
        site.environment |= {"CACHE_URL": "dbcache://callbreak_cache", "BROKER_URL": "folder://"}
        site.environment |= {"LOG_LEVEL": "ERROR"}
        for command in ("migrate", "createcachetable"):
            site.manage(command, "--verbosity", "0", DATABASE_URL=site.database_url(OWNER))
        site.manage("collectstatic", "--noinput", "--verbosity", "0")
        try:
            return _figures(site, rounds)
        finally:
            site.stop()


def _figures(site: "Production", rounds: int) -> dict[str, float]:
    people, game, page = _last_trick(site)
    weights = _weights(site, page, f"/games/{game}/")
    table, empty = _cpu(page, (f"/games/{game}/", "/bench/empty/"), rounds)
    del people
    return weights | {
        "table page, ms of CPU": 1000 * table,
        "empty base page, ms of CPU": 1000 * empty,
        "table page / empty base page": table / empty,
    }


def _last_trick(site: "Production") -> tuple["FourPeople", str, "Client"]:
    """A match with one card to be played, and the browser of whoever is to play it."""
    os.environ.update(site.environment)

    import django

    django.setup()

    from django.conf import settings
    from django.test import Client

    from bench.table import FourPeople

    settings.ALLOWED_HOSTS = ["testserver"]
    people = FourPeople()
    game = people.new_game()
    to_act = people.play_some(game, MOVES_BEFORE_THE_LAST)
    browser = Client()
    browser.force_login(to_act, backend="accounts.backends.NameOrEmail")
    return people, game, browser


# Weight


def _weights(site: "Production", browser: "Client", path: str) -> dict[str, float]:
    from tests.site.processes import wait_until

    site.start("gunicorn", "-c", "python:callbreak_site.gunicorn_conf", "callbreak_site.wsgi")
    assert wait_until(lambda: _answers(site.port)), site.said()
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in browser.cookies.items())

    def fetch(path: str) -> tuple[int, bytes]:
        return _fetch(site.port, path, cookies)

    plain = browser.get(path).content
    version = re.findall(rb'data-v="(\d+)"', plain)[0].decode()
    linked = sorted({found.decode() for found in LINKED.findall(fetch(path)[1])})
    page, news = fetch(path)[0], fetch(f"{path}table?v=0")[0]
    nothing = fetch(f"{path}table?v={version}")[0]
    parts = {name: fetch(name)[0] for name in linked}
    for name, size in parts.items():
        print(f"  {size:6} {name}", file=sys.stderr)
    return {
        "table page alone, bytes": float(page),
        "styles, script and icon, bytes": float(sum(parts.values())),
        "first load of the table, bytes": float(page + sum(parts.values())),
        "poll with news, bytes": float(news),
        "poll without news, bytes": float(nothing),
    }


def _answers(port: int) -> bool:
    try:
        return b" 200 " in _fetch(port, "/healthz", "")[1][:20]
    except OSError:
        return False


def _fetch(port: int, path: str, cookies: str) -> tuple[int, bytes]:
    """How many bytes came back, headers included, and the bytes."""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: gzip, br\r\n"
        f"Cookie: {cookies}\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request.encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    return len(answer), answer


# Cost


def _cpu(browser: "Client", paths: tuple[str, str], rounds: int) -> tuple[float, float]:
    """Seconds of CPU of each page, whole requests in this process, in turn; medians."""
    seconds: dict[str, list[float]] = {path: [] for path in paths}
    for number in range(rounds + 5):
        for path in paths:
            spent = _spent(lambda path=path: browser.get(path))  # type: ignore[misc] # the default binds it
            if number >= 5:
                seconds[path].append(spent)
    return median(seconds[paths[0]]), median(seconds[paths[1]])


def _spent(act: Callable[[], object]) -> float:
    start = process_time()
    act()
    return process_time() - start


if __name__ == "__main__":
    sys.exit(main())
