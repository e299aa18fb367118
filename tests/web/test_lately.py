"""What the page of all my games says of what happened in them since I looked."""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.engine.plan import Plan
from games.models import Event, Game
from games.services import following, plans, visits
from games.web.lately import MOST
from tests.games.clockwork import ONE_DAY, run_out
from tests.games.tables import ARCADIA, NOW, decisions, loaded, new_game, play_on, seated, step
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]
LATER = NOW + timedelta(days=1, hours=5)
SEALED = ARCADIA.replace(sealed_bids=True)


@pytest.fixture
def browser(asha: User, browser_of: BrowserOf) -> Client:
    with time_machine.travel(NOW, tick=False):
        return browser_of(asha)


def look(browser: Client, game: str) -> None:
    with time_machine.travel(NOW - timedelta(hours=1), tick=False):
        browser.get(f"/games/{game}/")


def news(browser: Client) -> list[str]:
    """The lines of the page, a day later."""
    with time_machine.travel(LATER, tick=False):
        page = browser.get("/home/").content.decode()
    check(page)
    if 'id="news"' not in page:
        return []
    lines = re.findall(r"<li>(.*?)</li>", page[page.index('id="news"') :].partition("</ul>")[0])
    return [unescape(re.sub(r"<[^>]+>", "", line)) for line in lines]


def test_cards_and_bids_that_came_are_counted(people: Sequence[User], browser: Client) -> None:
    game = seated(people, ARCADIA)
    look(browser, game)
    play_on(game, decisions=4)
    mine = Event.objects.filter(game=game, kind="bid", seat=0).count()

    assert mine == 1
    assert news(browser) == ["bina, chandra, dipak: 3 bids came"]

    look(browser, game)
    play_on(game, decisions=4)
    assert news(browser) == ["bina, chandra, dipak: 3 cards came"]


def test_what_i_have_seen_is_no_news(people: Sequence[User], browser: Client) -> None:
    game = seated(people, ARCADIA)
    play_on(game, decisions=6)
    assert news(browser) == []  # I have not been there yet

    look(browser, game)

    assert news(browser) == []


def test_a_round_that_ended_says_my_score(people: Sequence[User], browser: Client) -> None:
    game = seated(people, ARCADIA)
    look(browser, game)
    while loaded(game).rows[1].scores is None:
        step(game)

    [line] = news(browser)

    scores = loaded(game).rows[1].scores
    assert scores is not None
    score = scores[0]
    sign = "\N{MINUS SIGN}" if score < 0 else ""
    said = f"round 1 is over: {sign}{abs(score) // 10}.{abs(score) % 10} for you"
    assert line == f"bina, chandra, dipak: {said}, 3 bids came, 39 cards came"


def test_a_sealed_bid_comes_once(people: Sequence[User], browser: Client) -> None:
    game = seated(people, SEALED)
    look(browser, game)
    play_on(game, decisions=2)
    came = Event.objects.filter(game=game, kind="sealed").exclude(seat=0).count()
    assert news(browser) == [f"bina, chandra, dipak: {came} bid{'s' * (came > 1)} came"]

    while loaded(game).rows[1].state == "bidding":
        step(game)

    assert news(browser) == ["bina, chandra, dipak: 3 bids came"]


def test_what_a_bot_decided_for_me_is_said(people: Sequence[User], browser: Client) -> None:
    game = seated(people, ARCADIA, clock=ONE_DAY)
    while decisions(loaded(game))[0][2] != 0:
        step(game)
    look(browser, game)

    run_out(game)

    assert news(browser) == ["bina, chandra, dipak: a bot decided once for you"]


def test_what_my_plan_played_is_said_to_me_alone(
    people: Sequence[User], browser: Client, browser_of: BrowserOf
) -> None:
    game = seated(people, ARCADIA)
    with time_machine.travel(NOW, tick=False):
        other = browser_of(people[1])
    while loaded(game).observe(1, 0).to_act != 1 or loaded(game).observe(1, 0).state == "bidding":
        step(game)
    plan = Plan.from_json({"rules": [{"play": "lowest"}]})
    plans.save(people[0], game, plan, round=1, seen=None, now=NOW)
    look(browser, game)
    look(other, game)
    while not loaded(game).observe(1, 0).trick or decisions(loaded(game))[0][2] != 0:
        step(game)
    number, turn, _seat = decisions(loaded(game))[0]

    following.follow_up(game, round=number, turn=turn, now=NOW)

    assert Event.objects.filter(game=game, via="plan", seat=0).count() == 1
    assert "your plan played 1 card" in news(browser)[0]
    assert "plan" not in news(other)[0]


def test_what_bots_answered_at_once_was_seen(asha: User, browser: Client) -> None:
    game = new_game(asha, ARCADIA, ("me", "bot:steady", "bot:steady", "bot:steady"))
    with time_machine.travel(NOW, tick=False):
        browser.get(f"/games/{game}/")

    play_on(game, decisions=3)

    assert news(browser) == []


def test_of_many_games_a_few_are_told_for_as_many_queries_as_of_one(
    people: Sequence[User], browser: Client, django_assert_num_queries: Any
) -> None:
    games = [seated(people, SEALED) for _ in range(MOST + 2)]
    for game in games:
        look(browser, game)
        play_on(game, decisions=3)

    assert len(news(browser)) == MOST
    for few in (1, MOST + 2):
        rows = list(Game.objects.filter(pk__in=games[:few]).prefetch_related("seats"))
        with django_assert_num_queries(3):
            visits.unseen(people[0].pk, rows)
