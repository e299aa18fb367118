"""The form of a person's mail and day: what they want to be told and how, their zone, night, holidays and digest hour."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.engine.clock import HOUR, MAX_HOLIDAYS, MAX_NIGHT, Habits
from games.models import Notice
from games.notices import devices
from games.notices.choices import (
    USUAL,
    Choice,
    choice_of,
    choose,
    choose_on_devices,
    on_devices,
)

Kind = Notice.Kind

_MORE: Final[Mapping[str, Promise]] = {
    Kind.YOUR_TURN: gettext_lazy("one mail until you visit"),
    Kind.REMINDER: gettext_lazy("when 80 % of the time is gone"),
    Kind.TIME_RAN_OUT: gettext_lazy("a stand-in bot played"),
    Kind.SEAT_TAKEN_OVER: gettext_lazy("until you take it back"),
}
MOST_HOLIDAYS: Final = 60  # of all years


@dataclass(frozen=True, slots=True)
class Option:
    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A kind of notice with its three choices, as a row of the matrix shows it; and whether devices are told, if any can be."""

    name: str
    label: str
    more: str
    options: tuple[Option, ...]
    is_on_devices: bool


class NoticesForm(forms.Form):
    """Bound to `user`; `save` writes what is valid. Deadlines that stand already do not move."""

    time_zone = forms.ChoiceField(label=gettext_lazy("Time zone"))
    digest_hour = forms.TypedChoiceField(label=gettext_lazy("Daily digest at"), coerce=int)
    night_start = forms.TimeField(
        label=gettext_lazy("Night from"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    night_end = forms.TimeField(
        label=gettext_lazy("Night until"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    holidays = forms.CharField(
        label=gettext_lazy("Holidays"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "One day a line, as 2026-10-21. At most 15 in a year; those that are over stay on the list."
        ),
    )

    def __init__(self, data: QueryDict | None = None, *, user: User) -> None:
        initial = {
            "time_zone": user.time_zone,
            "digest_hour": user.digest_hour,
            "night_start": user.night_start,
            "night_end": user.night_end,
            "holidays": "\n".join(user.holidays),
        }
        super().__init__(data, initial=initial)
        self.user = user
        zones, hours = self.fields["time_zone"], self.fields["digest_hour"]
        assert isinstance(zones, forms.ChoiceField)
        assert isinstance(hours, forms.ChoiceField)
        zones.choices = _zones(user.time_zone, timezone.now())
        hours.choices = [(hour, f"{hour:02}:00") for hour in range(24)]
        for kind in USUAL:
            self.fields[kind] = forms.ChoiceField(
                label=Kind(kind).label, choices=Choice.choices, initial=choice_of(user, kind).value
            )
        if devices.is_on():
            self.fields["on_devices"] = forms.MultipleChoiceField(
                choices=[(kind, Kind(kind).label) for kind in USUAL],
                initial=[kind for kind in USUAL if on_devices(user, kind)],
                required=False,
            )

    @property
    def has_devices(self) -> bool:
        return "on_devices" in self.fields

    def matrix(self) -> Iterator[Line]:
        told = self["on_devices"].value() if self.has_devices else []
        for kind in USUAL:
            options = tuple(
                Option(choice.value, str(choice.label), self[kind].value() == choice.value)
                for choice in Choice
            )
            yield Line(kind, str(Kind(kind).label), str(_MORE.get(kind, "")), options, kind in told)

    def clean_holidays(self) -> list[str]:
        try:
            days = {date.fromisoformat(day) for day in self.cleaned_data["holidays"].split()}
        except ValueError:
            raise forms.ValidationError(_("Write each day as 2026-10-21, one a line.")) from None
        days |= self._used()
        if len(days) > MOST_HOLIDAYS:
            raise forms.ValidationError(_("Leave out the years that are over."))
        return [day.isoformat() for day in sorted(days)]

    def _used(self) -> set[date]:
        """The holidays that have begun this year. They stay: else a year would have more of them than its tables reckon with."""
        today = timezone.now().astimezone(ZoneInfo(self.user.time_zone)).date()
        days = map(date.fromisoformat, self.user.holidays)
        return {day for day in days if day <= today and day.year == today.year}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        start, end = cleaned.get("night_start"), cleaned.get("night_end")
        if "night_start" in cleaned and "night_end" in cleaned and (start is None) != (end is None):
            self.add_error(
                "night_end", _("A night has a beginning and an end, or leave both empty.")
            )
        elif start is not None and end is not None:
            self._check("night_end", night=(start, end))
        if "holidays" in cleaned:
            self._check(
                "holidays", holidays=frozenset(map(date.fromisoformat, cleaned["holidays"]))
            )
        return cleaned

    def _check(self, name: str, **habit: Any) -> None:
        """Let the clock's own rule judge, and say it in words."""
        try:
            Habits(**habit)
        except ValueError:
            self.add_error(
                name, _SENTENCES[name] % {"hours": MAX_NIGHT // HOUR, "days": MAX_HOLIDAYS}
            )

    def save(self) -> None:
        cleaned = self.cleaned_data
        choose(self.user, {kind: cleaned[kind] for kind in USUAL})
        if self.has_devices:
            choose_on_devices(self.user, cleaned["on_devices"])
        own = ["time_zone", "digest_hour", "night_start", "night_end", "holidays"]
        for name in own:
            setattr(self.user, name, cleaned[name])
        self.user.save(update_fields=["notice_choices", *own])


_SENTENCES: Final[Mapping[str, Promise]] = {
    "night_end": gettext_lazy(
        "A night is at most %(hours)d hours long, and its end is another time than its beginning."
    ),
    "holidays": gettext_lazy("At most %(days)d days in a calendar year."),
}


def _zones(own: str, now: datetime) -> list[tuple[str, str]]:
    """Every zone by its place, with what its clocks are ahead of UTC now. The person's own is always there."""
    return [(name, f"{name} ({_offset(name, now)})") for name in sorted({own, *_places()})]


@cache
def _places() -> frozenset[str]:
    """Zones named after a place, as browsers name them; besides UTC."""
    places = {name for name in available_timezones() if "/" in name and not name.startswith("Etc/")}
    return frozenset(places | {"UTC"})


def _offset(name: str, now: datetime) -> str:
    ahead = f"{now.astimezone(ZoneInfo(name)):%z}"
    return f"{ahead[:3]}:{ahead[3:5]}"
