"""callbreak-event/1 against its vector, and what an event's hash stands for."""

import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.chain import (
    MAX_INTEGER,
    Record,
    canonical,
    genesis,
    hashes,
    minute_of,
    next_hash,
    record,
    rules_sha256,
)
from games.engine.rules import PRESETS, HouseRules
from tests.engine.strategies import house_rules

VECTOR: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "cases" / "chain.json").read_text()
)
RECORDS: Final[list[Record]] = [each["event"] for each in VECTOR["events"]]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_the_vector_comes_out_byte_by_byte() -> None:
    game = VECTOR["game"]

    assert genesis(game).hex() == VECTOR["genesis"]
    assert [canonical(event).decode() for event in RECORDS] == [
        each["canonical"] for each in VECTOR["events"]
    ]
    assert [each.hex() for each in hashes(game, RECORDS)] == [
        each["hash"] for each in VECTOR["events"]
    ]


def test_a_record_says_null_where_an_event_has_nothing_to_say() -> None:
    played = record(
        game="ABCDEFGHJKMN",
        seq=5,
        kind="played",
        by="bot",
        minute="2026-11-29T19:30Z",
        round=1,
        attempt=0,
        turn=5,
        seat=0,
        card="TH",
    )

    assert played == RECORDS[4]


def test_a_record_of_a_rare_kind_keeps_its_data() -> None:
    frozen = record(game="G", seq=9, kind="x", by="staff", minute="m", bid=3, data={"seconds": 60})

    assert frozen == {
        "v": 1,
        "game": "G",
        "seq": 9,
        "kind": "x",
        "round": None,
        "attempt": None,
        "turn": None,
        "seat": None,
        "bid": 3,
        "card": None,
        "by": "staff",
        "minute": "m",
        "data": {"seconds": 60},
    }


def test_any_change_of_any_event_changes_every_hash_from_there_on() -> None:
    before = list(hashes("ABCDEFGHJKMN", RECORDS))
    changed: list[Record] = [
        {**event, "turn": 99} if event["seq"] == 3 else event for event in RECORDS
    ]

    after = list(hashes("ABCDEFGHJKMN", changed))

    assert [old == new for old, new in zip(before, after, strict=True)] == [True] * 2 + [False] * 3


def test_the_chain_belongs_to_its_game() -> None:
    assert genesis("ABCDEFGHJKMN") != genesis("ABCDEFGHJKMP")
    assert next(hashes("ABCDEFGHJKMP", RECORDS)) != next(hashes("ABCDEFGHJKMN", RECORDS))


@pytest.mark.parametrize("previous", [b"", bytes(31), bytes(64)])
def test_a_hash_follows_a_hash(previous: bytes) -> None:
    with pytest.raises(ValueError, match="a hash has 32 bytes"):
        next_hash(previous, RECORDS[0])


@given(json_values)
def test_the_canonical_form_reads_back_as_the_same_value(value: object) -> None:
    assert json.loads(canonical(value)) == value


@given(st.dictionaries(st.text(), st.integers(0, 9)))
def test_the_order_of_keys_makes_no_difference(value: dict[str, int]) -> None:
    turned = dict(reversed(value.items()))

    assert canonical(turned) == canonical(value)


def test_text_is_written_as_it_is_and_nothing_is_spaced() -> None:
    value = {"b": ["नमस्ते", '"\\\n'], "a": {"d": None, "c": [True, False, -1]}}

    assert canonical(value).decode() == (
        '{"a":{"c":[true,false,-1],"d":null},"b":["नमस्ते","\\"\\\\\\n"]}'
    )


class Word(StrEnum):
    TARGET = "target"


def test_an_enumerated_word_is_its_text() -> None:
    assert canonical([Word.TARGET]) == b'["target"]'


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        float("nan"),
        {"a": [{"b": 0.5}]},
        {1: "a"},
        {None: "a"},
        [{"a": {True: 1}}],
        (1, 2),
        {"a"},
        b"a",
        datetime(2026, 11, 29, tzinfo=UTC),
        2**53,
        -(2**53),
        [2**64],
        "\ud800",
    ],
    ids=repr,
)
def test_what_might_be_read_in_two_ways_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"canonical form|a key is text|not read|surrogates"):
        canonical(value)


def test_the_largest_exact_integers_are_kept() -> None:
    assert canonical([MAX_INTEGER, -MAX_INTEGER]) == b"[9007199254740991,-9007199254740991]"


@pytest.mark.parametrize(
    ("at", "minute"),
    [
        (datetime(2026, 11, 29, 19, 29, 59, 999_999, tzinfo=UTC), "2026-11-29T19:29Z"),
        (datetime(2026, 1, 2, 3, 4, tzinfo=UTC), "2026-01-02T03:04Z"),
        (
            datetime(2026, 11, 30, 1, 14, tzinfo=timezone(timedelta(hours=5, minutes=45))),
            "2026-11-29T19:29Z",
        ),
    ],
)
def test_an_instant_is_cut_to_its_minute_in_utc(at: datetime, minute: str) -> None:
    assert minute_of(at) == minute


def test_an_instant_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a time zone"):
        minute_of(datetime(2026, 11, 29, tzinfo=UTC).replace(tzinfo=None))


@given(house_rules())
def test_the_hash_of_rules_is_that_of_their_canonical_json(rules: HouseRules) -> None:
    written = json.dumps(rules.to_json(), sort_keys=True, separators=(",", ":"))

    assert rules_sha256(rules) == hashlib.sha256(written.encode()).hexdigest()


def test_every_change_of_the_rules_changes_their_hash() -> None:
    arcadia = PRESETS["arcadia"]

    assert len({rules_sha256(rules) for rules in PRESETS.values()}) == 4
    assert rules_sha256(arcadia) != rules_sha256(arcadia.replace(direction="left", name="arcadia"))
