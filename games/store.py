"""The only door to the log: open a game under lock, fold what is needed, append an event.

Whoever changes a game opens it with `locked`, which holds the game's row until the transaction ends and writes the
events and their projections before it does. A move folds the events of its own round and of no other.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from operator import attrgetter
from typing import Any, TypeAlias

from django.db import transaction
from django.db.models import Case, F, JSONField, Q, QuerySet, When

from games import dealkeys, projections
from games.engine import deal, events
from games.engine.chain import Record, genesis, minute_of, next_hash, record
from games.engine.errors import RuleViolation
from games.engine.events import Ruling
from games.engine.match import Match
from games.engine.round import RoundState
from games.engine.rules import HouseRules
from games.models import DealSecret, Event, Game, Round, SealedBid, Seat
from games.refusals import GameNotFound
from games.table import BrokenLog, Decision, Table

# An event as its columns.
Line: TypeAlias = Mapping[str, Any]
DECISIONS = (events.Bid, events.Played, events.Claimed)
Kind = Event.Kind
By = Event.By
# The kinds of a round whose data a fold needs: key, reason, ruling.
_WITH_FACTS = (Kind.DEALT, Kind.THROWN_IN, Kind.RULED)
_NUMBER = attrgetter("number")


# Opening a game


@contextmanager
def locked(game_id: str, *rounds: int, now: datetime) -> Iterator[Table]:
    """The table under lock, with these rounds folded; its projections are written when the block ends well.

    Without the lock two tabs could both answer the same decision. `GameNotFound` when there is no such game.
    """
    with transaction.atomic():
        table = load(game_id, *rounds, now=now, lock=True)
        yield table
        write(table)


def load(game_id: str, *rounds: int, now: datetime, lock: bool = False) -> Table:
    """The table with these rounds folded (those that exist). `GameNotFound` when there is no such game.

    Of a frozen game none is: that it cannot be done may be why it stands still.
    """
    games = Game.objects.select_related("secret")
    if lock:
        games = games.select_for_update(of=("self",))
    try:
        game = games.get(pk=game_id)
    except Game.DoesNotExist:
        raise GameNotFound from None
    table = Table(
        game=game,
        rules=HouseRules.from_json(game.rules),
        # Sorted here: that costs less than telling the database to.
        seats=sorted(game.seats.select_related("user"), key=_NUMBER),
        rows={row.number: row for row in sorted(game.rounds.all(), key=_NUMBER)},
        now=now,
    )
    if game.status != Game.Status.FROZEN:
        fold(table, *rounds)
    return table


def fold(table: Table, *numbers: int) -> None:
    """Fold these rounds of the table, those that exist and are not folded yet."""
    wanted = [number for number in numbers if number in table.rows and number not in table.rounds]
    if not wanted:
        return
    lines: dict[int | None, list[Line]] = {number: [] for number in wanted}
    for line in _lines().filter(game=table.game, round__in=wanted):
        lines[line["round"]].append(line)
    for number in wanted:
        table.rounds[number] = state_after(table, number, lines[number])
    if table.rules.sealed_bids:
        _lay_sealed_bids(table, wanted)


def decision(table: Table, number: int, turn: int) -> Decision | None:
    """What was answered at this turn of the round, if it was. A sealed bid stays answered with its `sealed` event."""
    columns = ("seat", "bid", "seq", "hash")
    if table.rules.sealed_bids:
        sealed = SealedBid.objects.filter(game=table.game, round=number, turn=turn)
        if (kept := sealed.values(*columns).first()) is not None:
            return Decision(**kept, card=None)
    made = Event.objects.filter(game=table.game, round=number, turn=turn)
    line = made.values(*columns, "card").first()
    return None if line is None else Decision(**line)


def round_lines(table: Table, number: int) -> list[Line]:
    """The events of a round, in order, each as its columns."""
    return list(_lines("seq", "at", "by").filter(game=table.game, round=number))


def round_of_key(table: Table, key: int) -> int:
    """The round that was dealt under this key and replayed since, so that no row names the key any more."""
    dealt = Event.objects.filter(game=table.game, kind=Kind.DEALT, data__key=key)
    number = dealt.values_list("round", flat=True).first()
    if number is None:
        raise BrokenLog(table.game.id, f"nothing was dealt under key {key}")
    return number


def state_after(table: Table, number: int, lines: Iterable[Line]) -> RoundState:
    """The round as it was after these, the first lines of its log. It holds the hands: observe it, never show it."""
    row = table.rows[number]
    state = RoundState(
        rules=table.rules, number=row.number, dealer=row.dealer, totals=tuple(row.totals_before)
    )
    try:
        for line in lines:
            record, hands = line, None
            if line["kind"] in _WITH_FACTS:
                record = {**line, "data": line["facts"]}
            if line["kind"] == Kind.DEALT:
                # A round that was replayed has had more than one key.
                hands = table.hands(line["facts"]["key"], line["attempt"])
            event = events.from_record(record, hands)
            if event is not None:
                state = state.apply(event)
    except (RuleViolation, ValueError, LookupError, TypeError) as error:
        # `from None`: the message of a refusal may name cards, and this one is logged.
        what = f"round {row.number} does not replay ({type(error).__name__})"
        raise BrokenLog(table.game.id, what) from None
    return state


def _lines(*more: str) -> QuerySet[Event, dict[str, Any]]:
    columns = ("kind", "round", "attempt", "seat", "bid", "card", "facts")
    # The data of a few lines only: a move reads the fifty-odd of its round, of which most have none.
    facts = Case(When(kind__in=_WITH_FACTS, then=F("data")), output_field=JSONField())
    lines: QuerySet[Event, dict[str, Any]] = (
        Event.objects.order_by("seq").annotate(facts=facts).values(*columns, *more)
    )
    return lines


def _lay_sealed_bids(table: Table, numbers: list[int]) -> None:
    """Count the sealed bids that wait as made: an observation shows each to its own seat alone."""
    for kept in SealedBid.objects.filter(game=table.game, round__in=numbers).order_by("seq"):
        state = table.rounds[kept.round]
        if state.awaits_bids and state.attempt == kept.attempt:
            table.rounds[kept.round] = state.apply(events.Bid(kept.round, kept.seat, kept.bid))


def write(table: Table) -> None:
    """Write the events appended since the table was opened, and the projections of what changed.

    Nothing changes without an event, so a repeated answer writes nothing: it must not put off the sweep either.
    """
    if not table.lines:
        return
    Event.objects.bulk_create(table.lines)
    table.lines.clear()
    projections.write(table.game, table.seats, table.rows, table.changed, now=table.now)


# Appending


def append(
    table: Table,
    event: events.RoundEvent,
    *,
    by: str,
    via: str = "",
    data: Mapping[str, Any] | None = None,
) -> Event:
    """Check `event` against the rules, write it, and let the round and its row follow. RuleViolation changes nothing."""
    state = table.rounds[event.round]
    after = state.apply(event)
    line = events.to_record(event)
    turn = state.turn_of(event.seat) if isinstance(event, DECISIONS) else None
    stored = _add_line(
        table,
        kind=str(line["kind"]),
        round=event.round,
        attempt=after.attempt,
        turn=turn,
        seat=line.get("seat"),
        bid=line.get("bid"),
        card=line.get("card"),
        data=data if data is not None else line.get("data", {}),
        by=by,
        via=via,
    )
    _follow(table, after)
    return stored


def append_fact(
    table: Table,
    kind: Event.Kind,
    *,
    by: str,
    seat: int | None = None,
    round: int | None = None,
    attempt: int | None = None,
    data: Mapping[str, Any] | None = None,
) -> Event:
    """Write an event that says nothing about cards in play: who came and went, a seed revealed."""
    return _add_line(
        table, kind=kind, by=by, seat=seat, round=round, attempt=attempt, data=data or {}
    )


def append_ruling(table: Table, ruled: events.Ruled, *, data: Mapping[str, Any]) -> Event:
    """Write a ruling, and let the round, its row and the game's columns follow. `data` is what it says besides its effect.

    RuleViolation, where the game is not one of which this can be ruled, changes nothing. A game can be cancelled though its
    rounds do not fold any more.
    """
    if ruled.ruling is not Ruling.CANCEL_GAME:
        fold(table, *table.rows)
    after = _match(table).apply(ruled)
    line = events.to_record(ruled)
    stored = _add_line(
        table,
        kind=Kind.RULED,
        round=ruled.round,
        seat=ruled.seat,
        data={**data, **_data(line)},
        by=By.STAFF,
    )
    table.game.adjusted = list(after.adjusted)
    for state in after.rounds:
        if state is not table.rounds[state.number]:
            _follow(table, state)
    return stored


def _match(table: Table) -> Match:
    """The match, as far as its rounds are folded."""
    return Match(
        table.rules,
        table.game.first_dealer or 0,
        tuple(table.rounds[number] for number in sorted(table.rounds)),
        keys=projections.keys_used(table.rows),
        adjusted=tuple(table.game.adjusted),
        is_cancelled=table.game.status == Game.Status.CANCELLED,
    )


def _data(line: Mapping[str, object]) -> Mapping[str, Any]:
    data = line.get("data")
    assert isinstance(data, dict)  # of a ruling
    return data


def append_deal(table: Table, number: int) -> None:
    """Deal round `number`: for the first time, again after a thrown-in deal, or anew after a ruling."""
    row = table.rows.get(number)
    if row is None:
        row = _open_round(table, number)
    elif table.rounds[number].awaits_key:
        row.key = projections.keys_used(table.rows) + 1
    attempt = table.rounds[number].attempt + 1
    hands = table.hands(row.key, attempt)
    commitments = [
        commitment.hex()
        for commitment in deal.commitments(
            table.game.id, table.round_key(row.key), row.key, attempt
        )
    ]
    row.commitments = commitments
    data = {"key": row.key, "dealer": row.dealer, "commitments": commitments}
    append(table, events.Dealt(number, attempt, hands), by=By.DICE, data=data)


def append_sealed_bid(table: Table, number: int, seat: int, bid: int, *, by: str) -> Event:
    """Keep a bid until the fourth of its attempt is in, then write all four in the order of the seats.

    Returns the `sealed` event, whose commitment binds the bid meanwhile. RuleViolation changes nothing.
    """
    state, row = table.rounds[number], table.rows[number]
    after = state.apply(events.Bid(number, seat, bid))
    key = table.round_key(row.key)
    salt = deal.bid_salt(key, state.attempt, seat)
    commitment = deal.bid_commitment(table.game.id, row.key, state.attempt, seat, salt, bid)
    stored = append_fact(
        table,
        Kind.SEALED,
        by=by,
        seat=seat,
        round=number,
        attempt=state.attempt,
        data={"commitment": commitment.hex()},
    )
    turn = state.turn_of(seat)
    SealedBid.objects.create(
        game=table.game,
        round=number,
        attempt=state.attempt,
        turn=turn,
        seat=seat,
        bid=bid,
        by=by,
        seq=stored.seq,
        hash=stored.hash,
    )
    _follow(table, after)
    if not after.awaits_bids:
        _open_sealed_bids(table, state)
    return stored


def _open_sealed_bids(table: Table, state: RoundState) -> None:
    waiting = SealedBid.objects.filter(game=table.game, round=state.number, attempt=state.attempt)
    table.rounds[state.number] = state.without_bids()
    for kept in waiting.order_by("seat"):
        append(table, events.Bid(state.number, kept.seat, kept.bid), by=kept.by)


def _follow(table: Table, state: RoundState) -> None:
    table.rounds[state.number] = state
    table.changed.add(state.number)
    projections.follow(table.rows[state.number], state)


def _open_round(table: Table, number: int) -> Round:
    if table.game.first_dealer is None:
        raise BrokenLog(table.game.id, "a round is due before the first dealer was drawn")
    row = Round(
        game=table.game,
        number=number,
        key=projections.keys_used(table.rows) + 1,
        dealer=(table.game.first_dealer + number - 1) % 4,
        state="bidding",
        totals_before=projections.totals(table.game, table.rows),
    )
    table.rows[number] = row
    table.rounds[number] = RoundState(
        rules=table.rules, number=number, dealer=row.dealer, totals=tuple(row.totals_before)
    )
    return row


def _add_line(table: Table, **columns: Any) -> Event:
    """The next line of the log: number, time and hash are given here and nowhere else. `write` stores it."""
    game = table.game
    event = Event(game=game, seq=game.seq + 1, at=table.now, prev_hash=game.head, **columns)
    event.hash = next_hash(bytes.fromhex(game.head), record_of(event)).hex()
    game.seq, game.head = event.seq, event.hash
    table.lines.append(event)
    return event


# Making and reading


def new_table(game: Game, *, s_128: bytes, now: datetime) -> Table:
    """A game's first rows: the sealed seed, four open seats and an empty log. IntegrityError when the id was used before."""
    game.seq, game.head = 0, genesis(game.id).hex()
    game.save(force_insert=True)
    game.secret = DealSecret.objects.create(game=game, sealed=dealkeys.seal(s_128))
    seats = Seat.objects.bulk_create([Seat(game=game, number=number) for number in range(4)])
    return Table(game=game, rules=HouseRules.from_json(game.rules), seats=seats, rows={}, now=now)


def record_of(event: Event) -> Record:
    """The public record of an event: what is hashed, exported and fed. The time is cut to the minute."""
    return record(
        game=event.game_id,
        seq=event.seq,
        kind=str(event.kind),
        round=event.round,
        attempt=event.attempt,
        turn=event.turn,
        seat=event.seat,
        bid=event.bid,
        card=event.card,
        by=str(event.by),
        minute=minute_of(event.at),
        data=dict(event.data),
    )


def public_log(
    game_id: str, *, after: int = 0, until: int | None = None, limit: int | None = None
) -> list[dict[str, Any]]:
    """The records after event `after` (up to `until`), each with its hash, in order."""
    lines = Event.objects.filter(game=game_id, seq__gt=after).order_by("seq")
    if until is not None:
        lines = lines.filter(seq__lte=until)
    return [{**record_of(line), "hash": line.hash} for line in lines[:limit]]


def match_events(table: Table) -> Iterator[events.Event]:
    """The game's log as events of a match. Hands are given only of deals whose seed is revealed, sealed ones are None."""
    of_cards = Q(round__isnull=False) | Q(kind=Kind.RULED)
    lines = Event.objects.filter(of_cards, game=table.game).order_by("seq")
    for line in lines.values("kind", "round", "attempt", "seat", "bid", "card", "data"):
        key = line["data"].get("key", 0)
        is_open = line["kind"] == Kind.DEALT and key <= table.game.keys_revealed
        hands = table.hands(key, line["attempt"] or 0) if is_open else None
        event = events.from_record(line, hands)
        if event is not None:
            yield event
