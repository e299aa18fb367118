"""The rest of the cast, as at any table."""

from tests.games.conftest import chandra, dipak

__all__ = ["chandra", "dipak"]
