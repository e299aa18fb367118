"""Secrets and signatures, as Standard Webhooks has them: HMAC-SHA256 over id, time and body, `whsec_` before the secret."""

import hmac
import secrets
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Iterable
from typing import Final

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac

PREFIX: Final = "whsec_"
_BYTES: Final = 32


def new_secret() -> str:
    return PREFIX + b64encode(secrets.token_bytes(_BYTES)).decode()


def signatures(secrets: Iterable[str], message: str, timestamp: int, body: str) -> str:
    """The `webhook-signature` header: one signature for each secret, any of which a receiver may check."""
    signed = f"{message}.{timestamp}.{body}".encode()
    return " ".join(f"v1,{_signature(secret, signed)}" for secret in secrets)


def seal(secret: str) -> bytes:
    """What is stored of a secret: without the site's own key it opens nothing."""
    return _seals().encrypt(secret.encode())


def unseal(sealed: bytes | memoryview) -> str:
    return _seals().decrypt(bytes(sealed)).decode()


def _signature(secret: str, signed: bytes) -> str:
    key = b64decode(secret.removeprefix(PREFIX))
    return b64encode(hmac.digest(key, signed, "sha256")).decode()


def _seals() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    derived = (
        salted_hmac("accounts.webhooks", "secret", key, algorithm="sha256").digest() for key in keys
    )
    return MultiFernet([Fernet(urlsafe_b64encode(each)) for each in derived])
