"""The sweep finds what is due by index alone, so that the games that wait cost nothing: `python -m bench.sweep` says how much."""

from datetime import timedelta

import pytest
from django.db import connection

from accounts.models import User
from games.services import pace
from tests.games.crowd import Crowd, steps_of_a_sweep, whole_tables
from tests.games.tables import NOW

LATER = NOW + timedelta(days=1)


@pytest.fixture
def crowd(asha: User, bina: User, chandra: User, dipak: User) -> Crowd:
    crowd = Crowd([asha, bina, chandra, dipak])
    crowd.is_due(10, now=LATER)
    crowd.waits(3000, now=LATER)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return crowd


def test_no_statement_reads_a_whole_table(crowd: Crowd) -> None:
    steps = steps_of_a_sweep(LATER)

    assert whole_tables(steps) == []
    for index in ("game_due", "round_alarm", "game_owed_time"):
        assert any(index in step for step in steps), (index, steps)


def test_nothing_but_what_is_due_is_found(crowd: Crowd) -> None:
    assert pace.sweep(now=LATER) == 20
    assert pace.sweep(now=LATER) == 0
