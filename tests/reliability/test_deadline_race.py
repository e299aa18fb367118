"""A move against the sweep at the instant of its deadline: exactly one of them has an effect, with real commits."""

import os
from collections.abc import Callable
from typing import Final

import pytest

from tests.elsewhere import Elsewhere

pytestmark = pytest.mark.django_db

ROUNDS: Final = int(os.environ.get("DEADLINE_RACES", "20"))
RACE: Final = f"from tests.reliability.deadlines import race; print('RACED', race({ROUNDS}))"


def test_the_move_counts_or_the_time_ran_out_and_never_both(
    site: Elsewhere, count: Callable[[str], None]
) -> None:
    raced = site.told(RACE, "RACED")

    assert raced["wrong"] == []
    assert sum(raced["won by"].values()) == ROUNDS
    count(
        f"deadlines: {ROUNDS} moves against a sweep and two workers ({raced}): exactly one effect each"
    )
