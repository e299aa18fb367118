"""The pages of a match that everybody has left: it is over, and nobody won it."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.test import Client

from accounts.models import User
from games.engine.clock import GRACE
from games.models import Game, Round
from games.services import pace
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


@pytest.mark.parametrize("page", ["log/", "replay/", "?round=1"])
def test_its_round_can_be_looked_at(asha: User, abandoned: str, page: str) -> None:
    answer = Client().get(f"/games/{abandoned}/{page}")

    assert answer.status_code == 200
    check(answer.content.decode())
