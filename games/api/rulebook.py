"""The rules as data for clients: presets, what a table may change, our readings, a JSON Schema of custom rules."""

from functools import cache
from typing import Any, Final

from django.utils.translation import gettext

from games.engine.errors import EXPLAIN, Code
from games.engine.plan import PLAN_SCHEMA
from games.engine.rules import (
    CHOICES,
    CUSTOM,
    FIELDS,
    MAX_ROUNDS_SIDE_BY_SIDE,
    NULLABLE,
    PRESETS,
    RANGES,
    READINGS,
    SOURCES,
    TABLE_OPTIONS,
    HouseRules,
)

Json = dict[str, Any]

# What is refused with 409 says something about the moment, not about a rule.
NOT_RULES: Final = (Code.NOT_YOUR_TURN, Code.WRONG_PHASE, Code.GAME_OVER, Code.BAD_DEAL)
CUSTOM_FIELDS: Final = tuple(field for field in FIELDS if field != "name")
ABOUT: Final = (
    "A field left out takes its default; rounds is null by default where a target is given. min_bid and instant_win_bid"
    " may not be higher than max_bid, nor redeal_bids_below higher than four times it."
)


def rulebook() -> Json:
    """Everything a client needs to know about rules before it makes a table, in the language of the moment."""
    return {
        "presets": [_preset(name) for name in PRESETS],
        "custom": custom_schema(),
        "readings": [
            {"id": each.id, "presets": list(each.presets), "sentence": gettext(each.sentence)}
            for each in READINGS
        ],
        "codes": [
            {
                "code": code.value,
                "citations": [f"{name}/{EXPLAIN[code].topic}" for name in (*PRESETS, CUSTOM)],
                "sentence": gettext(EXPLAIN[code].sentence),
            }
            for code in Code
            if code not in NOT_RULES
        ],
        "plans": plans_schema(),
    }


@cache
def plans_schema() -> Json:
    """The JSON Schema of standing plans. That every rule but the last has a `when`, and the last none, is beyond it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A standing plan for a round of Callbreak",
        **PLAN_SCHEMA,
    }


def _preset(name: str) -> Json:
    return {
        "name": name,
        "source": SOURCES[name],
        "rules": PRESETS[name].to_json(),
        "options": {field: list(values) for field, values in TABLE_OPTIONS[name].items()},
    }


@cache
def custom_schema() -> Json:
    """The JSON Schema of custom rules. A field left out takes its default."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Custom rules of Callbreak",
        "description": ABOUT,
        "type": "object",
        "additionalProperties": False,
        "properties": {field: _field_schema(field) for field in CUSTOM_FIELDS},
        "allOf": [
            _needs("must_beat_after_trump", "must_beat"),
            _needs("must_trump_low", "must_trump"),
            {
                "if": _given("parallel_rounds", {"const": True}),
                "then": {
                    "properties": {
                        "rounds": {"type": "integer", "maximum": MAX_ROUNDS_SIDE_BY_SIDE},
                        "target": {"const": None},
                        "instant_win_bid": {"const": None},
                    }
                },
            },
            {
                "if": _given("max_rounds", {"type": "integer"}),
                "then": _given("target", {"type": "integer"}),
            },
            {
                "if": _given("rounds", {"const": None}),
                "then": _given("target", {"type": "integer"}),
            },
        ],
    }


@cache
def openapi_schema() -> Json:
    """The same for OpenAPI 3.0, which knows neither `if` nor a null type."""
    return {
        "type": "object",
        "additionalProperties": False,
        "description": ABOUT,
        "properties": {field: _nullable(_field_schema(field)) for field in CUSTOM_FIELDS},
    }


def _field_schema(field: str) -> Json:
    default = getattr(HouseRules(), field)
    if field in RANGES:
        low, high = RANGES[field]
        types = ["integer", "null"] if field in NULLABLE else "integer"
        return {"type": types, "minimum": low, "maximum": high, "default": default}
    if field in CHOICES:
        return {"enum": list(CHOICES[field]), "default": default}
    return {"type": "boolean", "default": default}


def _nullable(schema: Json) -> Json:
    if schema.get("type") == ["integer", "null"]:
        return {**schema, "type": "integer", "nullable": True}
    return schema


def _needs(field: str, other: str) -> Json:
    return {"if": _given(field, {"const": True}), "then": _given(other, {"const": True})}


def _given(field: str, schema: Json) -> Json:
    return {"properties": {field: schema}, "required": [field]}
