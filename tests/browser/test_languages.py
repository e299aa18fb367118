"""Nepali and Hindi on the smallest screen: longer words, taller letters, nothing cut, nothing sideways."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import NewPage
from tests.browser.driving import PATIENCE_MS, press
from tests.browser.test_small_screens import check

WIDTH = 320
CUT = """() => [...document.querySelectorAll('.btn, .why, .tag, .cap, .card--gap, .seat span, nav a')]
  .filter(e => !e.closest('.sr') && !e.matches('.seat__name') && e.checkVisibility())
  .filter(e => getComputedStyle(e).display !== 'inline' && e.scrollWidth > e.clientWidth + 1)
  .map(e => `${e.className}: ${e.textContent.trim()}`)"""
TO_PRESS = "button[name=bid], #hand .hand__cards button:not(.no)"
PATHS = ("/home/", "/games/new/", "/settings/", "/rules/", "/rules/arcadia/", "/learn/")
OF_THE_GAME = ("replay/", "coach/", "sheet/", "log/", "verify/")


def start(page: Page, site: str, language: str, play_now: str) -> None:
    """A visitor chooses the language in the foot and starts a game of three rounds."""
    page.goto(f"{site}/")
    page.locator(f".foot button[name=language][value={language}]").click()
    page.locator(f"html[lang={language}]").wait_for()
    check(page)
    page.locator("form[action='/play/'] summary").first.click()
    page.locator("input[name=preset][value=everestbuzz-friends]").check()
    page.get_by_role("button", name=play_now).first.click()
    page.wait_for_url("**/games/*/**")


def play_on(page: Page, moves: int, over: str) -> None:
    """Make so many moves, or all that are left, and look at every page on the way."""
    for _ in range(moves):
        ended = page.locator("h1", has_text=over)
        page.locator(TO_PRESS).first.or_(ended).first.wait_for(timeout=PATIENCE_MS)
        check(page)
        assert page.evaluate(CUT) == []
        if ended.count():
            return
        press(page)


def test_a_guest_plays_a_match_in_nepali(site: str, new_page: NewPage) -> None:
    page = new_page(width=WIDTH, height=740)
    start(page, site, "ne", "अहिले खेल्ने")

    play_on(page, 3 * 14 + 1, "म्याच सकियो")

    assert page.locator("h1").inner_text() == "म्याच सकियो"
    assert page.title().startswith("म्याच सकियो: ")


@pytest.mark.parametrize(
    ("language", "play_now"), [("ne", "अहिले खेल्ने"), ("hi", "अभी खेलें")], ids=["ne", "hi"]
)
def test_every_page_fits(site: str, new_page: NewPage, language: str, play_now: str) -> None:
    page = new_page(width=WIDTH, height=740)
    start(page, site, language, play_now)
    table = page.url
    play_on(page, 5, "-")

    for path in (*(site + path for path in PATHS), *(table + path for path in OF_THE_GAME)):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH, path
        assert page.evaluate(CUT) == [], path
