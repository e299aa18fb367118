"""What a browser keeps of a subscription to messages: its key pair and the secret it shares."""

from typing import Final

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from games import base64url

# A site's private key for Web Push.
KEY: Final = base64url.to_text(bytes(range(1, 33)))


class Browser:
    """`keys` are what it tells the site."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"sixteen bytes ok"

    @property
    def keys(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": base64url.to_text(point), "auth": base64url.to_text(self.secret)}

    def read(self, body: bytes) -> bytes:
        """What was encrypted for it."""
        read: bytes = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret)
        return read
