"""Screens without colour, with few colours, with four suits' colours, without motion: the cards are still told apart."""

import base64
import re
from itertools import combinations

import pytest
from playwright.sync_api import Page

from tests.browser.audit import axe
from tests.browser.conftest import NewPage
from tests.browser.driving import ask_before_playing, play_now, play_until, press, wait_for_my_turn

# What is dark in a picture, as a string of bits of one size; colours are gone before anything is compared.
SHAPE = """async picture => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(24, 24);
  const pen = canvas.getContext('2d');
  pen.filter = 'grayscale(1)';
  pen.drawImage(image, 0, 0, 24, 24);
  const {data} = pen.getImageData(0, 0, 24, 24);
  return Array.from({length: 576}, (_, at) => data[4 * at] < 140 ? '1' : '0').join('');
}"""
COLOURS = """selector => [...document.querySelectorAll(selector)].map(element => {
  const style = getComputedStyle(element);
  return [style.color, style.backgroundColor];
})"""
TEXT = 4.5


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [float(part) / 255 for part in colour[4:-1].split(",")]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_suits_have_shapes_of_their_own_in_grey(site: str, new_page: NewPage) -> None:
    page = new_page(width=1280)
    page.goto(f"{site}/learn/")
    pictures = {}
    for suit in "SHDC":
        card = page.locator(f".card.suit-{suit}").first
        assert card.locator(f"use[href='#s-{suit}']").count() >= 1
        box = card.bounding_box()
        assert box is not None
        corner = {  # where a face has its suit: 34,7 to 54,27 of 60x84
            "x": box["x"] + box["width"] * 33 / 60,
            "y": box["y"] + box["height"] * 6 / 84,
            "width": box["width"] * 22 / 60,
            "height": box["height"] * 22 / 84,
        }
        pictures[suit] = page.screenshot(clip=corner)  # type: ignore[arg-type] # a FloatRect

    plain = new_page()
    shapes = {
        suit: plain.evaluate(SHAPE, base64.b64encode(picture).decode())
        for suit, picture in pictures.items()
    }

    for suit, shape in shapes.items():
        assert 0.2 < shape.count("1") / 576 < 0.8, suit
    for one, other in combinations(shapes, 2):
        unlike = sum(a != b for a, b in zip(shapes[one], shapes[other], strict=True))
        assert unlike / 576 > 0.08, (one, other)


@pytest.fixture
def table(site: str, new_page: NewPage) -> Page:
    """My turn, cards that may not be played, one that is chosen."""
    page = new_page(width=360, height=740)
    play_now(page, site)
    ask_before_playing(page)
    wait_for_my_turn(page, scripted=True)
    while not page.locator("#hand .no").count():
        press(page)
        wait_for_my_turn(page, scripted=True)
    page.locator("#hand .hand__cards button:not(.no)").first.click()
    page.locator(".thumb button[name=card]").wait_for()
    return page


def test_cards_can_be_read_in_both_themes_and_with_four_colours(table: Page) -> None:
    for theme in ("light", "dark"):
        table.emulate_media(color_scheme=theme)
        for four in (False, True):
            table.evaluate(
                "on => document.documentElement.classList.toggle('four-colour', on)", four
            )
            table.evaluate(
                "document.querySelectorAll('#hand .card').forEach((card, at) =>"
                " { card.classList.remove('suit-S', 'suit-H', 'suit-D', 'suit-C'); card.classList.add('suit-' + 'SHDC'[at % 4]); })"
            )
            faces = table.evaluate(COLOURS, ".card:not(.card--gap)")
            assert len(faces) > 4
            assert min(contrast(*face) for face in faces) >= TEXT, (theme, four)
            signs = table.evaluate(COLOURS, "#say .pip, .feed .pip")
            ground = table.evaluate(COLOURS, "#say")[0][1]
            assert all(contrast(sign, ground) >= TEXT for sign, _ in signs)
            assert axe(table, "color-contrast") == []


def test_states_are_told_without_colours(table: Page) -> None:
    table.emulate_media(forced_colors="active")
    style = "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]"

    def look(selector: str, name: str) -> str:
        value: str = table.evaluate(style, [selector, name])
        return value

    assert look("#hand .no .card", "borderTopStyle") == "dashed"
    assert look("#hand .picked .card", "outlineStyle") == "solid"
    assert look("#hand .picked .card", "outlineWidth") == "3px"
    assert look("#hand .card", "backgroundColor") == "rgb(255, 255, 255)"
    assert look(".seat--to-act", "outlineStyle") == "solid"
    assert look(".top .weave", "display") == "none"
    assert table.locator("#hand .no .why").first.inner_text() != ""


def test_nothing_moves_for_whoever_wants_no_motion(site: str, table: Page) -> None:
    moves = "getComputedStyle(document.querySelector('#hand .card')).transitionDuration"
    assert table.evaluate(moves) == "0.14s"

    table.emulate_media(reduced_motion="reduce")
    assert table.evaluate(moves) == "0s"
    table.emulate_media(reduced_motion="no-preference")
    table.locator("#display summary").click()
    table.locator("#motion").select_option("none")
    table.locator("#display button").click()
    table.locator("html.no-motion").wait_for()
    assert table.evaluate(moves) == "0s"


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_a_score_sheet_of_twenty_rounds_prints_on_one_page(table: Page, paper: str) -> None:
    table.goto(table.url.partition("?")[0] + "sheet/")
    table.evaluate(
        "() => { const body = document.querySelector('.sheet tbody');"
        " while (body.rows.length < 20) body.append(body.rows[0].cloneNode(true)); }"
    )

    printed = table.pdf(format=paper)

    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_large_cards_fit(site: str, new_page: NewPage, width: int) -> None:
    page = new_page(width=width, height=740)
    play_now(page, site)
    wait_for_my_turn(page, scripted=True)
    cards = page.locator(".hand__cards .card")
    before = cards.first.bounding_box()
    page.locator("#display summary").click()
    page.locator("#cards").select_option("large")
    page.locator("#display button").click()
    page.locator("html.large-cards").wait_for()

    after = cards.first.bounding_box()

    assert before is not None
    assert after is not None
    assert after["width"] > 1.2 * before["width"]
    play_until(page, "trick 2")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
