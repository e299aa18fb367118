"""The committed schema is what the code says, and the answers are what the schema says."""

import io
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from django.conf import settings
from django.core.management import call_command
from rest_framework.test import APIClient

from tests.api.rest import API, Json, move, new_game, play_to_the_cards, play_until_over

COMMITTED = Path(settings.BASE_DIR) / "games" / "api" / "openapi.yaml"


@pytest.fixture(scope="module")
def schema() -> Json:
    found: Json = yaml.safe_load(COMMITTED.read_text(encoding="utf-8"))
    return found


def test_the_committed_schema_is_the_codes_own() -> None:
    made = io.StringIO()

    call_command("spectacular", "--validate", "--fail-on-warn", stdout=made)

    assert made.getvalue().strip() == COMMITTED.read_text(encoding="utf-8").strip()


def test_everybody_gets_it_as_it_is_committed(nobody: APIClient) -> None:
    answer = nobody.get(f"{API}/openapi.yaml")

    assert answer.status_code == 200
    assert answer.content == COMMITTED.read_bytes()


def test_every_operation_documents_its_problems_and_how_to_call_it(schema: Json) -> None:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            expected = {"400", "401", "403", "404", "406", "429", "503"}
            if method == "post":
                expected |= {"409", "415", "422"}
            assert expected <= set(operation["responses"]), path
            assert {"token": []} in operation["security"], path
            assert {"app": []} in operation["security"], path
            for status, response in operation["responses"].items():
                if status >= "400":
                    assert set(response["content"]) == {"application/problem+json"}


def test_answers_are_as_documented(schema: Json, asha_api: APIClient, nobody: APIClient) -> None:
    open_game = new_game(asha_api, seats=["me", "open", "open", "open"])["id"]
    game = new_game(asha_api, options={"sealed_bids": True})["id"]
    _seen, own = play_to_the_cards(game, asha_api)
    over = new_game(asha_api, rules={"rounds": 1})["id"]
    play_until_over(over, asha_api)

    for path in ("/rules", "/me", "/me/turns", "/games"):
        _check(schema, "get", path, asha_api.get(f"{API}{path}"))
    for each in (open_game, game, over):
        for path in ("", "/events", "/export"):
            answer = asha_api.get(f"{API}/games/{each}{path}")
            _check(schema, "get", f"/games/{{game}}{path}", answer)
            _check(schema, "get", f"/games/{{game}}{path}", nobody.get(f"{API}/games/{each}{path}"))
    _check(schema, "post", "/games/reserve", asha_api.post(f"{API}/games/reserve"))
    sent = {"round": 1, "turn": own["turn"], "card": own["legal"][0]}
    _check(schema, "post", "/games/{game}/moves", move(asha_api, game, **sent))
    _check(schema, "post", "/games/{game}/moves", move(asha_api, game, **sent))
    _check(schema, "post", "/games/{game}/moves", move(asha_api, game, **{**sent, "card": "x"}))
    _check(schema, "post", "/games/{game}/moves", move(asha_api, game, **{**sent, "round": 9}))


def _check(schema: Json, method: str, path: str, answer: Any) -> None:
    [media] = schema["paths"][f"{API}{path}"][method]["responses"][str(answer.status_code)][
        "content"
    ].values()
    as_json_schema = _closed({**media["schema"], "components": schema["components"]})
    jsonschema.Draft202012Validator(as_json_schema).validate(answer.json())


def _closed(node: Any) -> Any:
    """OpenAPI 3.0 as JSON Schema: `nullable` spelt out, and no member that the schema does not know."""
    if isinstance(node, list):
        return [_closed(each) for each in node]
    if not isinstance(node, dict):
        return node
    found = {
        key: _closed(value)
        for key, value in node.items()
        if key not in ("nullable", "discriminator")
    }
    # A required member marks an object schema, as against a field of ours that is called `properties`.
    if found.get("type") == "object" and "required" in found and "code" not in found["required"]:
        found.setdefault("additionalProperties", False)
    if node.get("nullable") is True:
        return {"anyOf": [found, {"type": "null"}]}
    return found
