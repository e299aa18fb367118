"""The staff's second factor: no page of the admin opens without a code that was given in this very session, and lately.

A password alone, or a session from before, leads to the page that asks for a code, or to the one that sets it up. The keys of
code apps are stored sealed: whoever reads the database alone cannot make codes.
"""

import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Final
from urllib.parse import urlencode

from allauth.account.authentication import get_authentication_records
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import add_never_cache_headers

# A player's session lasts months. The staff's pages want to know anew who it is, twice a day.
LASTS_SECONDS: Final = 12 * 3600
_MFA: Final = "mfa"

Handler = Callable[[HttpRequest], HttpResponseBase]


class Adapter(DefaultMFAAdapter):  # type: ignore[misc] # no types there
    """Seals what codes are made from with a key of SECRET_KEY; its fallbacks open what they sealed."""

    def encrypt(self, text: str) -> str:
        return _fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _fernet().decrypt(encrypted_text.encode()).decode()


def staff_give_a_code(get_response: Handler) -> Handler:
    """Lead staff on their way into the admin by the page that asks for their second factor, or sets it up."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if _enters_as_staff(request) and not has_given_a_code(request):
            return _ask(request)
        return get_response(request)

    return middleware


def has_given_a_code(request: HttpRequest) -> bool:
    """Whether the person of this session has given a code of theirs in it, lately."""
    if not is_mfa_enabled(request.user, [Authenticator.Type.TOTP]):
        return False
    records = get_authentication_records(request, request.user)
    since = time.time() - LASTS_SECONDS
    return any(record["method"] == _MFA and record["at"] >= since for record in records)


def _enters_as_staff(request: HttpRequest) -> bool:
    admin = reverse("admin:index")
    is_inside = request.path.startswith(admin) and request.path != reverse("admin:logout")
    return is_inside and request.user.is_authenticated and request.user.is_staff


def _ask(request: HttpRequest) -> HttpResponse:
    back = request.get_full_path() if request.method in ("GET", "HEAD") else reverse("admin:index")
    if is_mfa_enabled(request.user, [Authenticator.Type.TOTP]):
        step = "mfa_reauthenticate"
    else:
        step = "mfa_activate_totp"
        messages.info(
            request,
            "The staff's pages need a second factor. Connect a code app, keep the recovery codes, and come back.",
        )
    answer = redirect(f"{reverse(step)}?{urlencode({'next': back})}")
    add_never_cache_headers(answer)
    return answer


def _fernet() -> MultiFernet:
    return MultiFernet(
        [Fernet(_key(text)) for text in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    )


def _key(secret: str) -> bytes:
    return urlsafe_b64encode(sha256(b"callbreak second factor\n" + secret.encode()).digest())
