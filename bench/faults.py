"""Faults and races in numbers that a test run has no time for: `python -m bench.faults [--postgres] [--kills 50] ...`

Everything runs on throw-away sites of its own, on loopback, and only processes started here are killed.
"""

import argparse
import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import django


def main() -> int:
    wanted = _arguments()
    # The tests' own environment, before the settings are read; with PostgreSQL its server as well.
    importlib.import_module("tests.pgserver" if wanted.postgres else "tests.environment")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")
    django.setup()
    told = [*_kills(wanted), *_races(wanted)]
    print("\n".join(line for _, line in told))
    return 0 if all(well for well, _ in told) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL instead of SQLite")
    parser.add_argument("--kills", type=int, default=50, help="of the worker, in one match")
    parser.add_argument("--decisions", type=int, default=500, help="that are raced for")
    parser.add_argument("--posts", type=int, default=20, help="for each decision, all at once")
    return parser.parse_args()


def _kills(wanted: argparse.Namespace) -> Iterator[tuple[bool, str]]:
    from tests.reliability.kills import killed_match

    rounds = max(2, wanted.kills // 10)
    with _site("kills") as site:
        survived = killed_match(site, kills=wanted.kills, rounds=rounds, dice=Random())
    whole = survived.decisions == 56 * rounds and survived.most_lines == 1
    yield whole and survived.longest_wait <= 60, f"kills: {survived}"


def _races(wanted: argparse.Namespace) -> Iterator[tuple[bool, str]]:
    from tests.reliability.races import Server, race

    with _site("races") as site:
        server = Server(site)
        server.open(rounds=-(-wanted.decisions // 56))
        unlike = wanted.posts // 3
        raced = race(server, decisions=wanted.decisions, alike=wanted.posts - unlike, unlike=unlike)
        server.verify()
    yield not raced.wrong, f"races: {raced}, {len(raced.wrong)} wrong"


@contextmanager
def _site(name: str) -> Iterator["Elsewhere"]:  # noqa: F821 - importing it needs the settings
    from tests.elsewhere import Elsewhere

    with tempfile.TemporaryDirectory(prefix=f"callbreak-{name}-") as folder:
        site = Elsewhere(Path(folder))
        try:
            site.manage("migrate", "--verbosity=0")
            site.manage("createcachetable")
            yield site
        finally:
            site.remove()


if __name__ == "__main__":
    sys.exit(main())
