"""`make screenshots`: every page in every state, at two widths, light and dark, into var/screenshots."""

import sys
import tempfile
from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser import states
from tests.browser.driving import (
    CHROMIUM,
    WITHOUT_CHROMIUM,
    ask_before_playing,
    ask_the_coach,
    chromium,
    invite,
    new_table,
    play_now,
    play_until,
    press,
    running_site,
    sign_up,
    speak,
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
}
OF_A_ROUND = {
    "round-over": "?round=1",
    "replay-face-up": "replay/?round=1&seq=30",
    "replay-round-over": "replay/?round=1",
    "coach": "coach/?round=1",
    "sheet": "sheet/",
    "log": "log/",
}
IN_OTHER_WORDS = {
    "landing": "/",
    "home": "/home/",
    "new-table": "/games/new/",
    "rules-arcadia": "/rules/arcadia/",
    "settings": "/settings/",
}
# A form that no page of ours sends.
BROKEN_FORM = """([action, method]) => {
  const form = document.createElement('form');
  Object.assign(form, {action, method});
  document.body.append(form);
  form.submit();
}"""


class Camera:
    """Takes a page at every size and in every theme; `-fold` is what fits on the screen of a phone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def shoot(self, page: Page, name: str) -> None:
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)  # type: ignore[arg-type] # one of THEMES
                page.evaluate("window.scrollTo(0, 0)")
                if width == 360:
                    page.screenshot(path=self.folder / f"{name}-{width}-{theme}-fold.png")
                page.screenshot(path=self.folder / f"{name}-{width}-{theme}.png", full_page=True)

    def shoot_each(self, page: Page, root: str, paths: Mapping[str, str], tail: str = "") -> None:
        for name, path in paths.items():
            page.goto(root + path)
            self.shoot(page, name + tail)

    def shoot_modes(self, page: Page, name: str) -> None:
        """The page with few colours, and as a printer has it."""
        page.set_viewport_size({"width": 1000, "height": 900})
        page.emulate_media(color_scheme="light", forced_colors="active")
        page.screenshot(path=self.folder / f"{name}-forced-colours.png", full_page=True)
        page.emulate_media(forced_colors="none", media="print")
        page.screenshot(path=self.folder / f"{name}-print.png", full_page=True)
        page.emulate_media(media="screen")


def shoot_all(browser: Browser, site: str, folder: Path, camera: Camera) -> None:
    """`folder` is where the site keeps its database."""

    guest, asha, bina, visitor = (browser.new_context().new_page() for _ in range(4))
    camera.shoot_each(visitor, site, FOR_EVERYBODY)
    shoot_refusals(visitor, site, camera)
    shoot_a_match(guest, site, camera)
    sign_up(asha, site, "asha", is_shared=False)
    sign_up(bina, site, "bina", is_shared=False)
    shoot_seats(asha, visitor, site, camera)
    shoot_person(asha, site, camera)
    tables = [shoot_side_by_side(asha, site, camera), shoot_sealed_bids(asha, site, camera)]
    tables.append(shoot_two_at_a_table(asha, bina, visitor, site, folder, camera))
    shoot_home(asha, site, folder, tables, camera)
    shoot_in_other_words(asha, site, tables[-1], camera)
    # Last: without its tables the site can only say that something broke.
    (folder / "callbreak.sqlite3").rename(folder / "elsewhere.sqlite3")
    visitor.goto(f"{site}/tables/")
    camera.shoot(visitor, "something-broke")


def shoot_refusals(page: Page, site: str, camera: Camera) -> None:
    page.goto(f"{site}/accounts/signup/")
    page.locator("main form").evaluate("form => { form.noValidate = true; form.requestSubmit(); }")
    page.locator("[aria-invalid=true]").first.wait_for()
    camera.shoot(page, "signup-refused")
    with page.expect_navigation():
        page.evaluate(BROKEN_FORM, ["/play/", "post"])
    camera.shoot(page, "form-too-old")


def shoot_a_match(page: Page, site: str, camera: Camera) -> None:
    """A guest's match against bots, from the first bid to the rematch."""
    play_now(page, site)
    table = page.url
    wait_for_my_turn(page, scripted=True)
    camera.shoot(page, "bidding")
    page.locator("a[href*='help=1']").click()
    page.locator("#bid-help").wait_for()
    camera.shoot(page, "bidding-with-help")
    press(page)
    wait_for_my_turn(page, scripted=True)
    camera.shoot(page, "first-trick")
    page.goto(f"{table}plan/1/")
    camera.shoot(page, "plan")
    page.goto(table)
    play_until(page, "Round 2")
    camera.shoot(page, "bidding-after-a-round")
    page.goto(f"{table}coach/")
    ask_the_coach(page)
    camera.shoot_each(page, table, OF_A_ROUND)
    camera.shoot_modes(page, "log")
    page.goto(f"{table}sheet/")
    camera.shoot_modes(page, "sheet")
    camera.shoot_each(page, site, {"keep": "/accounts/keep/", "home-of-a-guest": "/home/"})

    page.goto(table)
    play_to_a_choice(page)
    camera.shoot(page, "table")
    camera.shoot_modes(page, "table")
    page.locator("#hand .no").first.click(force=True)
    page.locator(".say--refused").wait_for()
    camera.shoot(page, "table-refused")
    ask_before_playing(page)
    page.locator("#hand .hand__cards button:not(.no)").first.click()
    page.locator(".playrow button").wait_for(state="attached")
    camera.shoot(page, "table-chosen")
    page.evaluate("document.documentElement.classList.add('four-colour', 'large-cards')")
    camera.shoot(page, "table-four-colours-large")
    play_until(page, "You lead")
    page.locator(".claim button").click()
    page.locator(".say--refused, .over").first.wait_for()
    camera.shoot(page, "claim-not-proven")
    play_until(page, "The match is over")
    camera.shoot(page, "match-over")
    page.goto(f"{site}/home/")
    camera.shoot(page, "home-empty")


def play_to_a_choice(page: Page) -> None:
    """On to a turn in the middle of a round at which some cards may be played and some not: best one that must beat."""
    while True:
        wait_for_my_turn(page, scripted=True)
        is_dull = not page.locator("#hand .no").count()
        cards = page.locator("#hand .hand__cards button").count()
        must_beat = "You must beat" in page.locator("#table").inner_text()
        if cards <= 9 and not is_dull and (must_beat or page.get_by_text("Round 4").count()):
            return
        press(page)


def shoot_seats(host: Page, visitor: Page, site: str, camera: Camera) -> None:
    """A table before the start: from its maker's side, in the lobby, by invitation; and given up."""
    table = new_table(host, site)
    link = invite(host)
    camera.shoot(host, "waiting-for-players")
    camera.shoot_each(visitor, site, {"lobby": "/tables/"})
    camera.shoot_each(visitor, table, {"a-seat-is-free": ""})
    visitor.goto(link)
    camera.shoot(visitor, "invitation")
    host.goto(f"{table}leave")
    camera.shoot(host, "leave")
    host.locator("main form .btn--main").click()
    camera.shoot_each(host, table, {"table-closed": ""})
    camera.shoot_each(visitor, site, {"person-without-matches": "/people/asha/"})


def shoot_person(page: Page, site: str, camera: Camera) -> None:
    """Somebody's public page, and the end of the public match that stands on it."""
    table = new_table(page, site, preset="everestbuzz-friends")
    page.get_by_role("button", name="Start with bots").click()
    states.finish_by_autopilot(page, table)
    camera.shoot_each(page, table, {"match-over-by-autopilot": ""})
    camera.shoot_each(page, site, {"person": "/people/asha/", "home-with-a-result": "/home/"})


def shoot_side_by_side(page: Page, site: str, camera: Camera) -> str:
    table = states.bid_side_by_side(page, site)
    camera.shoot(page, "side-by-side")
    page.locator(".mini--mine h2 a").first.click()
    page.locator("#hand").wait_for()
    camera.shoot(page, "side-by-side-one")
    return table


def shoot_sealed_bids(page: Page, site: str, camera: Camera) -> str:
    table = new_table(page, site, sealed_bids="on")
    page.get_by_role("button", name="Start with bots").click()
    page.get_by_text("has bid").nth(2).wait_for()
    camera.shoot(page, "sealed-bids")
    return table


def shoot_two_at_a_table(
    asha: Page, bina: Page, visitor: Page, site: str, folder: Path, camera: Camera
) -> str:
    """What takes two people: waiting, a plan that waits, autopilot, time that runs short and out."""
    table = states.sit_two(asha, bina, site)
    due, waits = states.take_turns(table, asha, bina, until=".tricks > li:nth-child(6)")
    camera.shoot(waits, "table-waiting")
    camera.shoot_each(visitor, table, {"watching": "", "replay-of-a-running-round": "replay/"})
    states.fill_plan(waits, table)
    camera.shoot(waits, "plan-filled")
    camera.shoot_each(waits, table, {"table-with-a-plan": "", "plan-away": "plan/1/away"})
    waits.goto(table)
    states.give_to_autopilot(waits)
    camera.shoot(waits, "autopilot")
    states.set_deadlines(folder, table, timedelta(minutes=52))
    camera.shoot_each(due, table, {"deadline-soon": ""})
    states.let_time_run_out(folder, table, due, ".tag--red")
    camera.shoot(due, "late")
    states.let_time_run_out(folder, table, due, ".kept")
    camera.shoot(due, "seat-kept-by-a-bot")
    due.locator(".kept button").click()
    due.locator(".kept").wait_for(state="detached")
    return table


def shoot_home(page: Page, site: str, folder: Path, tables: Iterable[str], camera: Camera) -> None:
    """My games with several of them, one of them due within the hour; and what mail there was."""
    for table, minutes in zip(tables, (52, 1420, 2050), strict=True):
        page.goto(table)
        if page.locator(states.MY_TURN + ", .mini--mine").count():
            states.set_deadlines(folder, table, timedelta(minutes=minutes))
    new_table(page, site)
    states.looked_long_ago(folder)
    camera.shoot_each(page, site, OF_A_PLAYER)


def shoot_in_other_words(page: Page, site: str, table: str, camera: Camera) -> None:
    for language in ("ne", "hi"):
        page.goto(f"{site}/home/")
        speak(page, language)
        camera.shoot_each(page, site, IN_OTHER_WORDS, f"-{language}")
        camera.shoot_each(page, table, {"table": "", "replay": "replay/"}, f"-{language}")


def main() -> int:
    if CHROMIUM is None:
        print(WITHOUT_CHROMIUM, file=sys.stderr)  # noqa: T201 - a program for the command line
        return 1
    pictures = Path("var/screenshots")
    pictures.mkdir(parents=True, exist_ok=True)
    for old in pictures.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "var"
        with running_site(folder) as site, chromium() as browser:
            shoot_all(browser, site, folder, Camera(pictures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
