"""The rest of the cast: four seats need four people."""

from collections.abc import Callable

import pytest

from accounts.models import User


@pytest.fixture
def chandra(person: Callable[[str], User]) -> User:
    return person("chandra")


@pytest.fixture
def dipak(person: Callable[[str], User]) -> User:
    return person("dipak")
