"""Signed receipts: proof to a third party that this site held an event with this hash (Ed25519)."""

from base64 import urlsafe_b64decode
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from games import base64url


def sign(game: str, seq: int, head: str) -> str:
    """The receipt for event `seq` with hash `head`: base64url without padding, over `callbreak-receipt/1`, game, seq, hash."""
    return sign_bytes(f"callbreak-receipt/1\n{game}\n{seq}\n{head}".encode())


def sign_bytes(message: bytes) -> str:
    """The signature of a message that says in its first line what it is: base64url without padding."""
    return base64url.to_text(_key(settings.RECEIPT_KEY).sign(message))


def is_signed(message: bytes, signature: str) -> bool:
    """Whether this site's present key signed the message."""
    try:
        _key(settings.RECEIPT_KEY).public_key().verify(base64url.to_bytes(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def public_key() -> str:
    """The key that receipts are checked with: base64url without padding of its 32 raw bytes."""
    return base64url.to_text(_key(settings.RECEIPT_KEY).public_key().public_bytes_raw())


@lru_cache(maxsize=2)
def _key(text: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(urlsafe_b64decode(text))
