"""How long a match takes, and by which day it is over: in the lobby, at an open table, and while a table is set up."""

from collections.abc import Callable, Iterator
from datetime import time

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.engine.clock import PER_TURN_SECONDS
from games.models import Game
from tests.games.tables import ARCADIA, new_game
from tests.web.test_new_table import form_of
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]
OPEN = ("me", "open", "open", "open")
FRAGMENT = {"X-Fragment": "1"}


@pytest.fixture(autouse=True)
def today() -> Iterator[None]:
    with time_machine.travel("2026-11-30T12:00Z", tick=False):
        yield


@pytest.fixture
def browser(asha: User, browser_of: BrowserOf) -> Client:
    return browser_of(asha)


def lengths_in(page: str) -> dict[str, str]:
    """By pace."""
    parts = page.split('data-length="')[1:]
    return {
        part.split('"')[0]: part.split(">", 1)[1].split("<")[0].strip().replace("\xa0", " ")
        for part in parts
    }


def test_the_lobby_says_how_long_a_match_takes_and_by_when_it_is_over(asha: User) -> None:
    new_game(asha, ARCADIA, OPEN)

    page = Client().get("/tables/").content.decode()

    assert "Arcadia, Standard. About 10 days with plans, 47 days without. Over by " in page


def test_an_open_table_says_its_pace(asha: User, browser: Client) -> None:
    pauses = {"pauses_weekends": True, "allows_holidays": False}
    clock = {"kind": "per_turn", "seconds": 86400}
    game = new_game(asha, ARCADIA, OPEN, clock=clock, **pauses)

    page = browser.get(f"/games/{game}/").content.decode()

    check(page)
    for line in (
        "1 day for each move.",
        "Weekends do not count.",
        "Holidays count like other days.",
    ):
        assert line in page
    assert "About 10 days with plans, 58 days without. Over by " in page


def test_the_form_says_it_of_every_pace(browser: Client) -> None:
    page = browser.get("/games/new/").content.decode()

    check(page)
    said = lengths_in(page)
    assert list(said) == [
        *("fast", "standard", "relaxed"),
        *(f"turn-{seconds}" for seconds in PER_TURN_SECONDS),
    ]
    assert said["fast"].startswith("About 10 days with plans, 16 days without. Over by ")
    assert said["standard"].startswith("About 10 days with plans, 47 days without. Over by ")


def test_without_a_script_a_button_works_it_out_and_makes_no_table(browser: Client) -> None:
    sent = form_of(browser, parallel_rounds="on", clock="turn-3600", seat1="bot:steady")

    answer = browser.post("/games/new/", sent | {"reckon": "yes"})

    page = answer.content.decode()
    assert answer.status_code == 200
    check(page)
    assert lengths_in(page)["standard"].startswith("About 42 hours with plans, 9 days without.")
    assert 'value="turn-3600" checked' in page
    assert not Game.objects.exists()


def test_a_script_gets_the_lengths_alone(browser: Client) -> None:
    before = lengths_in(browser.get("/games/new/").content.decode())
    sent = form_of(browser, pauses_weekends="on") | {"reckon": "yes"}

    answer = browser.post("/games/new/", sent, headers=FRAGMENT)

    said = lengths_in(answer.content.decode())
    assert "<html" not in answer.content.decode()
    assert said.keys() == before.keys()
    assert said["standard"] != before["standard"]
    assert not Game.objects.exists()


def test_of_rules_that_cannot_be_nothing_is_said(browser: Client) -> None:
    sent = form_of(browser, min_bid="9", max_bid="8") | {"reckon": "yes"}

    assert lengths_in(browser.post("/games/new/", sent, headers=FRAGMENT).content.decode()) == {}
    assert browser.post("/games/new/", sent).status_code == 200


def test_the_same_time_for_every_move_can_be_chosen(browser: Client) -> None:
    browser.post("/games/new/", form_of(browser, clock="turn-259200"))

    assert Game.objects.get().clock == {"kind": "per_turn", "seconds": 259200}
    assert "3 days for each move" in browser.get("/tables/").content.decode()


def test_whoever_has_no_night_hours_is_told_that_time_runs_at_night(
    asha: User, browser: Client
) -> None:
    sentence = "Your time runs while you sleep, too."
    assert sentence in browser.get("/games/new/").content.decode()

    asha.night_start, asha.night_end = time(23), time(7)
    asha.save()

    assert sentence not in browser.get("/games/new/").content.decode()
