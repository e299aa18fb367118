"""Whether what is stored of a game is what its log says, and its log what seed, rules and published heads say.

It changes nothing and trusts nothing: the chain is hashed again, every deal made again from the sealed seed, every decision
put to the engine, and the columns beside the log worked out anew. What is found is told without a card, a seed or a name, so
it may stand in any log or mail.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction

from games import base64url, projections, store
from games.engine import chain, deal, events
from games.engine.errors import RuleViolation
from games.engine.round import RoundState, State
from games.engine.scoring import Standings, standings
from games.models import Event, Game, Round, SealedBid
from games.services import checkpoints
from games.services.pace import KEPT_AFTER
from games.services.substituting import OFFERED_AFTER
from games.store import By, Kind
from games.table import BrokenLog, Table

# A published head: the number of an event, and the hash it had when it was the last one.
Head = tuple[int, str]

DECISIONS: Final = (Kind.BID, Kind.PLAYED, Kind.CLAIMED)
# What a round's row says that follows from its state alone.
FOLLOWED: Final = (
    *("attempt", "state", "turn", "actors", "bids", "won"),
    *("tricks_played", "claimed_by", "scores", "last_trick"),
)
# What a value that should not be there can lead to, besides a refusal of the rules.
_DAMAGE: Final = (ValueError, LookupError, TypeError, AttributeError, ObjectDoesNotExist, BrokenLog)


class Wrong(Exception):
    """Something is not as it should be; the message says what, and nothing that is secret."""


def games_to_verify() -> Iterator[str]:
    """The ids of all games, a few at a time."""
    return Game.objects.order_by("pk").values_list("pk", flat=True).iterator(chunk_size=500)


def verify_game(game_id: str, *, now: datetime, heads: Iterable[Head] = ()) -> list[str]:
    """What is wrong with a game, a sentence for each check that fails; nothing if all is well. `GameNotFound` when there is none.

    `heads` are what was published of it, besides what the daily checkpoints say. Of a game that is being played while it is read the rows may disagree: so what was
    found counts only if it is found again while nobody can move.
    """
    known = [*heads, *checkpoints.heads_of(game_id)]
    if not _findings(game_id, now, known, lock=False):
        return []
    with transaction.atomic():
        return _findings(game_id, now, known, lock=True)


def _findings(game_id: str, now: datetime, heads: Sequence[Head], *, lock: bool) -> list[str]:
    try:
        table = store.load(game_id, now=now, lock=lock)
    except _DAMAGE as error:
        return [f"rules: they cannot be read ({type(error).__name__})"]
    log = list(Event.objects.filter(game=table.game).order_by("seq"))
    replay = Replay(table)
    checks: Mapping[str, Callable[[], None]] = {
        "chain": lambda: _check_chain(table, log),
        "heads": lambda: _check_heads(log, heads),
        "seed": lambda: _check_seed(table, log),
        "log": lambda: replay.run(log),
        "columns": lambda: _check_columns(table, replay),
    }
    found = []
    for name, check in checks.items():
        try:
            check()
        except Wrong as wrong:
            found.append(f"{name}: {wrong}")
        except _DAMAGE as error:
            # Not its message: that may name what a hand or a seed holds.
            found.append(f"{name}: something cannot be read ({type(error).__name__})")
        if name == "log" and found:
            break  # columns of a log that does not replay are no news
    return found


def _need(claim: object, otherwise: str) -> None:
    if not claim:
        raise Wrong(otherwise)


def _check_chain(table: Table, log: Sequence[Event]) -> None:
    head = chain.genesis(table.game.id).hex()
    for seq, event in enumerate(log, start=1):
        _need(event.seq == seq, f"event {seq} is missing")
        _need(event.prev_hash == head, f"event {seq} follows from another event")
        head = chain.next_hash(bytes.fromhex(head), store.record_of(event)).hex()
        _need(event.hash == head, f"event {seq} was changed")
    _need(table.game.seq == len(log), f"event {table.game.seq} is missing")
    _need(table.game.head == head, "the game's head is not that of its last event")


def _check_heads(log: Sequence[Event], heads: Iterable[Head]) -> None:
    for seq, published in heads:
        _need(seq <= len(log), f"event {seq} was published, and is not there any more")
        _need(log[seq - 1].hash == published, f"event {seq} is not the one that was published")


def _check_seed(table: Table, log: Sequence[Event]) -> None:
    """Anchor, rules and contributions: what every deal is made from."""
    game, made = table.game, log[0].data
    anchor = deal.anchor(game.id, table.s_128).hex()
    _need(anchor == game.anchor == made["anchor"], "the sealed seed has another anchor")
    digest = chain.rules_sha256(table.rules)
    _need(table.rules.to_json() == game.rules == made["rules"], "the rules are not those recorded")
    _need(digest == game.rules_sha256 == made["rules_sha256"], "the rules have another hash")
    given = dict.fromkeys(range(4), "")
    for event in log:
        if event.kind in (Kind.JOINED, Kind.LEFT):
            given[_number(event.seat)] = event.data.get("contribution", "")
    kept = dict(enumerate(map(base64url.to_text, table.contributions)))
    _need(kept == given, "the seats contributed otherwise")


@dataclass
class Replay:
    """The log put to the engine, event by event, beside what the sealed seed deals."""

    table: Table
    states: dict[int, RoundState] = field(default_factory=dict)
    keys: dict[int, int] = field(default_factory=dict)
    commitments: dict[int, list[str]] = field(default_factory=dict)
    totals_before: dict[int, list[int]] = field(default_factory=dict)
    revealed: set[int] = field(default_factory=set)
    seated: set[int] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    ran_out: dict[int, list[datetime]] = field(default_factory=dict)
    standing: Standings = field(init=False)

    def __post_init__(self) -> None:
        self.standing = standings(self.table.rules, [])
        kept = SealedBid.objects.filter(game=self.table.game)
        self.sealed = {each.seq: each for each in kept}

    def run(self, log: Sequence[Event]) -> None:
        due = {event.seq for event in log if event.kind == Kind.SEALED}
        _need(self.sealed.keys() == due, "other sealed bids are kept than the log tells of")
        for event in log:
            try:
                self._step(event)
            except (Wrong, RuleViolation, *_DAMAGE) as error:
                # A refusal of the rules would name legal cards.
                words = str(error) if isinstance(error, Wrong) else "the rules refuse it"
                raise Wrong(f"event {event.seq} ({event.kind}): {words}") from None
            self.seen.add(event.kind)
        self._check_end()

    def _step(self, event: Event) -> None:
        match event.kind:
            case Kind.CREATED:
                _need(not self.seen, "the table was made before")
            case Kind.JOINED | Kind.LEFT | Kind.STARTED:
                self._gather(event)
            case Kind.DEALT:
                self._deal(event)
            case Kind.REVEALED:
                self._reveal(event)
            case Kind.SEALED:
                self._seal(event)
            case Kind.BID | Kind.PLAYED | Kind.CLAIMED | Kind.THROWN_IN:
                self._go_on(event)
            case Kind.SUBSTITUTED:
                self._hand_over(event)
        self._mind_the_time(event)

    def _gather(self, event: Event) -> None:
        """Who sits down, who leaves, and that the match begins once, when all four are there."""
        _need(Kind.STARTED not in self.seen, "the match had begun")
        if event.kind == Kind.STARTED:
            _need(self.seated == {0, 1, 2, 3}, "not all seats were taken")
            return
        seat, joins = _number(event.seat), event.kind == Kind.JOINED
        _need(
            (seat in self.seated) != joins, "that seat was taken" if joins else "that seat was free"
        )
        self.seated ^= {seat}

    def _deal(self, event: Event) -> None:
        table, number, attempt = self.table, _number(event.round), _number(event.attempt)
        self._check_running()
        _need(Kind.STARTED in self.seen, "the match had not begun")
        if number not in self.states:
            self._open(number)
        key, state = self.keys[number], self.states[number]
        hands = table.hands(key, attempt)
        commitments = deal.commitments(table.game.id, table.round_key(key), key, attempt)
        self.commitments[number] = [each.hex() for each in commitments]
        due = {"key": key, "dealer": state.dealer, "commitments": self.commitments[number]}
        _need(event.data == due, "the sealed seed deals otherwise")
        self.states[number] = state.apply(events.Dealt(number, attempt, hands))

    def _open(self, number: int) -> None:
        rules = self.table.rules
        if rules.parallel_rounds:
            may_open = number <= (rules.rounds or 0) and not self.seen & {*DECISIONS, Kind.SEALED}
        else:
            may_open = all(state.is_over for state in self.states.values())
        _need(may_open and number == len(self.states) + 1, "that round is not due")
        dealer = (deal.first_dealer(self.table.round_key(1)) + number - 1) % 4
        totals = [0] * 4 if rules.parallel_rounds else list(self.standing.totals)
        self.totals_before[number] = totals
        self.keys[number] = number
        self.states[number] = RoundState(
            rules=rules, number=number, dealer=dealer, totals=tuple(totals)
        )

    def _go_on(self, event: Event) -> None:
        state = self.states[_number(event.round)]
        self._check_running()
        _need(event.attempt == state.attempt, "it is of another deal")
        if event.kind in DECISIONS:
            _need(event.turn == state.turn_of(_number(event.seat)), "it is of another turn")
        if event.kind == Kind.BID and state.rules.sealed_bids:
            kept = self._kept(state, _number(event.seat))
            _need(kept is not None and kept.bid == event.bid, "another bid was sealed")
        fact = events.from_record(
            {
                "kind": event.kind,
                "round": event.round,
                "attempt": event.attempt,
                "seat": event.seat,
                "bid": event.bid,
                "card": event.card,
                "data": event.data,
            }
        )
        assert fact is not None  # every kind that comes here says something about cards
        after = self.states[state.number] = state.apply(fact)
        if after.is_over:
            scored = [each for each in self.states.values() if each.state is State.SCORED]
            self.standing = standings(state.rules, [(each.bids_made, each.won) for each in scored])

    def _seal(self, event: Event) -> None:
        state, seat = self.states[_number(event.round)], _number(event.seat)
        self._check_running()
        kept = self.sealed.get(event.seq)
        _need(state.rules.sealed_bids and state.awaits_bids, "no sealed bid is due")
        _need(event.attempt == state.attempt, "it is of another deal")
        _need(kept is not None and kept.hash == event.hash, "its bid is not kept")
        assert kept is not None
        place = (kept.round, kept.attempt, kept.seat, kept.turn)
        due = (state.number, state.attempt, seat, state.first_turn + (seat - state.dealer - 1) % 4)
        _need(place == due, "its bid is kept for another place")
        r = self.keys[state.number]
        salt = deal.bid_salt(self.table.round_key(r), state.attempt, seat)
        made = deal.bid_commitment(self.table.game.id, r, state.attempt, seat, salt, kept.bid).hex()
        _need(event.data == {"commitment": made}, "another bid was committed to")

    def _kept(self, state: RoundState, seat: int) -> SealedBid | None:
        place = (state.number, state.attempt, seat)
        return next(
            (e for e in self.sealed.values() if (e.round, e.attempt, e.seat) == place), None
        )

    def _reveal(self, event: Event) -> None:
        key = len(self.revealed) + 1
        _need(self._is_due(key) and self.keys.get(_number(event.round)) == key, "it is not due")
        _need(
            event.data == {"key": key, "s": self.table.link(key).hex()}, "it is not the sealed seed"
        )
        self.revealed.add(key)

    def _mind_the_time(self, event: Event) -> None:
        """Whose time ran out, and when, since they last answered or came back themselves."""
        if event.seat is None:
            return
        if event.kind == Kind.STOOD_IN and event.by == By.CLOCK:
            self.ran_out.setdefault(event.seat, []).append(event.at)
        elif event.by == By.PLAYER and not self._is_done_from_afar(event):
            self.ran_out.pop(event.seat, None)

    def _is_done_from_afar(self, event: Event) -> bool:
        """The autopilot switched on or off, or a bid that was sealed before it is opened."""
        if event.kind == Kind.BID:
            return self.table.rules.sealed_bids
        return event.kind in (Kind.STOOD_IN, Kind.RETURNED) and event.round is not None

    def _hand_over(self, event: Event) -> None:
        self._check_running()
        _need(Kind.STARTED in self.seen, "the match had not begun")
        ran_out = self.ran_out.get(_number(event.seat), [])
        is_kept = len(ran_out) >= KEPT_AFTER and event.by == By.PLAYER
        _need(is_kept and not event.data, "no bot kept that seat")
        _need(
            event.at - ran_out[KEPT_AFTER - 1] >= OFFERED_AFTER, "it was not kept for long enough"
        )

    def _is_due(self, key: int) -> bool:
        return any(r == key and self.states[number].is_over for number, r in self.keys.items())

    def _check_running(self) -> None:
        """The match goes on; and a seed that is due comes before everything else."""
        over = self.standing.finished or self.seen & {Kind.ABANDONED, Kind.CANCELLED}
        _need(not over, "the match was over")
        _need(not self._is_due(len(self.revealed) + 1), "a seed was due to be revealed first")

    def _check_end(self) -> None:
        """Nothing is left undone that is done in the same transaction."""
        _need(not self._is_due(len(self.revealed) + 1), "it ends before a seed that is due")
        over = self.standing.finished or self.seen & {Kind.ABANDONED, Kind.CANCELLED}
        if over or Kind.STARTED not in self.seen:
            return
        states, rules = self.states.values(), self.table.rules
        due = (rules.rounds or 0) if rules.parallel_rounds else 1
        is_whole = len(states) >= due and not all(state.is_over for state in states)
        waits = any(state.awaits_deal or state.throw_in for state in states)
        _need(is_whole and not waits, "it ends before a deal that is due")


def _number(value: int | None) -> int:
    _need(value is not None, "a number is missing")
    assert value is not None
    return value


def _check_columns(table: Table, replay: Replay) -> None:
    """The rows of the game and its rounds against what the log comes to."""
    _need(set(table.rows) == set(replay.states), "there are other rounds than were dealt")
    for number, state in replay.states.items():
        row = table.rows[number]
        due = Round(game=table.game, number=number)
        projections.follow(due, _with_sealed_bids(state, replay))
        due.key, due.dealer = replay.keys[number], state.dealer
        due.commitments = replay.commitments[number]
        due.totals_before = replay.totals_before[number]
        due.is_revealed = due.key in replay.revealed
        for name in (*FOLLOWED, "key", "dealer", "commitments", "totals_before", "is_revealed"):
            _need(getattr(row, name) == getattr(due, name), f"round {number}: {name}")
    game, standing = table.game, replay.standing
    first = deal.first_dealer(table.round_key(1)) if Kind.STARTED in replay.seen else None
    _need(game.first_dealer == first, "first_dealer")
    _need(game.totals == list(standing.totals), "totals")
    status, result = _outcome(standing, replay.seen)
    _need(game.status in (status, Game.Status.FROZEN), "status")
    _need(game.result == result, "result")


def _with_sealed_bids(state: RoundState, replay: Replay) -> RoundState:
    """The round with the bids that wait counted as made, as its row counts them."""
    if not (state.rules.sealed_bids and state.awaits_bids):
        return state
    for kept in sorted(replay.sealed.values(), key=lambda each: each.seq):
        if (kept.round, kept.attempt) == (state.number, state.attempt):
            state = state.apply(events.Bid(kept.round, kept.seat, kept.bid))
    return state


def _outcome(standing: Standings, seen: set[str]) -> tuple[str, dict[str, Any] | None]:
    """The status of a game whose log comes to this, and its result."""
    if Kind.CANCELLED in seen:
        return Game.Status.CANCELLED, None
    reason = "abandoned" if Kind.ABANDONED in seen else standing.reason
    if reason is None:
        return (Game.Status.PLAYING if Kind.STARTED in seen else Game.Status.OPEN), None
    return Game.Status.FINISHED, {
        "reason": str(reason),
        "winners": list(standing.winners),
        "totals": list(standing.totals),
        "ranks": list(standing.ranks),
    }
