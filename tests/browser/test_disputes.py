"""By clicking alone: a player's report, the ruling, the second signature, the mails, the appeal. axe-core finds nothing on the way."""

import re
import sqlite3
import time
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.audit import audit, axe
from tests.browser.conftest import NewPage
from tests.browser.driving import PATIENCE_MS, sign_up
from tests.browser.states import sit_two
from tests.second_factor import code

WHY = "The card that was reported was played against the rules."
PATIENCE_SECONDS = 90


def make_staff(folder: Path, name: str) -> str:
    """As `manage.py createsuperuser` would; their address is confirmed. The tail of their name, which `sign_up` gave it."""
    with sqlite3.connect(folder / "callbreak.sqlite3", timeout=30) as database:
        database.execute(
            "UPDATE accounts_user SET is_staff = 1, is_superuser = 1 WHERE username LIKE ?",
            [f"{name}-%"],
        )
        database.execute("UPDATE account_emailaddress SET verified = 1")
        found = database.execute(
            "SELECT username FROM accounts_user WHERE username LIKE ?", [f"{name}-%"]
        ).fetchone()
    database.close()
    return str(found[0]).rpartition("-")[2]


def at_the_desk(new_page: NewPage, site: str, folder: Path, name: str) -> Page:
    """Somebody of the staff, with a code app, in front of the queue."""
    page = new_page()
    sign_up(page, site, name)
    tail = make_staff(folder, name)
    page.goto(f"{site}/admin/desk/")
    if page.locator("main input[name=password]").count():
        page.locator("main input[name=password]").fill(f"a long walk in {tail}")
        page.locator("main button[type=submit], main form button").first.click()
        page.wait_for_load_state()
    secret = page.locator("main input[disabled]").input_value()
    page.locator("input[name=code]").fill(code(secret))
    page.get_by_role("button", name="Activate").click()
    page.wait_for_load_state()
    # Setting it up is no login with it.
    page.goto(f"{site}/admin/desk/")
    page.locator("input[name=code]").fill(code(secret))
    page.locator("main form:has(input[name=code]) button").first.click()
    page.get_by_role("heading", name="Cases").wait_for()
    return page


def mails_with(folder: Path, words: str) -> int:
    """How many mails say so, all that were written until now."""
    texts = [path.read_text(errors="replace") for path in (folder / "mail").glob("*")]
    return sum(text.count(words) for text in texts)


def wait_for_mails(folder: Path, words: str, number: int) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while (found := mails_with(folder, words)) < number:
        assert time.monotonic() < until, f"{found} mails say {words}"
        time.sleep(0.5)


def test_from_a_report_to_the_appeal(site: str, folder: Path, new_page: NewPage) -> None:
    asha, bina = new_page(), new_page()
    sign_up(asha, site, "asha")
    sign_up(bina, site, "bina")
    with sqlite3.connect(folder / "callbreak.sqlite3", timeout=30) as database:
        database.execute("UPDATE account_emailaddress SET verified = 1")
    database.close()
    table = sit_two(asha, bina, site)
    game = re.findall(r"/games/(\w+)/", table)[0]

    # Asha reports a line of the log.
    asha.goto(f"{table}log/")
    asha.locator("a.log__report").nth(5).click()
    audit(asha, "the form of a report")
    asha.locator("textarea[name=text]").fill("This was not dealt as it should have been.")
    asha.locator("select[name=category]").select_option("deal")
    asha.get_by_role("button", name="Send").click()
    asha.get_by_text("What the automatic check found").wait_for()
    assert asha.get_by_text("Yes", exact=True).count() == 4
    audit(asha, "a report of mine")
    case_url = asha.url
    asha.get_by_role("link", name="My reports").first.click()
    audit(asha, "my reports")

    # Farida takes the case, opens the hands and proposes; Gopal signs.
    farida = at_the_desk(new_page, site, folder, "farida")
    assert "\n".join(axe(farida)) == ""
    farida.get_by_role("link", name=re.compile(game)).click()
    farida.get_by_role("button", name="Take this case").click()
    farida.get_by_role("link", name="Round 1").click()
    farida.get_by_role("button", name="Open the hands").click()
    farida.get_by_role("link", name="Round 1").click()
    farida.get_by_role("heading", name="All four hands").wait_for()
    assert "\n".join(axe(farida)) == ""
    asha.goto(f"{table}log/")
    asha.get_by_text("Staff opened the hands of round 1").wait_for()
    farida.locator("select[name=ruling]").select_option("void_round")
    farida.locator("textarea[name=reason]").fill(WHY)
    farida.locator("input[name=cites]").fill("arcadia/deal, 6")
    farida.locator("form input[name=round][type=number]").fill("1")
    gopal = at_the_desk(new_page, site, folder, "gopal")
    farida.get_by_role("button", name="Propose").click()
    farida.get_by_role("heading", name=re.compile("Proposed")).wait_for()
    gopal.get_by_role("link", name=re.compile(game)).click()
    assert "\n".join(axe(gopal)) == ""
    gopal.get_by_role("button", name="Sign").click()
    gopal.get_by_role("heading", name=re.compile("Decided")).wait_for()

    # Both players get the mail; Bina, who reported nothing, appeals.
    wait_for_mails(folder, WHY, 2)
    assert mails_with(folder, case_url) >= 2
    bina.goto(case_url)
    bina.get_by_text(WHY).wait_for()
    audit(bina, "a decision")
    bina.locator("textarea[name=text]").fill("The deal was right: look at the verifier.")
    bina.get_by_role("button", name="Send the appeal").click()
    bina.get_by_text("There was an appeal").wait_for(timeout=PATIENCE_MS)
    audit(bina, "a case under appeal")
    bina.goto(f"{site}/rulings/")
    audit(bina, "the numbers")
    gopal.reload()
    gopal.get_by_text("Appeal of").wait_for()
    gopal.get_by_role("button", name="Take this case").click()
    gopal.get_by_text("You decided this case").wait_for()
