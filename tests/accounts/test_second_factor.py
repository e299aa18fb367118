"""One-time codes as a second factor, without anything that the content policy forbids."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.test import Client

from accounts.models import User
from tests.conftest import PASSWORD


@pytest.fixture
def browser(asha: User) -> Client:
    EmailAddress.objects.create(user=asha, email=asha.email, verified=True, primary=True)
    browser = Client()
    browser.post("/accounts/login/", {"login": "asha", "password": PASSWORD})
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return browser


@pytest.mark.parametrize(
    "path",
    [
        "/accounts/2fa/",
        "/accounts/2fa/totp/activate/",
        "/accounts/password/change/",
        "/accounts/email/",
    ],
)
def test_the_pages_open(browser: Client, path: str) -> None:
    answer = browser.get(path)

    assert answer.status_code == 200
    assert answer.content.decode().count("<h1") == 1


def test_a_code_app_can_be_connected_and_is_asked_for(browser: Client, asha: User) -> None:
    form = browser.get("/accounts/2fa/totp/activate/").context["form"]
    counter = next(iter(yield_hotp_counters_from_time()))

    answer = browser.post(
        "/accounts/2fa/totp/activate/",
        {"code": format_hotp_value(hotp_value(form.secret, counter))},
    )

    assert answer.status_code == 302
    login = Client().post("/accounts/login/", {"login": "asha", "password": PASSWORD})
    assert login.headers["Location"] == "/accounts/2fa/authenticate/"
