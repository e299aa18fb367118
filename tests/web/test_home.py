"""My games: what waits first, and the way from one to the next."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.rules import PRESETS
from games.models import Game
from games.services import lobby, play
from games.services.lobby import NewGame

pytestmark = pytest.mark.django_db

BrowserOf = Callable[[User], Client]
# With sealed bids all four are to act from the start, whoever deals.
ALL_BID = PRESETS["arcadia"].replace(sealed_bids=True)


def table(creator: User, **wanted: Any) -> Game:
    wanted.setdefault("rules", ALL_BID)
    wanted.setdefault("seats", ("me", "bot:steady", "bot:steady", "bot:steady"))
    return lobby.create_game(creator, NewGame(**wanted), now=timezone.now()).game


def bid(player: User, game: Game, number: int = 1) -> None:
    turn = next(
        (table_round.turn + (0 - table_round.dealer - 1) % 4)
        for table_round in game.rounds.filter(number=number)
    )
    play.place_bid(player, game.pk, 3, round=number, turn=turn, now=timezone.now())


def test_home_is_for_people_with_a_name() -> None:
    assert Client().get("/home/").headers["Location"].startswith("/accounts/login/")
    assert Client().get("/next/").headers["Location"].startswith("/accounts/login/")


def test_nothing_to_do_offers_a_bot_game(asha: User, browser_of: BrowserOf) -> None:
    page = browser_of(asha).get("/home/").content.decode()

    assert "<title>Nothing waits for you" in page
    assert page.count("<h1>") == 1
    assert 'action="/play/"' in page
    assert "You are in no running game." in page


def test_a_game_that_waits_for_me_is_due_and_says_what_to_do(
    asha: User, browser_of: BrowserOf
) -> None:
    game = table(asha)

    page = browser_of(asha).get("/home/").content.decode()

    assert "<title>1 game waits for you" in page
    assert "game--due" in page
    assert f'href="/games/{game.pk}/"' in page
    assert "3 bots" in page
    assert "Arcadia. Round 1 of 5, bidding." in page


def test_a_game_that_waits_for_others_is_not_due(asha: User, browser_of: BrowserOf) -> None:
    game = table(asha)
    bid(asha, game)

    page = browser_of(asha).get("/home/")

    assert [row.url for row in page.context["waiting"]] == [f"/games/{game.pk}/"]
    assert "game--due" not in page.content.decode()
    assert "All your games are waiting for somebody else." in page.content.decode()


def test_rounds_side_by_side_are_one_row(asha: User, browser_of: BrowserOf) -> None:
    table(asha, rules=ALL_BID.replace(parallel_rounds=True))

    page = browser_of(asha).get("/home/").content.decode()

    assert "5 boards" in page
    assert "Rounds 1, 2, 3, 4 and 5." in page


def test_an_invitation_stands_apart(asha: User, bina: User, browser_of: BrowserOf) -> None:
    table(asha, seats=("me", "user:bina", "open", "open"), visibility="link")

    page = browser_of(bina).get("/home/").content.decode()

    assert "Invitations" in page
    assert "A seat is kept for you" in page
    assert "asha" in page


def test_a_finished_game_shows_place_and_total(asha: User, browser_of: BrowserOf) -> None:
    game = table(asha)
    result = {"reason": "rounds", "winners": [1], "totals": [-30, 42, 0, 0], "ranks": [4, 1, 2, 2]}
    Game.objects.filter(pk=game.pk).update(
        status="finished", finished_at=timezone.now(), result=result
    )

    page = browser_of(asha).get("/home/").content.decode()

    assert "4 of 4" in page
    assert "\N{MINUS SIGN}3.0" in page


def test_outsiders_see_nothing_of_a_link_table(
    asha: User, eli: User, browser_of: BrowserOf
) -> None:
    game = table(asha, seats=("me", "open", "open", "open"), visibility="link")

    for path in ("/home/", "/tables/", "/games/new/"):
        assert game.pk not in browser_of(eli).get(path).content.decode()
    assert game.pk not in Client().get("/tables/").content.decode()


def test_next_goes_to_what_has_waited_longest(asha: User, browser_of: BrowserOf) -> None:
    first, second = table(asha), table(asha)
    browser = browser_of(asha)

    assert browser.get("/next/").headers["Location"] == f"/games/{first.pk}/"
    assert browser.get("/next/", {"from": first.pk}).headers["Location"] == f"/games/{second.pk}/"


def test_next_ends_at_home(asha: User, browser_of: BrowserOf) -> None:
    game = table(asha)

    assert browser_of(asha).get("/next/", {"from": game.pk}).headers["Location"] == "/home/"


def test_a_guest_is_told_how_to_keep_the_games(person: Callable[[str], User]) -> None:
    browser = Client()
    browser.post("/play/", {})

    page = browser.get("/home/").content.decode()

    assert "/accounts/keep/" in page


def test_many_games_cost_no_more_queries_than_two(
    asha: User,
    bina: User,
    browser_of: BrowserOf,
    django_assert_num_queries: Any,
    django_assert_max_num_queries: Any,
) -> None:
    browser = browser_of(asha)
    for _ in range(2):
        table(asha)
        table(bina, seats=("me", "open", "open", "open"))
        table(asha, seats=("me", "user:bina", "open", "open"))
    browser.get("/home/")  # a visit, written down once a minute
    with django_assert_max_num_queries(20) as few:
        browser.get("/home/")
        browser.get("/tables/")
    for _ in range(5):
        table(asha)
        table(bina, seats=("me", "open", "open", "open"))
        table(asha, seats=("me", "user:bina", "open", "open"))

    with django_assert_num_queries(len(few)):
        browser.get("/home/")
        browser.get("/tables/")
