"""The pages of a match that everybody has left: it is over, and nobody won it."""

import re
from collections.abc import Callable
from datetime import datetime

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from games.engine.clock import GRACE
from games.models import Game, Round
from games.services import pace
from tests.api.rest import API, body_of, problem_of
from tests.games.tables import new_game, step
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]
SOLO = ("me", "bot:steady", "bot:steady", "bot:steady")


@pytest.fixture
def abandoned(asha: User) -> str:
    game = new_game(asha, seats=SOLO)
    while Game.objects.get(pk=game).status == "playing":
        mine = Round.objects.get(game=game).clocks.get("0")
        if mine is None:
            step(game)
        else:
            pace.wake(game, round=1, now=datetime.fromisoformat(mine["deadline"]) + GRACE)
    return game


@pytest.mark.parametrize("page", ["", "sheet/"])
def test_its_pages_say_that_nobody_won(
    asha: User, abandoned: str, browser_of: BrowserOf, page: str
) -> None:
    for browser in (browser_of(asha), Client()):
        answer = browser.get(f"/games/{abandoned}/{page}")

        text = answer.content.decode()
        assert answer.status_code == 200
        check(text)
        assert "Nobody won the match." in text
        assert "Everybody had left the table." in text


def test_nobody_has_a_place_in_it(asha: User, abandoned: str, browser_of: BrowserOf) -> None:
    table, home, person = (
        browser_of(asha).get(path).content.decode()
        for path in (f"/games/{abandoned}/", "/home/", "/people/asha/")
    )

    over = table[table.index("standings") :].split("</ul>")[0]
    assert not re.search("first|second|third|fourth", over)
    assert f'href="/games/{abandoned}/"' in home
    assert "no place: everybody had left" in home
    assert " of 4" not in home
    assert abandoned not in person
    assert "No public match has been finished yet." in person


def test_the_api_asks_nobody_for_anything_in_it(
    asha: User, abandoned: str, api_of: Callable[[User], APIClient]
) -> None:
    client = api_of(asha)

    seen = body_of(client.get(f"{API}/games/{abandoned}"), 200)

    assert seen["result"]["reason"] == "abandoned"
    assert seen["you"] == {"seat": 0, "rounds": []}
    for row in seen["rounds"]:
        assert [row[name] for name in ("to_act", "action", "turn", "deadline")] == [None] * 4
    assert body_of(client.get(f"{API}/me/turns"), 200)["turns"] == []
    turn = {"round": 1, "turn": 0, "bid": 2}
    problem_of(
        client.post(f"{API}/games/{abandoned}/moves", turn, format="json"), 409, "stale_turn"
    )


@pytest.mark.parametrize("page", ["log/", "replay/", "?round=1"])
def test_its_round_can_be_looked_at(asha: User, abandoned: str, page: str) -> None:
    answer = Client().get(f"/games/{abandoned}/{page}")

    assert answer.status_code == 200
    check(answer.content.decode())
