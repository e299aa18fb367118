"""The paces that a table may choose, with their names, what they mean to people, and how long a match at them takes."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.clock import CLOCKS, DAY, HOUR, PER_TURN_SECONDS, Clock, PerTurn, clock_from_json
from games.engine.length import Length

CLOCK_NAMES: Final[Mapping[str, Promise]] = {
    "fast": gettext_lazy("Fast"),
    "standard": gettext_lazy("Standard"),
    "relaxed": gettext_lazy("Relaxed"),
}
CLOCK_WORDS: Final[Mapping[str, Promise]] = {
    "fast": gettext_lazy("24 hours each for the whole match, and one more for each move."),
    "standard": gettext_lazy("72 hours each, three more for each move, 36 hours at most for one."),
    "relaxed": gettext_lazy("7 days each, and six hours more for each move."),
}
# Besides those with a name: the same time for every move.
PER_TURN: Final[Mapping[str, Clock]] = {
    f"turn-{seconds}": PerTurn(seconds) for seconds in PER_TURN_SECONDS
}
PACES: Final[Mapping[str, Clock]] = {**CLOCKS, **PER_TURN}


def clock_name(stored: Mapping[str, Any]) -> str:  # Any: JSON, read by the engine
    """The name of a table's clock, as it is stored, or that it is its own."""
    return name_of(clock_from_json(stored))


def name_of(clock: Clock) -> str:
    if isinstance(clock, PerTurn):
        return _for_each_move(timedelta(seconds=clock.seconds))
    for name, known in CLOCKS.items():
        if clock == known:
            return str(CLOCK_NAMES[name])
    return _("Its own pace")


def _for_each_move(time: timedelta) -> str:
    if time < DAY:
        hours = time // HOUR
        said = ngettext("%(hours)d hour for each move", "%(hours)d hours for each move", hours)
        return said % {"hours": hours}
    days = time // DAY
    said = ngettext("%(days)d day for each move", "%(days)d days for each move", days)
    return said % {"days": days}


def about(stored: Mapping[str, Any]) -> str:  # Any: as above
    """What the clock means, for those that have words."""
    known = (name for name, clock in CLOCKS.items() if clock == clock_from_json(stored))
    name = next(known, None)
    return "" if name is None else str(CLOCK_WORDS[name])


def length_words(length: Length) -> str:
    """How long a match takes as a rule, and by which day it is over, in one sentence or two."""
    said = []
    if length.with_plans is not None and length.by_hand is not None:
        said.append(_usually(length.with_plans, length.by_hand))
    if length.latest_end is not None:
        said.append(_("Over by %(day)s at the latest.") % {"day": _day(length.latest_end)})
    return " ".join(said)


def _usually(with_plans: timedelta, by_hand: timedelta) -> str:
    """One sentence; of two lengths that sound alike, one."""
    short, long = _about(with_plans), _about(by_hand)
    if short == long:
        return _("About %(time)s.") % {"time": long}
    return _("About %(short)s with plans, %(long)s without.") % {"short": short, "long": long}


def _about(time: timedelta) -> str:
    if time < 2 * DAY:
        hours = max(round(time / HOUR), 1)
        return ngettext("%(hours)d hour", "%(hours)d hours", hours) % {"hours": hours}
    days = round(time / DAY)
    return ngettext("%(days)d day", "%(days)d days", days) % {"days": days}


def _day(at: datetime) -> str:
    return date_format(timezone.localtime(at), "j F Y")
