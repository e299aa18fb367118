"""Invitation links to a table that has not begun: made, taken back, and redeemed by sitting down."""

from datetime import datetime
from typing import Final

from accounts.models import User
from games import store
from games.invitations import LIFE, hash_of, new_nonce, token_of
from games.models import Game, Invitation
from games.refusals import (
    GameNotFound,
    InvitationRefused,
    NotOpen,
    NotSeated,
    SeatTaken,
    TooManyInvitations,
)
from games.table import Table

MOST_ALIVE: Final = 12


def invite(user: User, game_id: str, *, now: datetime, seat: int | None = None) -> str:
    """A new link's token, for any free seat or for `seat`. Its maker is the table's creator or sits there."""
    with store.locked(game_id, now=now) as table:
        if not table.is_visible_to(user.pk):
            raise GameNotFound
        if not may_invite(table, user.pk):
            raise NotSeated
        if table.game.status != Game.Status.OPEN:
            raise NotOpen
        if seat is not None and (table.seats[seat].is_taken or table.seats[seat].invited_id):
            raise SeatTaken
        if table.game.invitations.alive(now=now).count() >= MOST_ALIVE:
            raise TooManyInvitations
        nonce = new_nonce()
        token = token_of(nonce)
        Invitation.objects.create(
            game=table.game,
            created_by=user,
            seat=seat,
            nonce=nonce,
            hash=hash_of(token),
            created_at=now,
            expires_at=now + LIFE,
        )
    return token


def revoke(user: User, game_id: str, invitation: int, *, now: datetime) -> None:
    """Take a link back: one's own, or any at a table one made. One that does not count any more is left as it is."""
    with store.locked(game_id, now=now) as table:
        if not table.is_visible_to(user.pk):
            raise GameNotFound
        links = table.game.invitations.alive(now=now).filter(pk=invitation)
        if table.game.created_by_id != user.pk:
            links = links.filter(created_by=user)
        links.update(revoked_at=now)


def revoke_all(table: Table, user: User) -> None:
    """Take back every link of somebody who leaves a table that is not theirs."""
    if table.game.created_by_id != user.pk:
        links = table.game.invitations.alive(now=table.now)
        links.filter(created_by=user).update(revoked_at=table.now)


def redeem(table: Table, token: str) -> Invitation:
    """The invitation of a token, used up from now on. `InvitationRefused`, whatever is wrong with it.

    Two who use one link at once take turns by the lock of the table.
    """
    found = table.game.invitations.alive(now=table.now).filter(hash=hash_of(token)).first()
    if found is None:
        raise InvitationRefused
    found.used_at = table.now
    found.save(update_fields=["used_at"])
    return found


def may_invite(table: Table, user_id: int | None) -> bool:
    return user_id is not None and (
        table.game.created_by_id == user_id or table.seat_of(user_id) is not None
    )
