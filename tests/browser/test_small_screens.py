"""Nothing scrolls sideways, and everything that is pressed is big enough for a thumb."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import NewPage
from tests.browser.driving import play_now, play_until, press, wait_for_my_turn

SMALLEST_TAP = 44
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Links inside a sentence are excepted, and what only the keyboard reaches.
TOO_SMALL = """smallest => [...document.querySelectorAll('a, button, select, input:not([type=hidden]), summary')]
  .filter(e => !e.closest('p, .skip, .note, label, .board__foot') && !e.matches('.skip') && e.checkVisibility())
  .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < smallest - .5 || box.height < smallest - .5))
  .map(([html, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`)"""


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
