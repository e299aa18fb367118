"""The Rematch button on the page of a match that is over."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from games.models import Event, Game
from games.services import lobby
from tests.games.tables import NOW, new_game, play_on

BrowserOf = Callable[[User], Client]
FIELD = re.compile(r'<input type="hidden"[^>]* name="(reservation)" value="([^"]+)"')


@pytest.fixture
def over(asha: User, bina: User) -> str:
    game = new_game(asha, seats=("me", "user:bina", "bot:steady", "bot:steady"))
    lobby.sit(bina, game, now=NOW)
    play_on(game)
    return game


def test_a_press_leads_to_one_table_for_all(
    asha: User, bina: User, eli: User, browser_of: BrowserOf, over: str
) -> None:
    asked, other = browser_of(asha), browser_of(bina)
    form = dict(FIELD.findall(asked.get(f"/games/{over}/").content.decode()))

    first = asked.post(f"/games/{over}/rematch", form | {"contribution": "rain"})
    again = asked.post(f"/games/{over}/rematch", form | {"contribution": "rain"})
    second = other.post(f"/games/{over}/rematch", {})

    new = Game.objects.get(rematch_of=over)
    goal = f"/games/{new.pk}/"
    assert {answer.headers["Location"] for answer in (first, again, second)} == {goal}
    assert Event.objects.get(game=new, kind="joined", by="player").data["anchor_seen"] is True
    assert "A seat is free for you" in other.get(goal).content.decode()
    for browser in (asked, other, browser_of(eli), Client()):
        page = browser.get(f"/games/{over}/").content.decode()
        assert f'href="{goal}">To the rematch' in page
        assert "Once more?" not in page


def test_who_did_not_play_has_no_button(eli: User, browser_of: BrowserOf, over: str) -> None:
    browser = browser_of(eli)

    assert "Once more?" not in browser.get(f"/games/{over}/").content.decode()
    assert browser.post(f"/games/{over}/rematch").status_code == 403
    assert Client().post(f"/games/{over}/rematch").status_code == 302


def test_a_match_that_runs_has_none_either(asha: User, browser_of: BrowserOf) -> None:
    game = new_game(asha, seats=("me", "bot:steady", "bot:steady", "bot:steady"))
    browser = browser_of(asha)

    assert browser.post(f"/games/{game}/rematch").status_code == 409
    assert "This match is not over yet." in browser.post(f"/games/{game}/rematch").content.decode()
