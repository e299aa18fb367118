"""Expected values worked out by hand from the texts: the shared cases, all of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from games.engine.cards import Card, card
from games.engine.errors import RuleViolation
from games.engine.legal import (
    check_bid,
    legal_plays,
    redeal_reason,
    redeal_reason_after_bids,
    trick_winner,
)
from games.engine.rules import PRESETS, HouseRules
from games.engine.scoring import round_scores, standings

Case = dict[str, Any]  # Any: a JSON file, its shape told by the kind of the case
KINDS: Final[dict[str, list[Case]]] = json.loads(
    (Path(__file__).parent.parent / "cases" / "rules.json").read_text()
)["kinds"]

# The file has names of its own for three of our reasons.
OUR_NAMES: Final = {"target_score": "target", "low_total": "low_bids"}


def cases(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in KINDS[kind]])


def rules_of(case: Case) -> HouseRules:
    return PRESETS[case["preset"]].replace(**case["overrides"])


def read(texts: list[str]) -> list[Card]:
    return [card(text) for text in texts]


def outcome(ask: Callable[[], object]) -> object:
    """What was answered, or the name of the error: a rule's code, or `ValueError`."""
    try:
        return ask()
    except RuleViolation as refusal:
        return refusal.code
    except ValueError:
        return "ValueError"


@cases("legal_cards")
def test_legal_cards(case: Case) -> None:
    plays = legal_plays(rules_of(case), read(case["input"]["hand"]), read(case["input"]["trick"]))

    assert plays == read(case["expected"]), case["why"]


@cases("trick_winner")
def test_trick_winner(case: Case) -> None:
    assert trick_winner(read(case["input"]["trick"])) == case["expected"], case["why"]


@cases("round_scores")
def test_round_scores(case: Case) -> None:
    bids, won = case["input"]["bids"], case["input"]["won"]
    expected = case["expected"]
    if isinstance(expected, dict):
        expected = {"bad_round": "ValueError"}.get(expected["error"], expected["error"])

    assert outcome(lambda: round_scores(rules_of(case), bids, won)) == expected, case["why"]


@cases("check_bid")
def test_check_bid(case: Case) -> None:
    expected = {"malformed": "ValueError"}.get(case["expected"], case["expected"])

    assert outcome(lambda: check_bid(rules_of(case), case["input"]["bid"])) == expected, case["why"]


@cases("match_result")
def test_match_result(case: Case) -> None:
    results = [(each["bids"], each["won"]) for each in case["input"]["rounds"]]
    expected = case["expected"]

    if "error" in expected:
        with pytest.raises(ValueError, match="the match was over"):
            standings(rules_of(case), results)
        return
    table = standings(rules_of(case), results)

    assert table.finished == expected["finished"], case["why"]
    assert table.reason == OUR_NAMES.get(expected["reason"], expected["reason"])
    assert table.winners == tuple(expected["winners"])
    assert table.totals == tuple(expected["totals"])


@cases("redeal")
def test_redeal(case: Case) -> None:
    hands = [read(hand) for hand in case["input"]["hands"]]

    assert redeal_reason(rules_of(case), hands) == case["expected"], case["why"]


@cases("redeal_after_bids")
def test_redeal_after_bids(case: Case) -> None:
    bids, used = case["input"]["bids"], case["input"]["low_bid_redeals_so_far"]
    expected = OUR_NAMES.get(case["expected"], case["expected"])

    assert redeal_reason_after_bids(rules_of(case), bids, used) == expected, case["why"]


def test_every_kind_of_case_is_tested() -> None:
    kinds = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}

    assert set(KINDS) <= kinds
    assert sum(map(len, KINDS.values())) == 182
