"""What the table page tells somebody who comes back."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.models import LastSeen
from games.queries import version
from games.wording import card_name
from tests.games.tables import ARCADIA, NOW, loaded, new_game, play_on
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]
SOLO = ("me", "bot:steady", "bot:steady", "bot:steady")
LATER = NOW + timedelta(hours=5)


def read(browser: Client, game: str, query: str = "") -> str:
    return browser.get(f"/games/{game}/{query}").content.decode()


def recap(page: str) -> list[str]:
    """The lines of the recap as they are read out, without their times."""
    if "Since your last visit" not in page:
        return []
    block = page[page.index("Since your last visit") :]
    block = block[block.index('<ul class="feed">') : block.index("</details>")]
    lines = re.findall(r"<li[^>]*>(.*?)</li>", block, re.DOTALL)
    heard = (
        re.sub(r'<span class="nowrap" aria-hidden="true">.*?</svg></span>', "", each)
        for each in lines
    )
    told = (re.sub(r"<time.*?</time>", "", each) for each in heard)
    return [unescape(re.sub(r"<[^>]+>", "", each)).strip() for each in told]


@pytest.fixture
def game(asha: User) -> str:
    return new_game(asha, ARCADIA.replace(rounds=2), SOLO)


@pytest.fixture
def asha_browser(asha: User, browser_of: BrowserOf) -> Client:
    """A browser in which somebody is logged in for longer than these tests take."""
    with time_machine.travel(NOW, tick=False):
        return browser_of(asha)


def come_back(browser: Client, game: str, decisions: int) -> str:
    with time_machine.travel(NOW, tick=False):
        assert recap(read(browser, game)) == []
    play_on(game, decisions=decisions)
    with time_machine.travel(LATER, tick=False):
        page = read(browser, game)
        check(page)
        return page


def test_the_bids_are_told(asha_browser: Client, game: str) -> None:
    lines = recap(come_back(asha_browser, game, 3))

    bids = [bid for bid in loaded(game).rounds[1].bids if bid is not None]
    assert len(lines) == 3
    assert sorted(int(line.split()[-1]) for line in lines) == sorted(bids)


def test_the_last_tricks_are_told_and_those_before_summed_up(
    asha_browser: Client, game: str
) -> None:
    page = come_back(asha_browser, game, 4 + 22)

    lines = recap(page)
    trick = loaded(game).rounds[1].tricks[-1]
    assert lines[0] == "Tricks 1 to 4 were played"
    assert len(lines) == 1 + 4 + 1 + 2
    assert " led " in lines[1]
    best = trick.cards[(trick.winner - trick.leader) % 4]
    assert lines[5].endswith(f"took trick 5 with {card_name(best.text)}")
    assert '<time datetime="2026-11-29T19:29:00' in page
    assert "Since your last card" not in page


def test_a_round_that_ended_meanwhile_is_told(asha_browser: Client, game: str) -> None:
    lines = recap(come_back(asha_browser, game, 56 + 2))

    score = loaded(game).rows[1].scores
    assert score is not None
    assert lines[0].startswith("Round 1 is over: ")
    assert lines[1] == "Round 2 was dealt"
    assert len(lines) == 4


def test_the_end_of_the_match_has_a_recap_too(asha_browser: Client, game: str) -> None:
    lines = recap(come_back(asha_browser, game, 200))

    assert lines[0].startswith("Round 1 is over: ") or lines[0].startswith("Tricks 1 to 12")
    assert " took trick 13 with " in lines[-1]


def test_rounds_side_by_side(asha: User, asha_browser: Client) -> None:
    game = new_game(asha, ARCADIA.replace(rounds=2, parallel_rounds=True), SOLO)

    lines = recap(come_back(asha_browser, game, 40))

    assert lines[0].endswith(" went on")


def test_nothing_new_is_nothing_told(asha_browser: Client, game: str) -> None:
    assert recap(come_back(asha_browser, game, 0)) == []


def test_a_poll_that_finds_nothing_new_writes_nothing(
    asha: User, asha_browser: Client, game: str
) -> None:
    with time_machine.travel(NOW, tick=False):
        read(asha_browser, game)
    before = LastSeen.objects.values().get()

    with time_machine.travel(LATER, tick=False):
        poll = asha_browser.get(f"/games/{game}/table?v={version(game, asha.pk)}")
        head = asha_browser.head(f"/games/{game}/")

    assert (poll.status_code, head.status_code) == (204, 200)
    assert LastSeen.objects.values().get() == before


def test_a_look_shows_to_nobody_else(
    asha: User, eli: User, asha_browser: Client, browser_of: BrowserOf, game: str
) -> None:
    def others() -> list[bytes]:
        answers = [Client().get(f"/api/v1/games/{game}"), Client().get(f"/games/{game}/table?v=0")]
        return [answer.content for answer in answers]

    before = others()

    with time_machine.travel(NOW, tick=False):
        read(asha_browser, game)

    assert others() == before
