"""What callers send, checked for syntax alone: unknown fields, wrong types and values that can never be are refused here.

Whether it may be done now, by this caller, is for the services.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from accounts.bots import why_no_name
from accounts.models import Scope, Webhook
from accounts.names import LONGEST, key_of
from accounts.webhooks import keeping
from games import base64url
from games.api import rulebook
from games.api.errors import Malformed
from games.api.waiting import LONGEST_SECONDS
from games.bots import BOTS
from games.engine.cards import Card, parse_cards
from games.engine.clock import BANK_SECONDS, INCREMENT_SECONDS, PER_TURN_SECONDS
from games.engine.deal import MAX_CONTRIBUTION_BYTES
from games.engine.plan import PLAN_SCHEMA, Plan
from games.engine.rules import CUSTOM, PRESETS, HouseRules, NotChangeable, with_options
from games.models import Game, Report
from games.services.desk import reports
from games.services.lobby import NewGame

MAX_LIST: Final = 100
MAX_EVENTS: Final = 200


class Strict(serializers.Serializer[Any]):  # Any: what each one makes is its own
    """Refuses every field that it does not have."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            raise Malformed(gettext("A JSON object is expected here."))
        for name in data:
            if name not in self.fields:
                raise Malformed(gettext("There is no such field."), field=str(name)[:80])
        return super().to_internal_value(data)


class WholeNumber(serializers.IntegerField):
    """An integer, and nothing that could be read as one."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return int(data)


class Text(serializers.CharField):
    """A string, as it is."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if type(data) is not str:
            self.fail("invalid")
        return str(data)


class OnOff(serializers.BooleanField):
    """true or false."""

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=type(data).__name__)
        return bool(data)


class OneOf(serializers.ChoiceField):
    """One of a few strings."""

    def to_internal_value(self, data: Any) -> Any:
        if type(data) not in (str, int):
            raise serializers.ValidationError(gettext("This is none of the values it may have."))
        if data not in self.choices:
            raise serializers.ValidationError(gettext("This is none of the values it may have."))
        return data


@extend_schema_field({"type": "string", "pattern": "^[2-9TJQKA][CDHS]$", "example": "QS"})
class CardText(serializers.Field[Card, Any, str, Any]):
    """A card, rank then suit: `"QS"`."""

    def to_internal_value(self, data: Any) -> Card:
        try:
            [card] = parse_cards(data) if type(data) is str and len(data) == 2 else ()
        except ValueError:
            raise serializers.ValidationError(
                gettext("This is no card: write rank, then suit, as in QS.")
            ) from None
        return card


@extend_schema_field(
    {
        "type": "string",
        "maxLength": 86,
        "pattern": "^[A-Za-z0-9_-]*$",
        "description": "0 to 64 bytes for the shuffle: base64url without padding.",
    }
)
class Contribution(serializers.Field[bytes, Any, str, Any]):
    def to_internal_value(self, data: Any) -> bytes:
        if type(data) is not str or not re.fullmatch("[A-Za-z0-9_-]{0,86}", data):
            raise serializers.ValidationError(
                gettext("0 to 64 bytes as base64url, without padding.")
            )
        try:
            raw = base64url.to_bytes(data)
        except ValueError:
            raise serializers.ValidationError(
                gettext("0 to 64 bytes as base64url, without padding.")
            ) from None
        if len(raw) > MAX_CONTRIBUTION_BYTES:
            raise serializers.ValidationError(
                gettext("0 to 64 bytes as base64url, without padding.")
            )
        return raw


class PerTurnClock(Strict):
    """The same time for every decision."""

    kind = OneOf(["per_turn"])
    seconds = OneOf(PER_TURN_SECONDS)


class BankClock(Strict):
    """A bank of time per seat, in seconds: `increment` more for each turn, of which one may take `longest_turn`."""

    kind = OneOf(["bank"])
    start = WholeNumber(min_value=BANK_SECONDS[0], max_value=BANK_SECONDS[1])
    increment = WholeNumber(min_value=INCREMENT_SECONDS[0], max_value=INCREMENT_SECONDS[1])
    cap = WholeNumber(min_value=BANK_SECONDS[0], max_value=BANK_SECONDS[1])
    longest_turn = WholeNumber(min_value=BANK_SECONDS[0], max_value=BANK_SECONDS[1])

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        for name in ("start", "increment", "longest_turn"):
            if attrs[name] > attrs["cap"]:
                raise serializers.ValidationError(
                    {name: gettext("This is more than the cap of the bank.")}
                )
        return attrs


CLOCKS: Final[dict[str, serializers.Serializer[Any] | type[serializers.Serializer[Any]]]] = {
    "per_turn": PerTurnClock,
    "bank": BankClock,
}
CLOCK: Final = PolymorphicProxySerializer(
    component_name="Clock", serializers=CLOCKS, resource_type_field_name="kind"
)


@extend_schema_field(CLOCK)
class ClockField(serializers.Field[dict[str, Any], Any, dict[str, Any], Any]):
    def to_internal_value(self, data: Any) -> dict[str, Any]:
        kind = data.get("kind") if isinstance(data, dict) else None
        if not isinstance(kind, str) or kind not in CLOCKS:
            raise serializers.ValidationError(
                gettext("A clock is an object whose kind is per_turn or bank.")
            )
        shape = BankClock if kind == "bank" else PerTurnClock
        return dict(shape().run_validation(data))


class Fields(serializers.Field[dict[str, Any], Any, dict[str, Any], Any]):
    """An object whose fields the rules themselves check."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if type(data) is not dict:
            raise serializers.ValidationError(gettext("A JSON object is expected here."))
        return data


@extend_schema_field(rulebook.openapi_schema())
class CustomRules(Fields):
    pass


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": True,
        "description": "What this preset lets a table change: see GET /rules.",
    }
)
class Options(Fields):
    pass


@extend_schema_field({"type": "string", "pattern": "^(me|open|bot:[a-z]+|user:.+)$"})
class WantedSeat(Text):
    """`me`, `open`, `bot:LEVEL` or `user:NAME`."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        kind, _colon, name = text.partition(":")
        known = (
            (text in ("me", "open"))
            or (kind == "bot" and name in BOTS)
            or (kind == "user" and 0 < len(name) <= 60)
        )
        if not known:
            raise serializers.ValidationError(
                gettext("A seat is me, open, user:NAME or one of %(bots)s.")
                % {"bots": ", ".join(f"bot:{level}" for level in BOTS)}
            )
        return text


class CreateGame(Strict):
    """A new table: a `preset` with `options`, or custom `rules`; who is to sit; the pace."""

    preset = OneOf(list(PRESETS), required=False)
    options = Options(required=False)
    rules = CustomRules(required=False)
    clock = ClockField(required=False)
    visibility = OneOf(Game.Visibility.values, default=Game.Visibility.PUBLIC.value)
    rated = OnOff(default=False)
    auto_forced = OnOff(
        default=False,
        help_text="Unrated tables only: a card that is the only legal one plays itself, which tells of a void.",
    )
    pauses_weekends = OnOff(
        default=False, help_text="No clock runs on a Saturday or Sunday of its player's time zone."
    )
    allows_holidays = OnOff(
        default=True, help_text="The days that a player has announced as holidays do not count."
    )
    bots_may_sit = OnOff(
        default=False,
        help_text="Bot accounts may sit here; at a table that one makes, they always may.",
    )
    seats = serializers.ListField(
        child=WantedSeat(),
        min_length=4,
        max_length=4,
        default=lambda: ["me", "open", "open", "open"],
    )
    contribution = Contribution(required=False)
    reservation = Text(required=False, max_length=1000)

    def validate_seats(self, seats: list[str]) -> list[str]:
        if seats.count("me") > 1 or len({*_named(seats)}) < len(_named(seats)):
            raise serializers.ValidationError(gettext("Nobody sits in two seats of one table."))
        return seats

    def validate(self, attrs: dict[str, Any]) -> NewGame:
        preset, options, rules = (attrs.pop(name, None) for name in ("preset", "options", "rules"))
        if (preset is None) == (rules is None) or (rules is not None and options is not None):
            raise serializers.ValidationError(
                {
                    "preset": gettext(
                        "Send either a preset, with options if you like, or custom rules."
                    )
                }
            )
        if attrs["rated"] and attrs["auto_forced"]:
            raise serializers.ValidationError(
                {
                    "auto_forced": gettext(
                        "At a rated table nothing plays itself that tells on a hand."
                    )
                }
            )
        attrs["rules"] = _custom(rules) if rules is not None else _preset(preset, options or {})
        return NewGame(**attrs)


def _named(seats: list[str]) -> list[str]:
    """Who is named, in the form in which two spellings of one name are equal."""
    return [key_of(seat.removeprefix("user:")) for seat in seats if seat.startswith("user:")]


def _custom(rules: dict[str, Any]) -> HouseRules:
    if "name" in rules:
        raise Malformed(gettext("Custom rules have no name of their own."), field="rules.name")
    try:
        return HouseRules.from_json({**rules, "name": CUSTOM})
    except ValueError as error:
        raise _misfit("rules", error) from None


def _preset(preset: str, options: dict[str, Any]) -> HouseRules:
    try:
        return with_options(preset, options)
    except NotChangeable:
        raise
    except ValueError as error:
        raise _misfit("options", error) from None


def _misfit(where: str, error: ValueError) -> Malformed:
    """The engine's ValueErrors start with the name of the field."""
    name, _colon, sentence = str(error).partition(": ")
    return Malformed(f"{name[:80]}: {sentence[:300]}", field=f"{where}.{name[:80]}")


class ReserveGame(Strict):
    """Nothing is needed."""


class SitDown(Strict):
    """Where to sit (the first free seat if left out), and what to put into the shuffle, having seen `anchor`.

    `invite` is the token of an invitation link. It is good for one seat, and opens a table that only its link shows.
    """

    seat = WholeNumber(min_value=0, max_value=3, required=False)
    contribution = Contribution(required=False)
    anchor = serializers.RegexField("^[0-9a-f]{64}$", required=False, trim_whitespace=False)
    invite = Text(required=False, max_length=100)


class OfferSeat(Strict):
    """To whom the seat is offered: a player's name. Left out: to whoever sees the table."""

    to = Text(required=False, max_length=60)


class StartGame(Strict):
    """Nothing is needed."""


class MakeMove(Strict):
    """The answer to decision `(round, turn)`: a `card` or a `bid`, not both."""

    round = WholeNumber(min_value=1)
    turn = WholeNumber(min_value=0)
    card = CardText(required=False)
    bid = WholeNumber(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("card" in attrs) == ("bid" in attrs):
            raise serializers.ValidationError(
                {"card": gettext("Send a card or a bid, one of the two.")}
            )
        return attrs


class ClaimRest(Strict):
    """Decision `(round, turn)` is answered with a claim of every trick that is left."""

    round = WholeNumber(min_value=1)
    turn = WholeNumber(min_value=0)


class MakeReport(Strict):
    """What event `seq` of the game's log shows that is wrong, in your words."""

    seq = WholeNumber(min_value=1)
    category = OneOf(Report.Category.values)
    text = Text(max_length=reports.LONGEST)


class MakeToken(Strict):
    """A new token: what it is called, may do, and how many days it lives."""

    name = Text(max_length=60)
    scopes = serializers.ListField(child=OneOf(Scope.values), min_length=1, max_length=20)
    days = WholeNumber(min_value=1, max_value=365, default=365)


class MakeBot(Strict):
    """A new bot account: its name, and what its first token may do (everything, if left out) for how many days."""

    name = Text(max_length=LONGEST)
    scopes = serializers.ListField(
        child=OneOf(Scope.values),
        min_length=1,
        max_length=20,
        default=lambda: list(Scope.values),
    )
    days = WholeNumber(min_value=1, max_value=365, default=365)

    def validate_name(self, name: str) -> str:
        if sentences := why_no_name(name):
            raise serializers.ValidationError(sentences)
        return name


class _Part(serializers.Field[Any, Any, Any, Any]):
    """A part of a plan, checked together with the others by the engine."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


def _plan_schema(field: str) -> dict[str, Any]:
    properties: Any = PLAN_SCHEMA["properties"]
    return dict(properties[field])


@extend_schema_field(_plan_schema("rules"))
class PlanRules(_Part):
    pass


@extend_schema_field(_plan_schema("stop_if"))
class PlanStops(_Part):
    pass


@extend_schema_field(_plan_schema("cards"))
class PlanQueue(_Part):
    pass


class StandingPlan(Strict):
    """A standing plan. The first rule whose `when` holds is used; the last has none. `cards` are for leading, in this order."""

    rules = PlanRules()
    stop_if = PlanStops(required=False)
    cards = PlanQueue(required=False)

    def validate(self, attrs: dict[str, Any]) -> Plan:
        try:
            return Plan.from_json(attrs)
        except ValueError as error:
            place, _colon, sentence = str(error).partition(": ")
            raise Malformed(f"{place[:80]}: {sentence[:300]}", field=place[:80]) from None


class Nothing(Strict):
    """Nothing is needed."""


class MakeWebhook(Strict):
    """An https address on the open internet, and what it is told: everything, if `events` is left out."""

    url = Text(max_length=keeping.LONGEST_URL)
    events = serializers.ListField(
        child=OneOf(Webhook.Event.values),
        min_length=1,
        max_length=len(Webhook.Event.values),
        default=lambda: list(Webhook.Event.values),
    )


# Query strings


class Number(serializers.IntegerField):
    """A whole number written in digits."""

    def to_internal_value(self, data: Any) -> int:
        if not re.fullmatch("[0-9]{1,9}", str(data)):
            self.fail("invalid")
        return int(data)


class YesNo(serializers.ChoiceField):
    """`true` or `false`, as text."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(["true", "false"], **kwargs)

    # text comes in, a truth goes out
    def to_internal_value(self, data: Any) -> bool:  # type: ignore[override]
        return bool(super().to_internal_value(data) == "true")


class ListQuery(Strict):
    status = serializers.ChoiceField(Game.Status.values, required=False)
    mine = YesNo(
        required=False,
        help_text="true: only games in which you sit, are expected, or which you made.",
    )
    awaiting = YesNo(required=False, help_text="true: only running games that wait for you.")
    cursor = serializers.CharField(
        required=False, max_length=200, help_text="`next` of the page before."
    )
    limit = Number(min_value=1, max_value=MAX_LIST, default=25)


class EventsQuery(Strict):
    after = Number(min_value=0, default=0, help_text="Only events with a greater `seq`.")
    limit = Number(min_value=1, max_value=MAX_EVENTS, default=MAX_EVENTS)
    wait = Number(
        min_value=0,
        max_value=LONGEST_SECONDS,
        default=0,
        help_text="Seconds to wait for an event when there is none. While too many wait, the answer comes at once.",
    )


class StreamQuery(Strict):
    after = Number(min_value=0, default=0, help_text="Only events with a greater `seq`.")


class CheckpointsQuery(Strict):
    before = Number(min_value=1, required=False, help_text="Only those with a smaller number.")
    limit = Number(min_value=1, max_value=MAX_LIST, default=31)


class NoQuery(Strict):
    """No parameters."""
