"""Making tables, sitting down, leaving, starting."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.names import key_of
from games import base64url, dealkeys, invitations, notices, store
from games.bots import BOTS
from games.engine import clock as clocks
from games.engine import deal
from games.engine.chain import rules_sha256
from games.engine.rules import HouseRules
from games.models import Game, Invitation, Seat, SeatHolder
from games.refusals import (
    AlreadySeated,
    AnchorMismatch,
    BotsMayNotSit,
    GameNotFound,
    NotCreator,
    NotOpen,
    NotSeated,
    ReservationRefused,
    SamePerson,
    SeatTaken,
    TableFull,
    TooManyGames,
    UnknownPlayer,
)
from games.services import inviting, settling
from games.store import By, Kind
from games.table import Table

MAX_RUNNING_GAMES: Final = 50
MAX_RUNNING_GAMES_WITHOUT_PEOPLE: Final = 10
ME: Final = "me"
OPEN: Final = "open"
FILLER: Final = "bot:steady"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """What a new table is to be. `seats`: by number, each `me`, `open`, `bot:LEVEL` or `user:NAME`.

    `contribution` (0 to 64 bytes) is the creator's own, for the shuffle; with a `reservation` it came after the anchor.
    `rematch_of`: the finished game that this one follows. `bots_may_sit`: bot accounts, which may always at a table that one made.
    """

    rules: HouseRules
    seats: Sequence[str] = (ME, OPEN, OPEN, OPEN)
    clock: dict[str, Any] | None = None
    rated: bool = False
    auto_forced: bool = False
    pauses_weekends: bool = False
    allows_holidays: bool = True
    bots_may_sit: bool = False
    visibility: str = Game.Visibility.PUBLIC
    contribution: bytes = b""
    reservation: str | None = None
    rematch_of: Game | None = None


def reserve(owner: str) -> dealkeys.Reservation:
    """A game id and anchor for `owner`, fixed before they contribute. No row is made for it."""
    return dealkeys.reserve(owner)


def create_game(creator: User, new: NewGame, *, now: datetime, owner: str | None = None) -> Table:
    """Make the table and seat who is to sit there; it starts by itself when no seat is left open.

    `owner` is whom the reservation was made for (by default the creator). ValueError for seats that cannot be, and for a
    rated table at which cards would play themselves.
    """
    if new.rated and new.auto_forced:
        raise ValueError("auto_forced: not at a rated table")
    game_id, s_128 = _reserved_or_new(new.reservation, owner or f"user:{creator.pk}")
    wanted = [_wanted_seat(text) for text in new.seats]
    if len(wanted) != 4 or [kind for kind, _ in wanted].count(ME) > 1:
        raise ValueError("seats: four of them, and yourself once at the most")
    people = _people_named([name for kind, name in wanted if kind == "user"], creator)
    _check_company(new, creator, people, sits=ME in new.seats)
    with transaction.atomic():
        lock(creator)
        check_running(creator)
        if all(kind == "bot" for kind, _ in wanted):
            _check_without_people(creator)
        table = _new_table(creator, new, game_id, s_128, now=now)
        for seat, (kind, name) in zip(table.seats, wanted, strict=True):
            if kind == ME:
                anchor_seen = new.reservation is not None
                _join(table, seat, creator, new.contribution, anchor_seen=anchor_seen)
            elif kind == "bot":
                _join_bot(table, seat, name)
            elif kind == "user":
                seat.invited = people[name]
                seat.save(update_fields=["invited"])
        notices.invitation(table)
        _start_if_full(table)
        store.write(table)
    return table


def sit(
    user: User,
    game_id: str,
    *,
    now: datetime,
    seat: int | None = None,
    contribution: bytes = b"",
    anchor: str | None = None,
    invite: str | None = None,
) -> Table:
    """Take a seat: the one asked for, else one kept for this user, else the first free one.

    `anchor` is the one the caller saw before contributing; without it the log says so. `invite` is the token of a link,
    which is used up by it. A seat already held is an answer, not an error, so that a lost response can be retried.
    """
    if invite is not None:
        invitations.check(game_id, user.pk, invite, now=now)
    with store.locked(game_id, now=now) as table:
        if invite is None:
            _check_visible(table, user)
        held = table.seat_of(user.pk)
        if held is not None and seat in (None, held):
            return table
        if held is not None:
            raise AlreadySeated
        if invite is not None:
            seat = _seat_of_link(inviting.redeem(table, invite), seat)
        _check_open(table)
        check_may_sit(table, user)
        if anchor is not None and anchor != table.game.anchor:
            raise AnchorMismatch
        chosen = _free_seat(table, user, seat)
        lock(user)
        check_running(user, besides=table.game)
        _join(table, chosen, user, contribution, anchor_seen=anchor is not None)
        _start_if_full(table)
    return table


def leave(user: User, game_id: str, *, now: datetime) -> Table:
    """Give a seat up before the start. The creator's leaving cancels a table at which nobody else sits."""
    with store.locked(game_id, now=now) as table:
        _check_visible(table, user)
        number = table.seat_of(user.pk)
        if number is None:
            raise NotSeated
        _check_open(table)
        inviting.revoke_all(table, user)
        seat = table.seats[number]
        seat.user, seat.contribution = None, b""
        seat.save(update_fields=["user", "contribution"])
        # Nothing was dealt yet, so they may come back to any seat.
        SeatHolder.objects.filter(game=table.game, user=user).delete()
        store.append_fact(table, Kind.LEFT, by=By.PLAYER, seat=number)
        if not any(other.user_id for other in table.seats):
            store.append_fact(table, Kind.CANCELLED, by=By.PLAYER)
            table.game.status = Game.Status.CANCELLED
            # So that the old company can make another.
            table.game.rematch_of = None
            table.game.save(update_fields=["rematch_of"])
    return table


def start(user: User, game_id: str, *, now: datetime) -> Table:
    """Fill the open seats with bots and begin. Only the table's creator may; starting twice is answered alike."""
    with store.locked(game_id, now=now) as table:
        _check_visible(table, user)
        if table.game.created_by_id != user.pk:
            raise NotCreator
        if table.game.status == Game.Status.PLAYING:
            return table
        _check_open(table)
        if not any(seat.user_id for seat in table.seats):
            lock(user)
            _check_without_people(user, besides=table.game)
        for seat in table.seats:
            if not seat.is_taken:
                _join_bot(table, seat, FILLER.removeprefix("bot:"))
        _start_if_full(table)
    return table


def _check_visible(table: Table, user: User) -> None:
    if not table.is_visible_to(user.pk):
        raise GameNotFound


def _check_open(table: Table) -> None:
    if table.game.status != Game.Status.OPEN:
        raise NotOpen


def _reserved_or_new(reservation: str | None, owner: str) -> tuple[str, bytes]:
    if reservation is None:
        return dealkeys.new_game_id(), dealkeys.new_secret()
    try:
        return dealkeys.redeem(reservation, owner)
    except dealkeys.BadReservation:
        raise ReservationRefused from None


def _wanted_seat(text: str) -> tuple[str, str]:
    kind, _, name = text.partition(":")
    if (
        (kind in (ME, OPEN) and not name)
        or (kind == "bot" and name in BOTS)
        or (kind == "user" and name)
    ):
        return kind, name
    raise ValueError(
        f"seats: {text!r} is none of me, open, user:NAME or {', '.join(f'bot:{level}' for level in BOTS)}"
    )


def _people_named(names: list[str], creator: User) -> dict[str, User]:
    """By name as written. ValueError when two of the names, however spelled, are one person's."""
    if len({key_of(name) for name in names}) < len(names):
        raise ValueError("seats: nobody is expected in two of them")
    people = {name: User.objects.filter(username_key=key_of(name)).first() for name in names}
    found = {name: person for name, person in people.items() if person is not None}
    if len(found) < len(names) or creator in found.values():
        raise UnknownPlayer
    return found


def lock(user: User) -> None:
    """Two requests of one person would count the same games; the person's row makes them take turns."""
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)


def check_running(user: User, *, besides: Game | None = None) -> None:
    """`TooManyGames` if this user has as many open and running games as one may have."""
    mine = _running(besides).filter(Q(created_by=user) | Q(seats__user=user)).distinct()
    if mine.count() >= MAX_RUNNING_GAMES:
        raise TooManyGames


def note_holder(table: Table, seat: Seat, user: User) -> None:
    """Whoever held a seat once is never to hold another of its game, nor is anybody of the same person."""
    SeatHolder.objects.create(
        game=table.game, user=user, person_id=user.person_id, seat=seat.number
    )


def check_may_sit(table: Table, user: User) -> None:
    """`BotsMayNotSit`, `SamePerson`: whoever is behind this user holds no other seat of the game and never held one."""
    if user.is_bot and not table.game.bots_may_sit:
        raise BotsMayNotSit
    others = SeatHolder.objects.filter(game=table.game).exclude(user=user)
    if others.filter(person=user.person_id).exists():
        raise SamePerson


def _check_company(new: NewGame, creator: User, people: dict[str, User], *, sits: bool) -> None:
    """The same, of those whom a new table expects."""
    expected = [*people.values(), *([creator] if sits else [])]
    if len({user.person_id for user in expected}) < len(expected):
        raise SamePerson
    if any(user.is_bot for user in people.values()) and not _bots_may_sit(new, creator):
        raise BotsMayNotSit


def _bots_may_sit(new: NewGame, creator: User) -> bool:
    return new.bots_may_sit or creator.is_bot


def _check_without_people(creator: User, *, besides: Game | None = None) -> None:
    without = _running(besides).filter(created_by=creator).exclude(seats__user__isnull=False)
    if without.count() >= MAX_RUNNING_GAMES_WITHOUT_PEOPLE:
        raise TooManyGames


def _running(besides: Game | None) -> QuerySet[Game]:
    running = Game.objects.filter(status__in=[Game.Status.OPEN, Game.Status.PLAYING])
    return running if besides is None else running.exclude(pk=besides.pk)


def _new_table(creator: User, new: NewGame, game_id: str, s_128: bytes, *, now: datetime) -> Table:
    clock = new.clock or clocks.STANDARD.to_json()
    game = Game(
        id=game_id,
        rules=new.rules.to_json(),
        rules_sha256=rules_sha256(new.rules),
        clock=clock,
        rated=new.rated,
        auto_forced=new.auto_forced,
        pauses_weekends=new.pauses_weekends,
        allows_holidays=new.allows_holidays,
        bots_may_sit=_bots_may_sit(new, creator),
        visibility=new.visibility,
        created_by=creator,
        created_at=now,
        anchor=deal.anchor(game_id, s_128).hex(),
        rematch_of=new.rematch_of,
    )
    try:
        with transaction.atomic():
            table = store.new_table(game, s_128=s_128, now=now)
    except IntegrityError:  # a game id is used once, ever: this reservation was redeemed before
        raise ReservationRefused from None
    options = {
        "clock": clock,
        "rated": new.rated,
        "visibility": str(new.visibility),
        "auto_forced": new.auto_forced,
    }
    data = {
        "anchor": game.anchor,
        "rules": game.rules,
        "rules_sha256": game.rules_sha256,
        "options": options,
    }
    store.append_fact(table, Kind.CREATED, by=By.PLAYER, data=data)
    return table


def _free_seat(table: Table, user: User, number: int | None) -> Seat:
    free = [
        seat for seat in table.seats if not seat.is_taken and seat.invited_id in (None, user.pk)
    ]
    if number is not None:
        chosen = next((seat for seat in free if seat.number == number), None)
        if chosen is None:
            raise SeatTaken
        return chosen
    if not free:
        raise TableFull
    return next((seat for seat in free if seat.invited_id == user.pk), free[0])


def _seat_of_link(link: Invitation, asked: int | None) -> int | None:
    if link.seat is not None and asked not in (None, link.seat):
        raise SeatTaken
    return asked if link.seat is None else link.seat


def _join(table: Table, seat: Seat, user: User, contribution: bytes, *, anchor_seen: bool) -> None:
    if len(contribution) > deal.MAX_CONTRIBUTION_BYTES:
        raise ValueError(f"contribution: at most {deal.MAX_CONTRIBUTION_BYTES} bytes")
    seat.user, seat.contribution = user, contribution
    seat.save(update_fields=["user", "contribution"])
    note_holder(table, seat, user)
    _append_joined(table, seat, by=By.PLAYER, anchor_seen=anchor_seen)


def _join_bot(table: Table, seat: Seat, level: str) -> None:
    seat.bot, seat.invited = level, None
    seat.save(update_fields=["bot", "invited"])
    _append_joined(table, seat, by=By.BOT, anchor_seen=True)


def _append_joined(table: Table, seat: Seat, *, by: str, anchor_seen: bool) -> None:
    data = {"contribution": base64url.to_text(bytes(seat.contribution)), "anchor_seen": anchor_seen}
    store.append_fact(table, Kind.JOINED, by=by, seat=seat.number, data=data)


def _start_if_full(table: Table) -> None:
    if not all(seat.is_taken for seat in table.seats):
        return
    table.game.status, table.game.started_at = Game.Status.PLAYING, table.now
    store.append_fact(table, Kind.STARTED, by=By.PLAYER)
    settling.begin(table, deal.first_dealer(table.round_key(1)))
