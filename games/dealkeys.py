"""What is done with DEAL_KEYS: sealing a game's seed, reserving one before there is a game, and the bots' private dice.

The first key seals; all of them open, so a key can be rotated. Nothing here is ever shown, logged or put into a task.
"""

import hmac
import secrets
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core import signing

from games.engine.deal import SECRET_BYTES, anchor, hkdf

ID_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
ID_LENGTH: Final = 12
RESERVED_FOR_SECONDS: Final = 24 * 3600


class BadReservation(Exception):
    """A reservation that was not made here, for this person, or lately enough."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """A game id and its anchor, fixed before anybody contributes. `token` brings it back; no row is kept for it."""

    game: str
    anchor: str
    token: str


def new_game_id() -> str:
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def seal(secret: bytes) -> bytes:
    return _fernet(tuple(settings.DEAL_KEYS)).encrypt(secret)


def unseal(sealed: bytes) -> bytes:
    """The secret again. `cryptography.fernet.InvalidToken` when none of the keys opens it."""
    return _fernet(tuple(settings.DEAL_KEYS)).decrypt(sealed)


def is_sealed_newly(sealed: bytes) -> bool:
    """Whether the first of DEAL_KEYS opens it: the others are not needed for this one."""
    try:
        _fernet((settings.DEAL_KEYS[0],)).decrypt(sealed)
    except InvalidToken:
        return False
    return True


def reserve(owner: str) -> Reservation:
    """Fix a game's id and seed for `owner` (who they are to us: a user, or an anonymous visitor's own token)."""
    game, nonce = new_game_id(), secrets.token_bytes(16)
    key = settings.DEAL_KEYS[0]
    claims = {"g": game, "n": nonce.hex(), "k": _key_id(key), "o": _owner_mark(owner)}
    token = signing.dumps(claims, salt="games.reservation", compress=True)
    return Reservation(game, anchor(game, _reserved_secret(key, nonce)).hex(), token)


def redeem(token: str, owner: str) -> tuple[str, bytes]:
    """The game id and `s_128` of a reservation made for `owner`. `BadReservation` otherwise."""
    try:
        claims = signing.loads(token, salt="games.reservation", max_age=RESERVED_FOR_SECONDS)
    except signing.BadSignature:  # an expired one is a BadSignature too
        raise BadReservation from None
    key = next((key for key in settings.DEAL_KEYS if _key_id(key) == claims["k"]), None)
    if key is None or not hmac.compare_digest(claims["o"], _owner_mark(owner)):
        raise BadReservation
    return claims["g"], _reserved_secret(key, bytes.fromhex(claims["n"]))


def tie_break(game: str, round: int, attempt: int, turn: int, seat: int) -> int:
    """A bot's private 64-bit number for one decision.

    It must not be foretold by the other players, hence a key; and hidden cards must not steer it, hence not the deal.
    """
    key = hkdf(urlsafe_b64decode(settings.DEAL_KEYS[0]), b"", b"bots")
    decision = f"{game}/{round}/{attempt}/{turn}/{seat}".encode()
    return int.from_bytes(hmac.digest(key, decision, "sha256")[:8], "big")


@lru_cache(maxsize=4)
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def _reserved_secret(key: str, nonce: bytes) -> bytes:
    return hmac.digest(hkdf(urlsafe_b64decode(key), b"", b"reserve"), nonce, "sha256")


def _key_id(key: str) -> str:
    return sha256(b"callbreak key id" + key.encode()).hexdigest()[:8]


def _owner_mark(owner: str) -> str:
    return sha256(b"callbreak reservation" + owner.encode()).hexdigest()[:16]
