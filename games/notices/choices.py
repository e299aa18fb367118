"""What each person wants to be told, and how; when that is due. What they did not choose is as usual."""

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Notice

Kind = Notice.Kind


class Choice(models.TextChoices):
    AT_ONCE = "at_once", _("At once")
    DIGEST = "digest", _("Daily")
    OFF = "off", _("Off")


# Every kind that can be chosen, in the order of the settings page, and what holds until somebody chooses.
USUAL: Final[Mapping[str, Choice]] = {
    Kind.YOUR_TURN: Choice.AT_ONCE,
    Kind.REMINDER: Choice.AT_ONCE,
    Kind.TIME_RAN_OUT: Choice.AT_ONCE,
    Kind.SEAT_TAKEN_OVER: Choice.AT_ONCE,
    Kind.ROUND_OVER: Choice.DIGEST,
    Kind.MATCH_OVER: Choice.AT_ONCE,
    Kind.INVITATION: Choice.AT_ONCE,
    Kind.RULING: Choice.AT_ONCE,
}
# "At once" first gives the person this long to look in by themselves. A reminder has no time to lose, and a ruling is written to
# everybody whom it concerns, also to who has just looked in.
WAIT: Final = timedelta(minutes=15)
WITHOUT_WAITING: Final = (Kind.REMINDER, Kind.RULING)
# What a device that is switched on tells until its person chooses otherwise: what waits for them, and how a match ended.
_USUAL_ON_DEVICES: Final = frozenset(USUAL) - {Kind.ROUND_OVER}
# A device is there to be quick: whoever is at the table needs no message.
PUSH_WAIT: Final = timedelta(minutes=1)


def choice_of(user: User, kind: str) -> Choice:
    return Choice(user.notice_choices.get(kind, USUAL[kind]))


def choose(user: User, choices: Mapping[str, str]) -> None:
    """Let these kinds be told so from now on. Not saved; ValueError for what is no choice."""
    for kind, choice in choices.items():
        user.notice_choices[Kind(kind).value] = Choice(choice).value


def on_devices(user: User, kind: str) -> bool:
    """Whether this person's devices are told of this kind, whatever is done by mail."""
    return bool(user.notice_choices.get(_on_devices(kind), kind in _USUAL_ON_DEVICES))


def choose_on_devices(user: User, kinds: Collection[str]) -> None:
    """Let devices be told of these kinds from now on, and of no others. Not saved."""
    for kind in USUAL:
        user.notice_choices[_on_devices(kind)] = "on" if kind in kinds else ""


def first_due_at(user: User, kind: str, *, now: datetime) -> datetime:
    """When a notice that is written now is decided about."""
    if choice_of(user, kind) == Choice.DIGEST:
        return next_digest_at(user, now)
    return now if kind in WITHOUT_WAITING else now + WAIT


def local_day(user: User, now: datetime) -> date:
    return now.astimezone(ZoneInfo(user.time_zone)).date()


def digest_at(user: User, day: date) -> datetime:
    """The instant of the digest of a local day.

    An hour that the day has twice counts when it comes first; one that it lacks, when the clocks have been put forward.
    """
    wall = datetime.combine(day, time(user.digest_hour), tzinfo=ZoneInfo(user.time_zone))
    return wall.astimezone(UTC)


def next_digest_at(user: User, now: datetime) -> datetime:
    """The first digest hour after `now`."""
    today = local_day(user, now)
    at = digest_at(user, today)
    return at if at > now else digest_at(user, today + timedelta(days=1))


def due_on_devices_at(kind: str, *, now: datetime) -> datetime:
    """When a message to a device that is written now is decided about."""
    return now if kind == Kind.REMINDER else now + PUSH_WAIT


def _on_devices(kind: str) -> str:
    return f"{kind} on devices"
