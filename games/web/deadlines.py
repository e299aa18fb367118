"""By when somebody must answer, in words: the local time first, then what is left, never finer than a minute."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Self

from django.utils.translation import gettext as _

SHORT: Final = timedelta(hours=1)
_MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Deadline:
    """`at` is the instant, `left` what is left of it in words, `is_short` less than an hour, `who` the name it is asked of.

    `who` is empty where it is the reader.
    """

    at: datetime
    left: str
    is_short: bool
    who: str = ""

    @classmethod
    def of(cls, at: datetime, *, now: datetime, who: str = "") -> Self:
        return cls(at, in_words(at - now), at - now < SHORT, who)


def in_words(left: timedelta) -> str:
    """`2 d 3 h`, `23 h 40 min`, `40 min`: two figures at most, so nobody reads a countdown."""
    minutes = max(left // _MINUTE, 0)
    hours, days = minutes // 60, minutes // 1440
    if days >= 2:
        return _("%(days)d d %(hours)d h left") % {"days": days, "hours": hours % 24}
    if hours:
        return _("%(hours)d h %(minutes)d min left") % {"hours": hours, "minutes": minutes % 60}
    return _("%(minutes)d min left") % {"minutes": minutes}
