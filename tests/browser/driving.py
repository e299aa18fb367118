"""A real Chromium at the real site: `manage.py play` in a folder of its own, bots that answer at once."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


def is_over(page: Page) -> bool:
    return page.locator("h1").inner_text() == "The match is over"


def press(page: Page) -> None:
    """Bid low or play the first card that may be played, and wait until the table has taken it."""
    version = page.locator(".table-state").get_attribute("data-v")
    if page.locator("button[name=bid]").count():
        page.locator("button[name=bid]").nth(1).click()
    else:
        page.locator("#hand .hand__cards button:not(.no)").first.click()
    page.locator(f".table-state:not([data-v='{version}'])").wait_for(timeout=PATIENCE_MS)


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


def play_until(page: Page, heading: str, *, scripted: bool = True) -> None:
    """Play on until the heading (or the line beside it) says `heading`."""
    for _ in range(600):
        wait_for_my_turn(page, scripted=scripted)
        if heading in page.locator("#table").inner_text():
            return
        assert not is_over(page), f"the match ended before {heading!r}"
        press(page)
    raise AssertionError(f"never saw {heading!r}")
