"""The coach: what the expert would have done with what a player knew, once the round is over; and help before a bid.

A player asks for a round, a worker judges its decisions one by one and writes each down, so that everybody can see how far it
is and nothing is judged twice. Costs and errors are hundredths of a unit, chances are thousandths.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction

from accounts.models import User
from games import nudges, store
from games.bots.coach import Foresight, foresee, judge_bid, judge_card
from games.bots.expert import Expert
from games.engine.cards import card
from games.engine.errors import Code, RuleViolation, citation
from games.engine.observation import Observation
from games.engine.round import State
from games.models import Coaching
from games.refusals import GameNotFound, NoHelpHere, NotSeated, RoundNotOver
from games.services.deciding import with_dice
from games.store import By
from games.table import Table

Json = dict[str, Any]

# When the sweep takes up what a worker should have finished long ago.
OVERDUE: Final = timedelta(seconds=90)
SWEEP_LIMIT: Final = 50
COSTLIEST: Final = 3


@dataclass(frozen=True, slots=True)
class Made:
    """A decision that was made: what the seat knew, and what it answered. `seq` is its event."""

    seq: int
    bid: int | None
    card: str | None
    seen: Observation = field(repr=False)


def ask(user: User, game_id: str, *, round: int, now: datetime) -> Coaching:
    """What the coach says about this round, or how far it is. Asked again it is the same. As `found` refuses."""
    table, seat = _finished(user, game_id, round, now)
    with transaction.atomic():
        kept, is_first = Coaching.objects.get_or_create(
            game=table.game,
            round=round,
            owner=user,
            defaults={
                "seat": seat,
                "version": Expert.VERSION,
                "total": sum(1 for _ in _decisions(table, round, seat)),
                "asked_at": now,
                "next_attempt_at": now + OVERDUE,
            },
        )
        if is_first:
            nudges.to_coach(game_id, round, user.pk)
    return kept


def found(user: User, game_id: str, *, round: int, now: datetime) -> Coaching | None:
    """The same, if it was asked for. `NotSeated` for others than its player, `RoundNotOver` while the round runs."""
    table, _ = _finished(user, game_id, round, now)
    return Coaching.objects.filter(game=table.game, round=round, owner=user).first()


def work(game_id: str, *, round: int, owner: int, now: datetime) -> None:
    """Judge what is left to judge. May run late, twice or at the same time as another: the same comes out."""
    kept = Coaching.objects.filter(game=game_id, round=round, owner=owner).first()
    if kept is None or kept.is_done:
        return
    table = store.load(game_id, now=now)
    for made in list(_decisions(table, round, kept.seat))[kept.done :]:
        if made.card is None:
            kept.bid = _judged_bid(made)
        else:
            kept.cards.append(_judged_card(made))
        kept.done += 1
        kept.next_attempt_at = None if kept.is_done else now + OVERDUE
        kept.save(update_fields=["bid", "cards", "done", "next_attempt_at"])


def sweep(*, now: datetime) -> int:
    """Nudge the coach where its work was lost. How many were found."""
    with transaction.atomic():
        due = list(
            Coaching.objects.select_for_update(skip_locked=True)
            .filter(next_attempt_at__lte=now)
            .order_by("next_attempt_at")[:SWEEP_LIMIT]
        )
        Coaching.objects.filter(pk__in=[kept.pk for kept in due]).update(
            next_attempt_at=now + OVERDUE
        )
        for kept in due:
            nudges.to_coach(kept.game_id, kept.round, kept.owner_id)
    return len(due)


def summary(user: User, game_id: str, *, now: datetime) -> Json:
    """The match as the coach has seen it so far: the rounds, the decisions that cost most, and whether bids were made as often as
    could be expected.
    """
    table, _ = _own_seat(user, game_id, now)
    kept = {
        each.round: each
        for each in Coaching.objects.filter(game=table.game, owner=user).order_by("round")
    }
    judged = [
        {"round": each.round, **one}
        for each in kept.values()
        for one in [*([each.bid] if each.bid else []), *each.cards]
        if one["cost"] > one["error"]
    ]
    bids = [each.bid for each in kept.values() if each.bid]
    seat = table.seat_of(user.pk)
    assert seat is not None
    return {
        "rounds": [
            {"round": row.number, **status_of(kept.get(row.number))}
            for row in table.rows.values()
            if row.state == State.SCORED
        ],
        "costliest": sorted(judged, key=lambda one: -one["cost"])[:COSTLIEST],
        "bids": {
            "count": len(bids),
            "made": sum(
                table.rows[number].won[seat] >= each.bid["bid"]
                for number, each in kept.items()
                if each.bid
            ),
            "expected": sum(bid["made"] for bid in bids),
        },
    }


def status_of(kept: Coaching | None) -> Json:
    """How far the coach is with a round."""
    if kept is None:
        return {"status": "not_asked", "done": 0, "total": None}
    return {
        "status": "done" if kept.is_done else "working",
        "done": kept.done,
        "total": kept.total,
    }


def help_to_bid(user: User, game_id: str, *, round: int, now: datetime) -> Foresight:
    """What this player can expect of the hand they are about to bid on. `NoHelpHere` at a rated table."""
    table, seat = _own_seat(user, game_id, now)
    if round not in table.rows:
        raise GameNotFound
    if table.game.rated:
        raise NoHelpHere
    store.fold(table, round)
    seen = table.observe(round, seat)
    if seen.state != State.BIDDING or seen.has_bid[seat] or not seen.hand:
        raise RuleViolation(Code.WRONG_PHASE, rule=citation(table.rules.name, Code.WRONG_PHASE))
    return foresee(with_dice(table.game.pk, seen))


def _own_seat(user: User, game_id: str, now: datetime) -> tuple[Table, int]:
    table = store.load(game_id, now=now)
    if not table.is_visible_to(user.pk):
        raise GameNotFound
    seat = table.seat_of(user.pk)
    if seat is None:
        raise NotSeated
    return table, seat


def _finished(user: User, game_id: str, round: int, now: datetime) -> tuple[Table, int]:
    table, seat = _own_seat(user, game_id, now)
    if round not in table.rows:
        raise GameNotFound
    if table.rows[round].state != State.SCORED:
        raise RoundNotOver
    return table, seat


def _decisions(table: Table, round: int, seat: int) -> Iterator[Made]:
    """The decisions that whoever holds this seat made in person: of the deal that was played, and not before they sat here."""
    lines = store.round_lines(table, round)
    since, attempt = table.seats[seat].since_seq, table.rows[round].attempt
    for place, line in enumerate(lines):
        is_own = line["seat"] == seat and line["by"] == By.PLAYER and line["seq"] > since
        if is_own and line["kind"] in ("bid", "played") and line["attempt"] == attempt:
            seen = store.state_after(table, round, lines[:place]).observe(seat)
            yield Made(line["seq"], line["bid"], line["card"], with_dice(table.game.pk, seen))


def _judged_bid(made: Made) -> Json:
    assert made.bid is not None
    judged = judge_bid(made.seen, made.bid)
    return {
        "seq": made.seq,
        "turn": made.seen.turn,
        "bid": made.bid,
        "best": judged.foresight.best,
        "cost": judged.cost,
        "error": judged.error,
        "made": judged.made,
        "tricks": list(judged.foresight.tricks),
    }


def _judged_card(made: Made) -> Json:
    assert made.card is not None
    judged = judge_card(made.seen, card(made.card))
    return {
        "seq": made.seq,
        "turn": made.seen.turn,
        "card": made.card,
        "best": judged.best.text,
        "choices": judged.choices,
        "cost": judged.cost,
        "error": judged.error,
    }
