"""/settings/tokens/: list, make, revoke."""

from collections.abc import Callable

from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.tokens import issue_token, recognise_token

BrowserOf = Callable[[User], Client]


def test_a_new_token_is_shown_once(asha: User, browser_of: BrowserOf) -> None:
    browser = browser_of(asha)

    made = browser.post(
        "/settings/tokens/", {"name": "my bot", "scopes": ["games:read"], "days": "30"}
    )

    text = made.context["new_token"]
    assert text in made.content.decode()
    assert recognise_token(text, now=timezone.now()) == asha.api_tokens.get()
    later = browser.get("/settings/tokens/").content.decode()
    assert text not in later
    assert "my bot" in later


def test_a_revoked_token_is_gone_at_once(asha: User, browser_of: BrowserOf) -> None:
    token, text = issue_token(asha, name="my bot", scopes=[], now=timezone.now())
    browser = browser_of(asha)

    answer = browser.post(f"/settings/tokens/{token.pk}/revoke/", follow=True)

    assert recognise_token(text, now=timezone.now()) is None
    assert text[:10] not in answer.content.decode()


def test_nobody_sees_or_revokes_the_token_of_another(
    asha: User, eli: User, browser_of: BrowserOf
) -> None:
    token, text = issue_token(asha, name="my bot", scopes=[], now=timezone.now())
    browser = browser_of(eli)

    assert "my bot" not in browser.get("/settings/tokens/").content.decode()
    assert browser.post(f"/settings/tokens/{token.pk}/revoke/").status_code == 404
    assert recognise_token(text, now=timezone.now()) is not None


def test_a_link_alone_revokes_nothing(asha: User, browser_of: BrowserOf) -> None:
    token, text = issue_token(asha, name="my bot", scopes=[], now=timezone.now())

    assert browser_of(asha).get(f"/settings/tokens/{token.pk}/revoke/").status_code == 405
    assert recognise_token(text, now=timezone.now()) is not None


def test_a_token_that_may_nothing_is_not_made(asha: User, browser_of: BrowserOf) -> None:
    answer = browser_of(asha).post("/settings/tokens/", {"name": "my bot", "days": "30"})

    assert answer.context["form"].errors.keys() == {"scopes"}
    assert not asha.api_tokens.exists()
