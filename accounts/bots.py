"""Bot accounts: accounts that a program plays with and a person answers for. They have no password and no session, only tokens."""

from datetime import datetime, timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiToken, Scope, User
from accounts.names import check_name, check_not_reserved
from accounts.tokens import LIFE, issue_token

MOST: Final = 10


class NoBots(Exception):
    """A guest, or a bot account itself, would have a bot account."""

    sentence = _("Only a person with an account of their own can have bot accounts.")


class TooManyBots(Exception):
    sentence = _("Ten bot accounts are the most that a person has.")


class NameTaken(Exception):
    sentence = _("Somebody has this name already.")


def make_bot(owner: User, name: str, *, now: datetime) -> User:
    """A bot account of the owner's. `NoBots`, `TooManyBots`, `NameTaken`; ValidationError for what is no name."""
    if owner.is_guest or owner.is_bot:
        raise NoBots
    check_name(name)
    check_not_reserved(name)
    bot = User(username=name, is_bot=True, owner=owner, date_joined=now)
    bot.set_unusable_password()
    try:
        with transaction.atomic():
            # Two requests at once would count the same bots; their owner's row makes them take turns.
            User.objects.select_for_update(no_key=True).get(pk=owner.pk)
            if owner.bots.count() >= MOST:
                raise TooManyBots
            bot.save()
    except IntegrityError:
        raise NameTaken from None
    return bot


def issue_bot_token(
    bot: User, *, now: datetime, scopes: list[str] | None = None, life: timedelta = LIFE
) -> tuple[ApiToken, str]:
    """A token to play with, and its text, which nobody sees again."""
    wanted = Scope.values if scopes is None else scopes
    return issue_token(bot, name=bot.username, scopes=wanted, now=now, life=life)


def why_no_name(name: str) -> list[str]:
    """The sentences that say why nobody may choose this name; none if they may."""
    try:
        check_name(name)
        check_not_reserved(name)
    except ValidationError as refused:
        return refused.messages
    return []
