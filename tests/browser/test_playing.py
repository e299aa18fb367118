"""Whole matches: by clicking on a phone and on a screen, by the keyboard alone, without a script."""

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.conftest import NewPage
from tests.browser.driving import (
    ask_before_playing,
    is_over,
    new_table,
    play_now,
    play_until,
    press,
    press_keys,
    sign_up,
    tab_to,
    wait_for_my_turn,
)


def assert_played_out(page: Page, rounds: int) -> None:
    assert is_over(page)
    assert page.title().startswith("The match is over")
    assert page.locator(".sheet tbody tr").count() == rounds
    assert page.locator(".tricks > li").count() == 13


def test_a_guest_plays_a_match_on_a_phone(site: str, new_page: NewPage) -> None:
    page = new_page(width=360, height=740)

    play_now(page, site)
    play_until(page, "The match is over")

    assert_played_out(page, rounds=5)


def test_a_guest_plays_a_match_on_a_screen(site: str, new_page: NewPage) -> None:
    page = new_page(width=1280, height=800)

    play_now(page, site, "everestbuzz-friends")
    play_until(page, "The match is over")

    assert_played_out(page, rounds=3)


def test_a_guest_plays_a_match_by_the_keyboard_alone(site: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{site}/")
    tab_to(page, "form[action='/play/'] button.btn--main")
    page.keyboard.press("Enter")
    page.wait_for_url("**/games/*/**")

    play_until(page, "The match is over", move=press_keys)

    assert_played_out(page, rounds=5)


def test_a_guest_plays_a_match_without_a_script(site: str, new_page: NewPage) -> None:
    page = new_page(width=360, height=740, scripted=False)

    play_now(page, site)
    play_until(page, "The match is over", scripted=False)

    assert_played_out(page, rounds=5)


@pytest.mark.parametrize("preset", ["everestbuzz-practice", "yeeqia"])
def test_a_round_of_other_rules(site: str, new_page: NewPage, preset: str) -> None:
    page = new_page(width=360, height=740)

    play_now(page, site, preset)
    play_until(page, "Round 2")

    assert page.locator(".sheet tbody tr").count() == 2


@pytest.mark.parametrize("direction", ["right", "left"])
def test_the_next_player_sits_where_play_goes(site: str, new_page: NewPage, direction: str) -> None:
    page = new_page()
    sign_up(page, site, "tablemaker")
    new_table(page, site, preset="custom", direction=direction)
    page.get_by_role("button", name="Start with bots").click()
    wait_for_my_turn(page, scripted=True)

    following, opposite, before, mine = (_middle(seat) for seat in page.locator(".seat").all())
    if direction == "left":
        following, before = before, following
    assert before[0] < mine[0] < following[0]
    assert opposite[1] < before[1] < mine[1]
    assert abs(opposite[0] - mine[0]) < 5

    press(page)
    while page.locator(".trick li").count() < 2:  # until somebody played before me
        wait_for_my_turn(page, scripted=True)
        if page.locator(".trick li").count() < 2:
            press(page)
    card, gap = (_middle(place) for place in page.locator(".trick li").all()[-2:])
    assert (card[0] < gap[0]) == (direction == "right")


def _middle(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("scripted", [True, False], ids=["with a script", "without a script"])
def test_a_refused_card_says_why_and_nothing_moves(
    site: str, new_page: NewPage, scripted: bool
) -> None:
    page = new_page(width=360, height=740, scripted=scripted)
    play_now(page, site)
    wait_for_my_turn(page, scripted=scripted)
    while not page.locator("#hand .no").count():
        press(page)
        wait_for_my_turn(page, scripted=scripted)
    refused = page.locator("#hand .no").first
    card = refused.get_attribute("value")
    assert "cannot be played: " in refused.inner_text()
    version = page.locator(".table-state").get_attribute("data-v")

    refused.click(force=True)  # Playwright, unlike a person, minds aria-disabled

    page.locator("#say.say--refused").wait_for()
    assert "cannot be played" in page.locator("#say").inner_text()
    assert page.locator(".table-state").get_attribute("data-v") == version
    if scripted:
        assert page.evaluate("document.activeElement.value") == card
    rule = page.locator("#say a")
    topic = str(rule.get_attribute("href")).partition("#")[2]
    rule.click()
    page.wait_for_url(f"**/rules/arcadia/#{topic}")
    assert page.locator(f"section[id={topic}]").count() == 1


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
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.value") == cards.nth(1).get_attribute("value")
    assert page.locator("#hand .hand__cards button[tabindex='0']").count() == 1


def test_enter_chooses_and_plays_and_escape_lets_go(site: str, new_page: NewPage) -> None:
    page = new_page()
    play_now(page, site)
    ask_before_playing(page)
    play_until(page, "trick 1")
    version = page.locator(".table-state").get_attribute("data-v")
    tab_to(page, "#hand .hand__cards button")

    page.keyboard.press("Enter")
    page.locator("#hand .picked").wait_for()
    page.keyboard.press("Escape")
    page.locator("#hand .picked").wait_for(state="detached")
    assert "pick=" not in page.url
    page.keyboard.press("Enter")
    page.locator(".playrow button").wait_for()
    assert page.locator(".table-state").get_attribute("data-v") == version
    page.keyboard.press("Enter")

    page.locator(f".table-state:not([data-v='{version}'])").wait_for()


def test_a_chosen_card_outlives_a_reload(site: str, new_page: NewPage) -> None:
    page = new_page()
    play_now(page, site)
    ask_before_playing(page)
    play_until(page, "trick 1")
    version = page.locator(".table-state").get_attribute("data-v")
    card = page.locator("#hand .hand__cards button:not(.no)").first
    name = card.get_attribute("value")

    card.click()

    assert f"pick={name}" in page.url
    page.locator(".playrow button").wait_for()
    page.reload()
    assert page.locator("#hand .picked").get_attribute("value") == name
    page.locator("#hand .picked").click()
    page.locator(f".table-state:not([data-v='{version}'])").wait_for()
    assert "pick=" not in page.url


def test_keys_step_through_a_replay(site: str, new_page: NewPage) -> None:
    page = new_page()
    play_now(page, site)
    table = page.url
    play_until(page, "trick 2")
    page.goto(f"{table}replay/")
    last = int(page.locator("#seq").input_value())
    first = int(str(page.locator("#seq").get_attribute("min")))

    for key, seq in (("ArrowLeft", last - 1), ("Home", first), ("ArrowRight", first + 1)):
        with page.expect_navigation():
            page.keyboard.press(key)
        assert int(page.locator("#seq").input_value()) == seq
        assert f"seq={seq}" in page.url
