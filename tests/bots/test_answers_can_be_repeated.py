"""A decision follows from the bot, the tie-break and the observation: the same on every run and on every Python."""

import shutil
import subprocess
from dataclasses import replace

import pytest

from games.engine.rules import PRESETS
from tests.bots.positions import LEVELS, answer, decisions, digest

PYTHONS = ("python3.11", "python3.12", "python3.13")
SCRIPT = "from tests.bots.positions import digest; print(*digest())"


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_observation_gets_the_same_answer(level: str) -> None:
    for _, _, seen in decisions(PRESETS["arcadia"], [LEVELS[level]] * 4, range(3)):
        assert answer(LEVELS[level], seen) == answer(LEVELS[level], replace(seen))


def test_a_thousand_decisions_are_the_same_on_every_python() -> None:
    others = [python for python in map(shutil.which, PYTHONS) if python and works(python)]
    if len(others) < 2:
        pytest.skip(f"of {', '.join(PYTHONS)} there is no second one here")

    made, here = digest()

    assert made >= 1000
    for python in others:
        printed = subprocess.run(
            [python, "-c", SCRIPT], capture_output=True, text=True, check=True
        ).stdout
        assert printed.split() == [str(made), here]


def works(python: str) -> bool:
    """Whether this one runs: a version manager leaves commands behind for versions that are not chosen."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0
