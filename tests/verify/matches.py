"""Exports to check: whole matches, written by the engine and the chain alone, so that many can be had quickly."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from games import base64url
from games.engine import chain, deal, events
from games.engine.cards import Card
from games.engine.round import RoundState, State
from games.engine.rules import PRESETS, HouseRules
from games.engine.scoring import LAST_ROUND, Standings, judge

Export = dict[str, Any]
MINUTE: Final = "2026-11-29T19:29Z"
GAME: Final = "K7QX2M9RTV4B"

PRACTICE: Final = PRESETS["everestbuzz-practice"]
EVERYTHING: Final = PRACTICE.replace(
    must_beat=True,
    must_trump=True,
    redeal_no_faces=True,
    redeal_bids_below=8,
    instant_win_bid=8,
    max_bid=13,
)
RULES: Final[Mapping[str, HouseRules]] = {
    **PRESETS,
    "yeeqia": PRESETS["yeeqia"].replace(max_rounds=3),
    "to a target": PRESETS["yeeqia"].replace(min_bid=1, target=100, max_rounds=6),
    "practice with everything": EVERYTHING,
    "sealed": PRESETS["arcadia"].replace(sealed_bids=True),
    "side by side": PRESETS["arcadia"].replace(parallel_rounds=True),
    "sealed and side by side": PRESETS["everestbuzz-friends"].replace(
        sealed_bids=True, parallel_rounds=True
    ),
    "low bids redealt": PRESETS["arcadia"].replace(redeal_bids_below=14, sealed_bids=True),
    "beat and trump, come what may": HouseRules(
        rounds=2, must_beat=True, must_beat_after_trump=True, must_trump=True, must_trump_low=True
    ),
}


class Log:
    """A game's log as it grows, and the match it makes. Decisions are the dice's own, any that is legal."""

    def __init__(self, rules: HouseRules, dice: Random) -> None:
        self.rules, self.dice = rules, dice
        self.s_128 = dice.randbytes(32)
        self.anchor = deal.anchor(GAME, self.s_128).hex()
        self.contributions = [dice.randbytes(dice.choice((0, 3, 16, 64))) for _ in range(4)]
        self.lines: list[Any] = []
        self.head = chain.genesis(GAME)
        self.sealed: dict[int, list[tuple[int, int]]] = {}
        self.key_of: dict[int, int] = {}
        self.dealt = self.revealed = 0
        self.round_of: dict[int, int] = {}
        self.adjusted, self.cancelled_by = [0, 0, 0, 0], 0
        rules_sha256 = chain.rules_sha256(rules)
        data = {"anchor": self.anchor, "rules": rules.to_json(), "rules_sha256": rules_sha256}
        self.add("created", "player", data={**data, "options": {"rated": False}})
        for seat, given in enumerate(self.contributions):
            joined = {"contribution": base64url.to_text(given), "anchor_seen": bool(seat)}
            self.add("joined", "player" if given else "bot", seat=seat, data=joined)
        self.add("started", "player")
        self.rows: list[RoundState] = []
        self.first_dealer = deal.first_dealer(self.key(1))
        for number in range(1, (rules.rounds or 1) + 1 if rules.parallel_rounds else 2):
            self.deal(number)

    @property
    def standings(self) -> Standings:
        return judge(
            self.rules,
            [(row.bids_made, row.won) for row in self.rows if row.state is State.SCORED],
            void=sum(row.state is State.VOID for row in self.rows),
            adjusted=self.adjusted,
            running=not all(row.is_over for row in self.rows),
            last_key=self.dealt >= LAST_ROUND,
        )

    def apply(self, event: events.RoundEvent) -> RoundState:
        after = self.rows[event.round - 1] = self.rows[event.round - 1].apply(event)
        return after

    def key(self, r: int) -> bytes:
        return deal.round_key(GAME, deal.link(GAME, self.s_128, r), self.contributions, r)

    def add(self, kind: str, by: str, **columns: Any) -> None:
        line = chain.record(
            game=GAME, seq=len(self.lines) + 1, kind=kind, by=by, minute=MINUTE, **columns
        )
        self.head = chain.next_hash(self.head, line)
        self.lines.append({**line, "hash": self.head.hex()})

    def deal(self, number: int) -> None:
        if len(self.rows) < number:
            dealer = (self.first_dealer + number - 1) % 4
            self.rows.append(RoundState(rules=self.rules, number=number, dealer=dealer))
        if number not in self.key_of:
            self.dealt += 1
            self.key_of[number], self.round_of[self.dealt] = self.dealt, number
        r = self.key_of[number]
        attempt, key = self.rows[number - 1].attempt + 1, self.key(r)
        row = self.apply(events.Dealt(number, attempt, deal.hands(key, attempt)))
        commitments = [each.hex() for each in deal.commitments(GAME, key, r, attempt)]
        data = {"key": r, "dealer": row.dealer, "commitments": commitments}
        self.add("dealt", "dice", round=number, attempt=attempt, data=data)
        self.throw_in(number)

    # Rulings

    def rule(self, ruled: events.Ruled, **data: Any) -> None:
        """Write a ruling, and what follows from it by itself."""
        line = events.to_record(ruled)
        said = line["data"]
        assert isinstance(said, dict)
        reason = {"reason": "so that it can be verified", "cites": ["arcadia/beat", 7]}
        self.add("ruled", "staff", round=ruled.round, seat=ruled.seat, data=reason | said | data)
        if ruled.lifts is not None:
            self.cancelled_by = 0
        match ruled.ruling:
            case events.Ruling.VOID_ROUND:
                self.void(ruled)
            case events.Ruling.ADJUST_SCORE:
                self.adjusted = list(map(int.__add__, self.adjusted, ruled.deltas))
            case events.Ruling.CANCEL_GAME:
                self.cancelled_by = len(self.lines)
                self.add("cancelled", "staff")
                return
        self.go_on()

    def void(self, ruled: events.Ruled) -> None:
        number = ruled.round or 0
        self.rows[number - 1] = self.rows[number - 1].apply(ruled)
        self.sealed.pop(number, None)
        if ruled.replay:
            del self.key_of[number]
            self.reveal_what_is_due()
            self.deal(number)

    def rule_at_random(self) -> None:
        """Any ruling that may be made now."""
        if self.cancelled_by:
            self.rule(events.Ruled(events.Ruling.UPHOLD_PLAY, lifts=self.cancelled_by))
            return
        ruling, row = self.dice.choice(list(events.Ruling)), self.dice.choice(self.rows)
        deltas = (self.dice.randint(-90, 90), 0, 5, 0)
        replay = self.dice.random() < 0.5 or row.state is State.VOID
        match ruling:
            case events.Ruling.VOID_ROUND if self.dealt < LAST_ROUND:
                self.rule(events.Ruled(ruling, row.number, replay=replay))
            case events.Ruling.ADJUST_SCORE:
                self.rule(events.Ruled(ruling, deltas=deltas))
            case events.Ruling.RESTORE_CLOCK:
                self.rule(events.Ruled(ruling, seat=2), seconds=3600)
            case events.Ruling.REPLACE_SEAT:
                self.rule(events.Ruled(ruling, seat=1), to="bot")
            case events.Ruling.CANCEL_GAME:
                self.rule(events.Ruled(ruling))
            case _:
                self.rule(events.Ruled(events.Ruling.DISMISS, row.number))

    def reveal_what_is_due(self) -> None:
        for r in range(self.revealed + 1, self.dealt + 1):
            number = self.round_of[r]
            if self.key_of.get(number) == r and not self.rows[number - 1].is_over:
                return
            self.reveal(r)

    def reveal(self, r: int) -> None:
        s = deal.link(GAME, self.s_128, r).hex()
        self.add("revealed", "dice", round=self.round_of[r], data={"key": r, "s": s})
        self.revealed = r

    def claim(self, row: RoundState, seat: int) -> None:
        """Let `seat` have the rest, proven or not."""
        self.add(
            "claimed", "player", round=row.number, attempt=row.attempt, turn=row.turn, seat=seat
        )
        rest = 13 - len(row.tricks)
        won = tuple(count + rest * (place == seat) for place, count in enumerate(row.won))
        self.rows[row.number - 1] = replace(row, won=won, state=State.SCORED)
        self.settle(row.number)

    def throw_in(self, number: int) -> None:
        row = self.rows[number - 1]
        if row.throw_in is None:
            return
        self.apply(events.ThrownIn(number, row.attempt, row.throw_in))
        data = {"reason": row.throw_in}
        self.add("thrown_in", "rule", round=number, attempt=row.attempt, data=data)
        self.deal(number)

    def step(self) -> bool:
        """Make one decision, in any of the open rounds. False if the match is over."""
        running = [row for row in self.rows if not row.is_over]
        if not running or self.cancelled_by:
            return False
        row = self.dice.choice(running)
        if self.rules.sealed_bids and row.awaits_bids:
            self.seal(row)
        else:
            self.decide(row)
        self.settle(row.number)
        return True

    def seal(self, row: RoundState) -> None:
        kept = self.sealed.setdefault(row.number, [])
        seat = self.dice.choice([s for s in range(4) if s not in dict(kept)])
        bid, r = self.a_bid(), self.key_of[row.number]
        salt = deal.bid_salt(self.key(r), row.attempt, seat)
        made = deal.bid_commitment(GAME, r, row.attempt, seat, salt, bid)
        self.add(
            "sealed",
            "player",
            round=row.number,
            attempt=row.attempt,
            seat=seat,
            data={"commitment": made.hex()},
        )
        kept.append((seat, bid))
        if len(kept) == 4:
            for each, value in sorted(self.sealed.pop(row.number)):
                self.append(self.rows[row.number - 1], each, value)

    def decide(self, row: RoundState) -> None:
        assert row.to_act is not None
        if row.awaits_bids:
            self.append(row, row.to_act, self.a_bid())
        else:
            self.append(row, row.to_act, self.dice.choice(row.observe(row.to_act).legal))

    def a_bid(self) -> int:
        low, high = self.rules.min_bid, self.rules.max_bid
        return self.dice.choice([low, min(low + 1, high), min(low + 2, high), high])

    def append(self, row: RoundState, seat: int, answer: int | Card) -> None:
        event = (
            events.Played(row.number, seat, answer)
            if isinstance(answer, Card)
            else events.Bid(row.number, seat, answer)
        )
        turn = row.turn_of(seat)
        self.apply(event)
        line = events.to_record(event)
        self.add(
            str(line["kind"]),
            "player",
            round=row.number,
            attempt=row.attempt,
            turn=turn,
            seat=seat,
            bid=line.get("bid"),
            card=line.get("card"),
        )

    def settle(self, number: int) -> None:
        self.throw_in(number)
        if self.rows[number - 1].is_over:
            self.go_on()

    def go_on(self) -> None:
        self.reveal_what_is_due()
        runs = not all(row.is_over for row in self.rows) or self.standings.finished
        if not self.rules.parallel_rounds and not runs:
            self.deal(len(self.rows) + 1)

    def export(self) -> Export:
        standing = self.standings
        status = "finished" if standing.finished else "playing"
        status = "cancelled" if self.cancelled_by else status
        result = {
            "reason": standing.reason and str(standing.reason),
            "winners": list(standing.winners),
            "totals": list(standing.totals),
            "ranks": list(standing.ranks),
        }
        return {
            "format": "callbreak-game/1",
            "game": GAME,
            "status": status,
            "anchor": self.anchor,
            "rules": self.rules.to_json(),
            "rules_sha256": chain.rules_sha256(self.rules),
            "seats": [
                {
                    "seat": seat,
                    "player": name,
                    "kind": "human",
                    "contribution": base64url.to_text(self.contributions[seat]),
                }
                for seat, name in enumerate(("asha", "bina", "chandra", "dipak"))
            ],
            "events": list(self.lines),
            "head": {"seq": len(self.lines), "hash": self.head.hex()},
            "result": result if status == "finished" else None,
        }


def played(rules: HouseRules, seed: int, *, decisions: int | None = None) -> Export:
    """The export of a match after so many decisions, or at its end."""
    log, made = Log(rules, Random(seed)), 0
    while made != decisions and log.step():
        made += 1
    return log.export()


def ruled(rules: HouseRules, seed: int, *, rulings: int) -> Log:
    """The log of a whole match with so many rulings, at any time, also after its end."""
    log, made = Log(rules, Random(seed)), 0
    while True:
        if made < rulings and log.dice.random() < 0.03:
            log.rule_at_random()
            made += 1
        elif not log.step():
            if made == rulings:
                return log
            log.rule_at_random()
            made += 1


def clean(count: int) -> Iterator[Export]:
    """So many whole matches, of every kind by turns, every fourth with rulings."""
    kinds = list(RULES.values())
    for seed in range(count):
        rules = kinds[seed % len(kinds)]
        yield ruled(rules, seed, rulings=4).export() if seed % 4 == 3 else played(rules, seed)
