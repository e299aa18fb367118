"""How this browser wants cards shown: every choice is kept, and does what it says on every page."""

import pytest
from django.test import Client

from accounts.models import User
from tests.web.test_table_page import BrowserOf, new_table

CHOICES = [
    ("suits", "four", 'class="four-colour"'),
    ("cards", "large", 'class="large-cards"'),
    ("motion", "none", 'class="no-motion"'),
    ("theme", "dark", 'data-theme="dark"'),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "value", "sign"), CHOICES)
def test_a_choice_is_kept_and_taken_back(name: str, value: str, sign: str) -> None:
    browser = Client()
    assert sign not in browser.get("/rules/").content.decode()

    answer = browser.post("/settings/display/", {name: value, "next": "/rules/"})

    assert answer["Location"] == "/rules/"
    assert sign in browser.get("/rules/").content.decode()
    browser.post("/settings/display/", {name: "", "next": "/rules/"})
    assert sign not in browser.get("/rules/").content.decode()


@pytest.mark.django_db
def test_a_choice_that_there_is_not_changes_nothing() -> None:
    browser = Client()

    browser.post("/settings/display/", {"cards": '"><script>', "next": "https://example.org/"})

    page = browser.get("/rules/").content.decode()
    assert 'class="large-cards"' not in page
    assert "<script>" not in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wanted",
    ["table", "play_now", "os.system", "//example.org", "/\\example.org", "javascript:x/", ""],
)
def test_the_way_back_leads_to_our_own_pages_alone(wanted: str) -> None:
    answer = Client().post("/settings/display/", {"theme": "dark", "next": wanted})

    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.django_db
def test_settings_offer_every_choice_and_show_what_was_chosen(
    asha: User, browser_of: BrowserOf
) -> None:
    browser = browser_of(asha)
    browser.post("/settings/display/", {"cards": "large", "motion": "none", "next": "/settings/"})

    page = browser.get("/settings/").content.decode()

    for field in ("theme", "suits", "cards", "sort", "motion", "ask"):
        assert f'name="{field}"' in page
    assert 'name="language"' in page
    assert '<option value="large" selected>' in page
    assert '<option value="none" selected>' in page
    assert 'id="display" open' in page
    assert 'id="display" open' not in browser.get(f"/games/{new_table(asha)}/").content.decode()
