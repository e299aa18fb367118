"""Play first, keep it later."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import Client, RequestFactory

from accounts.adapter import Adapter
from accounts.guests import make_guest
from accounts.models import OutgoingMail, User


@pytest.fixture
def request_of_nobody(db: None, rf: RequestFactory) -> HttpRequest:
    request: HttpRequest = rf.post("/play/")
    request.session = SessionStore()
    request.user = AnonymousUser()
    return request


@pytest.fixture
def guest(db: None) -> User:
    return User.objects.create(username="guest-7k2m", is_guest=True)


def test_a_guest_gets_a_readable_name_and_is_logged_in(request_of_nobody: HttpRequest) -> None:
    guest = make_guest(request_of_nobody)

    assert guest.is_guest
    assert len(guest.username) == len("guest-7k2m")
    assert request_of_nobody.user == guest
    assert request_of_nobody.session["_auth_user_id"] == str(guest.pk)


def test_whoever_is_logged_in_stays_who_they_are(
    asha: User, request_of_nobody: HttpRequest
) -> None:
    request_of_nobody.user = asha

    assert make_guest(request_of_nobody) == asha
    assert User.objects.count() == 1


def test_a_guest_keeps_the_games_by_becoming_a_full_account(
    guest: User, browser_of: Callable[[User], Client]
) -> None:
    browser = browser_of(guest)

    answer = browser.post(
        "/accounts/keep/",
        {"username": "Usha", "email": "usha@example.com", "password": "seven of spades"},
    )

    assert answer.status_code == 302
    guest.refresh_from_db()
    assert (guest.username, guest.is_guest) == ("Usha", False)
    assert browser.get("/settings/tokens/").status_code == 200  # still logged in
    assert OutgoingMail.objects.get().to == "usha@example.com"
    assert Client().login(username="usha", password="seven of spades")


@pytest.mark.parametrize(
    ("field", "value"),
    [("username", "admin"), ("username", "ASHA"), ("password", "1234"), ("email", "nowhere")],
)
def test_a_bad_choice_comes_back_with_the_page(
    guest: User, asha: User, browser_of: Callable[[User], Client], field: str, value: str
) -> None:
    choice = {"username": "usha", "email": "usha@example.com", "password": "seven of spades"}

    answer = browser_of(guest).post("/accounts/keep/", choice | {field: value})

    assert answer.status_code == 200
    assert answer.context["form"].errors.keys() == {field}
    guest.refresh_from_db()
    assert guest.is_guest
    assert guest.username == "guest-7k2m"


def test_a_name_that_was_taken_meanwhile_comes_back_too(
    guest: User, browser_of: Callable[[User], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    check = Adapter.clean_username

    def overtaken(self: Adapter, username: str, shallow: bool = False) -> str:
        name: str = check(self, username, shallow)
        User.objects.create_user(name.upper())
        return name

    monkeypatch.setattr(Adapter, "clean_username", overtaken)
    choice = {"username": "usha", "email": "usha@example.com", "password": "seven of spades"}

    answer = browser_of(guest).post("/accounts/keep/", choice)

    assert answer.status_code == 200
    assert answer.context["form"].errors.keys() == {"username"}
    guest.refresh_from_db()
    assert (guest.username, guest.is_guest) == ("guest-7k2m", True)
    assert not OutgoingMail.objects.exists()


def test_a_guest_cannot_be_logged_in_to_from_elsewhere(guest: User) -> None:
    assert not Client().login(username="guest-7k2m", password="")


def test_the_page_is_not_for_full_accounts(
    asha: User, browser_of: Callable[[User], Client]
) -> None:
    assert browser_of(asha).get("/accounts/keep/").status_code == 302
    assert Client().get("/accounts/keep/").status_code == 302
