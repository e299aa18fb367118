"""`make screenshots`: every page at two widths, light and dark, into var/screenshots."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser.driving import (
    CHROMIUM,
    WITHOUT_CHROMIUM,
    ask_before_playing,
    chromium,
    invite,
    new_table,
    play_now,
    play_until,
    press,
    running_site,
    sign_up,
    wait_for_my_turn,
)

SIZES = {360: 740, 1280: 900}
THEMES = ("light", "dark")
FOR_EVERYBODY = {
    "landing": "/",
    "rules": "/rules/",
    "rules-arcadia": "/rules/arcadia/",
    "rules-custom": "/rules/custom/",
    "learn": "/learn/",
    "learn-refused": "/learn/2/?card=5H",
    "fairness": "/fairness/",
    "lobby-empty": "/tables/",
    "login": "/accounts/login/",
    "signup": "/accounts/signup/",
    "password-reset": "/accounts/password/reset/",
    "no-page": "/nowhere/",
    "no-invitation": "/games/0000000000/?invite=nothing",
    "api": "/api/docs/",
    "api-errors": "/api/docs/errors",
}
OF_A_PLAYER = {
    "home": "/home/",
    "new-table": "/games/new/",
    "settings": "/settings/",
    "notices": "/settings/notices/",
    "tokens": "/settings/tokens/",
    "keep": "/accounts/keep/",
}
OF_A_ROUND = {
    "round-over": "?round=1",
    "replay": "replay/?round=1&seq=30",
    "replay-round-over": "replay/?round=1",
    "sheet": "sheet/",
    "log": "log/",
}


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
    pages = browser.new_context().new_page()
    for name, path in FOR_EVERYBODY.items():
        pages.goto(site + path)
        shoot(pages, folder, name)
    shoot_a_match(browser.new_context().new_page(), site, folder)
    shoot_a_table(browser, site, folder)


def shoot_a_match(page: Page, site: str, folder: Path) -> None:
    """A guest's match against bots, from the first bid to the rematch."""
    play_now(page, site)
    table = page.url
    wait_for_my_turn(page, scripted=True)
    shoot(page, folder, "bidding")
    press(page)
    wait_for_my_turn(page, scripted=True)
    shoot(page, folder, "first-trick")
    page.goto(f"{table}plan/1/")
    shoot(page, folder, "plan")
    page.goto(table)
    play_until(page, "Round 2")
    shoot(page, folder, "bidding-after-a-round")
    for name, path in OF_A_ROUND.items():
        page.goto(table + path)
        shoot(page, folder, name)
    for name, path in OF_A_PLAYER.items():
        page.goto(site + path)
        shoot(page, folder, name)

    page.goto(table)
    play_until(page, "You must beat")
    while page.locator("#hand .hand__cards button").count() > 9:
        press(page)
        play_until(page, "You must beat")
    shoot(page, folder, "table")
    page.locator("#hand .no").first.click(force=True)
    page.locator(".say--refused").wait_for()
    shoot(page, folder, "table-refused")
    ask_before_playing(page)
    page.locator("#hand .hand__cards button:not(.no)").first.click()
    page.locator(".playrow button").wait_for(state="attached")
    shoot(page, folder, "table-chosen")
    play_until(page, "The match is over")
    shoot(page, folder, "match-over")
    page.goto(f"{site}/home/")
    shoot(page, folder, "home-empty")


def shoot_a_table(browser: Browser, site: str, folder: Path) -> None:
    """A table of people: before the start, by invitation, seen from a seat that waits, and by who looks on."""
    host, guest, visitor = (browser.new_context().new_page() for _ in range(3))
    sign_up(host, site, "asha")
    table = new_table(host, site)
    link = invite(host)
    shoot(host, folder, "waiting-for-players")
    host.goto(f"{table}leave")
    shoot(host, folder, "leave")
    visitor.goto(f"{site}/tables/")
    shoot(visitor, folder, "lobby")
    visitor.goto(table)
    shoot(visitor, folder, "a-seat-is-free")
    guest.goto(link)
    shoot(guest, folder, "invitation")
    guest.get_by_role("button", name="Sit down").click()
    guest.locator(".chair--me").wait_for()
    host.goto(table)
    host.get_by_role("button", name="Start with bots").click()
    host.wait_for_load_state()
    for _ in range(12):
        for player in (host, guest):
            player.goto(table)
            player.wait_for_timeout(500)
            if player.locator("button[name=bid], #hand").count():
                press(player)
    for player in (host, guest):
        player.goto(table)
    waits = guest if host.locator("button[name=bid], #hand").count() else host
    shoot(waits, folder, "table-waiting")
    visitor.goto(table)
    shoot(visitor, folder, "watching")
    visitor.goto(f"{table}replay/")
    shoot(visitor, folder, "replay-of-a-running-round")
    visitor.goto(f"{table}sheet/")
    visitor.locator("main a[href^='/people/']").first.click()
    visitor.wait_for_load_state()
    shoot(visitor, folder, "person")


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
