"""Pages that show no game: every one has a heading, a title and a frame, and none needs a script."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db

OPEN = [
    "/",
    "/tables/",
    "/rules/",
    "/rules/arcadia/",
    "/fairness/",
    "/nothing/",
    "/accounts/login/",
]
OPEN += ["/accounts/signup/", "/accounts/password/reset/"]
OWN = ["/home/", "/games/new/", "/settings/", "/settings/tokens/", "/accounts/logout/"]
OWN += ["/accounts/email/", "/accounts/password/change/"]


def check(page: str) -> None:
    assert page.count("<h1") == 1
    assert not re.search(r"<title>\s*·", page)
    assert "<style" not in page
    assert not re.search(r'\s(style|on[a-z]+)="', page)
    assert 'src="data:' not in page
    assert not re.search(r"<script(?![^>]*\ssrc=)(?![^>]*application/json)", page)


@pytest.mark.parametrize("path", OPEN)
def test_pages_for_everybody(path: str) -> None:
    check(Client().get(path).content.decode())


@pytest.mark.parametrize("path", OWN)
def test_pages_for_people_with_a_name(
    path: str, asha: User, browser_of: Callable[[User], Client]
) -> None:
    check(browser_of(asha).get(path).content.decode())


def test_a_guest_can_keep_the_games() -> None:
    browser = Client()
    browser.post("/play/", {})
    check(browser.get("/accounts/keep/").content.decode())

    answer = browser.post(
        "/accounts/keep/",
        {"username": "ila", "email": "ila@example.com", "password": "nine of diamonds"},
        follow=True,
    )

    assert "Welcome, ila. Your games are yours now." in answer.content.decode()
    assert not User.objects.get().is_guest


def test_a_wrong_field_of_the_keep_form_gets_its_sentence() -> None:
    browser = Client()
    browser.post("/play/", {})

    page = browser.post("/accounts/keep/", {"username": "admin", "email": "x", "password": "1"})

    text = page.content.decode()
    assert "This name is kept for the site itself." in text
    assert "Enter a valid email address." in text
    assert User.objects.get().is_guest


def test_fairness_says_what_it_proves_and_what_it_does_not() -> None:
    page = Client().get("/fairness/").content.decode()

    assert "The deal was fixed by data committed before any bid." in page
    assert "It does not prove that an operator with the key never looked at a hand." in page
    assert "/export" in page


def test_settings_offer_what_the_person_can_do(
    asha: User, browser_of: Callable[[User], Client]
) -> None:
    named = browser_of(asha).get("/settings/").content.decode()
    guest = Client()
    guest.post("/play/", {})
    unnamed = guest.get("/settings/").content.decode()

    assert "/accounts/password/change/" in named
    assert "/accounts/keep/" in unnamed
    assert "/accounts/password/change/" not in unnamed
