"""Posts that arrive at the same moment: each decision is made once, and everybody is told the truth about it."""

import os
from collections.abc import Callable, Iterator

import pytest

from tests.elsewhere import Elsewhere
from tests.reliability.races import Server, race, race_across

DECISIONS = int(os.environ.get("RACES", "60"))
ALIKE, UNLIKE = 12, 6
STEPS = max(DECISIONS // 10, 6)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: object
) -> Iterator[Server]:
    with django_db_blocker.unblock():  # type: ignore[attr-defined] # pytest-django does not export its type
        site = Elsewhere(tmp_path_factory.mktemp("races"))
        try:
            site.manage("migrate", "--verbosity=0")
            site.manage("createcachetable")
            server = Server(site)
            server.open(rounds=-(-DECISIONS // 56))
            yield server
        finally:
            site.remove()


def test_every_decision_is_made_once(server: Server, count: Callable[[str], None]) -> None:
    raced = race(server, decisions=DECISIONS, alike=ALIKE, unlike=UNLIKE)

    game = server.games["playing"]
    query = f"SELECT count(*), count(DISTINCT (100 * round + turn)) FROM games_event WHERE turn IS NOT NULL AND game_id = '{game}'"
    assert raced.wrong == []
    assert server.site.rows(query) == [(DECISIONS, DECISIONS)]
    assert raced.statuses[201] == DECISIONS
    server.verify()
    count(f"races: {raced}, 0 twice, 0 answers 5xx")


def test_on_boards_side_by_side_all_answers_count(
    server: Server, count: Callable[[str], None]
) -> None:
    raced = race_across(server, steps=STEPS)

    game = server.games["side by side"]
    query = f"SELECT count(*), count(DISTINCT (100 * round + turn)) FROM games_event WHERE turn IS NOT NULL AND game_id = '{game}'"
    assert raced.wrong == []
    # All four bid on five boards, then one plays on each.
    assert raced.decisions == 20 + 5 * (STEPS - 1)
    assert server.site.rows(query) == [(raced.decisions, raced.decisions)]
    server.verify()
    count(f"side by side: {raced}, 0 twice, 0 answers 5xx")


def test_the_last_seat_is_taken_once(server: Server) -> None:
    game = server.games["open"]

    got = server.at_once([(f"games/{game}/seats", person, {}) for person in (1, 2, 3, 4)])

    assert sorted(answer.status for answer in got)[0] < 300
    assert [answer.status for answer in got].count(409) == 3, [answer.status for answer in got]
    query = f"SELECT count(*) FROM games_event WHERE game_id = '{game}' AND kind = "
    assert server.site.rows(query + "'joined'") == [(4,)]
    assert server.site.rows(query + "'dealt'") == [(1,)]


def test_a_start_pressed_many_times_deals_once(server: Server) -> None:
    game = server.games["to start"]

    got = server.at_once([(f"games/{game}/start", 0, {})] * 12)

    assert {answer.status for answer in got} == {200}
    query = f"SELECT count(*) FROM games_event WHERE game_id = '{game}' AND kind = "
    assert server.site.rows(query + "'started'") == [(1,)]
    assert server.site.rows(query + "'dealt'") == [(1,)]


def test_a_key_sent_many_times_at_once_makes_one_table_and_one_token(server: Server) -> None:
    table = {"preset": "arcadia", "seats": ["me", "open", "bot:steady", "bot:steady"]}
    token = {"name": "raced", "scopes": ["games:read"]}
    before = server.site.rows("SELECT count(*) FROM games_game")[0][0]

    tables = server.at_once([("games", 4, table)] * 12, {"Idempotency-Key": "a"})
    tokens = server.at_once([("tokens", 4, token)] * 12, {"Idempotency-Key": "b"})
    mixed = server.at_once(
        [("tokens", 4, token), ("tokens", 4, token | {"name": "other"})] * 6,
        {"Idempotency-Key": "c"},
    )

    assert {answer.status for answer in [*tables, *tokens]} == {201}
    assert len({answer.body["id"] for answer in tables}) == 1
    assert server.site.rows("SELECT count(*) FROM games_game") == [(before + 1,)]
    assert len({answer.body["token"] for answer in tokens}) == 1
    assert (
        server.site.rows("SELECT count(*) FROM accounts_apitoken WHERE name = 'raced'")[0][0] <= 2
    )
    assert sorted(answer.status for answer in mixed) == [201] * 6 + [422] * 6
    assert len({answer.body["id"] for answer in mixed if answer.status == 201}) == 1
