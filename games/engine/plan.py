"""Trick plans: what a player has settled in advance for one round, and what the plan does at a decision.

The vocabulary is closed. Whether a plan plays, asks or stops, and which of its rules does it, follows from the plan and
`Facts`, which hold nothing but public history: so the firing of a plan tells the table nothing about a hand. Only then is
the card chosen, always among the legal ones. The one part that names cards is the queue for leading. It is the player's own
choice; its cards are held when it is saved (`not_held`), so a card of it is no longer held exactly when this seat has played
it, and that is public too. Said exactly: with the same plan and public history, `decide` answers alike, card aside, for
every hand that holds those cards of the queue which this seat has not played.

At a decision, in this order:
1. `stop_if`, as listed: the first that is true stops the plan, leading or not.
2. Leading: the first card of `cards` still held; none left asks. Rules are not looked at, since nothing is led.
3. Following: the first rule whose `when` holds; the last rule has none and always holds.
A plan that asks or stops stays as it is. Plans never bid.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final, Self, TypeAlias, TypeVar

from games.engine.cards import DECK, SPADES, SUITS, Card, card
from games.engine.legal import trick_winner
from games.engine.observation import TRICKS, Observation

MAX_RULES: Final = 20
MAX_CARDS: Final = 13
POSITIONS: Final = (2, 3, 4)


class Choice(StrEnum):
    """What a rule plays of the legal cards. All are total; ranks first, then the suits in the order C D H S."""

    LOWEST = "lowest"
    HIGHEST = "highest"
    LOWEST_THAT_BEATS = "lowest_that_beats_else_lowest"
    LOWEST_SPADE = "lowest_spade_else_lowest"
    ASK = "ask"


class StopReason(StrEnum):
    """What ends the plan's say, by public facts.

    `bid_made`: mine is made. `bid_lost`: mine can no longer be made, even with every trick still to come, this one included.
    `spade_played_before_me`: a spade lies in this trick, also where spades were led. `someone_cannot_make_it`: the same as
    `bid_lost`, of any seat.
    """

    BID_MADE = "bid_made"
    BID_LOST = "bid_lost"
    SPADE_PLAYED = "spade_played_before_me"
    SOMEONE_CANNOT = "someone_cannot_make_it"


class AskReason(StrEnum):
    """Why the player is asked: a rule says so, no card of the queue is left to lead, or there is no card to play now."""

    RULE = "rule"
    QUEUE_EMPTY = "queue_empty"
    NO_PLAY = "no_play"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a plan may look at: public history as it stands when a seat is to play.

    `led` is None for the leader. `trumped`: a spade lies in a trick that another suit was led to. `position` is the place of
    the card to be played, 1 to 4. `bid_made`: the seat has won its bid or more. `tricks_left` counts the present trick.
    """

    led: str | None
    trumped: bool
    position: int
    bid_made: bool
    tricks_left: int
    stops: frozenset[StopReason]

    @classmethod
    def of(cls, observation: Observation) -> Self:
        """The facts of a seat that is to play. Its hand is not read."""
        seat, trick = observation.seat or 0, observation.trick
        left = TRICKS - len(observation.tricks)
        # While cards are played every bid is known.
        short = [
            (bid or 0) - won for bid, won in zip(observation.bids, observation.won, strict=True)
        ]
        led = trick[0].suit if trick else None
        spade_played = any(card.is_spade for card in trick)
        true = {
            StopReason.BID_MADE: short[seat] <= 0,
            StopReason.BID_LOST: short[seat] > left,
            StopReason.SPADE_PLAYED: spade_played,
            StopReason.SOMEONE_CANNOT: max(short) > left,
        }
        return cls(
            led=led,
            trumped=spade_played and led != SPADES,
            position=len(trick) + 1,
            bid_made=short[seat] <= 0,
            tricks_left=left,
            stops=frozenset(reason for reason, is_true in true.items() if is_true),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """The conditions of a rule, all of which must hold; None is any. ValueError names the condition."""

    led: tuple[str, ...] | None = None
    trumped: bool | None = None
    position: tuple[int, ...] | None = None
    bid_made: bool | None = None
    tricks_left_at_most: int | None = None

    def __post_init__(self) -> None:
        _check_some_of("led", self.led, tuple(SUITS))
        _check_some_of("position", self.position, POSITIONS)
        for name in ("trumped", "bid_made"):
            if not isinstance(getattr(self, name), bool | None):
                raise ValueError(f"{name}: true or false")
        if self.tricks_left_at_most is not None:
            _check_some_of("tricks_left_at_most", (self.tricks_left_at_most,), _TRICK_COUNTS)

    def holds(self, facts: Facts) -> bool:
        """Whether every condition is true of these facts."""
        return (
            (self.led is None or facts.led in self.led)
            and (self.trumped is None or facts.trumped is self.trumped)
            and (self.position is None or facts.position in self.position)
            and (self.bid_made is None or facts.bid_made is self.bid_made)
            and (self.tricks_left_at_most is None or facts.tricks_left <= self.tricks_left_at_most)
        )

    def to_json(self) -> dict[str, object]:
        return {
            name: _one_or_list(value) if isinstance(value, tuple) else value
            for name in _WHEN
            if (value := getattr(self, name)) is not None
        }


@dataclass(frozen=True, slots=True)
class Rule:
    """What to play when the conditions hold; `when` None always does."""

    play: Choice
    when: When | None = None

    def to_json(self) -> dict[str, object]:
        when = {} if self.when is None else {"when": self.when.to_json()}
        return {**when, "play": self.play.value}


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan, validated: a ValueError starts with the place that is wrong, such as `rules[1].when.led`."""

    rules: tuple[Rule, ...]
    stop_if: tuple[StopReason, ...] = ()
    cards: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= len(self.rules) <= MAX_RULES:
            raise ValueError(f"rules: 1 to {MAX_RULES} of them")
        last = len(self.rules) - 1
        for place, rule in enumerate(self.rules):
            if (rule.when is None) != (place == last):
                raise ValueError(f"rules[{place}].when: every rule has one, but the last has none")
        _refuse_doubles("stop_if", self.stop_if)
        _refuse_doubles("cards", self.cards)
        if len(self.cards) > MAX_CARDS:
            raise ValueError(f"cards: at most {MAX_CARDS}")

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Self:  # Any: JSON from outside, checked by place
        """The plan that a JSON object describes; `stop_if` and `cards` may be left out."""
        fields = _fields("", d, ("rules", "stop_if", "cards"))
        return cls(
            _each("rules", fields.get("rules"), _rule),
            _each("stop_if", fields.get("stop_if", []), _member_of(StopReason)),
            _each("cards", fields.get("cards", []), _card),
        )

    def to_json(self) -> dict[str, object]:
        """The plan as plain JSON; `from_json` reads it back. A list of one condition is written as its value."""
        return {
            "rules": [rule.to_json() for rule in self.rules],
            "stop_if": [reason.value for reason in self.stop_if],
            "cards": [each.text for each in self.cards],
        }

    def not_held(self, hand: Iterable[Card]) -> tuple[Card, ...]:
        """The cards of the queue that a hand lacks: a plan that has any must not be saved, see above."""
        held = set(hand)
        return tuple(each for each in self.cards if each not in held)


@dataclass(frozen=True, slots=True)
class Play:
    """The plan plays this card, by the rule at this place of the plan, or None: by its queue."""

    card: Card
    rule: int | None


@dataclass(frozen=True, slots=True)
class Ask:
    """The plan leaves this decision to the player."""

    reason: AskReason


@dataclass(frozen=True, slots=True)
class Stop:
    """The plan is suspended while this is so."""

    reason: StopReason


Decision: TypeAlias = Play | Ask | Stop


def decide(plan: Plan, observation: Observation) -> Decision:
    """What the plan does at this moment. Total; a card is always a legal one, and of a seat that is to play."""
    legal = observation.legal
    if not legal:
        return Ask(AskReason.NO_PLAY)
    facts = Facts.of(observation)
    for reason in plan.stop_if:
        if reason in facts.stops:
            return Stop(reason)
    if facts.led is None:
        return _lead(plan, legal)
    place = next(
        place
        for place, rule in enumerate(plan.rules)
        if rule.when is None or rule.when.holds(facts)
    )
    choice = plan.rules[place].play
    if choice is Choice.ASK:
        return Ask(AskReason.RULE)
    return Play(chosen(choice, legal, observation.trick), place)


def chosen(choice: Choice, legal: Iterable[Card], trick: tuple[Card, ...]) -> Card:
    """The card that a choice, other than `ask`, takes of the legal ones when following to a trick."""
    by_rank = sorted(legal, key=attrgetter("rank", "index"))
    match choice:
        case Choice.HIGHEST:
            return min(by_rank, key=lambda each: (-each.rank, each.index))
        case Choice.LOWEST_THAT_BEATS:
            preferred = [each for each in by_rank if trick_winner((*trick, each)) == len(trick)]
        case Choice.LOWEST_SPADE:
            preferred = [each for each in by_rank if each.is_spade]
        case _:
            preferred = []
    return (preferred or by_rank)[0]


def _lead(plan: Plan, legal: tuple[Card, ...]) -> Play | Ask:
    # A leader may lead anything, so what is legal is the hand.
    for each in plan.cards:
        if each in legal:
            return Play(each, None)
    return Ask(AskReason.QUEUE_EMPTY)


# Reading JSON, with the place of what is wrong.

_WHEN: Final = ("led", "trumped", "position", "bid_made", "tricks_left_at_most")
_TRICK_COUNTS: Final = tuple(range(1, TRICKS + 1))
_Read = TypeVar("_Read")
_Word = TypeVar("_Word", bound=StrEnum)


def _fields(place: str, value: object, names: Iterable[str]) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{place.rstrip('.') or 'plan'}: not a JSON object")
    for name in value:
        if name not in names:
            raise ValueError(f"{place}{name}: there is no such field")
    return dict(value)


def _each(place: str, value: object, read: Callable[[str, object], _Read]) -> tuple[_Read, ...]:
    if not isinstance(value, list):
        raise ValueError(f"{place}: not a list")
    return tuple(read(f"{place}[{number}]", each) for number, each in enumerate(value))


def _rule(place: str, value: object) -> Rule:
    fields = _fields(f"{place}.", value, ("when", "play"))
    play = _member_of(Choice)(f"{place}.play", fields.get("play"))
    if "when" not in fields:
        return Rule(play)
    return Rule(play, _when(f"{place}.when", fields["when"]))


def _when(place: str, value: object) -> When:
    fields = _fields(f"{place}.", value, _WHEN)
    if not fields:
        raise ValueError(f"{place}: at least one condition, or no when")
    for name, given in fields.items():
        if given is None:
            raise ValueError(f"{place}.{name}: null is no condition, leave it out")
        if name in ("led", "position"):
            fields[name] = tuple(given) if isinstance(given, list) else (given,)
    try:
        return When(**fields)
    except ValueError as error:
        raise ValueError(f"{place}.{error}") from None


def _member_of(words: type[_Word]) -> Callable[[str, object], _Word]:
    def read(place: str, value: object) -> _Word:
        if not isinstance(value, str) or value not in {word.value for word in words}:
            raise ValueError(f"{place}: one of {', '.join(words)}, not {value!r}")
        return words(value)

    return read


def _card(place: str, value: object) -> Card:
    try:
        return card(value if isinstance(value, str) else "")
    except ValueError:
        raise ValueError(f"{place}: not a card, {value!r}") from None


def _check_some_of(
    name: str, values: tuple[object, ...] | None, allowed: tuple[object, ...]
) -> None:
    """One or more of the allowed values, none twice; by type too, else True would pass for 1."""
    if values is None:
        return
    for value in values:
        if not any(type(value) is type(other) and value == other for other in allowed):
            raise ValueError(f"{name}: {value!r} is none of {', '.join(map(str, allowed))}")
    if not values:
        raise ValueError(f"{name}: an empty list never holds")
    _refuse_doubles(name, values)


def _refuse_doubles(name: str, values: tuple[object, ...]) -> None:
    if len(set(values)) != len(values):
        raise ValueError(f"{name}: the same twice")


def _one_or_list(values: tuple[object, ...]) -> object:
    return values[0] if len(values) == 1 else list(values)


# What clients are told: JSON Schema (2020-12). That only the last rule may lack a `when` is beyond it.


def _one_or_some(item: dict[str, object]) -> dict[str, object]:
    some = {"type": "array", "items": item, "minItems": 1, "uniqueItems": True}
    return {"anyOf": [item, some]}


def _words(words: type[StrEnum]) -> dict[str, object]:
    return {"type": "string", "enum": [word.value for word in words]}


CHOICE_SCHEMA: Final = _words(Choice)
STOP_SCHEMA: Final = _words(StopReason)
ASK_SCHEMA: Final = _words(AskReason)
WHEN_SCHEMA: Final[dict[str, object]] = {
    "type": "object",
    "additionalProperties": False,
    "minProperties": 1,
    "properties": {
        "led": _one_or_some({"type": "string", "enum": list(SUITS)}),
        "trumped": {"type": "boolean"},
        "position": _one_or_some({"type": "integer", "enum": list(POSITIONS)}),
        "bid_made": {"type": "boolean"},
        "tricks_left_at_most": {"type": "integer", "minimum": 1, "maximum": TRICKS},
    },
}
PLAN_SCHEMA: Final[dict[str, object]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["rules"],
    "properties": {
        "rules": {
            "type": "array",
            "minItems": 1,
            "maxItems": MAX_RULES,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["play"],
                "properties": {"when": WHEN_SCHEMA, "play": CHOICE_SCHEMA},
            },
        },
        "stop_if": {"type": "array", "items": STOP_SCHEMA, "uniqueItems": True},
        "cards": {
            "type": "array",
            "items": {"type": "string", "enum": [each.text for each in DECK]},
            "maxItems": MAX_CARDS,
            "uniqueItems": True,
        },
    },
}
