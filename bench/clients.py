"""The example client at many tables at once, against the whole site with its limits on: `python -m bench.clients [--check]`

The embedded edition, as `make run` starts it: web process, worker, beat. One client, one token, three built-in bots at each table.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import bot_client


class Counting(bot_client.Client):
    """Counts what it asks, and how often it is told to wait."""

    def __init__(self, site: str, token: str) -> None:
        super().__init__(site, token)
        self.asked = self.waits = self.moves = 0
        self.slowest = 0.0

    def ask(self, method: str, path: str, body: Any) -> Any:
        self.asked += 1
        began = time.monotonic()
        try:
            answer = super().ask(method, path, body)
        except HTTPError as refused:
            self.waits += refused.code == 429
            raise
        self.moves += path.endswith("/moves")
        self.slowest = max(self.slowest, time.monotonic() - began)
        return answer


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=1, help="of each match")
    parser.add_argument("--check", action="store_true", help="exit with 1 unless all are finished")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="callbreak-clients-") as folder:
        figures, finished = measure(Path(folder) / "var", wanted.games, wanted.rounds)
    for name, value in figures.items():
        print(f"{name:32} {value:10.2f}")
    print(f"finished: {finished} of {wanted.games}")
    return 1 if wanted.check and finished < wanted.games else 0


def measure(folder: Path, games: int, rounds: int) -> tuple[dict[str, float], int]:
    """The figures by name, and how many matches came to their end."""
    from tests.site.processes import Site, free_port

    for name in ("LIMITS", "DATABASE_URL", "BROKER_URL"):
        os.environ.pop(name, None)
    site = Site(folder, free_port())
    try:
        assert site.first_line().startswith("ready "), site.log.read_text()
        client = Counting(f"http://127.0.0.1:{site.port}", _token(folder))
        began = time.monotonic()
        body = {
            "rules": {"rounds": rounds},
            "seats": ["me", "bot:steady", "bot:steady", "bot:steady"],
        }
        tables = [str(client.call("POST", "/games", body)["id"]) for _ in range(games)]
        over = bot_client.play_all(client, tables)
        seconds = time.monotonic() - began
    finally:
        site.stop(signal.SIGTERM)
        site.clean_up()
    figures = {
        "games at once": games,
        "seconds": seconds,
        "decisions of the client": client.moves,
        "requests of the client": client.asked,
        "told to wait (429)": client.waits,
        "slowest answer, s": client.slowest,
    }
    return figures, sum(seen["status"] == "finished" for seen in over)


def _token(folder: Path) -> str:
    command = [sys.executable, "manage.py", "create_token", "bench-bot", "--create", "--bot"]
    environment = os.environ | {"CALLBREAK_VAR": str(folder)}
    made = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return made.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
