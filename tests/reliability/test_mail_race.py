"""Several workers send what is due at the same moment, to a real mail server and with real commits: everybody gets one mail."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from tests.elsewhere import Elsewhere
from tests.games.notices.mailserver import MailServer, mail_server

pytestmark = pytest.mark.django_db

GROUPS: Final = 6
SEND: Final = f"""
    from concurrent.futures import ThreadPoolExecutor
    from threading import Barrier
    from django.db import connections
    from accounts.models import User
    from games.notices import sending
    from tests.games.notices.acting import MINUTE, WAITED, four
    from tests.games.tables import ONE_ROUND

    WORKERS = 4
    names = [[f"p{{group}}x{{seat}}" for seat in range(4)] for group in range({GROUPS})]
    for group in names:
        people = [User.objects.create_user(name, f"{{name}}@example.com") for name in group]
        # Each worker takes the four notices of one table, so that all have the same person in hand.
        for _ in range(WORKERS):
            four(people, ONE_ROUND.replace(sealed_bids=True))
    connections.close_all()
    barrier = Barrier(WORKERS)

    def work(worker):
        sent = 0
        for run in range(20):
            barrier.wait()
            sent += sending.send_due(now=WAITED + run * MINUTE, limit=4)
        connections.close_all()
        return sent

    with ThreadPoolExecutor(WORKERS) as pool:
        print("SENT", *pool.map(work, range(WORKERS)))
    """


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    with mail_server(settings) as server:
        server.start()
        yield server


def test_what_four_workers_send_at_once_arrives_once(
    site: Elsewhere, server: MailServer, count: Callable[[str], None]
) -> None:
    said = site.run(SEND, EMAIL_URL=f"smtp://127.0.0.1:{server.port}")

    line = next(line for line in said.splitlines() if line.startswith("SENT"))
    sent = [int(number) for number in line.split()[1:]]
    got = Counter(address for address, _ in server.mails)
    assert set(got.values()) == {1}
    assert len(got) == sum(sent) == 4 * GROUPS
    query = "SELECT status, count(*) FROM games_notice WHERE kind = 'your_turn' GROUP BY status"
    assert sorted(site.rows(query)) == [("held_back", 12 * GROUPS), ("sent", 4 * GROUPS)]
    count(f"mails: {sent} sent by four workers at once, 0 twice, 0 lost")
