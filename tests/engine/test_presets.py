"""The presets as the texts have them, and what a table may change of them."""

from typing import Any

import pytest

from games.engine.rules import (
    FIELDS,
    PRESETS,
    READINGS,
    SOURCES,
    TABLE_OPTIONS,
    HouseRules,
    NotChangeable,
    with_options,
)

# Straight from the texts: everything that differs from a custom table's defaults.
TEXTS: dict[str, dict[str, Any]] = {
    "arcadia": {"must_beat": True, "must_trump": True},
    "everestbuzz-friends": {"max_bid": 8, "rounds": 3, "redeal_no_spades": True},
    "everestbuzz-practice": {"max_bid": 8, "redeal_no_spades": True},
    "yeeqia": {
        "min_bid": 5,
        "max_bid": 8,
        "rounds": None,
        "target": 300,
        "score_scale": 1,
        "must_trump": True,
    },
}


def test_the_presets_are_what_the_texts_say() -> None:
    defaults = HouseRules().to_json()

    assert {name: rules.to_json() for name, rules in PRESETS.items()} == {
        name: {**defaults, **fields, "name": name} for name, fields in TEXTS.items()
    }


def test_every_preset_names_its_source() -> None:
    assert set(SOURCES) == set(PRESETS) == set(TABLE_OPTIONS)


@pytest.mark.parametrize("table", [PRESETS, TABLE_OPTIONS, TABLE_OPTIONS["arcadia"], SOURCES])
def test_the_tables_cannot_be_changed_by_accident(table: Any) -> None:
    with pytest.raises(TypeError):
        table["arcadia"] = None


@pytest.mark.parametrize("preset", PRESETS)
def test_every_value_on_offer_can_be_set_and_keeps_the_name(preset: str) -> None:
    for field, offered in TABLE_OPTIONS[preset].items():
        for value in offered:
            rules = with_options(preset, {field: value})

            assert getattr(rules, field) == value
            assert rules.name == preset
            assert PRESETS[preset].replace(**{field: value}) == rules


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_preset_has_by_itself_is_among_the_values_on_offer(preset: str) -> None:
    for field, offered in TABLE_OPTIONS[preset].items():
        assert getattr(PRESETS[preset], field) in offered


@pytest.mark.parametrize(
    ("preset", "changeable"),
    [
        ("arcadia", {"sealed_bids", "parallel_rounds"}),
        ("everestbuzz-friends", {"sealed_bids", "parallel_rounds"}),
        (
            "everestbuzz-practice",
            {
                "max_bid",
                "must_beat",
                "must_trump",
                "redeal_no_faces",
                "redeal_bids_below",
                "instant_win_bid",
                "sealed_bids",
                "parallel_rounds",
            },
        ),
        ("yeeqia", {"max_rounds", "sealed_bids"}),
    ],
)
def test_every_other_field_is_not_changeable(preset: str, changeable: set[str]) -> None:
    for field in FIELDS:
        if field in changeable:
            assert field in TABLE_OPTIONS[preset]
            continue
        with pytest.raises(NotChangeable, match=f"^{field}: ") as refusal:
            with_options(preset, {field: getattr(PRESETS[preset], field)})
        assert refusal.value.field == field


def test_all_practice_options_may_be_set_together() -> None:
    options = {
        "max_bid": 13,
        "must_beat": True,
        "must_trump": True,
        "redeal_no_faces": True,
        "redeal_bids_below": 8,
        "instant_win_bid": 8,
        "sealed_bids": True,
    }

    rules = with_options("everestbuzz-practice", options)

    assert rules.to_json() == {**PRESETS["everestbuzz-practice"].to_json(), **options}


@pytest.mark.parametrize(
    ("preset", "field", "value"),
    [
        ("everestbuzz-practice", "max_bid", 9),
        ("everestbuzz-practice", "max_bid", 8.0),
        ("everestbuzz-practice", "max_bid", None),
        ("everestbuzz-practice", "must_beat", 1),
        ("everestbuzz-practice", "redeal_bids_below", 9),
        ("everestbuzz-practice", "instant_win_bid", 7),
        ("yeeqia", "max_rounds", 0),
        ("yeeqia", "max_rounds", 101),
        ("yeeqia", "max_rounds", True),
        ("arcadia", "sealed_bids", None),
    ],
)
def test_a_value_that_is_not_on_offer_is_refused(preset: str, field: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"^{field}: .* is not on offer with {preset}") as refusal:
        with_options(preset, {field: value})
    assert not isinstance(refusal.value, NotChangeable)


def test_options_against_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^parallel_rounds: "):
        with_options("everestbuzz-practice", {"parallel_rounds": True, "instant_win_bid": 8})


def test_an_unknown_option_is_not_a_field_that_the_preset_keeps() -> None:
    with pytest.raises(ValueError, match=r"^jokers: there is no such field") as refusal:
        with_options("arcadia", {"jokers": 2})
    assert not isinstance(refusal.value, NotChangeable)


@pytest.mark.parametrize("preset", ["custom", "hoyle", ""])
def test_what_is_no_preset_has_no_options(preset: str) -> None:
    with pytest.raises(ValueError, match=r"^preset: "):
        with_options(preset, {})


def test_yeeqia_cannot_be_played_side_by_side() -> None:
    with pytest.raises(ValueError, match=r"^parallel_rounds: "):
        PRESETS["yeeqia"].replace(parallel_rounds=True)


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("arcadia", {"max_bid": 8}),
        ("arcadia", {"direction": "left"}),
        ("arcadia", {"rounds": 6, "sealed_bids": True}),
        ("everestbuzz-friends", {"max_bid": 13}),
        ("everestbuzz-practice", {"max_bid": 9}),
        ("everestbuzz-practice", {"must_beat": True, "must_beat_after_trump": True}),
        ("everestbuzz-practice", {"redeal_bids_below": 8, "redeal_bids_limit": 2}),
        ("yeeqia", {"target": 301}),
    ],
)
def test_any_other_change_makes_the_rules_custom(preset: str, changes: dict[str, Any]) -> None:
    assert PRESETS[preset].replace(**changes).name == "custom"


def test_a_change_that_changes_nothing_keeps_the_name() -> None:
    assert PRESETS["arcadia"].replace(max_bid=13, rounds=5) == PRESETS["arcadia"]


def test_custom_rules_stay_custom() -> None:
    custom = HouseRules(must_beat=True)

    assert custom.replace(must_beat=False).name == "custom"
    assert custom.replace(sealed_bids=True).name == "custom"


def test_a_name_that_is_passed_is_kept() -> None:
    assert PRESETS["arcadia"].replace(name="arcadia", rounds=6).name == "arcadia"


def test_every_reading_has_an_id_of_its_own_and_names_presets() -> None:
    assert len({reading.id for reading in READINGS}) == len(READINGS)
    for reading in READINGS:
        assert reading.sentence.endswith(".")
        assert reading.presets
        assert set(reading.presets) <= set(PRESETS)
