"""Whole matches, by clicking."""

import pytest

from tests.browser.conftest import NewPage
from tests.browser.driving import is_over, play_now, play_until, press, wait_for_my_turn


@pytest.mark.parametrize("scripted", [True, False], ids=["with a script", "without a script"])
def test_a_guest_plays_a_whole_match(site: str, new_page: NewPage, scripted: bool) -> None:
    page = new_page(scripted=scripted)

    play_now(page, site)
    play_until(page, "The match is over", scripted=scripted)

    assert is_over(page)
    assert page.locator(".sheet tbody tr").count() == 5
    assert page.locator(".tricks > li").count() == 13
    assert page.title().startswith("The match is over")


@pytest.mark.parametrize("preset", ["everestbuzz-friends", "everestbuzz-practice", "yeeqia"])
def test_a_round_of_other_rules(site: str, new_page: NewPage, preset: str) -> None:
    page = new_page(width=360, height=740)

    play_now(page, site, preset)
    play_until(page, "Round 2")

    assert page.locator(".sheet tbody tr").count() == 2


def test_a_refused_card_says_why_and_nothing_moves(site: str, new_page: NewPage) -> None:
    page = new_page(width=360, height=740)
    play_now(page, site)
    while not page.locator("#hand .no").count():
        wait_for_my_turn(page, scripted=True)
        press(page)
        wait_for_my_turn(page, scripted=True)
    refused = page.locator("#hand .no").first
    card = refused.get_attribute("value")
    version = page.locator(".table-state").get_attribute("data-v")

    refused.click(force=True)  # Playwright, unlike a person, minds aria-disabled

    page.locator("#say.say--refused").wait_for()
    assert "cannot be played" in page.locator("#say").inner_text()
    assert page.evaluate("document.activeElement.value") == card
    assert page.locator(".table-state").get_attribute("data-v") == version


def test_the_keys_move_in_the_hand(site: str, new_page: NewPage) -> None:
    page = new_page()
    play_now(page, site)
    play_until(page, "trick 1")
    cards = page.locator("#hand .hand__cards button")
    page.locator("#hand .hand__cards button[tabindex='0']").focus()

    page.keyboard.press("End")

    assert page.evaluate("document.activeElement.value") == cards.last.get_attribute("value")
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.value") == cards.first.get_attribute("value")
    assert page.locator("#hand .hand__cards button[tabindex='0']").count() == 1


def test_a_chosen_card_outlives_news_and_a_reload(site: str, new_page: NewPage) -> None:
    page = new_page()
    play_now(page, site)
    page.locator("#display summary").click()
    page.locator("input[name=ask]").check()
    page.get_by_role("button", name="Keep").click()
    wait_for_my_turn(page, scripted=True)
    page.locator("button[name=bid]").first.click()
    wait_for_my_turn(page, scripted=True)
    card = page.locator("#hand .hand__cards button:not(.no)").first
    name = card.get_attribute("value")

    card.click()

    assert f"pick={name}" in page.url
    version = page.locator(".table-state").get_attribute("data-v")
    page.locator(".playrow button").wait_for()
    # News: the poll asks with an older version and gets the whole inside again.
    page.evaluate("document.querySelector('.table-state').dataset.v = '0'")
    page.locator(f".table-state[data-v='{version}']").wait_for()
    assert page.locator("#hand .picked").get_attribute("value") == name
    assert page.evaluate("document.activeElement.value") == name
    page.reload()
    assert page.locator("#hand .picked").get_attribute("value") == name
    page.locator("#hand .picked").click()
    page.locator(f".table-state:not([data-v='{version}'])").wait_for()
    assert "pick=" not in page.url
