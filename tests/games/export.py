"""An export read back by nothing but its own bytes: the chain, the links, the decks, the match."""

from base64 import urlsafe_b64decode
from collections.abc import Mapping
from typing import Any

from games.engine import chain, deal, events
from games.engine.match import Match, replay
from games.engine.rules import HouseRules

Json = Mapping[str, Any]


def verified(export: Json) -> Match:
    """The match of a finished game's export, every claim of it checked on the way."""
    game, lines = export["game"], export["events"]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert {line["game"] for line in lines} == {game}
    _check_chain(export)
    rules = HouseRules.from_json(export["rules"])
    assert chain.rules_sha256(rules) == export["rules_sha256"] == lines[0]["data"]["rules_sha256"]
    keys = _round_keys(export)
    deals = {
        (line["round"], line["attempt"]): _hands(game, keys, line)
        for line in lines
        if line["kind"] == "dealt"
    }
    first = deal.first_dealer(keys[1])
    facts = [
        events.from_record(line, deals.get((line["round"], line["attempt"])))
        for line in lines
        if line["kind"] in ("dealt", "thrown_in", "bid", "played", "claimed")
    ]
    _check_sealed(export, keys)
    return replay(rules, first, [fact for fact in facts if fact is not None])


def _check_chain(export: Json) -> None:
    records = [
        {name: value for name, value in line.items() if name != "hash"} for line in export["events"]
    ]
    hashes = [each.hex() for each in chain.hashes(export["game"], records)]  # type: ignore[arg-type] # read from JSON
    assert hashes == [line["hash"] for line in export["events"]]
    assert export["head"] == {"seq": len(hashes), "hash": hashes[-1]}


def _round_keys(export: Json) -> dict[int, bytes]:
    """The round keys by index, from what was revealed, each link tied to the anchor."""
    game = export["game"]
    revealed = {
        line["data"]["key"]: bytes.fromhex(line["data"]["s"])
        for line in export["events"]
        if line["kind"] == "revealed"
    }
    below = bytes.fromhex(export["anchor"])
    assert export["events"][0]["data"]["anchor"] == export["anchor"]
    for key in sorted(revealed):
        assert deal.previous_link(game, revealed[key], key) == below
        below = revealed[key]
    contributions = _contributions(export)
    assert [_bytes(seat["contribution"]) for seat in export["seats"]] == contributions
    return {key: deal.round_key(game, s, contributions, key) for key, s in revealed.items()}


def _contributions(export: Json) -> list[bytes]:
    given = {0: b"", 1: b"", 2: b"", 3: b""}
    for line in export["events"]:
        if line["kind"] == "joined":
            given[line["seat"]] = _bytes(line["data"]["contribution"])
    return [given[seat] for seat in range(4)]


def _hands(game: str, keys: Mapping[int, bytes], line: Json) -> events.Hands:
    """The hands of a `dealt` line, opened against their commitments."""
    key, attempt = line["data"]["key"], line["attempt"]
    committed = [each.hex() for each in deal.commitments(game, keys[key], key, attempt)]
    assert committed == line["data"]["commitments"]
    return deal.hands(keys[key], attempt)


def _check_sealed(export: Json, keys: Mapping[int, bytes]) -> None:
    by_round = {
        line["round"]: line["data"]["key"] for line in export["events"] if line["kind"] == "dealt"
    }
    bids = {
        (line["round"], line["attempt"], line["seat"]): line["bid"]
        for line in export["events"]
        if line["kind"] == "bid"
    }
    for line in export["events"]:
        if line["kind"] == "sealed":
            key, attempt, seat = by_round[line["round"]], line["attempt"], line["seat"]
            salt = deal.bid_salt(keys[key], attempt, seat)
            bid = bids[line["round"], attempt, seat]
            commitment = deal.bid_commitment(export["game"], key, attempt, seat, salt, bid)
            assert commitment.hex() == line["data"]["commitment"]


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
