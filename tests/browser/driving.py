"""A real Chromium at the real site: `manage.py play` in a folder of its own, bots that answer at once."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from playwright.sync_api import Browser, Page, sync_playwright

from tests.site.processes import Site, free_port

CHROMIUM = shutil.which("chromium")
WITHOUT_CHROMIUM = (
    "NO CHROMIUM, SO NO PAGE WAS TRIED IN A BROWSER: install it with `apt-get install chromium`"
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
PATIENCE_MS = 30_000
SOMETHING_TO_PRESS = (
    "button[name=bid], #hand .hand__cards button:not(.no), h1:has-text('The match is over')"
)


@contextmanager
def running_site(folder: Path) -> Iterator[str]:
    """The address of a site that serves from `folder`."""
    site = Site(folder, free_port())
    try:
        line = site.first_line()
        assert line.startswith("ready "), site.log.read_text()
        yield line.removeprefix("ready ").rstrip("/")
    finally:
        site.process.terminate()
        site.process.wait(60)
        site.clean_up()


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def play_now(page: Page, site: str, preset: str = "arcadia") -> None:
    """A guest presses Play now on the first page, with these rules."""
    page.goto(f"{site}/")
    if preset != "arcadia":
        page.locator("form[action='/play/'] details summary").first.click()
        page.locator(f"input[name=preset][value={preset}]").check()
    page.get_by_role("button", name="Play now").first.click()
    page.wait_for_url("**/games/*/**")


def sign_up(page: Page, site: str, name: str, *, is_shared: bool = True) -> None:
    """A new account, logged in. Its name gets a tail of its own where one site serves many tests."""
    tail = token_hex(3)
    page.goto(f"{site}/accounts/signup/")
    page.locator("input[name=username]").fill(f"{name}-{tail}" if is_shared else name)
    page.locator("input[name=email]").fill(f"{tail}@example.org")
    page.locator("input[name=password1]").fill(f"a long walk in {tail}")
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url("**/home/")


def new_table(page: Page, site: str, **choices: str) -> str:
    """The address of a new table with three open seats; `choices` are fields of its form, by name."""
    page.goto(f"{site}/games/new/")
    folds = page.locator("main form details:not([open]) > summary")
    while folds.count():  # each that opens is one fewer
        folds.first.click()
    for name, value in choices.items():
        field = page.locator(f"main form [name={name}]").first
        if field.evaluate("field => field.type") == "radio":
            page.locator(f"main form [name={name}][value={value}]").check()
        elif field.evaluate("field => field.type") == "checkbox":
            field.check()
        elif field.evaluate("field => field.localName") == "select":
            field.select_option(value)
        else:
            field.fill(value)
    page.locator("main form .btn--main").last.click()
    page.wait_for_url(re.compile(r"/games/[0-9A-Z]{8,}/"))
    return page.url


def invite(page: Page) -> str:
    """A link for any free seat of the table that `page` shows."""
    page.locator("#invitations form[action$='/invitations/'] button").click()
    return page.locator("#invitations input[readonly]").first.input_value()


def ask_before_playing(page: Page) -> None:
    page.locator("#display summary").click()
    page.locator("#display input[name=ask]").check()
    page.locator("#display button").click()
    page.locator("form[data-ask], #bids").first.wait_for(state="attached")


def speak(page: Page, language: str) -> None:
    page.locator(f".foot button[name=language][value={language}]").click()
    page.locator(f"html[lang={language}]").wait_for()


def is_over(page: Page) -> bool:
    return page.locator("h1").inner_text() == "The match is over"


def ask_the_coach(page: Page) -> None:
    """On the coach's page: ask, and look again until it is done."""
    page.locator("main form button").first.click()
    while not page.locator("#coach-cards").count():
        page.wait_for_timeout(300)
        page.locator("main .btn--main").first.click()
        page.wait_for_load_state()


def press(page: Page) -> None:
    """Bid low or play the first card that may be played, and wait until the table has taken it."""
    version = page.locator(".table-state").get_attribute("data-v")
    if page.locator("button[name=bid]").count():
        page.locator("button[name=bid]").nth(1).click()
    elif page.locator("#hand .picked").count():
        page.locator("#hand .picked").click()
    else:
        page.locator("#hand .hand__cards button:not(.no)").first.click()
        if page.locator("#hand[data-ask]").count():
            page.locator("#hand .picked").click()
    page.locator(f".table-state:not([data-v='{version}'])").wait_for(timeout=PATIENCE_MS)


def press_keys(page: Page) -> None:
    """The same by the keyboard alone: Tab to what can be done, Enter."""
    version = page.locator(".table-state").get_attribute("data-v")
    tab_to(page, "button[name=bid], #hand .hand__cards button")
    page.keyboard.press("Enter")
    page.locator(f".table-state:not([data-v='{version}'])").wait_for(timeout=PATIENCE_MS)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until what has the focus matches."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never reaches {selector}")


def wait_for_my_turn(page: Page, *, scripted: bool) -> None:
    if scripted:
        page.locator(SOMETHING_TO_PRESS).first.wait_for(timeout=PATIENCE_MS)
        return
    for _ in range(200):
        if page.locator(SOMETHING_TO_PRESS).count():
            return
        page.wait_for_timeout(100)
        page.reload()
    raise AssertionError("it never was my turn")


def play_until(
    page: Page,
    heading: str,
    *,
    scripted: bool = True,
    move: Callable[[Page], None] = press,
) -> None:
    """Play on, by `move`, until the heading (or the line beside it) says `heading`."""
    for _ in range(600):
        wait_for_my_turn(page, scripted=scripted)
        if heading in page.locator("#table").inner_text():
            return
        assert not is_over(page), f"the match ended before {heading!r}"
        move(page)
    raise AssertionError(f"never saw {heading!r}")
