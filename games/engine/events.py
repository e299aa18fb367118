"""The facts a match is folded from: decisions and chance, nothing that follows from them.

Who won a trick, a score, the end of a match: derived, so a log cannot contradict the rules. An event here is a value about
the cards; who acted, when, and the chain of hashes belong to the stored record around it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeAlias, assert_never

from games.engine.cards import Card, card

Hands: TypeAlias = tuple[tuple[Card, ...], ...]

# No seat can win or lose more in a match of 128 rounds.
MAX_ADJUSTMENT: Final = 20_000


@dataclass(frozen=True, slots=True)
class Dealt:
    """Four hands by seat were dealt. `hands` is None where they are still sealed: a match refuses to fold that."""

    round: int
    attempt: int
    hands: Iterable[Iterable[Card]] | None = field(
        repr=False
    )  # a repr ends up in logs and tracebacks


@dataclass(frozen=True, slots=True)
class ThrownIn:
    """The rules threw the deal in: `no_spades`, `no_faces` or `low_bids`."""

    round: int
    attempt: int
    reason: str


@dataclass(frozen=True, slots=True)
class Bid:
    """A seat bid so many tricks."""

    round: int
    seat: int
    bid: int


@dataclass(frozen=True, slots=True)
class Played:
    """A seat played a card."""

    round: int
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat that was to lead proved that every remaining trick is its own. No card of them is played."""

    round: int
    seat: int


class Ruling(StrEnum):
    """What staff decided about a game. The first four leave cards and scores as they are."""

    DISMISS = "dismiss"
    UPHOLD_PLAY = "uphold_play"
    RESTORE_CLOCK = "restore_clock"
    REPLACE_SEAT = "replace_seat"
    VOID_ROUND = "void_round"
    ADJUST_SCORE = "adjust_score"
    CANCEL_GAME = "cancel_game"


@dataclass(frozen=True, slots=True)
class Ruled:
    """Staff ruled. What was played stands in the log: a ruling adds to it, and is itself amended by one more ruling.

    `round` and `seat` say what it is about; it is `void_round` alone that needs its round. `replay`: the void round is dealt
    again under the next key. `deltas` are the units that `adjust_score` adds by seat. `lifts` is the number of the event that
    cancelled the game, where this ruling lets it go on.
    """

    ruling: Ruling
    round: int | None = None
    seat: int | None = None
    replay: bool = False
    deltas: tuple[int, ...] = ()
    lifts: int | None = None


# What happens inside one round.
RoundEvent: TypeAlias = Dealt | ThrownIn | Bid | Played | Claimed
Event: TypeAlias = RoundEvent | Ruled


def to_record(event: Event) -> dict[str, object]:
    """The event's own fields as JSON values, without hands: `{kind, round, ...}`."""
    match event:
        case Dealt():
            return {"kind": "dealt", "round": event.round, "attempt": event.attempt}
        case ThrownIn():
            return {
                "kind": "thrown_in",
                "round": event.round,
                "attempt": event.attempt,
                "data": {"reason": event.reason},
            }
        case Bid():
            return {"kind": "bid", "round": event.round, "seat": event.seat, "bid": event.bid}
        case Played():
            return {
                "kind": "played",
                "round": event.round,
                "seat": event.seat,
                "card": event.card.text,
            }
        case Claimed():
            return {"kind": "claimed", "round": event.round, "seat": event.seat}
        case Ruled():
            return {
                "kind": "ruled",
                "round": event.round,
                "seat": event.seat,
                "data": _ruling_to_json(event),
            }
        case _:
            assert_never(event)


def from_record(
    record: Mapping[str, object], hands: Iterable[Iterable[Card]] | None = None
) -> Event | None:
    """The event of a stored record, or None for a kind that says nothing about cards (`joined`, `revealed`, ...).

    `hands` belong to a `dealt` record, which never holds them. ValueError for a record whose fields cannot be.
    """
    if record.get("kind") == "played":
        # A move reads the fifty-odd plays of its round: matching a pattern would take three times as long.
        number, seat, text = record.get("round"), record.get("seat"), record.get("card")
        if isinstance(number, int) and isinstance(seat, int) and isinstance(text, str):
            return Played(number, seat, card(text))
    match record.get("kind"), record:
        case "bid", {"round": int(number), "seat": int(seat), "bid": int(bid)}:
            return Bid(number, seat, bid)
        case "dealt", {"round": int(number), "attempt": int(attempt)}:
            return Dealt(number, attempt, hands)
        case "thrown_in", {
            "round": int(number),
            "attempt": int(attempt),
            "data": {"reason": str(reason)},
        }:
            return ThrownIn(number, attempt, reason)
        case "claimed", {"round": int(number), "seat": int(seat)}:
            return Claimed(number, seat)
        case "ruled", {"data": dict(data)}:
            return _ruled(record.get("round"), record.get("seat"), data)
        case "dealt" | "thrown_in" | "bid" | "played" | "claimed" | "ruled", _:
            raise ValueError(
                f"a {record['kind']} record lacks a field or has one of the wrong type"
            )
    return None


def _ruling_to_json(event: Ruled) -> dict[str, object]:
    data: dict[str, object] = {"ruling": str(event.ruling)}
    if event.ruling is Ruling.VOID_ROUND:
        data["replay"] = event.replay
    if event.ruling is Ruling.ADJUST_SCORE:
        data["deltas"] = list(event.deltas)
    if event.lifts is not None:
        data["lifts"] = event.lifts
    return data


def _ruled(
    round: object, seat: object, data: Mapping[str, Any]
) -> Ruled:  # Any: JSON, checked here
    ruling = Ruling(str(data.get("ruling")))
    number, replay, deltas = _whole(round), data.get("replay", False), data.get("deltas", ())
    if ruling is Ruling.VOID_ROUND and (number is None or type(data.get("replay")) is not bool):
        raise ValueError(
            "a ruled record does not say which round is void and whether it is replayed"
        )
    if ruling is Ruling.ADJUST_SCORE:
        check_deltas(deltas)
    return Ruled(ruling, number, _whole(seat), replay, tuple(deltas), _whole(data.get("lifts")))


def _whole(value: object) -> int | None:
    if value is not None and type(value) is not int:
        raise ValueError("a ruled record lacks a field or has one of the wrong type")
    return value


def check_deltas(deltas: object) -> None:
    """ValueError unless these are units by seat that change a score."""
    if (
        not isinstance(deltas, list | tuple)
        or len(deltas) != 4
        or any(type(each) is not int or abs(each) > MAX_ADJUSTMENT for each in deltas)
        or not any(deltas)
    ):
        raise ValueError(
            f"deltas: four whole numbers, at most {MAX_ADJUSTMENT} up or down, not all of them 0"
        )
