"""The browsers that people let us send messages to, switched on and off one by one; and the key that names us to them."""

import re
from datetime import datetime
from hashlib import sha256
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.outbound.targets import BadTarget, parse
from games import base64url
from games.models import PushDevice

# Of one person; one more pushes the oldest out.
MOST_DEVICES: Final = 5
_AUTH_BYTES: Final = 16
_LONGEST_NAME: Final = 40


class BadDevice(ValueError):
    """What a browser sent is no subscription that we could send to."""


def is_on() -> bool:
    """Whether this site pushes at all."""
    return bool(settings.CALLBREAK_PUSH_KEY)


def public_key() -> str:
    """The site's own key, by which a browser knows our messages: an uncompressed point, URL-safe base64."""
    secret = int.from_bytes(_bytes(settings.CALLBREAK_PUSH_KEY))
    point = ec.derive_private_key(secret, ec.SECP256R1()).public_key()
    return base64url.to_text(point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def switch_on(
    user: User, *, endpoint: str, p256dh: str, auth: str, name: str, now: datetime
) -> PushDevice:
    """Let this browser be told what waits for `user`, and for nobody who used it before. `BadDevice` if nothing could be sent to it."""
    try:
        parse(endpoint)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh))
        if len(_bytes(auth)) != _AUTH_BYTES:
            raise BadDevice
    except (BadTarget, ValueError):
        raise BadDevice from None
    digest = sha256(endpoint.encode()).hexdigest()
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        PushDevice.objects.filter(endpoint_hash=digest).delete()
        older = user.push_devices.order_by("-pk").values_list("pk", flat=True)
        user.push_devices.filter(pk__in=list(older[MOST_DEVICES - 1 :])).delete()
        return PushDevice.objects.create(
            user=user,
            name=name[:_LONGEST_NAME] or "?",
            endpoint=endpoint,
            endpoint_hash=digest,
            p256dh=p256dh,
            auth=auth,
            created_at=now,
        )


def switch_off(user: User, device: int) -> None:
    """Tell it nothing more. Doing it again is the same."""
    user.push_devices.filter(pk=device).delete()


def _bytes(text: str) -> bytes:
    """ValueError for what is not URL-safe base64 without padding."""
    if not re.fullmatch("[A-Za-z0-9_-]{1,120}", text):
        raise ValueError("no URL-safe base64")
    return base64url.to_bytes(text)
