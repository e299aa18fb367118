"""A round on three widths: at every card of it nothing scrolls sideways, and everything that is pressed is big enough for a thumb."""

import pytest
from playwright.sync_api import Page

from tests.browser.audit import SIDEWAYS, SMALLEST_TAP, TOO_SMALL
from tests.browser.conftest import NewPage
from tests.browser.driving import play_now, play_until, press, wait_for_my_turn


def check(page: Page) -> None:
    assert page.evaluate(SIDEWAYS) <= 0, page.locator("h1").inner_text()
    assert page.evaluate(TOO_SMALL, SMALLEST_TAP) == []


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_the_table_fits(site: str, new_page: NewPage, width: int) -> None:
    page = new_page(width=width, height=740)
    play_now(page, site, "everestbuzz-friends")

    wait_for_my_turn(page, scripted=True)
    check(page)
    press(page)
    for _ in range(13):
        wait_for_my_turn(page, scripted=True)
        check(page)
        press(page)
        check(page)
    play_until(page, "Round 2")
    check(page)
    page.goto(page.url + "?round=1")
    check(page)
