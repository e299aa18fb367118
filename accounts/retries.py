"""Answers kept for a retry: what was made with an `Idempotency-Key` is made once, and answered alike for a day.

The answer is written in the transaction that makes the thing, so there is never one without the other; a request that was
refused leaves nothing and may be sent again. Of two with one key at once, the second waits for the first and gets its answer.
It is sealed with the caller's key, which is not stored: neither a new token nor a hand can be read from the database.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from accounts.models import KeptAnswer, User

LIFE: Final = timedelta(hours=24)


class KeyReused(Exception):
    """The key came with another request before."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request was answered."""

    status: int
    headers: Mapping[str, str]
    body: str


def answer_once(
    user: User, key: str, asked: bytes, make: Callable[[], Answer], *, now: datetime
) -> tuple[Answer, bool]:
    """The answer of `make` to this request, and whether it was made before. `KeyReused` for another request with this key.

    Whatever `make` raises passes, and leaves nothing behind.
    """
    hashed, seal = _hash(key.encode()), _seal(user, key)
    with transaction.atomic():
        _outdated(now).filter(user=user, key=hashed).delete()
        # While another transaction holds the same key, this waits for its end.
        kept, is_first = KeptAnswer.objects.get_or_create(
            user=user, key=hashed, defaults={"asked": _hash(asked), "created_at": now}
        )
        if kept.asked != _hash(asked):
            raise KeyReused
        if not is_first:
            return Answer(**json.loads(seal.decrypt(bytes(kept.sealed)))), True
        answer = make()
        kept.sealed = seal.encrypt(json.dumps(asdict(answer)).encode())
        kept.save(update_fields=["sealed"])
    return answer, False


def forget_old(*, now: datetime) -> None:
    """Delete what is older than a day."""
    _outdated(now).delete()


def _outdated(now: datetime) -> QuerySet[KeptAnswer]:
    return KeptAnswer.objects.filter(created_at__lte=now - LIFE)


def _hash(text: bytes) -> str:
    return sha256(text).hexdigest()


def _seal(user: User, key: str) -> MultiFernet:
    """Opens with the caller's key and a secret of the site, the newest of which closes."""
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [
        salted_hmac(
            "accounts.retries", f"{user.pk} {key}", secret=each, algorithm="sha256"
        ).digest()
        for each in secrets
    ]
    return MultiFernet([Fernet(urlsafe_b64encode(digest)) for digest in digests])
