"""News on the table page: what does not change stays untouched, what changes is said once and in order."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import NewPage
from tests.browser.driving import (
    PATIENCE_MS,
    SOMETHING_TO_PRESS,
    ask_before_playing,
    new_table,
    play_now,
    play_until,
    press,
    sign_up,
)

POLLS = 10
WATCH = """() => {
  window.swaps = 0;
  window.said = [];
  new MutationObserver(seen => { window.swaps += seen.length; })
    .observe(document.getElementById('table'), {childList: true, subtree: true, attributes: true, characterData: true});
  new MutationObserver(() => window.said.push(document.getElementById('announce').textContent))
    .observe(document.getElementById('announce'), {childList: true, subtree: true, characterData: true});
}"""
LIVE = "[role=status], [role=alert], [role=log], [aria-live]"


@pytest.fixture
def choosing(site: str, new_page: NewPage) -> Page:
    """A table at which it is my turn, a card is chosen, and the clock of the page is the test's."""
    page = new_page()
    page.clock.install()
    play_now(page, site)
    ask_before_playing(page)
    play_until(page, "trick 1")
    page.locator("#hand .hand__cards button:not(.no)").last.click()
    page.locator(".playrow button").wait_for()
    return page


def poll(page: Page) -> int:
    """Let the page ask once. The status of the answer."""
    with page.expect_response(re.compile(r"/table\?.*v=")) as answer:
        page.clock.run_for(31_000)
    answer.value.finished()
    page.evaluate("() => new Promise(done => queueMicrotask(done))")
    status: int = answer.value.status
    return status


def test_ten_polls_without_news_touch_nothing(choosing: Page) -> None:
    page = choosing
    chosen = page.locator("#hand .picked").get_attribute("value")
    page.evaluate(WATCH)

    statuses = [poll(page) for _ in range(POLLS)]

    assert statuses == [204] * POLLS
    assert page.evaluate("[window.swaps, window.said]") == [0, []]
    assert page.evaluate("document.activeElement.value") == chosen
    assert page.locator("#hand .picked").get_attribute("value") == chosen


def test_a_choice_the_focus_and_the_scroll_survive_ten_polls_with_news(choosing: Page) -> None:
    page = choosing
    page.set_viewport_size({"width": 360, "height": 500})
    chosen = page.locator("#hand .picked").get_attribute("value")
    page.locator("#score > summary").click()
    page.locator("#hand .picked").focus()
    page.evaluate("window.scrollTo(0, 120)")
    page.evaluate(WATCH)
    was = page.evaluate("window.scrollY")

    for _ in range(POLLS):
        # The page asks with an older version and gets the whole inside again.
        page.evaluate("document.querySelector('.table-state').dataset.v = '0'")
        assert poll(page) == 200
        page.locator(".table-state:not([data-v='0'])").wait_for()
        assert page.locator("#hand .picked").get_attribute("value") == chosen
        assert page.evaluate("document.activeElement.value") == chosen
        assert page.evaluate("window.scrollY") == was
        assert page.locator("#score[open]").count() == 0

    assert f"pick={chosen}" in page.url
    assert page.evaluate("window.said") == []


def test_what_is_typed_before_the_start_stays(site: str, new_page: NewPage) -> None:
    host, visitor = new_page(), new_page()
    sign_up(host, site, "host")
    table = new_table(host, site)
    visitor.clock.install()
    visitor.goto(table)
    visitor.locator("#shuffle summary").click()
    visitor.locator("#contribution").fill("mine alone")

    visitor.evaluate("document.querySelector('.table-state').dataset.v = '0'")
    assert poll(visitor) == 200
    visitor.locator(".table-state:not([data-v='0'])").wait_for()

    assert visitor.locator("#contribution").input_value() == "mine alone"
    assert visitor.evaluate("document.activeElement.id") == "contribution"


def test_whoever_cannot_see_hears_each_change_once_and_in_order(
    site: str, new_page: NewPage
) -> None:
    asha, bina = new_page(), new_page()
    sign_up(asha, site, "asha")
    table = new_table(asha, site)
    bina.goto(table)
    bina.get_by_role("button", name="Sit down").click()
    bina.locator(".chair--me").wait_for()
    asha.reload()
    asha.get_by_role("button", name="Start with bots").click()
    asha.locator("#turn").wait_for()
    for _ in range(40):  # until asha is to play a card, and bina waits for her
        for page in (asha, bina):
            page.reload()
        if asha.locator("#hand").count():
            break
        press(
            next(page for page in (asha, bina) if page.locator("button[name=bid], #hand").count())
        )
        asha.wait_for_timeout(200)
    bina.locator("h1", has_text="Waiting for asha").wait_for()
    bina.evaluate(WATCH)
    sentence = asha.locator("#hand .hand__cards button:not(.no) .sr").first.inner_text()
    card = sentence.partition(",")[0]

    press(asha)
    bina.locator(".table-state[data-events*=' of ']").wait_for(timeout=PATIENCE_MS)
    for _ in range(100):
        if bina.locator(SOMETHING_TO_PRESS).count():
            break
        if asha.locator(SOMETHING_TO_PRESS).count():  # she took the trick and leads again
            press(asha)
        asha.wait_for_timeout(300)

    said = bina.evaluate("window.said")
    told = " ".join(said)
    assert told.count(f" played {card}.") + told.count(f" led {card}.") == 1
    assert told.count("Your turn: play a card.") == 1
    assert told.index(f" {card}.") < told.index("Your turn: play a card.")
    assert len(said) == len(set(said))
    assert not re.search("[♠♥♦♣]", told)
    assert bina.locator(LIVE).count() == 1


def test_a_blind_player_finds_the_table_in_words(site: str, new_page: NewPage) -> None:
    page = new_page()
    play_now(page, site)
    play_until(page, "trick 2")

    heard = page.locator("body").aria_snapshot()

    for landmark in ("banner", "main", "contentinfo", 'navigation "Main"', 'region "The table"'):
        assert landmark in heard
    assert re.search(r"Steady.*\d of tricks won of a bid of \d", heard)
    assert re.search(r'form "Your hand"', heard)
    assert re.search(r'button "\w+ of \w+, can', heard)
    places = [
        heard.index(words)
        for words in ('level=1', 'region "The table"', 'form "Your hand"', '"Score sheet" [level=2]', '"All tricks" [level=2]')
    ]  # fmt: skip
    assert places == sorted(places)
    assert not re.search("[♠♥♦♣]", heard)


def test_news_wait_until_a_finger_is_lifted(choosing: Page) -> None:
    page = choosing
    card = page.locator("#hand .hand__cards button:not(.picked)").first
    box = card.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.evaluate(WATCH)
    page.evaluate("document.querySelector('.table-state').dataset.v = '0'")

    assert poll(page) == 200
    assert page.locator(".table-state[data-v='0']").count() == 1
    page.mouse.up()

    page.locator("#hand .picked, .say--refused").first.wait_for()
    assert page.locator(".table-state[data-v='0']").count() == 0


def test_focus_stays_on_its_own_small_board(site: str, new_page: NewPage) -> None:
    page = new_page()
    sign_up(page, site, "five")
    table = new_table(page, site, preset="custom", rounds="2", parallel_rounds="on")
    page.clock.install()
    page.get_by_role("button", name="Start with bots").click()
    for number in (1, 2):
        page.goto(f"{table}?round={number}")
        page.locator("button[name=bid]").nth(1).click(timeout=PATIENCE_MS)
    page.goto(table)
    page.clock.run_for(2_000)
    # Both wait for me, so nobody else changes the page under the test.
    page.locator(".mini--mine:has(button[name=card])").nth(1).wait_for(timeout=PATIENCE_MS)
    last = page.locator(".mini button[name=card]").last
    name = last.get_attribute("id")
    last.focus()

    page.evaluate("document.querySelector('.table-state').dataset.v = '0'")
    assert poll(page) == 200
    page.locator(".table-state:not([data-v='0'])").wait_for()

    assert page.evaluate("document.activeElement.id") == name
    version = page.locator(".table-state").get_attribute("data-v")
    page.keyboard.press("Enter")
    page.locator(f".table-state:not([data-v='{version}'])").wait_for(timeout=PATIENCE_MS)
    assert page.url == table
    assert page.evaluate("document.activeElement.id") == "turn"
