"""callbreak-event/1: the one canonical form of an event, and the hash that ties it to those before.

Whoever has the records can check them: no record holds a secret or a name. What an event means is
not known here. Hashes are 32 raw bytes; writing them in hex is the caller's business.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final, TypedDict

from games.engine.rules import HouseRules

TAG: Final = b"callbreak-event/1\n"
VERSION: Final = 1
MAX_INTEGER: Final = 2**53 - 1  # the most that every JSON reader, a browser's too, reads exactly

Json = str | int | bool | None | list["Json"] | dict[str, "Json"]


class Record(TypedDict):
    """An event as it is hashed. What an event has nothing to say about is null."""

    v: int
    game: str
    seq: int
    kind: str
    round: int | None
    attempt: int | None
    turn: int | None
    seat: int | None
    bid: int | None
    card: str | None
    by: str
    minute: str
    data: dict[str, Json]


def record(
    *,
    game: str,
    seq: int,
    kind: str,
    by: str,
    minute: str,
    round: int | None = None,
    attempt: int | None = None,
    turn: int | None = None,
    seat: int | None = None,
    bid: int | None = None,
    card: str | None = None,
    data: dict[str, Json] | None = None,
) -> Record:
    """The record of an event. `minute` comes from `minute_of`; `card` is its text."""
    return {
        "v": VERSION,
        "game": game,
        "seq": seq,
        "kind": kind,
        "round": round,
        "attempt": attempt,
        "turn": turn,
        "seat": seat,
        "bid": bid,
        "card": card,
        "by": by,
        "minute": minute,
        "data": data if data is not None else {},
    }


def minute_of(at: datetime) -> str:
    """The minute of an instant in UTC, as records show it: `2026-11-29T19:29Z`.

    ValueError for a time without a zone.
    """
    if at.tzinfo is None:
        raise ValueError("an instant needs a time zone")
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def canonical(value: object) -> bytes:
    """The one spelling of a JSON value: keys sorted, no spaces, UTF-8.

    ValueError for what two programs might spell or read differently: floats, keys that are not
    text, integers from 2**53 on.
    """
    _refuse_ambiguous(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def genesis(game: str) -> bytes:
    """What the hash of a game's first event is chained to."""
    return sha256(TAG + b"genesis\n" + game.encode()).digest()


def next_hash(previous: bytes, event: Record) -> bytes:
    """The hash of an event that follows the one with the hash `previous`."""
    if len(previous) != 32:
        raise ValueError(f"a hash has 32 bytes, not {len(previous)}")
    return sha256(TAG + previous + canonical(event)).digest()


def hashes(game: str, records: Iterable[Record]) -> Iterator[bytes]:
    """The hash of each event of a game, from the first one on."""
    head = genesis(game)
    for event in records:
        head = next_hash(head, event)
        yield head


def rules_sha256(rules: HouseRules) -> str:
    """Hex SHA-256 of the rules' canonical JSON, as it stands beside every copy of the rules."""
    return sha256(canonical(rules.to_json())).hexdigest()


def _refuse_ambiguous(value: object) -> None:
    match value:
        case None | bool() | str():
            return
        case int():
            if abs(value) > MAX_INTEGER:
                raise ValueError(f"not read exactly everywhere: {value}")
        case list():
            for item in value:
                _refuse_ambiguous(item)
        case dict():
            for key, item in value.items():
                if not isinstance(key, str):
                    raise ValueError(f"a key is text, not {key!r}")
                _refuse_ambiguous(item)
        case _:
            raise ValueError(f"no canonical form for a {type(value).__name__}")
