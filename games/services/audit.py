"""Whether what is stored of a game is what its log says, and its log what seed, rules and published heads say.

It changes nothing and trusts nothing: the chain is hashed again, every deal made again from the sealed seed, every decision
put to the engine, and the columns beside the log worked out anew. What is found is told without a card, a seed or a name, so
it may stand in any log or mail.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction

from games import base64url, projections, store
from games.engine import chain, deal, events
from games.engine.errors import RuleViolation
from games.engine.events import Ruling
from games.engine.match import Match
from games.engine.round import RoundState
from games.models import Event, Game, Round, SealedBid
from games.services import checkpoints, settling
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


def check_lines(game_id: str, log: Sequence[Event]) -> str:
    """The hash of a log's last line; `Wrong` unless each line follows from the one before."""
    head = chain.genesis(game_id).hex()
    for seq, event in enumerate(log, start=1):
        _need(event.seq == seq, f"event {seq} is missing")
        _need(event.prev_hash == head, f"event {seq} follows from another event")
        head = chain.next_hash(bytes.fromhex(head), store.record_of(event)).hex()
        _need(event.hash == head, f"event {seq} was changed")
    return head


def _check_chain(table: Table, log: Sequence[Event]) -> None:
    head = check_lines(table.game.id, log)
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
    # The rounds that keys 1, 2, ... dealt, and what each round's own key committed to.
    dealt: list[int] = field(default_factory=list)
    commitments: dict[int, list[str]] = field(default_factory=dict)
    revealed: int = 0
    seated: set[int] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    ran_out: dict[int, list[datetime]] = field(default_factory=dict)
    is_frozen: bool = False
    # The ruling that cancelled the game, and whether its `cancelled` must follow.
    cancelled_by: int | None = None
    cancel_is_due: bool = False
    match: Match = field(init=False)

    def __post_init__(self) -> None:
        self.match = Match(self.table.rules, 0)
        kept = SealedBid.objects.filter(game=self.table.game)
        self.sealed = {each.seq: each for each in kept}

    def key_of(self, number: int) -> int:
        """The newest key that a round was dealt under."""
        return max(key for key, dealt in enumerate(self.dealt, start=1) if dealt == number)

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
        _need(
            not self.cancel_is_due or event.kind == Kind.CANCELLED, "the game was to be cancelled"
        )
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
            case Kind.RULED:
                self._rule(event)
            case Kind.CANCELLED:
                _need(self.cancel_is_due or Kind.STARTED not in self.seen, "nobody may cancel it")
                self.match = replace(self.match, is_cancelled=True)
                self.cancel_is_due = False
            case Kind.FROZEN | Kind.THAWED:
                _need(self.is_frozen == (event.kind == Kind.THAWED), "it was so already")
                self.is_frozen = not self.is_frozen
        self._mind_the_time(event)

    def _gather(self, event: Event) -> None:
        """Who sits down, who leaves, and that the match begins once, when all four are there."""
        _need(Kind.STARTED not in self.seen, "the match had begun")
        _need(not self.match.is_cancelled, "the table was cancelled")
        if event.kind == Kind.STARTED:
            _need(self.seated == {0, 1, 2, 3}, "not all seats were taken")
            first = deal.first_dealer(self.table.round_key(1))
            self.match = Match.start(self.table.rules, first)
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
        _need(number <= len(self.match.rounds) + 1, "that round is not due")
        if number > len(self.match.rounds):
            early = not self.seen & {*DECISIONS, Kind.SEALED}
            _need(early or not table.rules.parallel_rounds, "that round is not due")
            self.dealt.append(number)
        elif self.match.rounds[number - 1].awaits_key:
            self.dealt.append(number)
        key = self.key_of(number)
        commitments = deal.commitments(table.game.id, table.round_key(key), key, attempt)
        self.commitments[number] = [each.hex() for each in commitments]
        self.match = self.match.apply(events.Dealt(number, attempt, table.hands(key, attempt)))
        dealer = self.match.rounds[number - 1].dealer
        due = {"key": key, "dealer": dealer, "commitments": self.commitments[number]}
        _need(event.data == due, "the sealed seed deals otherwise")

    def _go_on(self, event: Event) -> None:
        state = self._state(event)
        _need(event.attempt == state.attempt, "it is of another deal")
        if event.kind in DECISIONS:
            _need(event.turn == state.turn_of(_number(event.seat)), "it is of another turn")
        if event.kind == Kind.BID and state.rules.sealed_bids:
            kept = self._kept(state, _number(event.seat))
            _need(kept is not None and kept.bid == event.bid, "another bid was sealed")
        self.match = self.match.apply(_fact(event))

    def _seal(self, event: Event) -> None:
        state, seat = self._state(event), _number(event.seat)
        kept = self.sealed.get(event.seq)
        _need(state.rules.sealed_bids and state.awaits_bids, "no sealed bid is due")
        _need(event.attempt == state.attempt, "it is of another deal")
        _need(kept is not None and kept.hash == event.hash, "its bid is not kept")
        assert kept is not None
        place = (kept.round, kept.attempt, kept.seat, kept.turn)
        due = (state.number, state.attempt, seat, state.first_turn + (seat - state.dealer - 1) % 4)
        _need(place == due, "its bid is kept for another place")
        r = self.key_of(state.number)
        salt = deal.bid_salt(self.table.round_key(r), state.attempt, seat)
        made = deal.bid_commitment(self.table.game.id, r, state.attempt, seat, salt, kept.bid).hex()
        _need(event.data == {"commitment": made}, "another bid was committed to")

    def _state(self, event: Event) -> RoundState:
        """The round in which something is decided now."""
        self._check_running()
        number = _number(event.round)
        _need(1 <= number <= len(self.match.rounds), "that round was not dealt")
        return self.match.rounds[number - 1]

    def _kept(self, state: RoundState, seat: int) -> SealedBid | None:
        place = (state.number, state.attempt, seat)
        return next(
            (e for e in self.sealed.values() if (e.round, e.attempt, e.seat) == place), None
        )

    def _rule(self, event: Event) -> None:
        _need(event.by == By.STAFF, "nobody but staff may rule")
        ruled = _fact(event)
        assert isinstance(ruled, events.Ruled)
        _need(ruled.lifts in (None, self.cancelled_by), "it lifts what was not ruled")
        _need(not ruled.replay or Kind.ABANDONED not in self.seen, "nobody is there to replay it")
        self.match = self.match.apply(ruled)
        if ruled.lifts is not None:
            self.cancelled_by = None
        if ruled.ruling is Ruling.CANCEL_GAME:
            self.cancelled_by, self.cancel_is_due = event.seq, True

    def _reveal(self, event: Event) -> None:
        key = self.revealed + 1
        _need(self._is_due(key) and self.dealt[key - 1] == event.round, "it is not due")
        _need(
            event.data == {"key": key, "s": self.table.link(key).hex()}, "it is not the sealed seed"
        )
        self.revealed = key

    def _mind_the_time(self, event: Event) -> None:
        """Whose time ran out, and when, since they last answered or came back themselves, or staff gave them time."""
        if event.seat is None:
            return
        if event.kind == Kind.STOOD_IN and event.by == By.CLOCK:
            self.ran_out.setdefault(event.seat, []).append(event.at)
        elif event.by in (By.PLAYER, By.STAFF) and not self._is_done_from_afar(event):
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
        """Whether all is over that was dealt under this key: the next one to be revealed."""
        if key > len(self.dealt):
            return False
        state = self.match.rounds[self.dealt[key - 1] - 1]
        return state.is_over or state.awaits_key or self.key_of(state.number) != key

    def _check_running(self) -> None:
        """The match goes on; and a seed that is due comes before everything else."""
        over = self.match.standings.finished or Kind.ABANDONED in self.seen
        _need(not over and not self.match.is_cancelled, "the match was over")
        _need(not self.is_frozen, "the game was frozen")
        _need(not self._is_due(self.revealed + 1), "a seed was due to be revealed first")

    def _check_end(self) -> None:
        """Nothing is left undone that is done in the same transaction."""
        _need(not self._is_due(self.revealed + 1), "it ends before a seed that is due")
        _need(not self.cancel_is_due, "it ends before the game is cancelled")
        over = self.match.standings.finished or Kind.ABANDONED in self.seen
        if over or self.match.is_cancelled or Kind.STARTED not in self.seen:
            return
        states, rules = self.match.rounds, self.table.rules
        due = (rules.rounds or 0) if rules.parallel_rounds else 1
        is_whole = len(states) >= due and not all(state.is_over for state in states)
        waits = any(state.awaits_deal or state.throw_in for state in states)
        _need(is_whole and not waits, "it ends before a deal that is due")


def _fact(event: Event) -> events.Event:
    """The event as the engine knows it, of a kind that says something about cards or scores."""
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
    assert fact is not None
    return fact


def _number(value: int | None) -> int:
    _need(value is not None, "a number is missing")
    assert value is not None
    return value


def _check_columns(table: Table, replay: Replay) -> None:
    """The rows of the game and its rounds against what the log comes to."""
    match = replay.match
    numbers = {state.number for state in match.rounds}
    _need(set(table.rows) == numbers, "there are other rounds than were dealt")
    for state in match.rounds:
        number, row = state.number, table.rows[state.number]
        due = Round(game=table.game, number=number)
        projections.follow(due, with_sealed_bids(state, replay))
        due.key, due.dealer = replay.key_of(number), state.dealer
        due.commitments = replay.commitments[number]
        due.totals_before = list(state.totals)
        for name in (*FOLLOWED, "key", "dealer", "commitments", "totals_before"):
            _need(getattr(row, name) == getattr(due, name), f"round {number}: {name}")
    game = table.game
    first = match.first_dealer if Kind.STARTED in replay.seen else None
    _need(game.first_dealer == first, "first_dealer")
    _need(game.adjusted == list(match.adjusted), "adjusted")
    _need(game.totals == list(match.standings.totals), "totals")
    _need(game.keys_revealed == replay.revealed, "keys_revealed")
    status, result = outcome(replay)
    _need(game.status == status, "status")
    _need(game.result == result, "result")


def with_sealed_bids(state: RoundState, replay: Replay) -> RoundState:
    """The round with the bids that wait counted as made, as its row counts them."""
    if not (state.rules.sealed_bids and state.awaits_bids):
        return state
    for kept in sorted(replay.sealed.values(), key=lambda each: each.seq):
        if (kept.round, kept.attempt) == (state.number, state.attempt):
            state = state.apply(events.Bid(kept.round, kept.seat, kept.bid))
    return state


def outcome(replay: Replay) -> tuple[str, dict[str, Any] | None]:
    """The status of a game whose log comes to this, and its result."""
    standing = replay.match.standings
    if replay.match.is_cancelled:
        return Game.Status.CANCELLED, None
    if Kind.ABANDONED in replay.seen:
        result = settling.result_of(replace(standing, winners=()), reason=settling.ABANDONED)
    elif standing.finished:
        result = settling.result_of(standing, reason=str(standing.reason))
    else:
        status = Game.Status.PLAYING if Kind.STARTED in replay.seen else Game.Status.OPEN
        return (Game.Status.FROZEN if replay.is_frozen else status), None
    return (Game.Status.FROZEN if replay.is_frozen else Game.Status.FINISHED), result
