"""Every page in every state it has: axe-core finds nothing, in light and dark, narrow and wide, and in every language."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page

from tests.browser import states
from tests.browser.audit import audit, audit_narrow
from tests.browser.conftest import NewPage
from tests.browser.driving import (
    ask_before_playing,
    ask_the_coach,
    invite,
    new_table,
    play_now,
    play_until,
    press,
    sign_up,
    speak,
    wait_for_my_turn,
)

FOR_EVERYBODY = (
    "/",
    "/rules/",
    "/rules/arcadia/",
    "/rules/custom/",
    "/learn/",
    "/learn/2/?card=5H",
    "/fairness/",
    "/transparency/",
    "/tables/",
    "/nowhere/",
    "/api/docs/errors",
    "/api/docs/start",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
)
LANGUAGES = ("ne", "hi")


@pytest.mark.parametrize("path", FOR_EVERYBODY)
def test_pages_for_everybody(site: str, new_page: NewPage, path: str) -> None:
    page = new_page()
    page.goto(site + path)

    audit(page, path)

    for language in LANGUAGES:
        page.context.add_cookies([{"name": "django_language", "value": language, "url": site}])
        page.goto(site + path)
        assert page.locator("html").get_attribute("lang") == language
        audit_narrow(page, f"{path} in {language}")


def test_pages_of_an_account_without_games(site: str, new_page: NewPage) -> None:
    page = new_page()
    sign_up(page, site, "quiet")
    paths = (
        "/home/",
        "/games/new/",
        "/settings/",
        "/settings/notices/",
        "/settings/tokens/",
        "/settings/webhooks/",
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/2fa/",
        "/accounts/logout/",
    )

    for path in paths:
        page.goto(site + path)
        audit(page, path)

    page.goto(f"{site}/settings/tokens/")
    page.locator("main form input[type=text]").first.fill("my bot")
    page.locator("main form input[type=checkbox]").first.check()
    page.locator("main form button[type=submit]").last.click()
    page.locator("main code").first.wait_for()
    audit(page, "a new token")
    page.goto(f"{site}/accounts/login/")
    in_other_words(page, [site + path for path in paths])


def test_forms_that_were_refused(site: str, new_page: NewPage) -> None:
    page = new_page()

    page.goto(f"{site}/accounts/signup/")
    page.locator("main form").evaluate("form => { form.noValidate = true; form.requestSubmit(); }")
    page.locator(".errorlist, [aria-invalid=true]").first.wait_for()
    audit(page, "sign-up, refused")
    page.goto(f"{site}/accounts/login/")
    page.locator("input[name=login]").fill("nobody")
    page.locator("input[name=password]").fill("not the word")
    page.locator("main form button[type=submit]").first.click()
    page.locator(".note--warn, .errorlist").first.wait_for()
    audit(page, "login, refused")
    page.goto(f"{site}/games/0000000000/?invite=nothing")
    audit(page, "an invitation that opens nothing")


def test_the_table_from_the_first_bid_to_the_last_card(site: str, new_page: NewPage) -> None:
    page = new_page()
    play_now(page, site, "everestbuzz-friends")
    table = re.sub(r"[?#].*", "", page.url)
    ask_before_playing(page)

    wait_for_my_turn(page, scripted=True)
    audit(page, "bidding")
    page.locator("a[href*='help=1']").click()
    page.locator("#bid-help").wait_for()
    audit(page, "bidding with help")
    press(page)
    wait_for_my_turn(page, scripted=True)
    audit(page, "the first trick")
    page.locator("#hand .hand__cards button:not(.no)").first.click()
    page.locator("#hand .picked").wait_for()
    audit(page, "a card is chosen")
    press(page)
    wait_for_my_turn(page, scripted=True)
    while not page.locator("#hand .no").count():
        press(page)
        wait_for_my_turn(page, scripted=True)
    audit(page, "cards that may not be played")
    page.locator("#hand .no").first.click(force=True)
    page.locator(".say--refused a").wait_for()
    audit(page, "a card was refused")
    pages = [f"{site}/home/", table, f"{table}replay/", f"{table}log/", f"{table}sheet/"]
    page.goto(f"{table}plan/1/")
    audit(page, "a plan")
    pages.append(page.url)
    stranger = new_page()
    stranger.goto(table)
    audit(stranger, "looking on")
    in_other_words(page, pages)

    page.goto(table)
    play_until(page, "Round 2")
    audit(page, "bidding after a round")
    page.goto(f"{table}?round=1")
    audit(page, "a round is over")
    page.goto(f"{table}replay/?round=1")
    audit(page, "the replay of a round that is over")
    page.goto(f"{table}coach/")
    audit(page, "the coach, not asked yet")
    ask_the_coach(page)
    audit(page, "the coach about a round")
    page.goto(table)
    play_until(page, "The match is over")
    audit(page, "the match is over")
    for path in ("replay/?round=2", "log/", "sheet/"):
        page.goto(table + path)
        audit(page, path)
    page.goto(f"{table}sheet/")
    page.locator("main a[href^='/people/']").first.click()
    page.wait_for_url("**/people/**")
    audit(page, "a player")
    person = page.url
    for path in ("/home/", "/settings/", "/accounts/keep/"):
        page.goto(site + path)
        audit(page, f"{path} of a guest")
    over = (
        "",
        "?round=1",
        "replay/?round=1",
        "coach/?round=1",
        "log/",
        "verify/",
        "proof/",
        "sheet/",
    )
    in_other_words(page, [person, *(table + path for path in over)])


def test_the_table_before_the_start(site: str, new_page: NewPage) -> None:
    page, visitor = new_page(), new_page()
    sign_up(page, site, "maker")
    table = new_table(page, site)
    link = invite(page)

    audit(page, "waiting for players")
    visitor.goto(table)
    audit(visitor, "a seat is free")
    visitor.goto(link)
    audit(visitor, "an invitation")
    visitor.goto(f"{site}/tables/")
    audit(visitor, "the lobby with a table")
    page.goto(f"{table}leave")
    audit(page, "leave the table?")
    in_other_words(page, [table, f"{table}leave", f"{site}/tables/"])
    in_other_words(visitor, [table, link])

    page.goto(f"{table}leave")
    page.locator("main form .btn--main").click()
    page.wait_for_url("**/tables/")
    page.goto(table)
    audit(page, "a table that was closed")


def test_states_that_take_two_people_or_days(site: str, folder: Path, new_page: NewPage) -> None:
    host, other = new_page(), new_page()
    sign_up(host, site, "asha")
    sign_up(other, site, "bina")
    table = states.sit_two(host, other, site)
    due, waits = states.take_turns(table, host, other, until=".tricks")

    audit(waits, "waiting for somebody")
    states.fill_plan(waits, table)
    audit(waits, "a plan with everything in it")
    waits.goto(table)
    audit(waits, "a plan at the table")
    states.give_to_autopilot(waits)
    audit(waits, "autopilot")
    states.set_deadlines(folder, table, timedelta(minutes=52))
    due.goto(table)
    due.locator(".due--soon").wait_for()
    audit(due, "less than an hour is left")
    states.let_time_run_out(folder, table, due, ".tag--red")
    audit(due, "late")
    states.let_time_run_out(folder, table, due, ".kept")
    audit(due, "a bot keeps the seat")
    due.goto(f"{site}/settings/notices/")
    due.locator(".ledger").wait_for()
    audit(due, "a ledger")


def test_rounds_side_by_side_and_sealed_bids(site: str, new_page: NewPage) -> None:
    page = new_page()
    sign_up(page, site, "asha")
    table = states.bid_side_by_side(page, site, preset="everestbuzz-friends")

    audit(page, "rounds side by side")
    page.locator(".mini--mine h2 a").first.click()
    page.locator("#hand").wait_for()
    audit(page, "one of the rounds side by side")
    in_other_words(page, [table, f"{table}?round=1"])
    new_table(page, site, sealed_bids="on")
    page.get_by_role("button", name="Start with bots").click()
    page.get_by_text("has bid").nth(2).wait_for()
    audit(page, "sealed bids")


def test_pages_of_errors(site: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{site}/rules/")
    with page.expect_navigation():
        page.evaluate(
            "document.querySelectorAll('form [name=csrfmiddlewaretoken]').forEach(e => e.remove());"
            "document.querySelector('.languages button').click()"
        )
    assert page.locator("h1").inner_text() == "This form was too old"
    audit(page, "a form that was too old")

    # No page of ours breaks when it is asked to, so these two are served as the site would.
    served = {f"{site}/{name}": render_to_string(name) for name in ("400.html", "500.html")}
    page.route(
        f"{site}/*.html",
        lambda route: route.fulfill(body=served[route.request.url], content_type="text/html"),
    )
    for address in served:
        page.goto(address)
        audit(page, address)


def in_other_words(page: Page, addresses: list[str]) -> None:
    """The same pages in Nepali and Hindi, then in English again."""
    for language in LANGUAGES:
        page.goto(addresses[0])
        speak(page, language)
        for address in addresses:
            page.goto(address)
            audit_narrow(page, f"{address} in {language}")
    page.goto(addresses[0])
    speak(page, "en")
    page.set_viewport_size({"width": 1280, "height": 800})
