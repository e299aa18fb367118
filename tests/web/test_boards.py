"""Rounds side by side: all boards on one page, those that wait first, and a card played from a small one."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.engine.rules import HouseRules
from games.models import Event
from tests.web.test_table_page import BrowserOf, let_bots_play, new_table, play_until, press, read

THREE = HouseRules(rounds=3, parallel_rounds=True)
BOARD = re.compile(r'<section class="mini( mini--mine)?" data-round="(\d)".*?</section>', re.DOTALL)


@pytest.fixture
def game(asha: User) -> str:
    game = new_table(asha, THREE)
    let_bots_play(game)
    return game


def boards(page: str) -> dict[int, str]:
    """Every small board by its round, in the order of the page."""
    return {int(found[2]): found[0] for found in BOARD.finditer(page)}


def bid_everywhere(browser: Client, game: str) -> str:
    for number in (1, 2, 3):
        press(browser, game, read(browser, game, f"?round={number}"))
        let_bots_play(game)
    return read(browser, game)


def test_all_boards_lie_on_one_page_and_those_that_wait_say_so(
    asha: User, browser_of: BrowserOf, game: str
) -> None:
    page = read(browser_of(asha), game)

    assert list(boards(page)) == [1, 2, 3]
    assert page.count(": your turn</a></h2>") == 3
    assert '<h1 id="turn" tabindex="-1">3 boards wait for you</h1>' in page
    assert page.count("Choose a bid") == 3
    assert "First deadline" in page
    assert "noscript" not in page
    assert page.count("<h2>Score sheet</h2>") == 1


def test_five_boards_lie_on_one_page(asha: User, browser_of: BrowserOf) -> None:
    five = new_table(asha, HouseRules(rounds=5, parallel_rounds=True))

    assert sorted(boards(read(browser_of(asha), five))) == [1, 2, 3, 4, 5]


def test_five_boards_need_no_more_queries_than_one(asha: User, browser_of: BrowserOf) -> None:
    game = new_table(asha, HouseRules(rounds=5, parallel_rounds=True))
    let_bots_play(game)
    browser = browser_of(asha)
    read(browser, game)

    with CaptureQueriesContext(connection) as asked:
        page = read(browser, game)

    assert list(boards(page)) == [1, 2, 3, 4, 5]
    assert len(asked) <= 10, [query["sql"][:90] for query in asked]


def test_a_card_is_played_from_a_small_board_in_its_own_round(
    asha: User, browser_of: BrowserOf, game: str
) -> None:
    browser = browser_of(asha)
    second = boards(bid_everywhere(browser, game))[2]
    fields = dict(re.findall(r'name="(round|turn)" value="(\d+)"', second))
    card = re.findall(r'id="r2-(\w\w)" name="card" value="(\w\w)"', second)[0]

    answer = browser.post(f"/games/{game}/play", fields | {"card": card[1]})

    assert (answer.status_code, answer.headers["Location"]) == (302, f"/games/{game}/")
    assert card[0] == card[1]
    played = Event.objects.filter(game=game, kind="played", by="player").get()
    assert (played.round, played.card) == (2, card[1])


def test_what_may_not_be_played_says_why_and_cannot_be_pressed(
    asha: User, browser_of: BrowserOf, game: str
) -> None:
    shown = boards(bid_everywhere(browser_of(asha), game))

    held = [board for board in shown.values() if "Held, but not to be played now" in board]

    assert held
    for board in held:
        apart = board.partition("Held, but not to be played now")[2]
        assert "<button" not in apart
        assert apart.count('<span class="chip') == apart.count('<span class="why">') >= 1


def test_who_looks_on_sees_no_hand(asha: User, eli: User, browser_of: BrowserOf, game: str) -> None:
    bid_everywhere(browser_of(asha), game)

    page = read(browser_of(eli), game)

    assert len(boards(page)) == 3
    assert "Waiting for others" in page
    assert "mini__hand" not in page


def test_a_round_that_is_over_goes_last_and_shows_its_scores(
    asha: User, browser_of: BrowserOf, game: str
) -> None:
    page = play_until(browser_of(asha), game, lambda page: "Round 1 is over" in page)

    shown = boards(page)

    assert list(shown) == [2, 3, 1]
    assert re.search(r"\d+/\d+</span>\s*<span class=\"muted\">\u2212?\d+\.\d</span>", shown[1])


def test_who_wants_to_be_asked_gets_the_large_board_with_the_card_chosen(
    asha: User, browser_of: BrowserOf, game: str
) -> None:
    browser = browser_of(asha)
    browser.cookies["ask"] = "yes"
    second = boards(bid_everywhere(browser, game))[2]
    card = re.findall(r'id="r2-(\w\w)"', second)[0]
    fields = dict(re.findall(r'name="(round|turn)" value="(\d+)"', second))

    answer = browser.post(f"/games/{game}/play", fields | {"card": card}, follow=True)

    assert "data-quick" not in second
    page = answer.content.decode()
    assert f'value="{card}" class="picked"' in page
    assert re.search(r'<a class="btn[^"]*" href="[^"]*\?round=2" title="[^"]*" aria-current', page)
    assert not Event.objects.filter(game=game, kind="played", by="player").exists()
