"""Randomness that can be thrown again: what a request draws is the same whenever it is asked in the same way."""

import hashlib
import os
import random

import pytest


class Dice:
    """Stands in for the operating system's random bytes until the test is over."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.throw_again("")
        monkeypatch.setattr(os, "urandom", self.bytes)
        # `secrets` and `random.SystemRandom` keep a name of their own for it.
        monkeypatch.setattr(random, "_urandom", self.bytes)

    def throw_again(self, seed: str) -> None:
        self.seed, self.thrown = seed, 0

    def bytes(self, count: int) -> bytes:
        self.thrown += 1
        return hashlib.shake_256(f"{self.seed}/{self.thrown}".encode()).digest(count)
