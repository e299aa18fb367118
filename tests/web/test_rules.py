"""The rules in words: every citation has its place, and every example is the engine's answer."""

import re

import pytest
from django.test import Client

from games.engine.errors import EXPLAIN
from games.engine.rules import CUSTOM, PRESETS, READINGS, HouseRules, Reading
from games.web import rules as pages

NAMES = [*PRESETS, CUSTOM]


def text_of(path: str) -> str:
    return Client().get(path).content.decode()


@pytest.mark.parametrize("name", NAMES)
def test_every_refusal_finds_its_rule(name: str) -> None:
    page = text_of(f"/rules/{name}/")

    anchors = set(re.findall(r'id="([a-z-]+)"', page))
    assert {explanation.topic for explanation in EXPLAIN.values()} <= anchors


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_one_heading_and_no_anchor_twice(name: str) -> None:
    page = text_of(f"/rules/{name}/")

    anchors = re.findall(r'\sid="([^"]+)"', page)
    assert page.count("<h1>") == 1
    assert len(anchors) == len(set(anchors))


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.id)
def test_every_reading_stands_on_the_pages_of_its_presets(reading: Reading) -> None:
    for name in PRESETS:
        assert (f'id="{reading.id}"' in text_of(f"/rules/{name}/")) == (name in reading.presets)


def test_examples_are_the_engines_answers() -> None:
    strict = pages.position(PRESETS["arcadia"], "9H TH", "KH 5H AS")
    loose = pages.position(PRESETS["everestbuzz-friends"], "9H TH", "KH 5H AS")

    assert [card.refused for card in strict.hand] == [
        "",
        "You must beat 10♥ while you can.",
        "You must follow the suit that was led while you hold a card of it.",
    ]
    assert [bool(card.refused) for card in loose.hand] == [False, False, True]


def test_house_rules_say_what_either_choice_means() -> None:
    page = text_of("/rules/custom/")

    assert "“Must beat” on:" in page
    assert "“Must beat” off:" in page


def test_words_follow_the_rules() -> None:
    arcadia, yeeqia = text_of("/rules/arcadia/"), text_of("/rules/yeeqia/")

    assert "The match ends after 5 rounds." in arcadia
    assert "Bids from 5 to 8." in yeeqia
    assert "somebody has 300 or more" in yeeqia
    assert "Every deal is played." in arcadia


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"must_beat": True, "must_beat_after_trump": True}, "even after a spade was played"),
        ({"must_trump": True, "must_trump_low": True}, "you play a spade all the same"),
        ({"redeal_no_faces": True}, "without a jack, queen or king"),
        ({"redeal_bids_below": 9}, "total less than 9"),
        ({"instant_win_bid": 8}, "A bid of 8 or more that is made wins the match"),
        ({"direction": "left"}, "turns go to the left"),
    ],
)
def test_each_field_has_its_sentence(changes: dict[str, object], sentence: str) -> None:
    rules = HouseRules(name="yeeqia", rounds=3, target=200, **changes)  # type: ignore[arg-type] # one value each

    said = " ".join(line for section in pages.sections(rules) for line in section.lines)

    assert sentence in said


def test_a_match_with_both_ends_says_both() -> None:
    assert pages.in_short(HouseRules(rounds=10, target=300)).startswith(
        "Played to 30.0, 10 rounds at most."
    )
    assert "You must beat if you can." in pages.in_short(HouseRules(must_beat=True))


def test_the_index_shows_what_tells_presets_apart() -> None:
    page = text_of("/rules/")

    assert page.count("<h1>") == 1
    for name in NAMES:
        assert f'href="/rules/{name}/"' in page
    assert "Must beat" in page
    assert "Sealed bids" not in page


def test_unknown_rules_are_not_there() -> None:
    assert Client().get("/rules/whist/").status_code == 404
