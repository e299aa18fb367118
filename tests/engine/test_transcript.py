"""A match as text that people read, and back."""

from random import Random

import pytest

from games.engine.events import Dealt
from games.engine.rules import PRESETS
from games.engine.transcript import Transcript, from_json, read, to_json, write
from tests.engine.matches import random_steps


def friends_match(seed: int, steps: int = 1000) -> Transcript:
    rules = PRESETS["everestbuzz-friends"]
    played = list(random_steps(rules, Random(seed)))[:steps]
    return Transcript.of(rules, played[0][0].first_dealer, [event for _, event, _ in played])


def test_the_text_reads_like_a_score_sheet() -> None:
    lines = write(friends_match(1)).splitlines()

    assert lines[0] == "callbreak-transcript/1"
    assert lines[2].startswith("first dealer ")
    assert lines[4:6] == ["round 1", "deal 0"]
    assert lines[6].startswith("seat 0 holds ")
    assert any(line.endswith("takes trick 13") for line in lines)
    assert sum(line.startswith("scores ") for line in lines) == 3


@pytest.mark.parametrize("steps", [1, 2, 4, 5, 6, 8, 9, 30])
def test_a_running_match_can_be_written_and_read(steps: int) -> None:
    transcript = friends_match(2, steps)

    assert read(write(transcript)) == transcript


def test_a_sealed_deal_is_written_as_sealed() -> None:
    open_match = friends_match(3, 20)
    sealed = tuple(
        Dealt(event.round, event.attempt, None) if isinstance(event, Dealt) else event
        for event in open_match.events
    )
    transcript = Transcript(open_match.rules, open_match.first_dealer, sealed)

    text = write(transcript)

    assert "sealed" in text
    assert "holds" not in text
    assert read(text) == transcript
    assert from_json(to_json(transcript)) == transcript


def damaged(old: str, new: str) -> str:
    text = write(friends_match(4))
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1"),
        ("callbreak-transcript/1\nrules []\nfirst dealer 0\n", "head"),
        (damaged("first dealer", "last dealer"), "head"),
        (damaged("scores ", "scores 9"), "the cards say"),
        (damaged("seat 0 holds", "seat 9 holds"), "expected"),
        (damaged("play ", "plays "), "cannot be read"),
        (damaged(" bids 1", " bids one"), "invalid literal"),
        (damaged(" bids 1", " bids 19"), "cannot be scored"),
        (damaged("takes trick 3", "takes trick 4"), "the cards say"),
        (write(friends_match(4)) + "\nscores 1 2 3 4\n", "missing or too much"),
    ],
)
def test_a_text_that_was_not_written_here_is_refused_with_its_place(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read(text)


@pytest.mark.parametrize(
    "damage",
    [
        {"format": "other/1"},
        {"first_dealer": "2"},
        {"events": [{"kind": "joined"}]},
        {"events": ["played"]},
        {"events": [{"kind": "bid", "round": 1}]},
        {"rules": {"nonsense": 1}},
    ],
)
def test_json_that_was_not_written_here_is_refused(damage: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"transcript|event|record|nonsense"):
        from_json({**to_json(friends_match(5, 10)), **damage})
