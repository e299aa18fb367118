"""`manage.py create_token`: a script gets going without a browser."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from accounts.tokens import recognise_token


def create_token(*arguments: str) -> str:
    out = StringIO()
    call_command("create_token", *arguments, stdout=out)
    return out.getvalue()


def test_the_token_stands_alone_on_standard_output(db: None) -> None:
    printed = create_token("robo", "--create", "--bot", "--scopes", "games:read,games:play")

    token = recognise_token(printed.removesuffix("\n"), now=timezone.now())
    assert token is not None
    assert token.user.username == "robo"
    assert token.user.is_bot
    assert token.scopes == ["games:read", "games:play"]


def test_a_user_who_is_there_already_is_used(asha: User) -> None:
    create_token("ASHA", "--create")

    assert User.objects.count() == 1
    assert asha.api_tokens.count() == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nobody-yet"], "--create"),
        (["x", "--create"], "3 to 30"),
        (["robo", "--create", "--scopes", "everything"], "everything"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(db: None, arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        create_token(*arguments)
