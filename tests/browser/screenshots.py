"""`make screenshots`: every page at two widths, light and dark, into var/screenshots."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser.driving import (
    CHROMIUM,
    WITHOUT_CHROMIUM,
    chromium,
    play_now,
    play_until,
    press,
    running_site,
    wait_for_my_turn,
)

SIZES = {360: 740, 1280: 900}
THEMES = ("light", "dark")
BEFORE = {
    "landing": "/",
    "rules": "/rules/",
    "rules-arcadia": "/rules/arcadia/",
    "login": "/accounts/login/",
}
AFTER = {
    "home": "/home/",
    "tables": "/tables/",
    "new-table": "/games/new/",
    "settings": "/settings/",
    "notices": "/settings/notices/",
    "fairness": "/fairness/",
}


OF_A_GAME = {"replay": "replay/?seq=30", "sheet": "sheet/", "log": "log/"}


def shoot(page: Page, folder: Path, name: str) -> None:
    """The page at every size and in every theme; `-fold` is what fits on the screen of a phone."""
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type] # one of THEMES
            page.evaluate("window.scrollTo(0, 0)")
            if width == 360:
                page.screenshot(path=folder / f"{name}-{width}-{theme}-fold.png")
            page.screenshot(path=folder / f"{name}-{width}-{theme}.png", full_page=True)


def shoot_all(browser: Browser, site: str, folder: Path) -> None:
    page = browser.new_context(device_scale_factor=1).new_page()
    for name, path in BEFORE.items():
        page.goto(site + path)
        shoot(page, folder, name)
    play_now(page, site)
    table = page.url
    wait_for_my_turn(page, scripted=True)
    shoot(page, folder, "bidding")
    press(page)
    wait_for_my_turn(page, scripted=True)
    while not page.locator("#hand .no").count() or not page.locator("text=trick 6").count():
        press(page)
        wait_for_my_turn(page, scripted=True)
        if page.locator("text=trick 9").count():
            break
    shoot(page, folder, "table")
    if page.locator("#hand .no").count():
        page.locator("#hand .no").first.click(force=True)
        page.locator(".say--refused").wait_for()
        shoot(page, folder, "table-refused")
    play_until(page, "Round 2")
    shoot(page, folder, "bidding-after-a-round")
    page.goto(f"{table}?round=1")
    shoot(page, folder, "round-over")
    for name, path in OF_A_GAME.items():
        page.goto(table.partition("?")[0] + path)
        shoot(page, folder, name)
    for name, path in AFTER.items():
        page.goto(site + path)
        shoot(page, folder, name)
    page.goto(f"{site}/games/new/")
    page.locator("main form button[type=submit], main form .btn--main").last.click()
    page.wait_for_load_state()
    shoot(page, folder, "waiting-for-players")
    visitor = browser.new_context().new_page()
    visitor.goto(page.url)
    shoot(visitor, folder, "a-seat-is-free")
    page.get_by_role("button", name="Start with bots").click()
    play_until(page, "trick 4")
    visitor.reload()
    shoot(visitor, folder, "watching")
    page.goto(table)
    play_until(page, "The match is over")
    shoot(page, folder, "match-over")


def main() -> int:
    if CHROMIUM is None:
        print(WITHOUT_CHROMIUM, file=sys.stderr)  # noqa: T201 - a program for the command line
        return 1
    folder = Path("var/screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as scratch,
        running_site(Path(scratch) / "var") as site,
        chromium() as browser,
    ):
        shoot_all(browser, site, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
