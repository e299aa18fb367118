"""A move against the sweep at the instant of its deadline: exactly one of them has an effect, with real commits."""

import json
import os
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from tests.elsewhere import Elsewhere

pytestmark = pytest.mark.django_db

ROUNDS: Final = int(os.environ.get("DEADLINE_RACES", "20"))
RACE: Final = f"from tests.reliability.deadlines import race; print('RACED', race({ROUNDS}))"


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory, db: None) -> Iterator[Elsewhere]:
    site = Elsewhere(tmp_path_factory.mktemp("deadlines"))
    try:
        site.manage("migrate", "--verbosity=0")
        site.manage("createcachetable")
        yield site
    finally:
        site.remove()


def test_the_move_counts_or_the_time_ran_out_and_never_both(
    site: Elsewhere, count: Callable[[str], None]
) -> None:
    said = site.run(RACE)

    line = next(line for line in said.splitlines() if line.startswith("RACED"))
    raced = json.loads(line.removeprefix("RACED"))
    assert raced["wrong"] == []
    assert sum(raced["won by"].values()) == ROUNDS
    count(
        f"deadlines: {ROUNDS} moves against a sweep and two workers ({raced}): exactly one effect each"
    )
