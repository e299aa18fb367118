"""A plan while it is written: the fields of the form, which may not make a plan yet, and what its buttons do to them.

Everything a plan can say has a field, so a plan that came by the API is shown whole, and saved unchanged if nothing was.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from django.http import QueryDict

from games.engine.cards import SUITS, Card, card
from games.engine.observation import TRICKS
from games.engine.plan import MAX_RULES, POSITIONS, Choice, Plan, Rule, StopReason

ANY: Final = ""
YES: Final = "yes"
NO: Final = "no"


@dataclass(frozen=True, slots=True)
class Slip:
    """One rule but the last. A field that is empty is no condition."""

    led: tuple[str, ...] = ()
    trumped: str = ANY
    position: tuple[str, ...] = ()
    made: str = ANY
    left: str = ANY
    play: str = Choice.LOWEST_THAT_BEATS.value

    @property
    def has_more(self) -> bool:
        """Whether it says anything besides the suit led."""
        return bool(self.trumped or self.position or self.made or self.left)

    @property
    def is_empty(self) -> bool:
        return not (self.led or self.has_more)

    @classmethod
    def of_rule(cls, rule: Rule) -> Self:
        when = rule.when
        if when is None:
            return cls(play=rule.play.value)
        return cls(
            led=when.led or (),
            trumped=_word(when.trumped),
            position=tuple(str(place) for place in when.position or ()),
            made=_word(when.bid_made),
            left=str(when.tricks_left_at_most or ANY),
            play=rule.play.value,
        )

    @classmethod
    def of_form(cls, form: QueryDict, number: int) -> Self:
        def one(name: str, allowed: Collection[str], default: str = ANY) -> str:
            given = form.get(f"{name}{number}", "")
            return given if given in allowed else default

        def some(name: str, allowed: Sequence[str]) -> tuple[str, ...]:
            given = form.getlist(f"{name}{number}")
            return tuple(each for each in allowed if each in given)

        return cls(
            led=some("led", SUITS),
            trumped=one("trumped", (YES, NO)),
            position=some("position", [str(place) for place in POSITIONS]),
            made=one("made", (YES, NO)),
            left=one("left", [str(left) for left in range(1, TRICKS + 1)]),
            play=one("play", tuple(Choice), Choice.ASK.value),
        )

    def to_json(self) -> dict[str, Any]:
        when: dict[str, Any] = {}
        if self.led:
            when["led"] = list(self.led)
        if self.trumped:
            when["trumped"] = self.trumped == YES
        if self.position:
            when["position"] = [int(place) for place in self.position]
        if self.made:
            when["bid_made"] = self.made == YES
        if self.left:
            when["tricks_left_at_most"] = int(self.left)
        return {"when": when, "play": self.play}


@dataclass(frozen=True, slots=True)
class Draft:
    """`slips` have conditions, `otherwise` is what the last rule plays."""

    slips: tuple[Slip, ...] = ()
    otherwise: str = Choice.ASK.value
    stops: tuple[str, ...] = ()
    queue: tuple[Card, ...] = ()

    @classmethod
    def of_plan(cls, plan: Plan, hand: Collection[Card]) -> Self:
        """A stored plan, without the cards of its queue that were played."""
        *rules, last = plan.rules
        return cls(
            tuple(Slip.of_rule(rule) for rule in rules),
            last.play.value,
            tuple(reason.value for reason in plan.stop_if),
            tuple(each for each in plan.cards if each in hand),
        )

    @classmethod
    def of_form(cls, form: QueryDict, hand: Collection[Card]) -> Self:
        """What was sent; whatever no form of ours sends is left out."""
        rules = min(_number(form.get("rules", "")), MAX_RULES - 1)
        otherwise, stops = form.get("otherwise", ""), form.getlist("stop")
        queue = [each for text in form.getlist("card") if (each := _held(text, hand))]
        return cls(
            tuple(Slip.of_form(form, number) for number in range(rules)),
            otherwise if otherwise in tuple(Choice) else Choice.ASK.value,
            tuple(reason.value for reason in StopReason if reason.value in stops),
            tuple(dict.fromkeys(queue)),
        )

    @property
    def may_grow(self) -> bool:
        return len(self.slips) < MAX_RULES - 1

    @property
    def empty_slips(self) -> list[int]:
        """The numbers of the rules that have no condition, counted from 1."""
        return [number for number, slip in enumerate(self.slips, start=1) if slip.is_empty]

    def plan(self) -> Plan | None:
        """The plan that this draft is; None while a rule has no condition."""
        if self.empty_slips:
            return None
        return Plan.from_json(
            {
                "rules": [*(slip.to_json() for slip in self.slips), {"play": self.otherwise}],
                "stop_if": list(self.stops),
                "cards": [each.text for each in self.queue],
            }
        )

    def after(self, button: str, chosen: str, hand: Collection[Card]) -> Self:
        """The draft after one of its buttons: `add`, `up:2`, `del:2`, `lead` (with a card chosen), `unlead:KS`."""
        verb, _colon, what = button.partition(":")
        match verb:
            case "add" if self.may_grow:
                return replace(self, slips=(*self.slips, Slip()))
            case "up" | "del":
                return replace(self, slips=_moved(self.slips, verb, what))
            case "lead" if (each := _held(chosen, hand)) and each not in self.queue:
                return replace(self, queue=(*self.queue, each))
            case "unlead":
                return replace(self, queue=tuple(each for each in self.queue if each.text != what))
        return self


def _moved(slips: tuple[Slip, ...], verb: str, what: str) -> tuple[Slip, ...]:
    """Without the slip of that number, or with it one place further up."""
    at = _number(what) - 1
    if not 0 <= at < len(slips):
        return slips
    slip, others = slips[at], [*slips[:at], *slips[at + 1 :]]
    if verb == "up":
        others.insert(max(at - 1, 0), slip)
    return tuple(others)


def _number(text: str) -> int:
    """0 for what no form of ours counts up to; Python itself reads no more than some thousand digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0


def _held(text: str, hand: Collection[Card]) -> Card | None:
    try:
        each = card(text)
    except ValueError:
        return None
    return each if each in hand else None


def _word(truth: bool | None) -> str:
    return ANY if truth is None else YES if truth else NO
