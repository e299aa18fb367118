"""By when somebody must answer, in words: the local time first, then what is left, never finer than a minute."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Self

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import queries
from games.engine.observation import Observation
from games.table import Table
from games.web.company import Company

SHORT: Final = timedelta(hours=1)
_MINUTE: Final = timedelta(minutes=1)
_WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Deadline:
    """`at` is the instant, `by` the same in few words, `left` what is left of it, `is_short` less than an hour.

    `who` is the name it is asked of, empty where it is the reader.
    """

    at: datetime
    by: str
    left: str
    is_short: bool
    who: str = ""

    @classmethod
    def of(cls, at: datetime, *, now: datetime, who: str = "") -> Self:
        return cls(at, moment(at, now), in_words(at - now), at - now < SHORT, who)


def deadline_of(
    table: Table, row: Mapping[str, Any], seen: Observation, company: Company
) -> Deadline | None:
    """Until when a round waits: for me if I am to act (each sealed bid has its own time), else for whoever is."""
    if seen.acts and seen.seat is not None:
        mine = queries.deadline_of(table.rows[seen.round], seen.seat)
        return Deadline.of(mine, now=table.now) if mine else None
    if row["deadline"] is None or seen.to_act is None:
        return None
    return Deadline.of(row["deadline"], now=table.now, who=company.name(seen.to_act))


def in_words(left: timedelta) -> str:
    """`2 days 3 h left`, `23 h 40 min left`, `40 min left`: two figures at most, so nobody reads a countdown."""
    minutes = max(left // _MINUTE, 0)
    days, hours = minutes // 1440, minutes // 60 % 24
    facts = {"days": days, "hours": hours, "minutes": minutes % 60}
    if days and hours:
        text = ngettext("%(days)d day %(hours)d h left", "%(days)d days %(hours)d h left", days)
    elif days:
        text = ngettext("%(days)d day left", "%(days)d days left", days)
    elif hours and facts["minutes"]:
        text = _("%(hours)d h %(minutes)d min left")
    elif hours:
        text = _("%(hours)d h left")
    else:
        text = _("%(minutes)d min left")
    return text % facts


def moment(at: datetime, now: datetime) -> str:
    """The instant in the reader's zone, as short as it is clear: the hour today, with the day within a week, with the date."""
    there, today = timezone.localtime(at), timezone.localtime(now).date()
    if there.date() == today:
        return date_format(there, "H:i")
    return date_format(there, "D H:i" if abs(there.date() - today) < _WEEK else "j M, H:i")
