"""Logging in with a name, in any case, or with a mail address."""

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser

from accounts.models import User
from accounts.names import key_of


class NameOrEmail(AuthenticationBackend):  # type: ignore[misc] # no types there
    """allauth's backend, comparing names as we do: by their key. A bot account logs in nowhere, and an open session of one ends."""

    def user_can_authenticate(self, user: AbstractBaseUser | None) -> bool:
        return bool(super().user_can_authenticate(user)) and not getattr(user, "is_bot", False)

    def _authenticate_by_username(self, username: str, password: str) -> AbstractBaseUser | None:
        user = User.objects.filter(username_key=key_of(username), is_guest=False).first()
        checked: AbstractBaseUser | None = self._check_password(user, password)
        return checked
