"""The staff's pages of accounts: they open, and show no secret."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.tokens import issue_token


@pytest.fixture
def staff(db: None, browser_of: Callable[[User], Client]) -> Client:
    return browser_of(User.objects.create_superuser("chief", "chief@example.com", "x"))


def test_every_page_opens(staff: Client, asha: User) -> None:
    token, _text = issue_token(asha, name="my bot", scopes=["games:read"], now=timezone.now())

    for path in (
        "accounts/user/",
        "accounts/user/add/",
        f"accounts/user/{asha.pk}/change/",
        "accounts/apitoken/",
        f"accounts/apitoken/{token.pk}/change/",
        "accounts/outgoingmail/",
    ):
        assert staff.get(f"/admin/{path}").status_code == 200, path


def test_nobody_is_impersonated(staff: Client, asha: User) -> None:
    before = asha.password

    page = staff.get(f"/admin/accounts/user/{asha.pk}/change/").content.decode()
    changed = {"password1": "queen of hearts", "password2": "queen of hearts"}
    refused = staff.post(f"/admin/accounts/user/{asha.pk}/password/", changed)
    staff.post(
        f"/admin/accounts/user/{asha.pk}/change/",
        {"username": "asha", "email": "chief@example.com", "time_zone": "UTC", "is_active": "on"},
    )

    asha.refresh_from_db()
    assert refused.status_code == 403
    assert before not in page
    assert (asha.password, asha.email) == (before, "asha@example.com")
    assert staff.get("/admin/account/emailaddress/add/").status_code == 403


def test_a_tokens_hash_is_not_shown(staff: Client, asha: User) -> None:
    token, text = issue_token(asha, name="my bot", scopes=["games:read"], now=timezone.now())

    page = staff.get(f"/admin/accounts/apitoken/{token.pk}/change/").content.decode()

    assert token.prefix in page
    assert token.hash not in page
    assert text not in page


def test_a_token_is_revoked_but_not_made_here(staff: Client, asha: User) -> None:
    token, _text = issue_token(asha, name="my bot", scopes=["games:read"], now=timezone.now())

    staff.post(
        f"/admin/accounts/apitoken/{token.pk}/change/",
        {"revoked_at_0": "2026-01-01", "revoked_at_1": "00:00:00"},
    )

    assert ApiToken.objects.get().revoked_at is not None
    assert staff.get("/admin/accounts/apitoken/add/").status_code == 403


def test_the_staffs_pages_are_for_the_staff(
    asha: User, browser_of: Callable[[User], Client]
) -> None:
    assert browser_of(asha).get("/admin/accounts/user/").status_code in {302, 403}
