"""The shared vectors of deals, chains and rules, all of them, pass in the stand-alone verifier too."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import callbreak_verify as verifier
from games.engine.rules import PRESETS

Case = dict[str, Any]  # Any: a JSON file, its shape told by the kind of the case
CASES: Final = Path(__file__).parent.parent / "cases"
KINDS: Final[dict[str, list[Case]]] = json.loads((CASES / "rules.json").read_text())["kinds"]
DEALS: Final[list[Case]] = json.loads((CASES / "deal.json").read_text())
CHAIN: Final[Case] = json.loads((CASES / "chain.json").read_text())
# The file has names of its own for two of the reasons.
OUR_NAMES: Final = {"target_score": "target", "low_total": "low_bids"}


def cases(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in KINDS[kind]])


def rules_of(case: Case) -> Case:
    return PRESETS[case["preset"]].replace(**case["overrides"]).to_json()


def is_refused(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("case", DEALS)
def test_deal(case: Case) -> None:
    game, r, attempt = case["game"], case["round"], case["attempt"]
    given = [bytes.fromhex(each) for each in case["contributions"]]
    seeds = {128: bytes.fromhex(case["s_128"])}
    for index in range(128, 0, -1):
        seeds[index - 1] = verifier.tagged(b"link", game, verifier.u16(index), seeds[index])
    key = verifier.round_key(game, seeds[r], given, r)
    deck = verifier.shuffled(key, attempt)
    hands = ["".join(hand) for hand in verifier.dealt_hands(deck)]

    assert seeds[0].hex() == case["anchor"]
    assert seeds[r].hex() == case["s_round"]
    assert key.hex() == case["round_key"]
    first = verifier.round_key(game, seeds[1], given, 1)
    assert next(verifier.draws(first, b"dealer", 0, [4])) == case["first_dealer"]
    assert "".join(deck) == case["deck"]
    assert hands == case["hands"]
    assert [
        verifier.commitment(b"hand", game, key, r, attempt, seat, hands[seat].encode())
        for seat in range(4)
    ] == case["commitments"]


def test_chain() -> None:
    lines = [{**each["event"], "hash": each["hash"]} for each in CHAIN["events"]]
    head = {"seq": len(lines), "hash": lines[-1]["hash"]}

    assert [verifier.encode(each["event"]) for each in CHAIN["events"]] == [
        each["canonical"] for each in CHAIN["events"]
    ]
    assert verifier.check_chain({"game": CHAIN["game"], "events": lines, "head": head})


@cases("legal_cards")
def test_legal_cards(case: Case) -> None:
    plays = verifier.legal(rules_of(case), case["input"]["hand"], case["input"]["trick"])

    assert sorted(plays, key=verifier.CARDS.index) == case["expected"], case["why"]


@cases("trick_winner")
def test_trick_winner(case: Case) -> None:
    assert verifier.trick_winner(case["input"]["trick"]) == case["expected"], case["why"]


@cases("round_scores")
def test_round_scores(case: Case) -> None:
    result = (case["input"]["bids"], case["input"]["won"])
    if isinstance(case["expected"], dict):
        assert is_refused(lambda: verifier.standing(rules_of(case), [result]))
        return
    assert verifier.standing(rules_of(case), [result])["totals"] == case["expected"], case["why"]


@cases("check_bid")
def test_check_bid(case: Case) -> None:
    refused = is_refused(lambda: verifier.check_bid(rules_of(case), case["input"]["bid"]))

    assert refused == (case["expected"] is not None), case["why"]


@cases("match_result")
def test_match_result(case: Case) -> None:
    results = [(each["bids"], each["won"]) for each in case["input"]["rounds"]]
    expected = case["expected"]
    if "error" in expected:
        assert is_refused(lambda: verifier.standing(rules_of(case), results))
        return
    came_to = verifier.standing(rules_of(case), results)

    assert came_to["reason"] == OUR_NAMES.get(expected["reason"], expected["reason"]), case["why"]
    assert came_to["winners"] == expected["winners"], case["why"]
    assert came_to["totals"] == expected["totals"], case["why"]


@cases("redeal")
def test_redeal(case: Case) -> None:
    assert verifier.redeal(rules_of(case), case["input"]["hands"]) == case["expected"], case["why"]


@cases("redeal_after_bids")
def test_redeal_after_bids(case: Case) -> None:
    bids, used = case["input"]["bids"], case["input"]["low_bid_redeals_so_far"]
    expected = OUR_NAMES.get(case["expected"], case["expected"])

    assert verifier.redeal_after_bids(rules_of(case), bids, used) == expected, case["why"]


def test_every_kind_of_case_is_tested() -> None:
    kinds = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}

    assert set(KINDS) <= kinds
