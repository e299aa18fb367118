"""Bot accounts in the form for a new table."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.bots import make_bot
from accounts.models import User
from games.models import Game
from tests.games.tables import NOW

FORM = {"preset": "arcadia", "clock": "standard", "visibility": "public", "seat1": "user"}


@pytest.fixture
def browser(asha: User, browser_of: Callable[[User], Client]) -> Client:
    return browser_of(asha)


def test_a_bot_account_is_invited_where_bots_may_sit(bina: User, browser: Client) -> None:
    make_bot(bina, "robin", now=NOW)
    form = {**FORM, "name1": "robin"}

    refused = browser.post("/games/new/", form)
    assert "name1" in refused.context["form"].errors
    made = browser.post("/games/new/", {**form, "bots_may_sit": "on"}, follow=True)

    assert Game.objects.get().bots_may_sit
    assert "Bot accounts may sit here." in made.content.decode()


def test_nobody_invites_their_own_bot_or_two_of_one_owner(
    asha: User, bina: User, browser: Client
) -> None:
    for owner, name in ((asha, "ours"), (bina, "robin"), (bina, "second")):
        make_bot(owner, name, now=NOW)
    form = {**FORM, "bots_may_sit": "on"}

    own = browser.post("/games/new/", {**form, "name1": "ours"})
    two = browser.post(
        "/games/new/", {**form, "name1": "robin", "seat2": "user", "name2": "second"}
    )

    assert "name1" in own.context["form"].errors
    assert two.context["form"].non_field_errors()
    assert not Game.objects.exists()
