"""Workers are killed in the middle of everything; the database is the queue of record, so the match goes on."""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.elsewhere import Elsewhere
from tests.reliability.kills import killed_match

KILLS = int(os.environ.get("KILLS", "3"))


@pytest.mark.django_db
def test_a_match_survives_its_workers(tmp_path: Path, count: Callable[[str], None]) -> None:
    site = Elsewhere(tmp_path / "site")
    try:
        site.manage("migrate", "--verbosity=0")

        survived = killed_match(site, kills=KILLS, rounds=2, dice=Random())

        assert survived.decisions == 2 * 56
        assert survived.most_lines == 1
        assert survived.longest_wait <= 60
        count(f"kills: {survived}")
    finally:
        site.remove()
