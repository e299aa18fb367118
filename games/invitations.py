"""The tokens of invitation links: 128 bits, made from a stored nonce and the site's key, recognised by their hash.

So the database alone opens no table, and whoever made a link can be shown it again.
"""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db.models import Q
from django.utils.crypto import salted_hmac

from games import base64url
from games.models import Game, Invitation
from games.refusals import InvitationRefused

LIFE: Final = timedelta(days=7)
_TOKEN_BYTES: Final = 16


def new_nonce() -> str:
    return secrets.token_hex(_TOKEN_BYTES)


def token_of(nonce: str, *, key: str | None = None) -> str:
    """The token that belongs to a nonce, 22 characters: under the site's key, unless `key` is another."""
    digest = salted_hmac("games.invitations", nonce, secret=key, algorithm="sha256").digest()
    return base64url.to_text(digest[:_TOKEN_BYTES])


def token_hashed_as(nonce: str, wanted: str) -> str:
    """The token of `nonce` whose hash is stored as `wanted`; empty if the site's key it was made under is gone."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    tokens = [token_of(nonce, key=key) for key in keys]
    return next((token for token in tokens if hash_of(token) == wanted), "")


def hash_of(token: str) -> str:
    """What is stored of a token. It has 128 random bits, so a plain hash is enough."""
    # A guess may hold anything that fits into an address, halves of characters included.
    return sha256(token.encode(errors="replace")).hexdigest()


def check(game_id: str, user_id: int | None, token: str, *, now: datetime) -> Invitation | None:
    """The invitation that opens this game to this user; None for one who belongs there and needs none.

    `InvitationRefused` otherwise, after the same two queries whatever is wrong: that there is no such game, or that it is
    hidden, started or full of other guests' links must not show, in the time it takes either.
    """
    links = Invitation.objects.alive(now=now).filter(game=game_id, hash=hash_of(token))
    found = links.first()
    own = Q(created_by=user_id) | Q(seats__user=user_id) | Q(seats__invited=user_id)
    is_known = Game.objects.filter(own, pk=game_id).exists()
    if user_id is not None and is_known:
        return None
    if found is None:
        raise InvitationRefused
    return found
