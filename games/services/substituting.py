"""Substitutes: a seat that a bot has kept for seven days is offered by its table, and taken over by somebody who never sat there.

They see that hand from then on, and what the seat did before as everybody sees it. Whoever held the seat looks on, like any
other spectator, and may not come back: one user holds one seat of a game, ever.
"""

from datetime import datetime, timedelta
from typing import Final

from accounts.models import User
from accounts.names import key_of
from games import notices, store
from games.engine import clock as clocks
from games.models import Game, Seat, SeatHolder
from games.refusals import (
    AccountNeeded,
    AlreadySeated,
    GameNotFound,
    HadASeat,
    NameNeeded,
    NotKeptForLong,
    NotOffered,
    NotSeated,
    SawHands,
    UnknownPlayer,
)
from games.services import lobby, plans, settling
from games.services.desk import reviewers
from games.store import By, Kind
from games.table import Table

OFFERED_AFTER: Final = timedelta(days=7)


def offer(user: User, game_id: str, *, seat: int, now: datetime, to: str = "") -> Table:
    """Offer a seat that a bot keeps: to whoever sees the table, or to the player named `to` alone. Anybody who plays here may.

    Offering it again only changes to whom.
    """
    with store.locked(game_id, now=now) as table:
        _check_plays_here(table, user)
        kept = table.seats[seat]
        table.check_not_frozen()
        if table.game.status != Game.Status.PLAYING or not may_be_offered(kept, now=now):
            raise NotKeptForLong(**_from_when(kept))
        invited = _named(table, to) if to else None
        if invited is None and table.game.visibility != Game.Visibility.PUBLIC:
            raise NameNeeded
        if kept.offered_at is None or kept.invited != invited:
            kept.offered_at, kept.invited = now, invited
            _keep(table, kept)
            notices.seat_offered(table, kept)
    return table


def withdraw(user: User, game_id: str, *, seat: int, now: datetime) -> Table:
    """Offer a seat no longer. Doing it again is the same."""
    with store.locked(game_id, now=now) as table:
        _check_plays_here(table, user)
        kept = table.seats[seat]
        if kept.offered_at is not None:
            kept.offered_at, kept.invited = None, None
            _keep(table, kept)
    return table


def take_over(user: User, game_id: str, *, seat: int, now: datetime) -> Table:
    """Play on in a seat that is offered. A seat already held is an answer, not an error, so that a lost one can be retried."""
    with store.locked(game_id, now=now) as table:
        if not table.is_visible_to(user.pk):
            raise GameNotFound
        held = table.seat_of(user.pk)
        if held == seat:
            return table
        if held is not None:
            raise AlreadySeated
        _check_may_come(table, user)
        table.check_not_frozen()
        if not is_offered_to(table.game, table.seats[seat], user.pk):
            raise NotOffered
        lobby.lock(user)
        lobby.check_running(user, besides=table.game)
        _hand_over(table, table.seats[seat], user)
    return table


def may_be_offered(seat: Seat, *, now: datetime) -> bool:
    """Whether a bot has kept a person's seat for long enough."""
    since = seat.stand_in_since
    return seat.user_id is not None and since is not None and now - since >= OFFERED_AFTER


def is_offered_to(game: Game, seat: Seat, user_id: int | None) -> bool:
    """Whether this user could take the seat over, as far as its table is concerned."""
    is_on = game.status == Game.Status.PLAYING and seat.offered_at is not None
    return is_on and seat.invited_id in (None, user_id)


def _hand_over(table: Table, seat: Seat, user: User) -> None:
    lobby.note_holder(table, seat, user)
    event = store.append_fact(table, Kind.SUBSTITUTED, by=By.PLAYER, seat=seat.number)
    seat.user, seat.invited, seat.since_seq = user, None, event.seq
    seat.timeouts_running, seat.stand_in_since, seat.offered_at = 0, None, None
    seat.save(
        update_fields=[
            *("user", "invited", "since_seq", "timeouts_running", "stand_in_since", "offered_at")
        ]
    )
    running = [row for row in table.rows.values() if row.actors]
    for row in running:
        # What the one before them wanted played is nothing to them, and no secret of theirs to be told.
        plans.forget(table, row.number, seat.number)
        if seat.number in row.autopilot:
            row.autopilot.remove(seat.number)
    numbers = [row.number for row in running]
    store.fold(table, *numbers)
    table.changed.update(numbers)
    settling.go_on(table)


def _check_plays_here(table: Table, user: User) -> None:
    if not table.is_visible_to(user.pk):
        raise GameNotFound
    own = table.seat_of(user.pk)
    if own is None or not table.seats[own].is_person:
        raise NotSeated


def _check_may_come(table: Table, user: User) -> None:
    """A guest could be anybody, also somebody who has seen a hand of this match."""
    if user.is_guest:
        raise AccountNeeded
    if SeatHolder.objects.filter(game=table.game, user=user).exists():
        raise HadASeat
    if reviewers.may_have_seen_hands(user.owner or user, table.game):
        raise SawHands
    lobby.check_may_sit(table, user)


def _named(table: Table, name: str) -> User:
    found = User.objects.filter(username_key=key_of(name), is_active=True).first()
    if found is None:
        raise UnknownPlayer
    _check_may_come(table, found)
    return found


def _from_when(seat: Seat) -> dict[str, object]:
    if seat.stand_in_since is None:
        return {}
    # A whole minute: nothing that is public is finer.
    minute = seat.stand_in_since.replace(second=0, microsecond=0) + clocks.MINUTE
    return {"from": (minute + OFFERED_AFTER).isoformat()}


def _keep(table: Table, seat: Seat) -> None:
    """Write down an offer. It is no event: the table alone is asked, and nothing of the match changes."""
    seat.save(update_fields=["offered_at", "invited"])
    table.game.offers += 1
    table.game.save(update_fields=["offers"])
