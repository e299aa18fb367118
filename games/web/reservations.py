"""Reservations for the forms that make a table: whom they are made for, and what became of one.

A form carries the game's id and anchor, fixed before its reader adds anything to the shuffle.
"""

from hashlib import sha256

from django.http import HttpRequest
from django.middleware.csrf import get_token

from accounts.models import User
from games import dealkeys
from games.engine.deal import anchor
from games.models import Game
from games.refusals import ReservationRefused
from games.services import lobby


def owner_of(request: HttpRequest) -> str:
    """The person, or before there is one the visitor's CSRF secret: both survive until the form comes back.

    Logging in changes the secret, so ask before you make a guest.
    """
    if isinstance(request.user, User):
        return f"user:{request.user.pk}"
    get_token(request)  # a visitor without the cookie gets one with this answer
    return "csrf:" + sha256(request.META["CSRF_COOKIE"].encode()).hexdigest()


def reserve(request: HttpRequest) -> dealkeys.Reservation:
    return lobby.reserve(owner_of(request))


def keep(request: HttpRequest, token: str) -> dealkeys.Reservation | None:
    """The reservation of a form that comes back for a mistake, as long as it still holds.

    A new one beside the contribution already sent would be sealed by somebody who has read it.
    """
    try:
        game_id, secret = dealkeys.redeem(token, owner_of(request))
    except dealkeys.BadReservation:
        return None
    if Game.objects.filter(pk=game_id).exists():
        return None
    return dealkeys.Reservation(game_id, anchor(game_id, secret).hex(), token)


def game_made_with(token: str, owner: str) -> Game | None:
    """The game that was made with this reservation, if any. `ReservationRefused` when it is not this owner's."""
    try:
        game_id, _ = dealkeys.redeem(token, owner)
    except dealkeys.BadReservation:
        raise ReservationRefused from None
    return Game.objects.filter(pk=game_id).first()
