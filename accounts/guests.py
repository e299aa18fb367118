"""People who play before they have an account, and how they keep what they played."""

import math
import secrets

from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from accounts import limits
from accounts.models import User
from accounts.names import GUEST_PREFIX

# No vowels and nothing that looks like another: readable aloud, and no words by chance.
_LETTERS = "23456789bcdfghjkmnpqrstvwxz"
_TRIES = 5


class TooManyGuests(Exception):
    """Too many people who have no account came from one address; in `minutes` there is room for another."""

    def __init__(self, minutes: int) -> None:
        super().__init__(minutes)
        self.minutes = minutes


def make_guest(request: HttpRequest) -> User:
    """A new guest, logged in on this request's session. Whoever is logged in stays who they are.

    `TooManyGuests` where one address makes them by the hundred: each is a row for ever.
    """
    if isinstance(request.user, User):
        return request.user
    allowance = limits.take(limits.GUESTS, limits.address(request))
    if allowance is not None and not allowance.is_granted:
        raise TooManyGuests(math.ceil(allowance.wait / 60))
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
