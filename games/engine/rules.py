"""HouseRules: a way to play Callbreak, as one frozen value, and the presets that people know.

Callbreak, at every house: four seats, 52 cards, ace high, spades always trump. Thirteen cards each,
one bid a seat, thirteen tricks. Who can follow the suit led must follow; the highest spade, else
the highest card of the suit led, takes the trick. A made bid scores ten units for each trick bid
and one for each trick more; a missed bid costs ten units for each trick bid.

What differs from house to house is a field here, never a subclass and never a branch on a name:
`legal` and `scoring` read these fields and nothing else. This module knows no card and no position.
It refuses fields that are unknown, out of range or against each other, always by the field's name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Final, Self

from games.engine.errors import _

CUSTOM: Final = "custom"
NAMES: Final = ("arcadia", "everestbuzz-friends", "everestbuzz-practice", "yeeqia", CUSTOM)
MAX_ROUNDS: Final = 100
MAX_ROUNDS_SIDE_BY_SIDE: Final = 10

# The whole numbers that a field may hold, before fields are held against each other.
RANGES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "min_bid": (0, 13),
        "max_bid": (1, 13),
        "rounds": (1, MAX_ROUNDS),
        "target": (1, MAX_ROUNDS * 130),  # no round brings more than 130 units
        "max_rounds": (1, MAX_ROUNDS),
        "redeal_bids_below": (1, 52),
        "redeal_bids_limit": (0, 100),
        "instant_win_bid": (7, 13),  # two bids of 7 cannot both be made, so one seat at most wins
    }
)
NULLABLE: Final = ("rounds", "target", "max_rounds", "redeal_bids_below", "instant_win_bid")
CHOICES: Final[Mapping[str, tuple[str | int, ...]]] = MappingProxyType(
    {"name": NAMES, "score_scale": (10, 1), "direction": ("right", "left")}
)


class NotChangeable(ValueError):
    """A preset does not let a table change this field. `field` is its name."""

    def __init__(self, field: str) -> None:
        super().__init__(f"{field}: this preset does not let a table change it")
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """One way to play, validated: a ValueError starts with the name of the field that is wrong.

    The defaults are those of a custom table that leaves a field out. `rounds` is 5 here even beside
    a `target`: it is `from_json` that reads a target alone as a match of no fixed length.
    """

    name: str = CUSTOM
    min_bid: int = 1
    max_bid: int = 13
    rounds: int | None = 5
    target: int | None = None  # units, judged after a whole round
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
        for field in FIELDS:
            _check_value(field, getattr(self, field))
        for problem in _contradictions(self):
            raise ValueError(problem)

    def allows_bid(self, bid: int) -> bool:
        """Whether `bid` is in range. ValueError for what is no integer (a bool is not one)."""
        if type(bid) is not int:
            raise ValueError(f"a bid is a whole number, not {bid!r}")
        return self.min_bid <= bid <= self.max_bid

    # Any: each field has its own type, and __post_init__ checks them all.
    def replace(self, **changes: Any) -> Self:
        """A new value with `changes`, validated.

        A preset's name stays only while the changes are among its `TABLE_OPTIONS`; after any other
        change the rules are `custom`, unless `name` is one of the changes.
        """
        _refuse_unknown(changes)
        if "name" not in changes and not self._stays_itself(changes):
            changes["name"] = CUSTOM
        return replace(self, **changes)

    def _stays_itself(self, changes: Mapping[str, object]) -> bool:
        options = TABLE_OPTIONS.get(self.name, {})
        return all(
            _is_among(value, (getattr(self, field), *options.get(field, ())))
            for field, value in changes.items()
        )

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Self:  # Any: JSON from outside, checked by field
        """The rules that a JSON object describes; a field left out takes its default."""
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


def with_options(preset: str, options: Mapping[str, Any]) -> HouseRules:  # Any: as in from_json
    """The preset, under its own name, with what a table set.

    `NotChangeable` for a field that this preset keeps; another ValueError, starting with the
    field's name, for an unknown field, a value not on offer, or options against each other.
    """
    if preset not in PRESETS:
        raise ValueError(f"preset: there is no {preset!r}")
    _refuse_unknown(options)
    for field, value in options.items():
        offered = TABLE_OPTIONS[preset].get(field)
        if offered is None:
            raise NotChangeable(field)
        if not _is_among(value, offered):
            raise ValueError(f"{field}: {value!r} is not on offer with {preset}")
    return PRESETS[preset].replace(**options)


def _check_value(field: str, value: object) -> None:
    if field in RANGES:
        low, high = RANGES[field]
        if value is None and field in NULLABLE:
            return
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"{field}: a whole number from {low} to {high}, not {value!r}")
    elif not _is_among(value, CHOICES.get(field, _ON_OFF)):
        allowed = ", ".join(map(repr, CHOICES.get(field, _ON_OFF)))
        raise ValueError(f"{field}: one of {allowed}, not {value!r}")


def _contradictions(rules: HouseRules) -> Iterable[str]:
    """What is wrong between fields, each message starting with the name of one of them."""
    if rules.min_bid > rules.max_bid:
        yield "min_bid: higher than max_bid"
    if rules.rounds is None and rules.target is None:
        yield "rounds: a match needs rounds, a target or both"
    if rules.max_rounds is not None and rules.target is None:
        yield "max_rounds: only a match with a target needs a stop"
    if rules.must_beat_after_trump and not rules.must_beat:
        yield "must_beat_after_trump: needs must_beat"
    if rules.must_trump_low and not rules.must_trump:
        yield "must_trump_low: needs must_trump"
    if rules.redeal_bids_below is not None and rules.redeal_bids_below > 4 * rules.max_bid:
        yield "redeal_bids_below: four bids never total so much, every deal would be thrown in"
    if rules.instant_win_bid is not None and rules.instant_win_bid > rules.max_bid:
        yield "instant_win_bid: higher than max_bid"
    if rules.parallel_rounds:
        yield from _parallel_contradictions(rules)


def _parallel_contradictions(rules: HouseRules) -> Iterable[str]:
    # Rounds that are all dealt at the start cannot be cut short by what happens in one of them.
    if rules.rounds is None:
        yield "parallel_rounds: needs a fixed number of rounds"
    elif rules.rounds > MAX_ROUNDS_SIDE_BY_SIDE:
        yield f"parallel_rounds: at most {MAX_ROUNDS_SIDE_BY_SIDE} rounds side by side"
    if rules.target is not None:
        yield "parallel_rounds: does not go with a target"
    if rules.instant_win_bid is not None:
        yield "parallel_rounds: does not go with instant_win_bid"


def _refuse_unknown(names: Iterable[str]) -> None:
    for name in names:
        if name not in FIELDS:
            raise ValueError(f"{name}: there is no such field")


def _is_among(value: object, allowed: tuple[object, ...]) -> bool:
    # By type too, else True would pass for 1.
    return any(type(value) is type(other) and value == other for other in allowed)


_ON_OFF: Final = (False, True)
_ANY_TABLE: Final[Mapping[str, tuple[object, ...]]] = MappingProxyType(
    {"sealed_bids": _ON_OFF, "parallel_rounds": _ON_OFF}
)

# What a table may set while the rules keep their name: field -> the values on offer, the preset's
# own value among them.
TABLE_OPTIONS: Final[Mapping[str, Mapping[str, tuple[object, ...]]]] = MappingProxyType(
    {
        "arcadia": _ANY_TABLE,
        "everestbuzz-friends": _ANY_TABLE,
        "everestbuzz-practice": MappingProxyType(
            {
                "max_bid": (8, 13),
                "must_beat": _ON_OFF,
                "must_trump": _ON_OFF,
                "redeal_no_faces": _ON_OFF,
                "redeal_bids_below": (None, 8),
                "instant_win_bid": (None, 8),
                **_ANY_TABLE,
            }
        ),
        # No parallel_rounds: a match to a target has no number of rounds to deal at the start.
        "yeeqia": MappingProxyType(
            {"max_rounds": (None, *range(1, MAX_ROUNDS + 1)), "sealed_bids": _ON_OFF}
        ),
    }
)

# Where each preset comes from. The facts are the house's, every word of ours is ours.
SOURCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "arcadia": "Arcadia, Callbreak Online",
        "everestbuzz-friends": "EverestBuzz, How to play: a friends' table",
        "everestbuzz-practice": "EverestBuzz, How to play: against the computer",
        "yeeqia": "Yeeqia, Call Break",
    }
)

PRESETS: Final[Mapping[str, HouseRules]] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            HouseRules(name="arcadia", rounds=5, must_beat=True, must_trump=True),
            HouseRules(name="everestbuzz-friends", max_bid=8, rounds=3, redeal_no_spades=True),
            HouseRules(name="everestbuzz-practice", max_bid=8, rounds=5, redeal_no_spades=True),
            HouseRules(
                name="yeeqia",
                min_bid=5,
                max_bid=8,
                rounds=None,
                target=300,
                score_scale=1,
                must_trump=True,
            ),
        )
    }
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What we decided where a house's text is silent. `presets` are the houses that are.

    `sentence` is an English message id, as in `errors`: the rules page translates it.
    """

    id: str
    sentence: str
    presets: tuple[str, ...]


_FRIENDS: Final = "everestbuzz-friends"
_PRACTICE: Final = "everestbuzz-practice"

READINGS: Final = (
    Reading(
        "beat-after-trump",
        _("Once a spade wins a trick led in another suit, must-beat no longer binds."),
        (_PRACTICE,),
    ),
    Reading(
        "beat-spades-led",
        _("When spades are led, they are the suit to follow, so must-beat binds."),
        (_PRACTICE,),
    ),
    Reading(
        "void-cannot-win",
        _("Void, with spades none of which can win, you may play any card."),
        (_PRACTICE,),
    ),
    Reading(
        "yeeqia-spades-led",
        _("When spades are led, following is enough: no higher spade is asked for."),
        ("yeeqia",),
    ),
    Reading(
        "any-higher",
        _("Where a higher card is due, any card that is high enough will do."),
        (_PRACTICE, "yeeqia"),
    ),
    Reading(
        "redeal-dealer",
        _("After a thrown-in deal the same player deals again; the round does not count."),
        (_FRIENDS, _PRACTICE),
    ),
    Reading(
        "low-bids",
        _("A low-bid redeal needs a total strictly below the limit; each round counts its own."),
        (_PRACTICE,),
    ),
    Reading(
        "no-spades",
        _("A deal that leaves anybody without a spade is thrown in by itself, however often."),
        (_FRIENDS, _PRACTICE),
    ),
    Reading(
        "both-redeals",
        _("A deal that fails for spades and for face cards is thrown in for want of a spade."),
        (_PRACTICE,),
    ),
    Reading(
        "face-cards",
        _("Face cards are jack, queen and king; an ace is not one."),
        (_PRACTICE,),
    ),
    Reading(
        "tie",
        _("Players who are level at the top share the win."),
        (_FRIENDS, _PRACTICE, "yeeqia"),
    ),
    Reading(
        "target-round",
        _("The target is judged after a whole round: exactly it counts, the best total wins."),
        ("yeeqia",),
    ),
    Reading(
        "round-limit",
        _("A table may name a last round, as few matches reach the target; the best total wins."),
        ("yeeqia",),
    ),
    Reading("direction", _("Play goes to the right."), ("yeeqia",)),
    Reading("first-dealer", _("The first dealer is drawn by lot."), ("arcadia", "yeeqia")),
    Reading("practice-people", _("People may sit at a practice table too."), (_PRACTICE,)),
    Reading(
        "instant-win",
        _("An instant win needs a bid of 8 or more, made: 8 tricks on a bid of 7 are none."),
        (_PRACTICE,),
    ),
    Reading(
        "instant-win-one",
        _("Two such bids cannot both be made in 13 tricks, so one player at most wins at once."),
        (_PRACTICE,),
    ),
    Reading(
        "instant-win-ranks",
        _("After an instant win the others are placed from second by their totals."),
        (_PRACTICE,),
    ),
)
