"""Limits as they are in production, for tests that ask too often: the suite's own requests are not counted."""

from collections.abc import Iterator

import pytest
import time_machine
from django.conf import LazySettings
from django.core.cache import caches

from tests.games.tables import NOW


@pytest.fixture
def clock(settings: LazySettings) -> Iterator[time_machine.Traveller]:
    """Counts from now on, in a cache that is this test's alone, by a clock that stands still: `clock.shift(seconds)`."""
    backend = "django.core.cache.backends.locmem.LocMemCache"
    settings.CACHES = settings.CACHES | {"limits": {"BACKEND": backend, "LOCATION": "limits"}}
    settings.CALLBREAK_LIMITS = True
    caches["limits"].clear()
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller
