"""How somebody would forge an export: change it, and write the rest of the chain anew so that every hash fits again."""

import pickle
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from games.engine import chain, deal
from games.engine.cards import DECK
from games.engine.legal import legal_plays
from games.engine.rules import HouseRules
from tests.verify.matches import GAME, Export, Log

Forgery = tuple[str, Export]  # what was done, and what came of it
Line = dict[str, Any]
# By the chain alone one of these cannot be told from the truth once it was written anew: receipts and published heads can.
FREE: Final = {"minute", "by", "data"}


def copied(value: Any) -> Any:  # plain JSON, as it came
    """As `copy.deepcopy`, in a tenth of the time."""
    return pickle.loads(pickle.dumps(value))


def rechained(export: Export) -> Export:
    """The same lines with numbers and hashes that fit."""
    head = chain.genesis(export["game"])
    for seq, line in enumerate(export["events"], 1):
        line["seq"] = seq
        record = {name: value for name, value in line.items() if name != "hash"}
        head = chain.next_hash(head, record)  # type: ignore[arg-type] # a forged record may have any form
        line["hash"] = head.hex()
    export["head"] = {"seq": len(export["events"]), "hash": head.hex()}
    return export


def other(value: object, field: str, dice: Random) -> object:
    """Another value of the same kind."""
    if field == "card":
        return dice.choice([card.text for card in DECK if card.text != value])
    if field == "kind":
        return dice.choice([kind for kind in ("bid", "played", "dealt", "left") if kind != value])
    if isinstance(value, dict):
        return {**value, "note": 1}
    if isinstance(value, int):
        return value + dice.choice((1, 2))
    return f"{value}x"


def edits(clean: Export, dice: Random, *, chained: bool) -> Iterator[Forgery]:
    """Every field of every line changed, one at a time."""
    for place, line in enumerate(clean["events"]):
        for field in line:
            if line[field] is None or (chained and field in {*FREE, "hash", "seq"}):
                continue
            forged = copied(clean)
            forged["events"][place][field] = other(line[field], field, dice)
            yield f"{field} of {line['kind']} changed", rechained(forged) if chained else forged


def moves(clean: Export, dice: Random, *, chained: bool) -> Iterator[Forgery]:
    """Lines deleted, doubled, put elsewhere, invented; the last ones cut off."""
    count = len(clean["events"])
    for place in range(1, count):
        kind = clean["events"][place]["kind"]
        for what in ("deleted", "doubled", "put one later", "put elsewhere"):
            forged = copied(clean)
            lines = forged["events"]
            if what == "doubled":
                lines.insert(place, copied(lines[place]))
            elif what == "deleted":
                del lines[place]
            else:
                to = place + 1 if what == "put one later" else dice.randrange(1, count)
                if to >= count or to == place or {kind, lines[to]["kind"]} & {"joined", "sealed"}:
                    continue  # people may sit down, and seal bids, in any order
                lines.insert(to, lines.pop(place))
            yield f"{kind} {what}", rechained(forged) if chained else forged
    for cut in range(1, 20):
        forged = copied(clean)
        del forged["events"][-cut:]
        yield "cut off", rechained(forged) if chained else forged


# The deal. All of these write the chain anew.


def lines_of(export: Export, *kinds: str) -> list[Line]:
    return [line for line in export["events"] if line["kind"] in kinds]


def forged_deals(log: Log, dice: Random) -> Iterator[Forgery]:
    clean = log.export()
    for what, forged in (
        *_commitments(log, clean, dice),
        *_seeds(log, clean, dice),
        *_contributions(clean, dice),
        *_redeals(log, clean),
        *_rules_and_result(clean, dice),
        *_cards(log, clean, dice),
    ):
        yield what, rechained(forged)


def _commitments(log: Log, clean: Export, dice: Random) -> Iterator[Forgery]:
    for place, line in enumerate(lines_of(clean, "dealt")):
        key, attempt = line["data"]["key"], line["attempt"]
        hands = [list(hand) for hand in deal.hands(log.key(key), attempt)]
        for seat in range(4):
            mate, mine, theirs = (
                (seat + dice.randint(1, 3)) % 4,
                dice.randrange(13),
                dice.randrange(13),
            )
            swapped = [list(hand) for hand in hands]
            swapped[seat][mine], swapped[mate][theirs] = swapped[mate][theirs], swapped[seat][mine]
            forged = copied(clean)
            data = lines_of(forged, "dealt")[place]["data"]
            for each in (seat, mate):
                salt = deal.hand_salt(log.key(key), attempt, each)
                data["commitments"][each] = deal.hand_commitment(
                    GAME, key, attempt, each, salt, sorted(swapped[each])
                ).hex()
            yield "two cards swapped, and committed to", forged
            forged = copied(clean)
            data = lines_of(forged, "dealt")[place]["data"]
            data["commitments"][seat] = deal.hand_commitment(
                GAME, key, attempt, seat, dice.randbytes(32), hands[seat]
            ).hex()
            yield "another salt", forged
        for field in ("key", "dealer"):
            forged = copied(clean)
            data = lines_of(forged, "dealt")[place]["data"]
            data[field] = (data[field] + dice.randint(1, 3)) % 4
            yield f"another {field}", forged
        forged = copied(clean)
        commitments = lines_of(forged, "dealt")[place]["data"]["commitments"]
        commitments[0], commitments[1] = commitments[1], commitments[0]
        yield "two commitments swapped", forged
    for place, line in enumerate(lines_of(clean, "sealed")):
        forged = copied(clean)
        lines_of(forged, "sealed")[place]["data"]["commitment"] = dice.randbytes(32).hex()
        yield f"sealed commitment of seat {line['seat']} changed", forged


def _seeds(log: Log, clean: Export, dice: Random) -> Iterator[Forgery]:
    for place, line in enumerate(lines_of(clean, "revealed")):
        for also_dealt in (False, True):
            forged, seed = copied(clean), dice.randbytes(32)
            key = line["data"]["key"]
            lines_of(forged, "revealed")[place]["data"]["s"] = seed.hex()
            if also_dealt:
                secret = deal.round_key(GAME, seed, log.contributions, key)
                for dealt in lines_of(forged, "dealt"):
                    if dealt["data"]["key"] == key:
                        made = deal.commitments(GAME, secret, key, dealt["attempt"])
                        dealt["data"]["commitments"] = [each.hex() for each in made]
            yield "another seed" + ", and its hands committed to" * also_dealt, forged
        forged = copied(clean)
        lines_of(forged, "revealed")[place]["data"]["key"] += 1
        yield "a seed of another key", forged
    for where in ("export", "created"):
        forged, anchor = copied(clean), dice.randbytes(32).hex()
        data = forged if where == "export" else forged["events"][0]["data"]
        data["anchor"] = anchor
        yield f"another anchor in the {where}", forged
    forged = copied(clean)
    forged["anchor"] = forged["events"][0]["data"]["anchor"] = dice.randbytes(32).hex()
    yield "another anchor everywhere", forged


def _contributions(clean: Export, dice: Random) -> Iterator[Forgery]:
    for seat in range(4):
        for where in ("the log", "the seats", "both"):
            forged, given = copied(clean), dice.randbytes(16).hex()
            if where != "the seats":
                joined = lines_of(forged, "joined")[seat]
                joined["by"], joined["data"]["contribution"] = "player", given
            if where != "the log":
                forged["seats"][seat]["contribution"] = given
            yield f"another contribution in {where}", forged


def _redeals(log: Log, clean: Export) -> Iterator[Forgery]:
    for reason in ("no_spades", "no_faces", "low_bids"):
        for place, line in enumerate(clean["events"]):
            if line["kind"] != "dealt" or clean["events"][place + 1]["kind"] == "thrown_in":
                continue
            forged = copied(clean)
            key, attempt, number = line["data"]["key"], line["attempt"] + 1, line["round"]
            made = deal.commitments(GAME, log.key(key), key, attempt)
            thrown = {**line, "kind": "thrown_in", "by": "rule", "data": {"reason": reason}}
            data = {**line["data"], "commitments": [each.hex() for each in made]}
            dealt = {**line, "attempt": attempt, "data": data}
            forged["events"][place + 1 : place + 1] = [thrown, dealt]
            for later in forged["events"][place + 3 :]:
                if later["round"] == number and later["attempt"] is not None:
                    later["attempt"] += 1
            yield f"a deal thrown in for {reason}", forged
    for place, line in enumerate(clean["events"]):
        if line["kind"] == "thrown_in":
            forged = copied(clean)
            forged["events"][place]["data"]["reason"] = (
                "no_faces" if line["data"]["reason"] == "no_spades" else "no_spades"
            )
            yield "another reason to throw in", forged
            forged = copied(clean)
            del forged["events"][place : place + 2]
            yield "a redeal left out", forged


def _rules_and_result(clean: Export, dice: Random) -> Iterator[Forgery]:
    rules = HouseRules.from_json(clean["rules"])
    for field in clean["rules"]:
        for where in ("export", "created"):
            forged = copied(clean)
            data = forged if where == "export" else forged["events"][0]["data"]
            value = data["rules"][field]
            data["rules"][field] = not value if isinstance(value, bool) else f"{value}1"
            data["rules_sha256"] = chain.rules_sha256(rules) if dice.random() < 0.5 else "0" * 64
            yield f"the rule {field} in the {where}", forged
    for field in ("totals", "ranks", "winners"):
        for seat in range(4):
            forged = copied(clean)
            values = forged["result"][field]
            values[seat % len(values)] = (values[seat % len(values)] + 1 + seat) % 5
            if values != clean["result"][field]:
                yield f"another result: {field}", forged
    for result in (None, {**clean["result"], "reason": "instant_win"}, {}):
        yield "another result", copied(clean) | {"result": result}
    yield "another status", copied(clean) | {"status": "playing"}


def _cards(log: Log, clean: Export, dice: Random) -> Iterator[Forgery]:
    """A card played that was held and not legal, the legal one where that was played; cards of two seats exchanged."""
    for row in log.rows:
        plays = [
            line
            for line in clean["events"]
            if line["kind"] == "played" and line["round"] == row.number
        ]
        hands = [list(hand) for hand in deal.hands(log.key(row.number), row.attempt)]
        cards = {card.text: card for card in DECK}
        for place, line in enumerate(plays):
            hand, down = hands[line["seat"]], plays[place // 4 * 4 : place]
            legal = legal_plays(log.rules, hand, [cards[each["card"]] for each in down])
            illegal = [card for card in hand if card not in legal]
            if illegal:
                wrong = dice.choice(illegal).text
                yield "an illegal card", _exchanged(clean, row.number, line["card"], wrong)
            hand.remove(cards[line["card"]])
        for _ in range(4):
            one, two = dice.sample(plays, 2)
            if one["seat"] != two["seat"]:
                yield (
                    "a card of another seat",
                    _exchanged(clean, row.number, one["card"], two["card"]),
                )
        bids = [
            line
            for line in clean["events"]
            if line["kind"] == "bid" and line["round"] == row.number
        ]
        for bid in bids:
            for value in (log.rules.max_bid + 1, log.rules.min_bid - 1):
                if 0 <= value <= 13:
                    forged = copied(clean)
                    forged["events"][bid["seq"] - 1]["bid"] = value
                    yield "a bid out of range", forged


def _exchanged(clean: Export, number: int, one: str, two: str) -> Export:
    forged: Export = copied(clean)
    for line in forged["events"]:
        if line["kind"] == "played" and line["round"] == number and line["card"] in (one, two):
            line["card"] = two if line["card"] == one else one
    return forged


# Rulings


def forged_rulings(clean: Export, dice: Random) -> Iterator[Forgery]:
    """A ruling that has effect left out, invented, or bent; its chain is still to be written anew.

    Of a cancelled game nobody is told the scores, so units that were ruled there leave no trace to find.
    """
    is_scored = clean["result"] is not None
    for place, line in enumerate(clean["events"]):
        if line["kind"] != "ruled":
            continue
        data, forged = line["data"], copied(clean)
        mine = forged["events"][place]
        match data["ruling"]:
            case "adjust_score" if is_scored:
                mine["data"]["deltas"][dice.randrange(4)] += dice.choice((-20, 7))
                yield "other units", forged
            case "void_round":
                mine["data"]["replay"] = not data["replay"]
                yield "a replay that was not ruled, or none", forged
                other = copied(clean)
                other["events"][place]["round"] += 1
                yield "another round made void", other
            case "cancel_game":
                mine["data"]["ruling"] = "dismiss"
                del forged["events"][place + 1]
                yield "a cancellation hidden", forged
            case _ if "lifts" in data:
                del mine["data"]["lifts"]
                yield "a cancellation not lifted", forged
        if data["ruling"] == "void_round" or (is_scored and data["ruling"] == "adjust_score"):
            gone = copied(clean)
            del gone["events"][place]
            yield "a ruling left out", gone
        unknown = copied(clean)
        unknown["events"][place]["data"]["ruling"] = "set_score"
        yield "a ruling that there is not", unknown
    invented = copied(clean)
    invented["events"].append({**clean["events"][-1], "kind": "ruled", "by": "staff"})
    invented["events"][-1]["data"] = {"ruling": "adjust_score", "deltas": [5, 0, 0, -5]}
    yield "units added in secret", invented
