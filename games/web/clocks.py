"""The engine's paces, with their names and what they mean to people."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine.clock import CLOCKS, clock_from_json

CLOCK_NAMES: Final[Mapping[str, Promise]] = {
    "fast": _("Fast"),
    "standard": _("Standard"),
    "relaxed": _("Relaxed"),
}
CLOCK_WORDS: Final[Mapping[str, Promise]] = {
    "fast": _("24 hours each for the whole match, and one more for each move."),
    "standard": _("72 hours each, three more for each move, 36 hours at most for one."),
    "relaxed": _("7 days each, and six hours more for each move."),
}


def clock_name(stored: Mapping[str, Any]) -> str:  # Any: JSON, read by the engine
    """The name of a table's clock, as it is stored, or that it is its own."""
    clock = clock_from_json(stored)
    for name, known in CLOCKS.items():
        if clock == known:
            return str(CLOCK_NAMES[name])
    return str(_("Its own pace"))
