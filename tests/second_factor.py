"""Codes of the staff's second factor: a code app as a test holds it, and a browser whose session has given a code."""

import time
from typing import Final

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from allauth.mfa.utils import decrypt
from django.test import Client

from accounts.models import User

PERIOD_SECONDS: Final = 30


def connect_app(user: User) -> str:
    """The key of a code app that is this person's second factor from now on."""
    secret: str = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret


def key_of(user: User) -> str:
    """What is in the code app of this person."""
    kept = Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP)
    return str(decrypt(kept.data["secret"]))


def code(secret: str, *, periods: int = 0) -> str:
    """What the app shows now, or so many periods from now."""
    counter = int(time.time()) // PERIOD_SECONDS + periods
    return str(format_hotp_value(hotp_value(secret, counter)))


def give_code(browser: Client, user: User) -> None:
    """Have a logged-in browser be one whose person has given a code, as after their login."""
    if not Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists():
        connect_app(user)
    session = browser.session
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "mfa", "at": time.time()}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
