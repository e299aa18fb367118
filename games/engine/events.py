"""The facts a match is folded from: decisions and chance, nothing that follows from them.

Who won a trick, a score, the end of a match: derived, so a log cannot contradict the rules. An event here is a value about
the cards; who acted, when, and the chain of hashes belong to the stored record around it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from games.engine.cards import Card, card

Hands: TypeAlias = tuple[tuple[Card, ...], ...]


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


Event: TypeAlias = Dealt | ThrownIn | Bid | Played | Claimed


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
        case "dealt" | "thrown_in" | "bid" | "played" | "claimed", _:
            raise ValueError(
                f"a {record['kind']} record lacks a field or has one of the wrong type"
            )
    return None
