"""The lobby: public tables at which its reader can sit down, and no others."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.rules import PRESETS
from games.models import Game
from games.services import lobby
from games.services.lobby import NewGame
from games.web.tables import PER_PAGE

pytestmark = pytest.mark.django_db

BrowserOf = Callable[[User], Client]


def table(creator: User, *seats: str, visibility: str = "public") -> Game:
    new = NewGame(rules=PRESETS["arcadia"], seats=seats, visibility=visibility)
    return lobby.create_game(creator, new, now=timezone.now()).game


def test_anybody_sees_public_tables_with_a_free_seat(asha: User) -> None:
    game = table(asha, "me", "bot:steady", "open", "open")

    page = Client().get("/tables/").content.decode()

    assert f'href="/games/{game.pk}/"' in page
    assert "2 seats free" in page
    assert "asha, 1 bot" in page
    assert "Arcadia, Standard" in page
    assert "1 open table" in page


def test_link_tables_are_in_no_lobby(asha: User, browser_of: BrowserOf) -> None:
    game = table(asha, "me", "open", "open", "open", visibility="link")

    for browser in (Client(), browser_of(asha)):
        assert game.pk not in browser.get("/tables/").content.decode()


def test_running_tables_are_not_listed(asha: User) -> None:
    game = table(asha, "me", "bot:steady", "bot:steady", "bot:steady")

    assert game.pk not in Client().get("/tables/").content.decode()


def test_a_seat_kept_for_somebody_is_free_for_them_alone(
    asha: User, bina: User, eli: User, browser_of: BrowserOf
) -> None:
    game = table(asha, "me", "bot:steady", "bot:steady", "user:bina")

    assert game.pk in browser_of(bina).get("/tables/").content.decode()
    assert game.pk not in browser_of(eli).get("/tables/").content.decode()
    assert game.pk not in Client().get("/tables/").content.decode()


def test_an_empty_lobby_says_what_to_do() -> None:
    page = Client().get("/tables/").content.decode()

    assert "No table has a free seat right now." in page
    assert 'href="/games/new/"' in page


@pytest.mark.parametrize("page", ["2", "999"])
def test_long_lists_have_pages(asha: User, page: str) -> None:
    for _ in range(PER_PAGE + 1):
        table(asha, "me", "open", "open", "open")

    first, last = Client().get("/tables/"), Client().get("/tables/", {"page": page})

    assert "Older" in first.content.decode()
    assert "Newer" in last.content.decode()
    assert (len(first.context["rows"]), len(last.context["rows"])) == (PER_PAGE, 1)
