"""A match among bots whose worker is killed again and again, its queue wiped each time."""

import shutil
import time
from dataclasses import dataclass
from random import Random
from typing import Final

from tests.elsewhere import Elsewhere

WORKER: Final = (
    "-m", "celery", "-A", "callbreak_site", "--quiet", "worker", "--pool", "threads", "--concurrency", "2", "--beat",
    "--queues", "default,bots,mail", "--without-gossip", "--without-mingle", "--without-heartbeat",
)  # fmt: skip
PATIENCE_SECONDS: Final = 120
DECISIONS_A_ROUND: Final = 56
CREATE: Final = """
    from accounts.models import User
    from django.utils import timezone
    from games.services import lobby
    from tests.games.tables import ARCADIA, BOTS_ALONE
    asha = User.objects.create_user("asha", "asha@example.com")
    wanted = lobby.NewGame(rules=ARCADIA.replace(rounds=ROUNDS), seats=BOTS_ALONE)
    print(lobby.create_game(asha, wanted, now=timezone.now()).game.id)
    """
VERIFY: Final = """
    from collections import Counter
    from django.utils import timezone
    from games import queries
    from games.models import Event, Game
    from tests.games.export import verified
    game = Game.objects.get()
    match = verified(queries.export(game.id, None, now=timezone.now()))
    assert game.result["totals"] == list(match.standings.totals)
    lines = list(Event.objects.order_by("seq"))
    made = Counter((line.round, line.turn) for line in lines if line.turn is not None)
    times = [line.at for line in lines]
    waits = [(late - early).total_seconds() for early, late in zip(times, times[1:])]
    print("VERIFIED", len(made), max(made.values()), max(waits))
    """


@dataclass(frozen=True, slots=True)
class Survived:
    """How a match came through: `decisions` made, the most lines for one of them, the longest wait in seconds."""

    kills: int
    decisions: int
    most_lines: int
    longest_wait: float

    def __str__(self) -> str:
        return (
            f"{self.kills} kills with the queue wiped: {self.decisions} decisions, 0 lost, 0 twice,"
            f" longest wait {self.longest_wait:.1f} s"
        )


def killed_match(site: Elsewhere, *, kills: int, rounds: int, dice: Random) -> Survived:
    """Play a match of so many rounds to its end, killing the worker so many times at random moments on the way."""
    site.run(f"ROUNDS = {rounds}\n" + _flat(CREATE))
    moments = sorted(dice.sample(range(1, DECISIONS_A_ROUND * rounds - 1), kills))
    worker = site.start(*WORKER)
    for moment in moments:
        _wait_until(site, f"turns >= {moment}")
        time.sleep(dice.uniform(0, 0.05))  # in the middle of a move as likely as between two
        site.kill(worker)
        shutil.rmtree(site.folder / "queue", ignore_errors=True)
        worker = site.start(*WORKER)
    _wait_until(site, "status = 'finished'")
    site.kill(worker)
    told = next(line for line in site.run(_flat(VERIFY)).splitlines() if "VERIFIED" in line)
    _, decisions, most, wait = told.split()
    return Survived(kills, int(decisions), int(most), float(wait))


def _wait_until(site: Elsewhere, condition: str) -> None:
    query = (
        "SELECT 1 FROM (SELECT status, (SELECT count(turn) FROM games_event) AS turns FROM games_game) AS now"
        f" WHERE {condition}"
    )
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not site.rows(query):
        assert time.monotonic() < deadline, (
            f"the game hangs: {(site.folder / 'processes.log').read_text()[-2000:]}"
        )
        time.sleep(0.02)


def _flat(code: str) -> str:
    return "\n".join(line.removeprefix("    ") for line in code.splitlines())
