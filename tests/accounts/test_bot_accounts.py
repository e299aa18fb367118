"""Bot accounts: made by a person, who answers for them; they have tokens, and no way in besides."""

from collections.abc import Callable

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.bots import MOST, NameTaken, NoBots, TooManyBots, make_bot
from accounts.models import Scope, User
from accounts.tokens import recognise_token
from tests.conftest import PASSWORD
from tests.games.tables import NOW

BrowserOf = Callable[[User], Client]


def test_the_page_makes_a_bot_account_and_shows_its_token_once(
    asha: User, browser_of: BrowserOf
) -> None:
    browser = browser_of(asha)

    made = browser.post("/settings/bots/", {"name": "robin"})

    text = made.context["new_token"]
    token = recognise_token(text, now=timezone.now())
    assert token is not None
    assert (token.user.username, token.user.is_bot, token.user.owner) == ("robin", True, asha)
    assert token.scopes == Scope.values
    later = browser.get("/settings/bots/").content.decode()
    assert "robin" in later
    assert text not in later


def test_its_owner_makes_and_revokes_its_tokens_and_nobody_else(
    asha: User, eli: User, browser_of: BrowserOf
) -> None:
    bot = make_bot(asha, "robin", now=NOW)
    made = browser_of(asha).post(f"/settings/bots/{bot.pk}/token/")
    token = bot.api_tokens.get()

    refused = [
        browser_of(eli).post(f"/settings/bots/{bot.pk}/token/").status_code,
        browser_of(eli).post(f"/settings/tokens/{token.pk}/revoke/").status_code,
    ]
    assert refused == [404, 404]
    assert bot.api_tokens.count() == 1

    browser_of(asha).post(f"/settings/tokens/{token.pk}/revoke/")
    assert recognise_token(made.context["new_token"], now=timezone.now()) is None


def test_a_bot_account_logs_in_nowhere_and_its_open_session_ends(
    asha: User, bina: User, browser_of: BrowserOf
) -> None:
    browser = browser_of(bina)
    assert browser.get("/settings/").status_code == 200

    User.objects.filter(pk=bina.pk).update(is_bot=True)

    assert browser.get("/settings/").status_code == 302
    Client().post("/accounts/login/", {"login": "bina", "password": PASSWORD})
    assert authenticate(username="bina", password=PASSWORD) is None
    assert authenticate(username="asha", password=PASSWORD) == asha
    assert not make_bot(asha, "robin", now=NOW).has_usable_password()


def test_only_a_person_with_an_account_has_bots_and_ten_at_the_most(asha: User) -> None:
    guest = User.objects.create(username="guest-2345", is_guest=True)
    with pytest.raises(NoBots):
        make_bot(guest, "robin", now=NOW)
    bots = [make_bot(asha, f"robin-{number}a", now=NOW) for number in range(MOST)]

    with pytest.raises(TooManyBots):
        make_bot(asha, "robin", now=NOW)
    with pytest.raises(NoBots):
        make_bot(bots[0], "robin", now=NOW)


def test_its_name_is_nobodys_yet_and_does_not_speak_for_the_site(
    asha: User, bina: User, browser_of: BrowserOf
) -> None:
    with pytest.raises(NameTaken):
        make_bot(asha, "BINA", now=NOW)

    for name in ("bina", "admin", "x"):
        page = browser_of(asha).post("/settings/bots/", {"name": name})
        assert page.context["form"].errors["name"], name
    assert not asha.bots.exists()


def test_the_database_lets_only_bots_be_owned(asha: User, bina: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=bina.pk).update(owner=asha)


def test_everybody_sees_that_it_is_a_bot_and_whose(asha: User, client: Client) -> None:
    make_bot(asha, "robin", now=NOW)

    page = client.get("/people/robin/").content.decode()

    assert "bot" in page
    assert "of asha" in page
