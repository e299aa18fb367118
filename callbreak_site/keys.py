"""Secrets that the embedded edition makes for itself, once.

A key is a file under `var/keys/`, readable by its owner alone. Web, worker and commands start at the
same moment and must agree: the file is written aside and then *linked* into place, so exactly one of
them names the key and the others read it. This module never prints or logs what it holds.
"""

import os
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path


def stored_key(path: Path, make: Callable[[], str]) -> str:
    """The key kept at `path`; made, stored durably and agreed on if there is none yet."""
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        pass
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(make() + "\n")
            file.flush()
            # A game is sealed with this key: losing it in a power cut would lose the game.
            os.fsync(file.fileno())
        try:
            os.link(aside, path)
        except FileExistsError:
            # Another process was quicker. Its key is the key.
            return path.read_text().strip()
        _sync_folder(path.parent)
    finally:
        aside.unlink()
    return path.read_text().strip()


def new_secret_key() -> str:
    return secrets.token_urlsafe(50)


def new_fernet_key() -> str:
    """32 random bytes as Fernet wants them: URL-safe base64 with padding."""
    return urlsafe_b64encode(secrets.token_bytes(32)).decode()


def is_push_key(text: str) -> bool:
    """Whether this could be a private key for Web Push: 32 bytes, URL-safe base64 without padding."""
    try:
        return len(urlsafe_b64decode(text + "=" * (-len(text) % 4))) == 32
    except ValueError:
        return False


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
