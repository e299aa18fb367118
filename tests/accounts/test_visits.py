"""What counts as looking in, and what does not."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from games.services import lobby
from tests.games.tables import NOW, ONE_ROUND, loaded, new_game

AT = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)


def visit_of(user: User) -> datetime | None:
    return User.objects.get(pk=user.pk).last_visit_at


@pytest.fixture
def game(asha: User) -> str:
    return new_game(asha, ONE_ROUND, ("me", "bot:steady", "bot:steady", "bot:steady"))


def test_loading_a_page_is_a_visit(asha: User, browser_of: Callable[[User], Client]) -> None:
    browser = browser_of(asha)
    with time_machine.travel(AT, tick=False):
        browser.get("/home/")

    assert visit_of(asha) == AT


def test_it_is_written_once_a_minute(asha: User, browser_of: Callable[[User], Client]) -> None:
    browser = browser_of(asha)
    for seconds in (0, 30, 59):
        with time_machine.travel(AT + timedelta(seconds=seconds), tick=False):
            browser.get("/home/")
    assert visit_of(asha) == AT

    later = AT + timedelta(seconds=60)
    with time_machine.travel(later, tick=False):
        browser.get("/home/")
    assert visit_of(asha) == later


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/games/{game}/table", {}),  # what the script of an open table asks
        ("/games/{game}/table?v=3", {"Sec-Fetch-Mode": "cors"}),
        ("/games/{game}/?by-itself=1", {}),  # what an open table without script loads
        ("/games/{game}/", {"Sec-Fetch-Mode": "cors"}),
        ("/home/", {"Sec-Purpose": "prefetch"}),
        ("/api/v1/me/turns", {}),
    ],
)
def test_an_open_tab_is_no_visit(
    asha: User,
    game: str,
    browser_of: Callable[[User], Client],
    path: str,
    headers: dict[str, str],
) -> None:
    browser = browser_of(asha)

    with time_machine.travel(AT, tick=False):
        answer = browser.get(path.format(game=game), headers=headers)

    assert answer.status_code in (200, 204)
    assert visit_of(asha) is None


def test_a_program_that_reads_is_no_visit_and_a_move_by_the_api_is(
    asha: User, bina: User, game: str, api_of: Callable[[User], APIClient]
) -> None:
    api = api_of(bina)
    with time_machine.travel(AT, tick=False):
        api.get(f"/api/v1/games/{game}")
        assert visit_of(bina) is None
        api.post(f"/api/v1/games/{game}/moves", {"round": 1, "turn": 0, "bid": 3}, format="json")

    assert visit_of(bina) == AT


def test_a_bot_account_never_looks_in(bina: User, api_of: Callable[[User], APIClient]) -> None:
    User.objects.filter(pk=bina.pk).update(is_bot=True)

    api_of(bina).post("/api/v1/games", {}, format="json")

    assert visit_of(bina) is None


def test_the_table_without_script_says_that_it_reloads_itself(
    asha: User, bina: User, browser_of: Callable[[User], Client]
) -> None:
    game = new_game(asha, ONE_ROUND, ("me", "user:bina", "bot:steady", "bot:steady"))
    lobby.sit(bina, game, now=NOW)
    waits = bina if loaded(game).rounds[1].to_act == 0 else asha

    page = browser_of(waits).get(f"/games/{game}/").content.decode()

    assert f"url=/games/{game}/?by-itself=1" in page
