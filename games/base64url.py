"""Bytes as the site writes them in answers, logs, tokens and mails: URL-safe base64 without padding (RFC 4648, section 5)."""

from base64 import urlsafe_b64decode, urlsafe_b64encode


def to_text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def to_bytes(text: str) -> bytes:
    """What `to_text` was given. ValueError for a length that no bytes have, or a letter beyond ASCII."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
