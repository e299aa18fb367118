"""Sign-up, login, reset: they work, and they answer alike for known and unknown people."""

import re

import pytest
from django.test import Client

from accounts.adapter import Adapter
from accounts.models import OutgoingMail, User
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def without_tokens(page: bytes) -> str:
    """The page without what differs on every request."""
    return re.sub(r'(csrfmiddlewaretoken" value=")[^"]+', r"\1", page.decode())


def test_signing_up_logs_in_and_queues_a_mail() -> None:
    browser = Client()

    answer = browser.post(
        "/accounts/signup/",
        {"username": "Usha", "email": "usha@example.com", "password1": PASSWORD},
    )

    assert answer.status_code == 302
    user = User.objects.get()
    assert (user.username, user.username_key) == ("Usha", "usha")
    assert browser.get("/settings/tokens/").status_code == 200
    mail = OutgoingMail.objects.get()
    assert mail.to == "usha@example.com"
    assert "/accounts/confirm-email/" in mail.text


@pytest.mark.parametrize("name", ["moderator", "ASHA", "as\u200bha"])
def test_a_name_that_is_taken_or_not_allowed_is_refused(asha: User, name: str) -> None:
    answer = Client().post(
        "/accounts/signup/", {"username": name, "email": "x@example.com", "password1": PASSWORD}
    )

    assert answer.status_code == 200
    assert "username" in answer.context["form"].errors
    assert User.objects.count() == 1


def test_of_two_who_want_one_name_at_once_the_second_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check = Adapter.clean_username

    def overtaken(self: Adapter, username: str, shallow: bool = False) -> str:
        name: str = check(self, username, shallow)
        User.objects.create_user(name.upper())
        return name

    monkeypatch.setattr(Adapter, "clean_username", overtaken)
    form = {"username": "usha", "email": "usha@example.com", "password1": PASSWORD}

    answer = Client().post("/accounts/signup/", form, follow=True)

    assert answer.redirect_chain == [("/accounts/signup/", 302)]
    assert "Somebody has this name already." in answer.content.decode()
    assert [user.username for user in User.objects.all()] == ["USHA"]
    assert not OutgoingMail.objects.exists()


@pytest.mark.parametrize("login", ["asha", "ASHA", "asha@example.com"])
def test_name_in_any_case_or_address_logs_in(asha: User, login: str) -> None:
    answer = Client().post("/accounts/login/", {"login": login, "password": PASSWORD})

    assert answer.status_code == 302


def test_a_wrong_password_and_an_unknown_name_look_the_same(asha: User) -> None:
    known = Client().post("/accounts/login/", {"login": "asha", "password": "wrong"})
    unknown = Client().post("/accounts/login/", {"login": "usha", "password": "wrong"})

    assert known.status_code == unknown.status_code == 200
    assert without_tokens(known.content).replace("asha", "usha") == without_tokens(unknown.content)


def test_resetting_a_known_and_an_unknown_address_looks_the_same(asha: User) -> None:
    known = Client().post("/accounts/password/reset/", {"email": "asha@example.com"}, follow=True)
    unknown = Client().post("/accounts/password/reset/", {"email": "usha@example.com"}, follow=True)

    assert known.status_code == unknown.status_code == 200
    assert without_tokens(known.content) == without_tokens(unknown.content)
    assert OutgoingMail.objects.get().to == "asha@example.com"


def test_signing_up_with_a_known_address_looks_like_any_other(asha: User) -> None:
    known = Client().post(
        "/accounts/signup/", {"username": "one", "email": "asha@example.com", "password1": PASSWORD}
    )
    unknown = Client().post(
        "/accounts/signup/", {"username": "two", "email": "usha@example.com", "password1": PASSWORD}
    )

    assert known.status_code == unknown.status_code == 302
    assert known.headers["Location"] == unknown.headers["Location"]


def test_logging_out_takes_a_post(asha: User) -> None:
    browser = Client()
    browser.post("/accounts/login/", {"login": "asha", "password": PASSWORD})

    browser.get("/accounts/logout/")
    assert browser.get("/settings/tokens/").status_code == 200
    browser.post("/accounts/logout/")
    assert browser.get("/settings/tokens/").status_code == 302


def test_nobody_is_redirected_to_another_site(asha: User) -> None:
    answer = Client().post(
        "/accounts/login/", {"login": "asha", "password": PASSWORD, "next": "https://evil.example/"}
    )

    assert answer.headers["Location"] == "/home/"


@pytest.mark.parametrize(
    "path",
    [
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/password/reset/",
        "/accounts/password/reset/done/",
        "/accounts/confirm-email/",
    ],
)
def test_the_pages_have_one_heading_and_nothing_inline(path: str) -> None:
    page = Client().get(path).content.decode()

    assert page.count("<h1") == 1
    assert " style=" not in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
