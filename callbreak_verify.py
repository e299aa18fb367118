"""Check a game of Callbreak from nothing but its export: `python callbreak_verify.py game.json` (or - for a pipe).

One line for each check, "ok" or "FAIL". Exit status: 0 all is well, 1 something is wrong, 2 the input is no export of a game.
It needs Python 3.10 or later, shares no code with the site, and is short enough to be read in one go before it is believed. While
a round runs its seed is sealed: its cards are checked as far as the cards played tell, and a line says so. That the whole log was
not written anew, no export can show: compare its hashes with your receipts.
"""

# fmt: off
import hmac
import json
import sys
from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from struct import unpack
from typing import Any

Json = Any  # what stands in the file: every value is looked at before it is believed
CARDS = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
HEIGHT = {card: height for height, card in enumerate(CARDS)}  # compared within a suit only
SEATS = range(4)
FIELDS = {"v", "game", "seq", "kind", "round", "attempt", "turn", "seat", "bid", "card", "by", "minute", "data", "hash"}
RULES = {"name", "min_bid", "max_bid", "rounds", "target", "max_rounds", "score_scale", "must_beat", "must_beat_after_trump",
         "must_trump", "must_trump_low", "redeal_no_spades", "redeal_no_faces", "redeal_bids_below", "redeal_bids_limit",
         "instant_win_bid", "direction", "sealed_bids", "parallel_rounds"}
CHECKS = {"dealt": "deals", "revealed": "deals", "thrown_in": "redeals", "sealed": "bids", "bid": "bids", "played": "plays",
          "claimed": "plays", "ruled": "result"}  # the check that speaks of an event: of others, that of the seats
RULINGS = ["dismiss", "uphold_play", "restore_clock", "replace_seat", "void_round", "adjust_score", "cancel_game"]
encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
ERRORS = (ValueError, LookupError, TypeError, AttributeError, OverflowError)  # the first is ours, to the others a forgery may lead
def need(claim: object, otherwise: str) -> None:
    if not claim:
        raise ValueError(otherwise)
def raw(text: Json) -> bytes:
    need(len(text) == 64 and bytes.fromhex(text).hex() == text, "these are no 32 bytes in hex")
    return bytes.fromhex(text)
def lp(part: bytes) -> bytes: return len(part).to_bytes(4, "big") + part
def unpadded(text: str) -> bytes: return urlsafe_b64decode(text + "=" * (-len(text) % 4))
def u16(number: int) -> bytes: return number.to_bytes(2, "big")
def tagged(label: bytes, game: str, *parts: bytes) -> bytes:
    return sha256(b"".join(map(lp, (b"callbreak-deal/1", label, game.encode(), *parts)))).digest()
def hkdf(secret: bytes, salt: bytes, info: bytes) -> bytes: return hmac.digest(hmac.digest(salt, secret, "sha256"), info + b"\1", "sha256")
def round_key(game: str, seed: bytes, given: Sequence[bytes], r: int) -> bytes:
    info = b"".join(map(lp, (b"callbreak-deal/1", b"round", game.encode()))) + u16(r)
    return hkdf(seed, tagged(b"contrib", game, *given), info)
def commitment(what: bytes, game: str, key: bytes, r: int, attempt: int, seat: int, value: bytes) -> str:  # to a hand or bid
    salt = hkdf(key, b"", lp(what + b"salt") + u16(attempt) + bytes([seat]))
    return tagged(what, game, u16(r), u16(attempt), bytes([seat]), salt, value).hex()
def draws(key: bytes, label: bytes, attempt: int, sizes: Sequence[int]) -> Iterator[int]:
    """A number below each of `sizes`, all equally likely: words that would favour some are passed over."""
    prefix = lp(label) + u16(attempt)
    words = (word for n in range(2**32) for word in unpack(">8I", hmac.digest(key, prefix + n.to_bytes(8, "big"), "sha256")))
    return (next(word for word in words if word < 2**32 - 2**32 % size) % size for size in sizes)
def shuffled(key: bytes, attempt: int) -> list[str]:
    deck = CARDS[:]
    for i, j in zip(range(51, 0, -1), draws(key, b"deck", attempt, range(52, 1, -1)), strict=True):
        deck[i], deck[j] = deck[j], deck[i]
    return deck
def dealt_hands(deck: list[str]) -> list[list[str]]: return [sorted(deck[13 * seat:13 * seat + 13], key=HEIGHT.__getitem__) for seat in SEATS]
def check_bid(rules: Json, bid: Json) -> None: need(type(bid) is int and rules["min_bid"] <= bid <= rules["max_bid"], f"a bid of {bid} is out of range")
def legal(rules: Json, hand: Sequence[str], trick: Sequence[str]) -> Sequence[str]:
    """The cards that may be played. A card illegal among some cards of a hand is illegal among all of them."""
    if not trick:
        return hand
    led, trump = trick[0][1], max([HEIGHT[card] for card in trick if card[1] == "S"], default=-1)
    if same := [card for card in hand if card[1] == led]:
        if not rules["must_beat"] or (led != "S" and trump >= 0 and not rules["must_beat_after_trump"]):
            return same
        best = max([HEIGHT[card] for card in trick if card[1] == led])
        return [card for card in same if HEIGHT[card] > best] or same
    spades = [card for card in hand if card[1] == "S"] if rules["must_trump"] else []
    return [card for card in spades if HEIGHT[card] > trump] or (spades if rules["must_trump_low"] else []) or hand
def trick_winner(trick: Sequence[str]) -> int: return max(range(len(trick)), key=lambda i: (trick[i][1] == "S", trick[i][1] == trick[0][1], HEIGHT[trick[i]]))
def proves_claim(hand: Sequence[str], played: Sequence[str]) -> bool:
    """Whether the leader takes all the rest: no unseen card beats one of its suit, and no unseen spade can ruff."""
    unseen = [card for card in CARDS if card not in played and card not in hand]
    mine, others = (sum(card[1] == "S" for card in cards) for cards in (hand, unseen))
    return (others <= mine or mine == len(hand)) and not any(a[1] == b[1] and HEIGHT[a] < HEIGHT[b] for a in hand for b in unseen)
def redeal(rules: Json, hands: Sequence[Sequence[str]]) -> Json:
    reasons = [why for why, marks in (("no_spades", "S"), ("no_faces", "JQK")) if rules["redeal_" + why]
               and not all(set(marks) & set("".join(hand)) for hand in hands)]
    return reasons[0] if reasons else None
def redeal_after_bids(rules: Json, bids: Sequence[int], used: int) -> Json:
    return "low_bids" if sum(bids) < (rules["redeal_bids_below"] or 0) and used < rules["redeal_bids_limit"] else None
def standing(rules: Json, results: Sequence[Json], void: int = 0, adjusted: Json = None, running: bool = False, last: bool = False) -> Json:
    """Of each round (bids, won). With rulings `void` rounds count as played and `adjusted` units are added; `last`: no key is left."""
    need(adjusted or not results[1:] or not standing(rules, results[:-1])["reason"], "no such round can be: the match was over")
    totals, best = [*(adjusted or [0] * 4)], None
    for bids, won in results:
        need(len(bids) == len(won) == 4 and sum(won) == 13 and min(won) >= 0, "no such round can be")
        for seat in SEATS:
            check_bid(rules, bids[seat])
            totals[seat] += 9 * bids[seat] + won[seat] if won[seat] >= bids[seat] else -10 * bids[seat]
        best = next((seat for seat in SEATS if best is None and won[seat] >= bids[seat] >= (rules["instant_win_bid"] or 14)), best)
    done = len(results) + void
    ends = {"instant_win": best is not None, "target": max(totals) >= (rules["target"] or 10**9),
            "rounds": done >= (rules["rounds"] or 999), "round_limit": done >= (rules["max_rounds"] or 128) or last}
    reason = None if running else next((name for name in ends if ends[name]), None)
    ranks = [1 + sum((a != best, -totals[a]) < (b != best, -totals[b]) for a in SEATS) for b in SEATS]
    return {"reason": reason, "winners": [s for s in SEATS if reason and ranks[s] == 1], "totals": totals, "ranks": ranks}
class Replay:  # the log played through: `step` raises at the first event that may not be
    def __init__(self, game: Json) -> None:
        self.id, self.rules, self.log, self.seeds = game["game"], game["rules"], game["events"], seeds(game)
        self.given, self.early, self.secrets = dict[int, str](), set[int](), dict[int, bytes]()  # secrets: the keys revealed
        self.keys, self.closed, self.shown = list[int](), set[int](), 0  # the rounds of key 1, 2, ...; keys over; keys shown
        self.next = dict[int, list[int]]()  # of each round, its next attempt and turn: over a replay both go on counting
        self.rounds, self.waits, self.results = dict[int, Json](), dict[int, bool](), dict[int, Json]()  # rounds: each as `play`
        self.tally, self.standing, self.adjusted, self.cancelled = Counter[str](), standing(self.rules, []), [0] * 4, 0
    def step(self, e: Json) -> None:
        kind, number, seat, data = e["kind"], e["round"], e["seat"], e["data"]
        ended = self.standing["reason"] or self.tally["abandoned"] or self.cancelled or not self.tally["started"]
        if kind == "joined":
            may = len(unpadded(data["contribution"])) <= 64 and (e["by"] == "player" or not data["contribution"])
            need(may and seat in SEATS and seat not in self.given and not self.tally["started"], "nobody may sit there, or give that")
            self.given[seat] = data["contribution"]
            (self.early.discard if data["anchor_seen"] is True else self.early.add)(seat)
        elif kind == "left":
            need(not self.tally["started"] and self.given.pop(seat, None) is not None, "nobody could leave")
        elif kind == "started":
            need(not self.tally["started"] and len(self.given) == 4, "no match can begin")
            self.secrets = {key: round_key(self.id, seed, [unpadded(self.given[s]) for s in SEATS], key) for key, seed in self.seeds}
            said = (line["data"]["dealer"] for line in self.log if line["kind"] == "dealt")
            self.first = next(draws(self.secrets[1], b"dealer", 0, [4])) if self.secrets else next(said, 0)
        elif kind in ("dealt", "thrown_in", "sealed", "bid", "played", "claimed"):
            need(not ended and self.shown + 1 not in self.closed, "the match is not going on, or a seed is due to be revealed first")
            if kind == "dealt" and number not in self.rounds:
                at_start = number <= (self.rules["rounds"] or 0) and not self.tally["bid"] + self.tally["sealed"]
                need(at_start if self.rules["parallel_rounds"] else len(self.closed) == len(self.keys), "no round is due")
                self.rounds[number] = self.play(number)
                next(self.rounds[number])
            need(number in range(1, len(self.rounds) + 1) and self.rounds[number], f"round {number} is not played now")
            self.waits[number] = self.rounds[number].send(e)
        elif kind == "revealed":
            self.shown += 1
            need(data["key"] == self.shown in self.closed and self.keys[self.shown - 1] == number and len(data) == 2, "that seed is not due")
        elif kind == "substituted":  # a seat whose time ran out twice running, and whose person has done nothing for seven days
            quiet = ("stood_in", "returned", "bid" if self.rules["sealed_bids"] else "")  # with a round: the autopilot, a bid of before
            acts = [x for x in self.log[:e["seq"] - 1] if x["seat"] == seat and (x["by"] == "clock" or (x["by"] == "player" and not (x["round"] and x["kind"] in quiet)))]
            came = max(place for place, line in enumerate(acts) if line["by"] == "player")
            since, now = (datetime.fromisoformat(line["minute"][:16]) for line in (acts[came + 2], e))
            need(not ended and not data and e["by"] == "player" and now - since >= timedelta(7), "that seat is not to be had")
        elif kind == "cancelled":
            self.cancelled = self.cancelled or e["seq"]
        elif kind == "ruled":
            self.rule(e, number, data)
        self.tally.update((kind, f"{kind} {seat}"))
        if kind == "ruled" or (kind in ("played", "claimed") and not self.rounds[number]):
            results, running = [self.results[n] for n in sorted(self.results) if self.results[n]], sum(map(bool, self.rounds.values()))
            self.standing = standing(self.rules, results, len(self.rounds) - running - len(results), self.adjusted, running > 0, 128 in self.closed)
    def rule(self, e: Json, number: Json, data: Json) -> None:  # it adds: a round is void, units are added, a game is cancelled or goes on
        ruling, lifts, deltas, again = data["ruling"], "lifts" in data, data.get("deltas", [0] * 4), data.get("replay", True)
        fits = data["lifts"] == self.cancelled if lifts else not self.cancelled or ruling in RULINGS[:2]
        need(ruling in RULINGS and fits and all(type(units) is int for units in deltas), "nobody may rule so")
        self.cancelled = e["seq"] if ruling == "cancel_game" else 0 if lifts else self.cancelled
        self.adjusted = [a + b for a, b in zip(self.adjusted, deltas, strict=True)]
        if ruling == "void_round":
            fits = len(self.keys) < 128 and not self.tally["abandoned"] if again else self.rounds[number] or self.results[number]
            need(number in self.rounds and fits, "that round cannot be made void so")
            self.closed |= {key for key, dealt in enumerate(self.keys, 1) if dealt == number}
            self.rounds[number], self.results[number], self.waits[number] = self.play(number) if again else None, None, not again
            next(self.rounds[number] or iter([0]))
    def play(self, number: int) -> Generator[bool, Json, None]:
        """A round: it is sent its events, and yields whether the next one is a decision (else it must follow at once)."""
        self.keys.append(number)
        rules, key, dealer, low, due_next = self.rules, len(self.keys), (self.first + number - 1) % 4, 0, self.next.setdefault(number, [0, 0])
        while True:
            e = yield False
            attempt, turn = due_next
            need(e["kind"] == "dealt" and e["attempt"] == attempt and key <= 128, "another deal is due")
            bids, sealed, secret = dict[int, int](), dict[int, str](), self.secrets.get(key, b"")
            if secret:
                hands = dealt_hands(shuffled(secret, attempt))
                due = [commitment(b"hand", self.id, secret, key, attempt, seat, "".join(hands[seat]).encode()) for seat in SEATS]
                why = redeal(rules, hands)
            else:  # what is known of sealed hands: the cards that will be seen, and what is said of a deal that was thrown in
                due, here = [raw(each).hex() for each in e["data"]["commitments"]], [line for line in self.log if (line["round"], line["attempt"]) == (number, attempt)]
                hands = [[line["card"] for line in here if line["kind"] == "played" and line["seat"] == seat] for seat in SEATS]
                said = [line["data"]["reason"] for line in here if line["kind"] == "thrown_in"]
                why = said[0] if said and rules.get("redeal_" + said[0]) is True else None
            fits = len(due) == 4 and encode(e["data"]) == encode({"key": key, "dealer": dealer, "commitments": due})
            need(fits, "another key or dealer is due, or other hands than were committed to")
            due_next[:] = attempt + 1, turn + (4 if rules["sealed_bids"] and not why else 0)
            while not why and len(bids) < 4:
                e = yield len(sealed) < 4
                seat, place = e["seat"], (e["seat"] - dealer - 1) % 4
                need(e["attempt"] == attempt and seat in SEATS, "this is of another deal")
                if rules["sealed_bids"] and len(sealed) < 4:
                    need(e["kind"] == "sealed" and seat not in sealed and e["turn"] is None, "a sealed bid is due")
                    sealed[seat] = raw(e["data"]["commitment"]).hex()
                    continue
                need((e["kind"], e["turn"], e["data"], seat if sealed else place) == ("bid", turn + place, {}, len(bids)), "a bid of another is due")
                check_bid(rules, e["bid"])
                made = sealed and secret and commitment(b"bid", self.id, secret, key, attempt, seat, bytes([e["bid"]]))
                need(not made or made == sealed[seat], "another bid was sealed")
                bids[seat], due_next[1] = e["bid"], max(due_next[1], turn + place + 1)
            why = why or redeal_after_bids(rules, list(bids.values()), low)
            if not why:
                break
            e = yield False
            need(e["kind"] == "thrown_in" and e["data"] == {"reason": why} and e["attempt"] == attempt, "the deal must be thrown in")
            low += why == "low_bids"
        leader, won, down = (dealer + 1) % 4, [0] * 4, list[str]()
        while sum(won) < 13:
            e = yield True
            trick, seat, card = down[len(down) // 4 * 4:], e["seat"], e["card"]
            is_next = (e["attempt"], e["turn"], seat) == (attempt, due_next[1], (leader + len(trick)) % 4)
            need(is_next and not e["data"], "a card of another deal or seat is due")
            due_next[1] += 1
            if e["kind"] == "claimed":
                need(not trick and (not secret or proves_claim(hands[seat], down)), "the hand does not prove this claim")
                won[seat] += 13 - sum(won)
                continue
            fits = e["kind"] == "played" and card in hands[seat] and card not in down
            need(fits and card in legal(rules, hands[seat], trick), f"seat {seat} may not play {card}, or does not hold it")
            hands[seat].remove(card)
            down.append(card)
            if len(trick) == 3:
                leader = (leader + trick_winner([*trick, card])) % 4
                won[leader] += 1
        self.rounds[number], self.results[number] = None, ([bids[seat] for seat in SEATS], won)
        self.closed |= {key}
        yield True
    def told(self, game: Json) -> dict[str, str]:  # by check; it raises if the log breaks off early or says otherwise than the export
        tally, is_over = self.tally, self.standing["reason"] or self.tally["abandoned"]
        status = "cancelled" if self.cancelled else "finished" if is_over else "playing" if tally["started"] else "open"
        need(game["status"] in (status, "frozen"), f"by the log this game is {status}")
        due = self.rules["rounds"] if self.rules["parallel_rounds"] else len(self.rounds) + (len(self.closed) == len(self.keys))
        halted = status == "playing" and (not all(self.waits.values()) or len(self.rounds) < due)
        need(self.shown + 1 not in self.closed and not halted, "the log was cut short: more must follow")
        result = {**self.standing, **({"reason": "abandoned", "winners": []} if tally["abandoned"] else {})}
        need(encode(game["result"]) == encode(result if status == "finished" else None), f"by the log {result}")
        need([(s["seat"], s["contribution"]) for s in game["seats"]] == [(s, self.given.get(s, "")) for s in SEATS], "who gave what?")
        names = [f"seat {s['seat']} ({'now ' * bool(self.tally['substituted ' + str(s['seat'])])}{s['player']})" for s in game["seats"]]
        last = [f"{names[seat]} contributed last" for seat, given in self.given.items() if given][-1:] or ["nobody contributed"]
        early = [f"{names[seat]} had not seen the anchor when sitting down" for seat in sorted(self.early & {*self.given})]
        sealed = f"; the seeds of rounds {sorted({*self.keys[self.shown:]})} are sealed, so what hangs on them cannot be checked yet"
        yet = sealed if self.keys[self.shown:] else ""
        return {"seats": "; ".join(last + early), "deals": f"{tally['dealt']} of {len(self.rounds)} rounds" + yet,
                "redeals": f"{tally['thrown_in']}, and no other was due" + yet, "bids": f"{tally['bid']} made, {tally['sealed']} sealed",
                "plays": f"{tally['played']} cards, {tally['claimed']} claims" + yet, "result": f"{status}, totals {result['totals']}"}
def seeds(game: Json) -> list[tuple[int, bytes]]: return [(e["data"]["key"], raw(e["data"]["s"])) for e in game["events"] if e["kind"] == "revealed"]
def check_chain(game: Json) -> str:
    head = sha256(b"callbreak-event/1\ngenesis\n" + game["game"].encode()).digest()
    for seq, e in enumerate(game["events"], 1):
        fits = all(e[name] is None or (type(e[name]) is int and e[name] >= 0) for name in ("round", "attempt", "turn", "seat", "bid"))
        fits = fits and (type(e["v"]), e["v"], e["game"], type(e["seq"]), e["seq"]) == (int, 1, game["game"], int, seq)
        kind = e["kind"] != "played", e["kind"] != "bid", e["kind"] == "created", type(e["data"]), e.keys()
        need(fits and kind == (e["card"] is None, e["bid"] is None, seq == 1, dict, FIELDS), f"event {seq} has another form or place")
        head = sha256(b"callbreak-event/1\n" + head + encode({field: e[field] for field in e if field != "hash"}).encode()).digest()
        need(e["hash"] == head.hex(), f"event {seq} was changed, or one before it")
    need(encode(game["head"]) == encode({"seq": len(game["events"]), "hash": head.hex()}), "the head is that of another log")
    return f"{len(game['events'])} events, each tied to those before it, up to {head.hex()}"
def check_rules(game: Json) -> str:
    rules, made = game["rules"], game["events"][0]["data"]
    need(rules.keys() == RULES and (rules["rounds"] or rules["target"]), "they are not those that this program knows")
    digest = sha256(encode(rules).encode()).hexdigest()
    need(encode(made["rules"]) == encode(rules) and made["rules_sha256"] == game["rules_sha256"] == digest, "they were changed")
    return f"{rules['name']}, sha256 {digest}"
def check_anchor(game: Json) -> str:
    below = raw(game["anchor"])
    need(game["events"][0]["data"]["anchor"] == game["anchor"], "the table was made with another one")
    for due, (key, seed) in enumerate(seeds(game), 1):
        need(key == due and tagged(b"link", game["game"], u16(key), seed) == below, f"seed {key} does not lead back to it")
        below = seed
    return f"{len(seeds(game))} seeds lead back to it"
def verify(game: Json) -> list[tuple[bool, str]]:  # of every check, whether it went well and what there is to say
    lines, where, name = list[tuple[bool, str]](), "", "seats"
    for check, ask in {"chain": check_chain, "rules": check_rules, "anchor": check_anchor}.items():
        try:
            lines.append((True, f"{check}: {ask(game)}"))
        except ERRORS as error:
            lines.append((False, f"{check}: {error}"))
    try:
        replay = Replay(game)
        for e in game["events"]:
            where, name = f"event {e['seq']} ({e['kind']}): ", CHECKS.get(e["kind"], "seats")
            replay.step(e)
        where, name = "", "result"
        lines += [(True, f"{check}: {words}") for check, words in replay.told(game).items()]
    except ERRORS as error:
        lines.append((False, f"{name}: {where}{error}; what follows from it was not checked"))
    return lines
def main(arguments: list[str]) -> int:
    try:
        need(len(arguments) == 1, "name one file: python callbreak_verify.py game.json")
        with open(0 if arguments == ["-"] else arguments[0], "rb") as file:
            game = json.load(file)
        need(type(game) is dict and game.get("format") == "callbreak-game/1", "it is not in the format callbreak-game/1")
    except (OSError, ValueError, RecursionError) as error:
        print(f"This cannot be checked: {error}", file=sys.stderr)
        return 2
    lines = verify(game)
    print("\n".join(f"{'ok  ' if is_well else 'FAIL'} {line}" for is_well, line in lines))
    return 0 if all(is_well for is_well, _ in lines) else 1
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
