"""People who play before they have an account, and how they keep what they played."""

import secrets

from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from accounts.models import User
from accounts.names import GUEST_PREFIX

# No vowels and nothing that looks like another: readable aloud, and no words by chance.
_LETTERS = "23456789bcdfghjkmnpqrstvwxz"
_TRIES = 5


def make_guest(request: HttpRequest) -> User:
    """A new guest, logged in on this request's session. Whoever is logged in stays who they are."""
    if isinstance(request.user, User):
        return request.user
    guest = _new_guest()
    login(request, guest, backend="accounts.backends.NameOrEmail")
    return guest


def _new_guest() -> User:
    for attempt in range(_TRIES):
        # Four characters read well; when they are used up, longer names have room for everybody.
        name = GUEST_PREFIX + "".join(secrets.choice(_LETTERS) for _ in range(4 + attempt))
        try:
            with transaction.atomic():
                guest = User(username=name, is_guest=True)
                guest.set_unusable_password()
                guest.save()
                return guest
        except IntegrityError:
            continue
    raise RuntimeError("no free guest name found")
