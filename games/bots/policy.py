"""Policy: what every bot is, and the one way a bot varies its answers.

A policy sees an `Observation` and nothing else. The same observation always gets the same answer: whatever should differ from
game to game comes from `observation.tie_break`, a private number the caller adds, never from a clock or a global dice.
"""

from typing import Final, Protocol

from games.engine.cards import Card
from games.engine.observation import Observation

_WORD: Final = 2**64 - 1


class Policy(Protocol):
    """A player. Both methods answer for `observation.seat`, when it is that seat's turn; ValueError when it is not."""

    def bid(self, observation: Observation) -> int:
        """A bid within the rules' range."""

    def play(self, observation: Observation) -> Card:
        """One of `observation.legal`."""


def roll(observation: Observation, salt: int, below: int) -> int:
    """A number from 0 to `below` - 1, fixed by the tie-break, the turn and `salt` (one salt for each question asked)."""
    state = observation.tie_break & _WORD
    for part in (observation.turn, salt):
        state = _mix(state ^ _mix(part + 1))
    return state % below


class Dice:
    """A stream of numbers, fixed by its seed."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _WORD

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1, all as likely to 2**-64 as long as `limit` is below 2**64."""
        return ((self._word() << 64 | self._word()) * limit) >> 128

    def _word(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _WORD
        return _mix(self._state)


def _mix(number: int) -> int:
    """SplitMix64's finalizer: neighbouring numbers in, unrelated numbers out."""
    number = (number * 0x9E3779B97F4A7C15) & _WORD
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _WORD
    return number ^ (number >> 31)
