"""The forms that make a table. Every answer has a default, every refusal is a sentence beside its field.

A rule left as it is follows the preset. Which changes go together is the engine's business; here its answer gets words.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django import forms
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from accounts.models import User
from accounts.names import key_of
from games.bots import BOTS
from games.dealkeys import Reservation
from games.engine.deal import MAX_CONTRIBUTION_BYTES
from games.engine.length import Length
from games.engine.rules import CHOICES, CUSTOM, PRESETS, RANGES, HouseRules
from games.models import Game
from games.services.lobby import FILLER, ME, OPEN, NewGame
from games.web import reservations
from games.web.clocks import PACES, length_words, name_of
from games.web.rules import LABELS
from games.wording import RULES_NAMES

# Few matches to a target ever reach it, so a table has a last round unless somebody takes it out.
USUAL_LAST_ROUND: Final = 20
INVITE: Final = "user"

# Why a field is refused, where its range alone does not say it.
CONTRADICTIONS: Final[Mapping[str, Promise]] = {
    "min_bid": _("The lowest bid is higher than the highest."),
    "rounds": _("A match needs a number of rounds, a total to play to, or both."),
    "max_rounds": _("Only a match to a total needs a last round."),
    "must_beat_after_trump": _("This goes with “must beat” only."),
    "must_trump_low": _("This goes with “must trump” only."),
    "redeal_bids_below": _("Four bids never total so much: every deal would be thrown in."),
    "instant_win_bid": _("Nobody can bid that much at this table."),
    "parallel_rounds": _(
        "Side by side goes with a fixed number of rounds, ten at most, with no total to play to and no bid that wins at once."
    ),
}


class ContributionField(forms.CharField):
    """Anything at all for the shuffle, as bytes."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            strip=False,
            label=_("Your part in the shuffle"),
            help_text=_(
                "Mixed into every deal. A browser fills in something random; write over it if you like."
            ),
            widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        )

    def clean(self, value: Any) -> bytes:
        contribution = str(super().clean(value)).encode()
        if len(contribution) > MAX_CONTRIBUTION_BYTES:
            raise forms.ValidationError(
                _("This is too long: at most %(most)d letters."),
                code="too_long",
                params={"most": MAX_CONTRIBUTION_BYTES},
            )
        return contribution


class ReservedForm(forms.Form):
    """A form that makes a table: it carries a reservation and takes a contribution."""

    reservation = forms.CharField(required=False, widget=forms.HiddenInput)
    contribution = ContributionField()

    def reserved(self, request: HttpRequest) -> Reservation:
        """The reservation to show: the one this form came with while it holds, else a new one and no contribution."""
        kept = (
            reservations.keep(request, self.data.get("reservation", "")) if self.is_bound else None
        )
        if kept is not None:
            return kept
        if self.is_bound:
            self.data = {name: self.data.get(name) for name in self.data} | {"contribution": ""}
        return reservations.reserve(request)


class PlayNowForm(ReservedForm):
    """A practice game at once: nothing has to be answered."""

    preset = forms.ChoiceField(
        choices=[(name, RULES_NAMES[name]) for name in PRESETS], required=False
    )

    def new_game(self) -> NewGame:
        rules = PRESETS[self.cleaned_data["preset"] or "arcadia"]
        if rules.target is not None:
            rules = rules.replace(max_rounds=USUAL_LAST_ROUND)
        return NewGame(
            rules=rules,
            seats=(ME, FILLER, FILLER, FILLER),
            visibility=Game.Visibility.LINK,
            contribution=self.cleaned_data["contribution"],
            reservation=self.cleaned_data["reservation"] or None,
        )


def _whole(name: str, hint: StrOrPromise = "") -> forms.IntegerField:
    low, high = RANGES[name]
    return forms.IntegerField(
        required=False,
        min_value=low,
        max_value=high,
        label=LABELS[name],
        help_text=hint,
        widget=forms.NumberInput(attrs={"placeholder": _("as the rules say")}),
    )


def _on_off(name: str, hint: StrOrPromise) -> forms.TypedChoiceField:
    choices = [("", _("As the rules say")), ("yes", _("Yes")), ("no", _("No"))]
    return forms.TypedChoiceField(
        required=False,
        choices=choices,
        coerce=lambda text: text == "yes",
        empty_value=None,
        label=LABELS[name],
        help_text=hint,
    )


def _seats() -> list[tuple[str, StrOrPromise]]:
    bots = [
        (f"bot:{level}", format_lazy(_("Bot: {level}"), level=level.capitalize())) for level in BOTS
    ]
    return [(OPEN, _("Open seat")), *bots, (INVITE, _("Invite somebody"))]


def _seat(label: StrOrPromise) -> forms.ChoiceField:
    return forms.ChoiceField(choices=_seats, required=False, label=label, initial=OPEN)


def _name() -> forms.CharField:
    return forms.CharField(
        required=False,
        max_length=30,
        label=_("Their name here"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class NewTableForm(ReservedForm):
    """A table as its creator wants it. The rules: a preset, and what is changed of it."""

    preset = forms.ChoiceField(
        choices=RULES_NAMES.items, initial="arcadia", label=_("Which rules?")
    )
    min_bid = _whole("min_bid")
    max_bid = _whole("max_bid")
    rounds = _whole("rounds", _("Ten at most side by side."))
    target = _whole(
        "target",
        _(
            "In units: a trick that was bid is worth ten, a further one 1. The match ends after that round."
        ),
    )
    max_rounds = _whole(
        "max_rounds",
        _("Few matches to a total ever get there, so the table stops here. Empty: it never does."),
    )
    score_scale = forms.TypedChoiceField(
        required=False,
        coerce=int,
        empty_value=None,
        choices=[
            ("", _("As the rules say")),
            ("10", _("With a decimal: 4.2")),
            ("1", _("Whole: 42")),
        ],
        label=LABELS["score_scale"],
    )
    must_beat = _on_off(
        "must_beat", _("Following suit, play higher than the best card of it, if you can.")
    )
    must_beat_after_trump = _on_off(
        "must_beat_after_trump", _("Also when a spade already wins the trick.")
    )
    must_trump = _on_off("must_trump", _("Without the suit led, a spade that wins must be played."))
    must_trump_low = _on_off("must_trump_low", _("Without the suit led, any spade must be played."))
    redeal_no_spades = _on_off("redeal_no_spades", _("When any hand holds no spade."))
    redeal_no_faces = _on_off("redeal_no_faces", _("When any hand holds no jack, queen or king."))
    redeal_bids_below = _whole("redeal_bids_below", _("The total of the four bids."))
    redeal_bids_limit = _whole("redeal_bids_limit", _("After that the bids stand."))
    instant_win_bid = _whole("instant_win_bid", _("Such a bid, made, wins the whole match."))
    direction = forms.ChoiceField(
        required=False,
        choices=[
            ("", _("As the rules say")),
            *(
                (value, _("Right") if value == "right" else _("Left"))
                for value in CHOICES["direction"]
            ),
        ],
        label=LABELS["direction"],
        help_text=_("Where the next player is drawn; no rule depends on it."),
    )
    parallel_rounds = forms.BooleanField(required=False, label=LABELS["parallel_rounds"])
    sealed_bids = forms.BooleanField(required=False, label=LABELS["sealed_bids"])
    rated = forms.BooleanField(required=False, label=_("Rated"))
    auto_forced = forms.BooleanField(required=False, label=_("Play my only legal card for me"))
    bots_may_sit = forms.BooleanField(required=False, label=_("Bot accounts may sit"))
    clock = forms.ChoiceField(
        choices=lambda: [(name, name_of(clock)) for name, clock in PACES.items()],
        initial="standard",
        label=_("How fast?"),
    )
    pauses_weekends = forms.BooleanField(required=False, label=_("Weekends do not count"))
    ignores_holidays = forms.BooleanField(required=False, label=_("Holidays count like other days"))
    visibility = forms.ChoiceField(
        choices=[
            (Game.Visibility.PUBLIC, _("Everybody")),
            (Game.Visibility.LINK, _("Only who is invited")),
        ],
        initial=Game.Visibility.PUBLIC,
        label=_("Who may see it?"),
    )
    seat1 = _seat(_("Plays after you"))
    seat2 = _seat(_("Across from you"))
    seat3 = _seat(_("Plays before you"))
    name1 = _name()
    name2 = _name()
    name3 = _name()

    def __init__(self, *args: Any, creator: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.creator = creator
        self.fields["max_rounds"].initial = USUAL_LAST_ROUND

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self._check_invitations(data)
        if data.get("rated") and data.get("auto_forced"):
            self.add_error(
                "auto_forced", _("Not at a rated table: it tells on hands. Choose one of the two.")
            )
        if not self.errors.keys() & {"preset", *LABELS}:
            try:
                data["rules"] = self._rules(data)
            except ValueError as error:
                field = str(error).partition(":")[0]
                self.add_error(field, str(CONTRADICTIONS[field]))
        return data

    def new_game(self) -> NewGame:
        data = self.cleaned_data
        return NewGame(
            rules=data["rules"],
            seats=[ME, *(self._wanted(number) for number in (1, 2, 3))],
            clock=PACES[data["clock"]].to_json(),
            rated=data["rated"],
            auto_forced=data["auto_forced"],
            bots_may_sit=data["bots_may_sit"],
            pauses_weekends=data["pauses_weekends"],
            allows_holidays=not data["ignores_holidays"],
            visibility=data["visibility"],
            contribution=data["contribution"],
            reservation=data["reservation"] or None,
        )

    def lengths(self, *, now: datetime) -> dict[str, str]:
        """By pace, how long a match takes at it as the form stands, in words; nothing while its rules cannot be."""
        chosen: dict[str, Any] = getattr(self, "cleaned_data", {"rules": PRESETS["arcadia"]})
        if "rules" not in chosen:
            return {}
        bots = sum(str(chosen.get(f"seat{number}")).startswith("bot:") for number in (1, 2, 3))
        return {
            name: length_words(
                Length.of(
                    chosen["rules"],
                    clock,
                    started_at=now,
                    people=4 - bots,
                    holidays=not chosen.get("ignores_holidays"),
                    weekends=bool(chosen.get("pauses_weekends")),
                )
            )
            for name, clock in PACES.items()
        }

    @property
    def became_house_rules(self) -> bool:
        """Whether a preset was changed in what its tables may not change."""
        rules: HouseRules = self.cleaned_data["rules"]
        return bool(rules.name != self.cleaned_data["preset"])

    @property
    def changes_a_rule(self) -> bool:
        """Whether the part with the rules must be open: something in it was changed or is wrong."""
        return any(
            name in self.errors or (name in self.changed_data and name != "max_rounds")
            for name in RULE_FIELDS
        )

    def _rules(self, data: dict[str, Any]) -> HouseRules:
        changes = {name: data[name] for name in RULE_FIELDS if data[name] not in (None, "")}
        changes |= {name: True for name in ("parallel_rounds", "sealed_bids") if data[name]}
        preset = data["preset"]
        if not changes.get("target") and (preset == CUSTOM or PRESETS[preset].target is None):
            changes.pop(
                "max_rounds", None
            )  # filled in for matches to a total: no business of the others
        if preset == CUSTOM:
            return HouseRules.from_json({"name": CUSTOM, **changes})
        return PRESETS[preset].replace(**changes)

    def _check_invitations(self, data: dict[str, Any]) -> None:
        names: list[str] = []
        for number in (1, 2, 3):
            if data.get(f"seat{number}") != INVITE or f"name{number}" not in data:
                continue
            key = key_of(data[f"name{number}"])
            person = User.objects.filter(username_key=key).first()
            if not key:
                self.add_error(f"name{number}", _("Whom? Write their name here."))
            elif person is None:
                self.add_error(f"name{number}", _("There is no player of that name."))
            elif person == self.creator:
                self.add_error(f"name{number}", _("That is you: you have a seat already."))
            elif person.person_id == self.creator.person_id:
                self.add_error(
                    f"name{number}", _("Your own bot account never shares a table with you.")
                )
            elif person.is_bot and not data.get("bots_may_sit"):
                self.add_error(
                    f"name{number}", _("This is a bot account: let them sit, among the options.")
                )
            elif key in names:
                self.add_error(f"name{number}", _("One seat for each player."))
            names.append(key)

    def _wanted(self, number: int) -> str:
        seat: str = self.cleaned_data[f"seat{number}"] or OPEN
        return f"{INVITE}:{self.cleaned_data[f'name{number}']}" if seat == INVITE else seat


RULE_FIELDS: Final = tuple(
    name for name in LABELS if name not in ("parallel_rounds", "sealed_bids")
)
