"""Codes, sentences and citations of what the rules refuse."""

import pytest

from games.engine.errors import EXPLAIN, Code, RuleViolation, citation


def test_the_codes_are_the_published_ones() -> None:
    assert set(Code) == {
        "wrong_phase",
        "not_your_turn",
        "bid_out_of_range",
        "card_not_held",
        "must_follow_suit",
        "must_beat",
        "must_trump",
        "claim_not_proven",
        "game_over",
        "bad_deal",
    }


@pytest.mark.parametrize("code", Code)
def test_every_code_has_a_sentence_and_a_topic(code: Code) -> None:
    assert EXPLAIN[code].sentence.endswith(".")
    assert EXPLAIN[code].topic.isalpha()


@pytest.mark.parametrize(
    ("code", "cited"),
    [
        (Code.MUST_FOLLOW_SUIT, "arcadia/follow"),
        (Code.MUST_BEAT, "arcadia/beat"),
        (Code.MUST_TRUMP, "arcadia/trump"),
        (Code.BID_OUT_OF_RANGE, "arcadia/bid"),
    ],
)
def test_a_citation_names_the_rules_and_the_topic(code: Code, cited: str) -> None:
    assert citation("arcadia", code) == cited


def test_a_refusal_is_told_with_its_facts() -> None:
    refusal = RuleViolation(Code.MUST_BEAT, best="TH", legal=["KH"])

    assert refusal.code == "must_beat"
    assert refusal.data == {"best": "TH", "legal": ["KH"]}
    assert str(refusal) == "You must beat TH while you can."
