"""The coach's page, its words on the replay, and the bid helper at the table: by forms and links alone."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.bots import coach
from games.models import Coaching, Game
from games.services import coaching
from games.web.coach_page import advice_on
from games.wording import fine_score_text
from tests.games.tables import ARCADIA, loaded, new_game, play_on, step
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]
SOLO = ("me", "bot:steady", "bot:steady", "bot:steady")


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "WORLDS", 12)


@pytest.fixture
def over(asha: User) -> str:
    game = new_game(asha, ARCADIA.replace(rounds=2), SOLO)
    play_on(game)
    return game


def read(browser: Client, address: str, status: int = 200) -> str:
    answer = browser.get(address)
    assert answer.status_code == status
    return answer.content.decode()


def test_a_round_is_asked_about_looked_at_and_read(
    asha: User, browser_of: BrowserOf, over: str
) -> None:
    browser, address = browser_of(asha), f"/games/{over}/coach/"

    first = read(browser, address)
    asked = browser.post(address, {"round": "1"}, follow=True)
    while_it_works = asked.content.decode()
    coaching.work(over, round=1, owner=asha.pk, now=timezone.now())
    done = read(browser, f"{address}?round=1")

    assert "Ask the coach about this round" in first
    assert asked.redirect_chain[-1][0] == f"{address}?round=1"
    assert "The coach is looking: 0 of 14 decisions." in while_it_works
    assert "<progress" in while_it_works
    kept = Coaching.objects.get()
    assert kept.bid is not None
    assert f"You bid {kept.bid['bid']}." in done
    assert done.count("You played") >= 13
    assert "The match so far" in done
    for page in (first, while_it_works, done):
        check(page)


def test_the_replay_says_it_at_the_step_of_the_decision(
    asha: User, eli: User, browser_of: BrowserOf, over: str
) -> None:
    coaching.ask(asha, over, round=1, now=timezone.now())
    coaching.work(over, round=1, owner=asha.pk, now=timezone.now())
    kept = Coaching.objects.get()
    judged = kept.cards[0]
    address = f"/games/{over}/replay/?round=1&seq={judged['seq']}"

    mine = read(browser_of(asha), address)
    before = read(browser_of(asha), f"/games/{over}/replay/?round=1&seq=1")
    others = read(browser_of(eli), address)

    assert 'id="coach"' in mine
    assert 'id="coach"' in before
    expected = advice_on(judged, 10)
    assert expected.split(".")[0].split(" played ")[0] in mine
    assert "The expert would have" not in before
    assert "No other card" not in before
    assert 'id="coach"' not in others
    check(mine)


def test_a_running_round_is_refused_with_the_reason(asha: User, browser_of: BrowserOf) -> None:
    game = new_game(asha, ARCADIA.replace(rounds=2), SOLO)
    play_on(game, decisions=30)
    browser = browser_of(asha)

    page = read(browser, f"/games/{game}/coach/")
    refused = browser.post(f"/games/{game}/coach/", {"round": "1"})

    assert "once it has been played to its end" in page
    assert refused.status_code == 409
    assert "once it has been played to its end" in refused.content.decode()
    assert 'id="coach"' not in read(browser, f"/games/{game}/replay/?round=1")
    read(browser, f"/games/{game}/coach/?round=1", status=404)
    read(browser, f"/games/{game}/coach/?round=x", status=400)
    assert not Coaching.objects.exists()


def test_nobody_else_has_a_coach_here(eli: User, browser_of: BrowserOf, over: str) -> None:
    browser = browser_of(eli)

    read(browser, f"/games/{over}/coach/", status=404)
    assert browser.post(f"/games/{over}/coach/", {"round": "1"}).status_code == 403
    assert Client().get(f"/games/{over}/coach/").status_code == 302
    assert "/coach/" not in read(browser, f"/games/{over}/")
    assert not Coaching.objects.exists()


@pytest.fixture
def bidding(asha: User) -> str:
    game = new_game(asha, seats=SOLO)
    while 0 not in loaded(game).rounds[1].actors:
        step(game)
    return game


def test_the_bid_helper_is_asked_by_a_link_and_turned_off_by_one(
    asha: User, browser_of: BrowserOf, bidding: str
) -> None:
    browser = browser_of(asha)

    plain = read(browser, f"/games/{bidding}/")
    helped = read(browser, f"/games/{bidding}/?round=1&help=1")

    assert "Ask the bid helper" in plain
    assert "hinted" not in plain
    assert helped.count('class="hinted"') == 1
    assert "Turn the helper off" in helped
    best = coaching.help_to_bid(asha, bidding, round=1, now=timezone.now()).best
    assert f'value="{best}" class="hinted" aria-describedby="helper"' in helped
    check(helped)


def test_at_a_rated_table_there_is_no_helper(
    asha: User, browser_of: BrowserOf, bidding: str
) -> None:
    Game.objects.filter(pk=bidding).update(rated=True)

    page = read(browser_of(asha), f"/games/{bidding}/?round=1&help=1")

    assert "hinted" not in page
    assert "bid helper" not in page.lower()


def test_whoever_looks_on_gets_no_help(eli: User, browser_of: BrowserOf, bidding: str) -> None:
    page = read(browser_of(eli), f"/games/{bidding}/?round=1&help=1")

    assert "hinted" not in page


@pytest.mark.parametrize(
    ("hundredths", "scale", "shown"),
    [(1234, 10, "1.23"), (-55, 10, "−0.06"), (0, 10, "0.00"), (1234, 1, "12.3"), (-95, 1, "−1.0")],
)
def test_averages_have_one_digit_more_than_scores(hundredths: int, scale: int, shown: str) -> None:
    assert fine_score_text(hundredths, scale) == shown
