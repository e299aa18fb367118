"""Deadlines and reminder instants: how long a decision may wait, and what a seat's bank of time holds afterwards.

Pure arithmetic on instants that the caller passes in: nothing here reads a clock or knows a card, a seat or a table. What
is public of it is in whole minutes, so that no deadline and no bank tells when exactly somebody answered.

**What counts.** An instant is *paused* for a person while the wall clock of their own zone reads a time of their night
(start included, end not), or a date of their holidays, or, where the table pauses at weekends, a Saturday or Sunday. Paused
time does not count. It is a property of the instant alone: a turn opened inside a window begins to count when the window
ends; windows that touch or overlap are one; an hour that a zone repeats in autumn is paused both times, or neither; an hour
that it skips in spring is not there to be paused.

**A deadline** is the earliest instant by which the allowance has been counted, from the next whole minute after the turn
opened, rounded up to a whole minute. It never lies inside a window, at most where one begins.

**A bank** is charged what a turn counted, to the minute below, and gets the increment when the turn is over, up to the cap;
so it never opens a turn empty. Rounds in turn share one bank a seat; side by side every board of a seat has its own, since
several of its turns are open at once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import takewhile
from types import MappingProxyType
from typing import Any, Final, Self, TypeAlias
from zoneinfo import ZoneInfo

MINUTE: Final = timedelta(minutes=1)
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(weeks=1)

PER_TURN_SECONDS: Final = (3600, 28800, 86400, 172800, 259200, 604800)
BANK_SECONDS: Final = (60, 30 * 86400)
INCREMENT_SECONDS: Final = (1, 30 * 86400)

MAX_NIGHT: Final = timedelta(hours=12)  # a longer night would leave the others less than half a day
MAX_HOLIDAYS: Final = 15  # local dates in a calendar year
GRACE: Final = timedelta(seconds=30)  # between a deadline and what the sweep does about it
OUTAGE: Final = timedelta(minutes=10)  # a shorter silence of the service is nobody's loss
REMINDER_PERCENT: Final = 80

# What a decision takes of somebody whom nobody else keeps waiting.
AT_ONCE: Final = MINUTE


@dataclass(frozen=True, slots=True)
class PerTurn:
    """The same time for every decision: one of `PER_TURN_SECONDS`. ValueError names the field."""

    seconds: int

    def __post_init__(self) -> None:
        if type(self.seconds) is not int or self.seconds not in PER_TURN_SECONDS:
            choices = ", ".join(map(str, PER_TURN_SECONDS))
            raise ValueError(f"seconds: one of {choices}, not {self.seconds!r}")

    def to_json(self) -> dict[str, str | int]:
        return {"kind": "per_turn", "seconds": self.seconds}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """A bank of time, all in seconds: `start` at first, `increment` more for each turn, never above `cap`.

    One turn may take `longest_turn` of it, or as much as is left. ValueError names the field.
    """

    start: int
    increment: int
    cap: int
    longest_turn: int

    def __post_init__(self) -> None:
        for name in _BANK_FIELDS:
            low, high = INCREMENT_SECONDS if name == "increment" else BANK_SECONDS
            seconds = getattr(self, name)
            if type(seconds) is not int or not low <= seconds <= high:
                raise ValueError(f"{name}: seconds from {low} to {high}, not {seconds!r}")
        for name in ("start", "increment", "longest_turn"):
            if getattr(self, name) > self.cap:
                raise ValueError(f"{name}: more than the cap of the bank")

    def to_json(self) -> dict[str, str | int]:
        return {"kind": "bank", **{name: getattr(self, name) for name in _BANK_FIELDS}}


Clock: TypeAlias = PerTurn | Bank

_BANK_FIELDS: Final = ("start", "increment", "cap", "longest_turn")
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"per_turn": ("seconds",), "bank": _BANK_FIELDS}
)

FAST: Final = Bank(start=24 * 3600, increment=3600, cap=24 * 3600, longest_turn=24 * 3600)
STANDARD: Final = Bank(start=72 * 3600, increment=3 * 3600, cap=72 * 3600, longest_turn=36 * 3600)
RELAXED: Final = Bank(start=168 * 3600, increment=6 * 3600, cap=168 * 3600, longest_turn=168 * 3600)
CLOCKS: Final[Mapping[str, Clock]] = MappingProxyType(
    {"fast": FAST, "standard": STANDARD, "relaxed": RELAXED}
)


def clock_from_json(d: Mapping[str, Any]) -> Clock:  # Any: JSON from outside, checked by field
    """The clock that a JSON object describes. ValueError starts with the name of the field that is wrong.

    A bank without `longest_turn` has no limit for a single turn but its cap.
    """
    kind = d.get("kind") if isinstance(d, Mapping) else None
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise ValueError("kind: a clock is an object whose kind is per_turn or bank")
    for name in d:
        if name not in ("kind", *_FIELDS[kind]):
            raise ValueError(f"{name}: there is no such field")
    values = {name: d[name] for name in _FIELDS[kind] if name in d}
    if kind == "bank" and "cap" in values:
        values.setdefault("longest_turn", values["cap"])
    for name in _FIELDS[kind]:
        if name not in values:
            raise ValueError(f"{name}: is missing")
    return PerTurn(**values) if kind == "per_turn" else Bank(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """When time does not count for a person: their zone, night and holidays, and the weekends of a table that pauses.

    `night` is two local times, whole minutes, over midnight or not, at most `MAX_NIGHT` apart; `holidays` are local dates, at
    most `MAX_HOLIDAYS` in a calendar year; `weekends` says that Saturdays and Sundays of this zone are paused. A turn keeps
    the habits with which it was opened: `to_json` is for storing them beside it. ValueError names the field.
    """

    zone: str = "UTC"
    night: tuple[time, time] | None = None
    holidays: frozenset[date] = field(default=frozenset())
    weekends: bool = False

    def __post_init__(self) -> None:
        try:
            ZoneInfo(self.zone)
        except (KeyError, ValueError, OSError, TypeError):
            raise ValueError(f"zone: there is no time zone {self.zone!r}") from None
        if self.night is not None:
            _check_night(*self.night)
        years = [day.year for day in self.holidays]
        if any(years.count(year) > MAX_HOLIDAYS for year in set(years)):
            raise ValueError(f"holidays: at most {MAX_HOLIDAYS} days in a year")

    def at_table(self, *, holidays: bool, weekends: bool) -> Self:
        """These habits where a table lets holidays count or not, and pauses at weekends or not."""
        days = self.holidays if holidays else frozenset()
        return replace(self, holidays=days, weekends=weekends)

    def pauses(self, instant: datetime) -> bool:
        """Whether time stands still at this instant."""
        wall = _utc(instant).astimezone(ZoneInfo(self.zone))
        if wall.date() in self.holidays or (self.weekends and wall.weekday() >= 5):
            return True
        if self.night is None:
            return False
        start, end = self.night
        now = wall.time()
        return start <= now < end if start < end else now >= start or now < end

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Self:  # Any: JSON, checked below
        """What `to_json` wrote."""
        night = d["night"]
        return cls(
            zone=d["zone"],
            night=night and (time.fromisoformat(night[0]), time.fromisoformat(night[1])),
            holidays=frozenset(date.fromisoformat(day) for day in d["holidays"]),
            weekends=d["weekends"],
        )

    def to_json(self) -> dict[str, str | bool | list[str] | None]:
        return {
            "zone": self.zone,
            "night": self.night and [f"{edge:%H:%M}" for edge in self.night],
            "holidays": [day.isoformat() for day in sorted(self.holidays)],
            "weekends": self.weekends,
        }


ALWAYS: Final = Habits()  # time counts day and night


@dataclass(frozen=True, slots=True)
class Turn:
    """What is fixed when a turn opens: both instants in UTC, whole minutes; `remind_at` lies before `deadline_at`."""

    deadline_at: datetime
    remind_at: datetime


def start_bank(clock: Clock) -> timedelta:
    """What a seat's bank holds before its first turn; nothing under a clock without a bank."""
    return timedelta(seconds=clock.start) if isinstance(clock, Bank) else timedelta()


def allowance(clock: Clock, bank: timedelta) -> timedelta:
    """How much counted time the next turn of a seat has, whose bank holds so much."""
    if isinstance(clock, PerTurn):
        return timedelta(seconds=clock.seconds)
    return min(bank, timedelta(seconds=clock.longest_turn))


def open_turn(clock: Clock, bank: timedelta, opened_at: datetime, habits: Habits) -> Turn:
    """Deadline and reminder of a turn that opens now, for a seat whose bank holds `bank`."""
    allowed = allowance(clock, bank)
    start = _minute_from(opened_at)
    reminder = allowed * REMINDER_PERCENT // 100 // MINUTE * MINUTE
    return Turn(
        deadline_at=_minute_from(_after(habits, start, allowed)),
        remind_at=_after(habits, start, reminder),
    )


def close_turn(
    clock: Clock, bank: timedelta, *, deadline_at: datetime, closed_at: datetime, habits: Habits
) -> timedelta:
    """What the bank holds once the turn that was opened with `bank` and `habits` is over; at the deadline all is used.

    Charged is what is missing to the deadline, so time given back after an outage is not charged.
    """
    if isinstance(clock, PerTurn):
        return bank
    allowed = allowance(clock, bank)
    left = min(allowed, _counted(habits, _minute_to(closed_at), deadline_at))
    return min(
        bank - allowed + left + timedelta(seconds=clock.increment), timedelta(seconds=clock.cap)
    )


def in_time(deadline_at: datetime, received_at: datetime) -> bool:
    """Whether an answer counts: it was received by the deadline, whenever it is dealt with."""
    return received_at <= deadline_at


def is_due(deadline_at: datetime, now: datetime) -> bool:
    """Whether the sweep may act: the grace after the deadline is over, so no answer received in time is still on its way."""
    return now >= deadline_at + GRACE


def outage(last_beat_at: datetime, now: datetime) -> timedelta:
    """How much to give back after a silence since the last heartbeat: all of it, in minutes rounded up, if it was long."""
    gap = now - last_beat_at
    return -(-gap // MINUTE) * MINUTE if gap > OUTAGE else timedelta()


def given_back(instant: datetime, gap: timedelta, habits: Habits) -> datetime:
    """Where a deadline or reminder moves after an outage: on by the gap, counted, so that it does not land in a window."""
    return _after(habits, instant, gap)


def latest_end(
    clock: Clock,
    *,
    started_at: datetime,
    decisions_per_seat: int,
    people: int = 4,
    longest_night: timedelta = MAX_NIGHT,
    holidays: int = MAX_HOLIDAYS,
    weekends: bool = False,
) -> datetime | None:
    """An instant by which a match is over whatever its players do; None where that is beyond the calendar.

    `decisions_per_seat`: the most bids and cards one seat can owe, redeals counted; of one round where rounds run side by
    side, since every board then has banks of its own. `longest_night`, `holidays` (a person and year) and `weekends` are what
    the table lets pause. Time that the service is down comes on top, minute for minute of counted time.

    Why it holds. At every moment the match waits for one open turn (with sealed bids: for the one answered last), so its
    length is what turns count plus what they pause.
    - *Counted*: with a bank the turns of a person together take at most the start, an increment after every turn but the
      last, and never more than the longest turn each; without, the fixed time each. Rounding and the sweep add less than
      `_SLACK` a turn, turns of bots included.
    - *Nights*: a turn may open just when a night begins, so each turn costs one night; one more for each waking day that it
      counts through, and one more for each stretch of free days between its nights.
    - *Holidays*: each person's days of each calendar year that the match touches, none shared.
    - *Weekends*: zones lie 26 hours apart, so of each week at most 48 + 26 hours are Saturday or Sunday for somebody.
    - *Clock changes*: four a year and person, of two hours, each of which lengthens one window or shortens one waking day.
    """
    turns = people * decisions_per_seat
    counted = people * _most_counted(clock, decisions_per_seat) + 4 * decisions_per_seat * _SLACK
    nights = turns + counted / (DAY - longest_night)
    of_week = (timedelta(hours=48 + 26) + longest_night) if weekends else timedelta()
    of_year = people * holidays * (DAY + longest_night)
    if longest_night or holidays or weekends:
        of_year += people * _CLOCK_CHANGES
    once = counted + nights * longest_night + of_week
    start = _utc(started_at)
    end, years = start, 0
    try:
        # More years mean more holidays, which may reach into another year. Of a year they never fill the whole.
        while (touched := (end + DAY).year - (start - DAY).year + 1) > years:
            years = touched
            end = _minute_from(start + (once + years * of_year) / (1 - of_week / WEEK))
    except OverflowError:
        return None
    return end


def typical_length(
    clock: Clock, *, wait: timedelta, decisions_per_seat: int, people: int = 4
) -> timedelta:
    """How long a match takes as a rule, a guess: each decision of a person waits so long, or as long as the clock lets it.

    `decisions_per_seat` without redeals; of one round where rounds run side by side. Whoever plays with bots alone waits for
    nobody.
    """
    share = _most_counted(clock, decisions_per_seat) / decisions_per_seat
    usual = wait if people > 1 else AT_ONCE
    return people * decisions_per_seat * min(usual, share)


_SLACK: Final = 3 * MINUTE
_CLOCK_CHANGES: Final = 4 * timedelta(hours=2)


def _most_counted(clock: Clock, decisions: int) -> timedelta:
    """The most counted time that so many decisions of one seat can take together."""
    if isinstance(clock, PerTurn):
        return timedelta(seconds=decisions * clock.seconds)
    of_bank = clock.start + (decisions - 1) * clock.increment
    return timedelta(seconds=min(of_bank, decisions * clock.longest_turn))


def _check_night(start: time, end: time) -> None:
    for edge in (start, end):
        if edge.tzinfo is not None or edge.second or edge.microsecond:
            raise ValueError(f"night: local times in whole minutes, not {edge}")
    if start == end:
        raise ValueError("night: start and end are the same, and a night of 0 or 24 hours is none")
    if (_since_midnight(end) - _since_midnight(start)) % DAY > MAX_NIGHT:
        raise ValueError(f"night: at most {MAX_NIGHT // HOUR} hours")


def _since_midnight(moment: time) -> timedelta:
    return timedelta(hours=moment.hour, minutes=moment.minute)


def _utc(instant: datetime) -> datetime:
    if instant.utcoffset() is None:
        raise ValueError("an instant needs its time zone")
    return instant.astimezone(UTC)


def _minute_to(instant: datetime) -> datetime:
    return _utc(instant).replace(second=0, microsecond=0)


def _minute_from(instant: datetime) -> datetime:
    minute = _minute_to(instant)
    return minute if minute == instant else minute + MINUTE


def _after(habits: Habits, start: datetime, amount: timedelta) -> datetime:
    """The earliest instant by which `amount` has been counted since `start`, a whole minute."""
    if not amount:
        return start
    stretches = _stretches(habits, start)
    while True:
        begin, end, is_paused = next(stretches)
        if is_paused:
            continue
        if amount <= end - begin:
            return begin + amount
        amount -= end - begin


def _counted(habits: Habits, start: datetime, until: datetime) -> timedelta:
    """The time between two whole minutes that is not paused; none where `until` comes first."""
    stretches = takewhile(lambda stretch: stretch[0] < until, _stretches(habits, start))
    counted = (min(end, until) - begin for begin, end, is_paused in stretches if not is_paused)
    return sum(counted, timedelta())


def _stretches(habits: Habits, start: datetime) -> Iterator[tuple[datetime, datetime, bool]]:
    """Begin, end and whether paused, one after the other and without end, from `start` on."""
    while True:
        end = _next_edge(habits, start)
        yield start, end, habits.pauses(start)
        start = end


def _next_edge(habits: Habits, instant: datetime) -> datetime:
    """The next instant at which a window may begin or end: local midnight, an end of the night, a change of the clocks."""
    zone = ZoneInfo(habits.zone)
    wall = instant.astimezone(zone)
    naive = wall.replace(tzinfo=None)
    edges = (
        datetime.combine(naive + days, edge)
        for days in (timedelta(), DAY)
        for edge in (time(), *(habits.night or ()))
    )
    end = instant + (min(edge for edge in edges if edge > naive) - naive)
    offset = wall.utcoffset()
    if end.astimezone(zone).utcoffset() == offset:
        return end
    before, after = instant, end  # the clocks change in between, at a whole minute
    while after - before > MINUTE:
        middle = before + (after - before) // MINUTE // 2 * MINUTE
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after
