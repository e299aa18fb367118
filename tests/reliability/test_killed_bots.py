"""A bot that takes its worker down with it, whenever it is asked, holds the table for less than a minute."""

import time
from datetime import datetime
from pathlib import Path
from textwrap import dedent

import pytest

from tests.elsewhere import Elsewhere

PATIENCE_SECONDS = 90

CREATE = """
    from accounts.models import User
    from django.utils import timezone
    from games.services import lobby
    from tests.games.tables import ONE_ROUND
    asha = User.objects.create_user("asha", "asha@example.com")
    seats = ("bot:expert", "bot:steady", "bot:steady", "bot:steady")
    lobby.create_game(asha, lobby.NewGame(rules=ONE_ROUND, seats=seats), now=timezone.now())
    """
# A worker of processes, as in production, whose expert kills the one it is asked in.
WORKER = """
    import os, signal, sys
    import django
    django.setup()
    from types import MappingProxyType
    from games.bots import BOTS
    from games.bots.expert import Expert
    from games.services import deciding, thinking

    class Deadly(Expert):
        def bid(self, observation):
            os.kill(os.getpid(), signal.SIGKILL)

    thinking.BOTS = deciding.BOTS = MappingProxyType(dict(BOTS) | {"expert": Deadly()})
    sys.argv = [
        "celery", "-A", "callbreak_site", "worker", "--pool", "prefork", "--concurrency", "2", "--beat",
        "--queues", "default,bots,mail", "--without-gossip", "--without-mingle", "--without-heartbeat",
    ]
    from celery.__main__ import main
    main()
    """


@pytest.mark.django_db
def test_the_game_moves_on_within_a_minute(tmp_path: Path) -> None:
    site = Elsewhere(tmp_path / "site")
    try:
        site.manage("migrate", "--verbosity=0")
        site.run(dedent(CREATE))
        site.start("-c", dedent(WORKER), DJANGO_SETTINGS_MODULE="callbreak_site.settings")

        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (
            answered := site.rows("SELECT tries FROM games_botchoice WHERE answered_by = 'steady'")
        ):
            assert time.monotonic() < deadline, (site.folder / "processes.log").read_text()[-2000:]
            time.sleep(0.2)

        asked = when(site, "SELECT asked_at FROM games_botchoice ORDER BY id LIMIT 1")
        bid = when(site, "SELECT at FROM games_event WHERE seat = 0 AND kind = 'bid'")
        assert answered == [(3,)]
        assert (bid - asked).total_seconds() <= 60
        log = (site.folder / "processes.log").read_text()
        assert "bot_not_finished" in log
    finally:
        site.remove()


def when(site: Elsewhere, query: str) -> datetime:
    [(at,)] = site.rows(query)
    return datetime.fromisoformat(str(at))
