"""Ways to states of the pages that take two people, or days: the tests and the pictures look at the same ones."""

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.driving import PATIENCE_MS, invite, new_table, press

MY_TURN = "button[name=bid], #hand"
_COLUMN = "%Y-%m-%d %H:%M:%S.%f"  # how Django writes an instant into SQLite


def sit_two(host: Page, other: Page, site: str, **choices: str) -> str:
    """The address of a running table: the two sit at it, `other` by invitation, and two bots."""
    table = new_table(host, site, **choices)
    other.goto(invite(host))
    other.get_by_role("button", name="Sit down").click()
    other.locator(".chair--me").wait_for()
    host.goto(table)
    host.get_by_role("button", name="Start with bots").click()
    host.wait_for_load_state()
    return table


def take_turns(table: str, *people: Page, until: str, moves: int = 60) -> tuple[Page, Page]:
    """Whoever is to act acts, until the one who waits sees `until` (a selector). Who is to act then, and who waits."""
    for _ in range(moves):
        for page in people:
            page.goto(table)
        due = next((page for page in people if page.locator(MY_TURN).count()), None)
        if due is None:
            people[0].wait_for_timeout(200)
            continue
        other = next(page for page in people if page is not due)
        if other.locator(until).count():
            return due, other
        press(due)
    raise AssertionError(f"nobody saw {until}")


def set_deadlines(folder: Path, table: str, left: timedelta) -> None:
    """Whoever is to act at this table has so much time left. Days pass for nobody else: only these clocks are moved."""
    at = datetime.now(UTC) + left
    game = table.rstrip("/").rpartition("/")[2]
    with sqlite3.connect(folder / "callbreak.sqlite3", timeout=30) as database:
        rows = database.execute(
            "SELECT id, clocks FROM games_round WHERE game_id = ? AND clocks <> '{}'", [game]
        ).fetchall()
        assert rows, "nobody's clock runs"
        for number, text in rows:
            clocks = json.loads(text)
            for clock in clocks.values():
                clock |= {"deadline": at.isoformat(), "remind": at.isoformat()}
            database.execute(
                "UPDATE games_round SET clocks = ?, alarm_at = ? WHERE id = ?",
                [json.dumps(clocks), at.strftime(_COLUMN), number],
            )
    database.close()


def looked_long_ago(folder: Path) -> None:
    """Everybody looked at their tables when they began, a day ago."""
    at = (datetime.now(UTC) - timedelta(days=1)).strftime(_COLUMN)
    with sqlite3.connect(folder / "callbreak.sqlite3", timeout=30) as database:
        database.execute("UPDATE games_lastseen SET seq = 1, at = ?, since_seq = 0", [at])
    database.close()


def let_time_run_out(folder: Path, table: str, late: Page, sign: str) -> None:
    """The time of whoever is to act is over; `late` looks until the page shows `sign` (a selector)."""
    set_deadlines(folder, table, timedelta(minutes=-2))
    late.goto(table)
    late.locator(sign).first.wait_for(timeout=PATIENCE_MS)


def give_to_autopilot(page: Page) -> None:
    page.locator("#plan button[name=on][value=yes]").click()
    page.locator("#plan button[name=on][value=no]").wait_for()


def finish_by_autopilot(page: Page, table: str) -> None:
    """A bot plays every round of the match for the player of `page`; the others are bots."""
    for _ in range(600):
        page.goto(table)
        if page.locator(".over #rematch").count():
            return
        if page.locator("#plan button[name=on][value=yes]").count():
            give_to_autopilot(page)
        page.wait_for_timeout(200)
    raise AssertionError("the match never ended")


def fill_plan(page: Page, table: str, number: int = 1) -> None:
    """A plan with everything in it, kept."""
    page.goto(f"{table}plan/{number}/")
    page.locator("button[name=do][value=add]").click()
    page.locator("input[name=led0][value=H]").check()
    page.locator("select[name=play0]").select_option("lowest_that_beats_else_lowest")
    page.locator("details.more summary").first.click()
    page.locator("select[name=trumped0]").select_option("no")
    for _ in range(2):
        page.locator("button[name=do][value=lead]").click()
    page.locator("input[name=stop][value=bid_made]").check()
    page.locator("button[name=do][value=save]").click()
    page.goto(f"{table}plan/{number}/")
    page.locator(".queue li").first.wait_for()


def bid_side_by_side(page: Page, site: str, **choices: str) -> str:
    """The address of a table of rounds side by side with bots, every round bid by `page`'s player."""
    table = new_table(page, site, parallel_rounds="on", **choices)
    page.get_by_role("button", name="Start with bots").click()
    page.locator(".mini").first.wait_for()
    for number in range(1, page.locator(".mini").count() + 1):
        page.goto(f"{table}?round={number}")
        page.locator("button[name=bid]").nth(1).click(timeout=PATIENCE_MS)
        page.locator(".mini").first.wait_for(timeout=PATIENCE_MS)
    page.locator(".mini--mine button[name=card]").first.wait_for(timeout=PATIENCE_MS)
    return table
