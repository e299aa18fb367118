"""The paces that a table may choose, with their names and what they mean."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.services.lobby import STANDARD_CLOCK

_HOUR: Final = 3600
CLOCKS: Final[Mapping[str, dict[str, Any]]] = {
    "fast": {"kind": "bank", "start": 24 * _HOUR, "increment": _HOUR, "cap": 24 * _HOUR},
    "standard": STANDARD_CLOCK,
    "relaxed": {"kind": "bank", "start": 168 * _HOUR, "increment": 6 * _HOUR, "cap": 168 * _HOUR},
}
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


def clock_name(clock: Mapping[str, Any]) -> str:
    """The name of a table's clock, or that it is its own."""
    for name, known in CLOCKS.items():
        if clock == known:
            return str(CLOCK_NAMES[name])
    return str(_("Its own pace"))
