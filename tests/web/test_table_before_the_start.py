"""A table that waits for players: rules first, then sitting down, leaving, starting."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.rules import PRESETS
from games.models import Game, Seat
from games.services import lobby

BrowserOf = Callable[[User], Client]


@pytest.fixture
def game_id(asha: User) -> str:
    new = lobby.NewGame(rules=PRESETS["yeeqia"])
    return lobby.create_game(asha, new, now=timezone.now()).game.id


def test_the_rules_are_shown_before_one_sits(
    bina: User, browser_of: BrowserOf, game_id: str
) -> None:
    page = browser_of(bina).get(f"/games/{game_id}/").content.decode()

    assert "A seat is free for you" in page
    assert "Rules here: Yeeqia" in page
    assert "Bids from 5 to 8." in page
    assert "Sit down" in page


def test_somebody_sits_down_where_they_like(
    bina: User, browser_of: BrowserOf, game_id: str
) -> None:
    anchor = Game.objects.get(pk=game_id).anchor
    form = {"seat": "2", "anchor": anchor, "contribution": "a rainy day"}

    answer = browser_of(bina).post(f"/games/{game_id}/sit", form)

    assert answer.status_code == 302
    seat = Seat.objects.get(game=game_id, user=bina)
    assert seat.number == 2
    assert bytes(seat.contribution) == b"a rainy day"


def test_a_newcomer_becomes_a_guest_by_sitting_down(db: None, game_id: str) -> None:
    browser = Client()

    answer = browser.post(f"/games/{game_id}/sit", follow=True)

    assert "Waiting for players" in answer.content.decode()
    assert Seat.objects.filter(game=game_id, user__is_guest=True).count() == 1


def test_a_taken_seat_is_refused_with_a_sentence(
    bina: User, browser_of: BrowserOf, game_id: str
) -> None:
    answer = browser_of(bina).post(f"/games/{game_id}/sit", {"seat": "0"})

    assert answer.status_code == 409
    assert "This seat is taken." in answer.content.decode()


def test_leaving_asks_first(bina: User, browser_of: BrowserOf, game_id: str) -> None:
    browser = browser_of(bina)
    browser.post(f"/games/{game_id}/sit")

    asked = browser.get(f"/games/{game_id}/leave")

    assert "Leave the table?" in asked.content.decode()
    assert Seat.objects.filter(game=game_id, user=bina).exists()
    assert browser.post(f"/games/{game_id}/leave").status_code == 302
    assert not Seat.objects.filter(game=game_id, user=bina).exists()


def test_the_creator_starts_with_bots(asha: User, browser_of: BrowserOf, game_id: str) -> None:
    browser = browser_of(asha)
    assert "Start with bots" in browser.get(f"/games/{game_id}/").content.decode()

    browser.post(f"/games/{game_id}/start")

    assert Game.objects.get(pk=game_id).status == "playing"


def test_nobody_else_starts_it(bina: User, browser_of: BrowserOf, game_id: str) -> None:
    browser = browser_of(bina)

    page = browser.get(f"/games/{game_id}/").content.decode()

    assert "Start with bots" not in page
    assert browser.post(f"/games/{game_id}/start").status_code == 409


def test_a_table_that_everybody_left_is_closed(
    asha: User, browser_of: BrowserOf, game_id: str
) -> None:
    browser = browser_of(asha)
    browser.post(f"/games/{game_id}/leave")

    assert "This table was closed" in browser.get(f"/games/{game_id}/").content.decode()
