"""HouseRules: a way to play Callbreak, as one frozen value, and the presets that people already know.

Callbreak, for every ruleset: four seats, 52 cards, ace high, spades always trump. Thirteen cards each, one bid a seat, thirteen
tricks; who can follow the suit led must follow; the highest spade, else the highest card of the suit led, takes the trick. A made
bid scores ten units a trick bid and one for every trick more; a missed bid costs ten units a trick bid. What differs from house
to house is a field here, never a subclass and never a branch on a name: `legal` and `scoring` read these fields and nothing else.

This module knows no card and no position. It refuses values that contradict each other, naming the field.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Final, Self

from games.engine.errors import _

CUSTOM: Final = "custom"
NAMES: Final = ("arcadia", "everestbuzz-friends", "everestbuzz-practice", "yeeqia", CUSTOM)
MAX_ROUNDS: Final = 100
MAX_ROUNDS_SIDE_BY_SIDE: Final = 10
MAX_TARGET: Final = MAX_ROUNDS * 130  # 130 units is the most that one round can bring
MAX_LOW_BID_REDEALS: Final = 100


class NotChangeable(ValueError):
    """A preset does not let a table change this field. `field` is its name."""

    def __init__(self, field: str) -> None:
        super().__init__(f"{field}: this preset does not let a table change it")
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """One way to play, validated: a ValueError starts with the name of the field that is wrong.

    The defaults are those of a custom table that leaves a field out. `rounds` is 5 here even beside a `target`; it is `from_json`
    that reads a target without rounds as a match without a fixed length.
    """

    name: str = CUSTOM
    min_bid: int = 1
    max_bid: int = 13
    rounds: int | None = 5
    target: int | None = None  # units; judged after a whole round
    max_rounds: int | None = None  # where a match with a target stops in any case
    score_scale: int = 10  # a shown score is units / score_scale
    must_beat: bool = False
    must_beat_after_trump: bool = False
    must_trump: bool = False
    must_trump_low: bool = False
    redeal_no_spades: bool = False
    redeal_no_faces: bool = False
    redeal_bids_below: int | None = None
    redeal_bids_limit: int = 3
    instant_win_bid: int | None = None
    direction: str = "right"  # where a screen draws the next seat; no rule reads it
    sealed_bids: bool = False
    parallel_rounds: bool = False

    def __post_init__(self) -> None:
        _one_of(self, "name", NAMES)
        _whole(self, "min_bid", 0, 13)
        _whole(self, "max_bid", 1, 13)
        _whole_or_none(self, "rounds", 1, MAX_ROUNDS)
        _whole_or_none(self, "target", 1, MAX_TARGET)
        _whole_or_none(self, "max_rounds", 1, MAX_ROUNDS)
        _one_of(self, "score_scale", (10, 1))
        for name in _BOOLEANS:
            if type(getattr(self, name)) is not bool:
                raise ValueError(f"{name}: true or false, not {getattr(self, name)!r}")
        _whole_or_none(self, "redeal_bids_below", 1, 4 * self.max_bid)  # above that, every deal would be thrown in
        _whole(self, "redeal_bids_limit", 0, MAX_LOW_BID_REDEALS)
        _whole_or_none(self, "instant_win_bid", 7, self.max_bid)  # at 7 and more, two seats cannot both win at once
        _one_of(self, "direction", ("right", "left"))
        self._refuse_contradictions()

    def _refuse_contradictions(self) -> None:
        if self.min_bid > self.max_bid:
            raise ValueError("min_bid: higher than max_bid")
        if self.rounds is None and self.target is None:
            raise ValueError("rounds: a match needs rounds, a target or both")
        if self.max_rounds is not None and self.target is None:
            raise ValueError("max_rounds: only a match with a target needs a safety stop")
        if self.must_beat_after_trump and not self.must_beat:
            raise ValueError("must_beat_after_trump: needs must_beat")
        if self.must_trump_low and not self.must_trump:
            raise ValueError("must_trump_low: needs must_trump")
        if self.parallel_rounds:
            self._refuse_parallel_contradictions()

    def _refuse_parallel_contradictions(self) -> None:
        # Rounds that are all dealt at the start cannot be cut short by what happens in one of them.
        if self.rounds is None or self.rounds > MAX_ROUNDS_SIDE_BY_SIDE:
            raise ValueError(f"parallel_rounds: needs a fixed number of rounds, at most {MAX_ROUNDS_SIDE_BY_SIDE}")
        if self.target is not None:
            raise ValueError("parallel_rounds: does not go with a target")
        if self.instant_win_bid is not None:
            raise ValueError("parallel_rounds: does not go with instant_win_bid")

    def allows_bid(self, bid: int) -> bool:
        """Whether `bid` is in the range. ValueError for what is no integer (a bool is not one)."""
        if type(bid) is not int:
            raise ValueError(f"a bid is a whole number, not {bid!r}")
        return self.min_bid <= bid <= self.max_bid

    def replace(self, **changes: Any) -> Self:  # Any: each field has its own type, __post_init__ checks them all
        """A new value with `changes`, validated. The name of a preset stays only while its table may make these changes."""
        _refuse_unknown(changes)
        if "name" not in changes and not self._stays_itself(changes):
            changes["name"] = CUSTOM
        return replace(self, **changes)

    def _stays_itself(self, changes: Mapping[str, object]) -> bool:
        options = TABLE_OPTIONS.get(self.name, {})
        return all(
            _is_same(value, getattr(self, field)) or _is_among(value, options.get(field, ()))
            for field, value in changes.items()
        )

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Self:  # Any: JSON from outside, checked field by field
        """The rules that a JSON object describes: fields left out take the defaults, unknown ones are refused by name."""
        if not isinstance(d, Mapping):
            raise ValueError("rules: not a JSON object")
        _refuse_unknown(d)
        given = dict(d)
        if given.get("target") is not None:
            given.setdefault("rounds", None)
        return cls(**given)

    def to_json(self) -> dict[str, str | int | bool | None]:
        """Every field, as plain JSON; `from_json` reads it back."""
        return {field: getattr(self, field) for field in FIELDS}


FIELDS: Final = tuple(field.name for field in fields(HouseRules))
_BOOLEANS: Final = tuple(field.name for field in fields(HouseRules) if field.type is bool)


def with_options(preset: str, options: Mapping[str, Any]) -> HouseRules:  # Any: JSON from outside, checked field by field
    """The preset with what a table set: the name stays.

    `NotChangeable` for a field that this preset keeps; a plain ValueError, starting with the field's name, for an unknown field, a
    value that is not offered, or options that contradict each other.
    """
    if preset not in PRESETS:
        raise ValueError(f"preset: there is no {preset!r}")
    _refuse_unknown(options)
    for field, value in options.items():
        allowed = TABLE_OPTIONS[preset].get(field)
        if allowed is None:
            raise NotChangeable(field)
        if not _is_among(value, allowed):
            raise ValueError(f"{field}: {value!r} is not offered with {preset}")
    return PRESETS[preset].replace(**options)


def _is_same(a: object, b: object) -> bool:
    return type(a) is type(b) and a == b  # else True would pass for 1


def _is_among(value: object, allowed: tuple[object, ...]) -> bool:
    return any(_is_same(value, other) for other in allowed)


def _refuse_unknown(names: Mapping[str, object]) -> None:
    for name in names:
        if name not in FIELDS:
            raise ValueError(f"{name}: there is no such field")


def _one_of(rules: HouseRules, field: str, allowed: tuple[object, ...]) -> None:
    value = getattr(rules, field)
    if not _is_among(value, allowed):
        raise ValueError(f"{field}: one of {', '.join(map(str, allowed))}, not {value!r}")


def _whole(rules: HouseRules, field: str, low: int, high: int) -> None:
    value = getattr(rules, field)
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{field}: a whole number from {low} to {high}, not {value!r}")


def _whole_or_none(rules: HouseRules, field: str, low: int, high: int) -> None:
    if getattr(rules, field) is not None:
        _whole(rules, field, low, high)


_ON_OFF: Final = (False, True)
_ANY_TABLE: Final[Mapping[str, tuple[object, ...]]] = {"sealed_bids": _ON_OFF, "parallel_rounds": _ON_OFF}

# What a table may set while the rules keep their preset's name: field -> the values offered, the preset's own included.
TABLE_OPTIONS: Final[Mapping[str, Mapping[str, tuple[object, ...]]]] = MappingProxyType({
    "arcadia": _ANY_TABLE,
    "everestbuzz-friends": _ANY_TABLE,
    "everestbuzz-practice": {
        "max_bid": (8, 13),
        "must_beat": _ON_OFF,
        "must_trump": _ON_OFF,
        "redeal_no_faces": _ON_OFF,
        "redeal_bids_below": (None, 8),
        "instant_win_bid": (None, 8),
        **_ANY_TABLE,
    },
    # No parallel_rounds: a match to a target has no number of rounds to deal at the start.
    "yeeqia": {"max_rounds": (None, *range(1, MAX_ROUNDS + 1)), "sealed_bids": _ON_OFF},
})

# Where each preset's rules come from; the facts are theirs, the words here are ours.
SOURCES: Final[Mapping[str, str]] = MappingProxyType({
    "arcadia": "Arcadia, Callbreak Online (seed 000)",
    "everestbuzz-friends": "EverestBuzz, How to play Callbreak: a friends' table (seed 003)",
    "everestbuzz-practice": "EverestBuzz, How to play Callbreak: against the computer (seed 003)",
    "yeeqia": "Yeeqia, Call Break (seed 004)",
})

PRESETS: Final[Mapping[str, HouseRules]] = MappingProxyType({
    rules.name: rules
    for rules in (
        HouseRules(name="arcadia", min_bid=1, max_bid=13, rounds=5, must_beat=True, must_trump=True),
        HouseRules(name="everestbuzz-friends", min_bid=1, max_bid=8, rounds=3, redeal_no_spades=True),
        HouseRules(name="everestbuzz-practice", min_bid=1, max_bid=8, rounds=5, redeal_no_spades=True),
        HouseRules(name="yeeqia", min_bid=5, max_bid=8, rounds=None, target=300, score_scale=1, must_trump=True),
    )
})


@dataclass(frozen=True, slots=True)
class Reading:
    """What we decided where a house's text is silent, for the rules page. `presets` are those it matters to."""

    id: str
    sentence: str  # an English message id: the pages translate it
    presets: tuple[str, ...]


_EVERESTBUZZ: Final = ("everestbuzz-friends", "everestbuzz-practice")
_PRACTICE: Final = ("everestbuzz-practice",)
_ALL: Final = tuple(name for name in NAMES if name != CUSTOM)

READINGS: Final = (
    Reading("beat-after-trump", _("Once a spade wins a trick led in another suit, must-beat no longer binds."), _PRACTICE),
    Reading("beat-spades-led", _("When spades are led they are the suit to follow, so must-beat binds."), ("arcadia", *_PRACTICE)),
    Reading("void-cannot-win", _("Void, holding spades none of which can win: any card may be played."), (*_PRACTICE, "yeeqia")),
    Reading("yeeqia-spades-led", _("When spades are led, following is enough: no higher spade is asked for."), ("yeeqia",)),
    Reading("any-higher", _("Where a higher card is asked for, any card that is high enough will do."), _ALL),
    Reading("redeal-dealer", _("After a thrown-in deal the same player deals again, and the round does not count."), _EVERESTBUZZ),
    Reading("low-bids", _("A low-bid redeal needs a total strictly below the limit, and is counted per round."), _PRACTICE),
    Reading("no-spades", _("A deal is thrown in for any hand without a spade, automatically and as often as needed."), _EVERESTBUZZ),
    Reading("face-cards", _("Face cards are jack, queen and king; an ace is not one."), _PRACTICE),
    Reading("both-redeals", _("A deal that fails for spades and for face cards is thrown in for want of a spade."), _PRACTICE),
    Reading("tie", _("Players who are level at the top share the win."), _ALL),
    Reading("target-round", _("A target is judged after a whole round: reaching it exactly counts, the highest total wins."), ("yeeqia",)),
    Reading("direction", _("Play goes to the right."), ("yeeqia",)),
    Reading("first-dealer", _("The first dealer is drawn by lot."), ("arcadia", "yeeqia")),
    Reading("practice-people", _("People may sit at a practice table too."), _PRACTICE),
    Reading("instant-win", _("An instant win needs a bid of at least the limit, made: a bid of 7 with 8 tricks is none."), _PRACTICE),
    Reading("instant-win-one", _("Two bids that high cannot both be made in 13 tricks, so one player at most wins at once."), _PRACTICE),
    Reading("instant-win-ranks", _("After an instant win the others are placed from second by their totals."), _PRACTICE),
)
