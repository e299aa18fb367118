"""What holds for every match under every rules: the properties of the fold."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import DECK
from games.engine.events import Dealt, Event, Ruled, Ruling
from games.engine.match import Match, replay
from games.engine.round import RoundState, State
from games.engine.rules import PRESETS, HouseRules, with_options
from games.engine.transcript import Transcript, from_json, read, to_json, write
from tests.engine.matches import random_steps, ruled_steps
from tests.engine.strategies import house_rules

WHOLE = {
    **PRESETS,
    "yeeqia": with_options("yeeqia", {"max_rounds": 6}),
    "arcadia, side by side": with_options("arcadia", {"parallel_rounds": True}),
    "arcadia, sealed": with_options("arcadia", {"sealed_bids": True}),
    "practice, every option": with_options(
        "everestbuzz-practice",
        {
            "max_bid": 13,
            "must_beat": True,
            "must_trump": True,
            "redeal_no_faces": True,
            "redeal_bids_below": 8,
            "instant_win_bid": 8,
        },
    ),
}


@st.composite
def short_rules(draw: st.DrawFn) -> HouseRules:
    """Any rules, with so few rounds and redeals that a whole match is played in a moment."""
    rules = draw(house_rules())
    few = {"redeal_bids_limit": min(rules.redeal_bids_limit, 2)}
    if rules.target is not None:
        few["max_rounds"] = draw(st.integers(1, 2))
    if rules.rounds is not None:
        few["rounds"] = min(rules.rounds, 2)
    return rules.replace(**few)


@pytest.mark.parametrize("rules", WHOLE.values(), ids=WHOLE)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_a_match_under_a_preset_holds_together(rules: HouseRules, seed: int) -> None:
    check_match(rules, Random(seed))


@settings(max_examples=60)
@given(rules=short_rules(), seed=st.integers(0, 2**32))
def test_a_match_under_any_rules_holds_together(rules: HouseRules, seed: int) -> None:
    check_match(rules, Random(seed))


def check_match(rules: HouseRules, dice: Random) -> None:
    events: list[Event] = []
    match = Match.start(rules, 0)
    for before, event, after in random_steps(rules, dice):
        events.append(event)
        check_only_its_round_moved(before, event, after)
        match = after

    assert match.standings.finished
    check_end(match)
    assert replay(rules, match.first_dealer, events) == match
    check_transcript(rules, match, events)


@pytest.mark.parametrize("rules", WHOLE.values(), ids=WHOLE)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_a_match_with_rulings_holds_together(rules: HouseRules, seed: int) -> None:
    dice, events = Random(seed), list[Event]()
    match = Match.start(rules, 0)
    for before, event, after in ruled_steps(rules, dice, rulings=6):
        events.append(event)
        if isinstance(event, Ruled):
            check_ruling(before, event, after)
        else:
            check_only_its_round_moved(before, event, after)
        match = after

    assert match.standings.finished or match.is_cancelled
    check_totals(match, events)
    assert match.keys == sum(
        isinstance(event, Dealt) and _opens(event, events[:place])
        for place, event in enumerate(events)
    )
    assert replay(rules, match.first_dealer, events) == match
    check_transcript(rules, match, events)


def _opens(dealt: Dealt, before: list[Event]) -> bool:
    """Whether this deal took a key of its own: the round's first, or the first since it was made void."""
    of_round = [
        event
        for event in before
        if event.round == dealt.round
        and (isinstance(event, Dealt) or (isinstance(event, Ruled) and event.replay))
    ]
    return not of_round or isinstance(of_round[-1], Ruled)


def check_ruling(before: Match, event: Ruled, after: Match) -> None:
    for old, new in zip(before.rounds, after.rounds, strict=True):
        is_meant = event.ruling is Ruling.VOID_ROUND and old.number == event.round
        assert (old is new) != is_meant
        if is_meant:
            assert new.scores is None
            assert (new.number, new.dealer, new.attempt) == (old.number, old.dealer, old.attempt)
            assert new.turn >= old.turn
            assert new.awaits_deal == event.replay
            assert new.is_over != event.replay


def check_only_its_round_moved(before: Match, event: Event, after: Match) -> None:
    number = event.round or 0
    check_round(after.rounds[number - 1])
    assert before.rounds[: number - 1] == after.rounds[: number - 1]


def check_totals(match: Match, events: list[Event]) -> None:
    deltas = [event.deltas for event in events if isinstance(event, Ruled) and event.deltas]
    scored = [row.scores for row in match.rounds if row.scores is not None]
    for seat in range(4):
        due = sum(each[seat] for each in [*scored, *deltas])
        assert match.standings.totals[seat] == due


def check_round(row: RoundState) -> None:
    seen = [card for hand in row.hands for card in hand] + list(row.trick)
    seen += [card for trick in row.tricks for card in trick.cards]
    if row.hands:
        assert sorted(seen) == list(DECK)
    assert sum(row.won) == len(row.tricks) <= 13
    for seat in row.actors:
        if row.state is State.PLAYING:
            seen_by = row.observe(seat)
            assert seen_by.legal
            assert set(seen_by.legal) | set(seen_by.why_not) == set(seen_by.hand)
            assert not set(seen_by.legal) & set(seen_by.why_not)


def check_end(match: Match) -> None:
    for row in match.rounds:
        if row.is_over:
            assert len(row.tricks) == 13
            assert row.scores is not None
    totals = [
        sum(row.scores[seat] for row in match.rounds if row.scores is not None) for seat in range(4)
    ]
    assert list(match.standings.totals) == totals


def check_transcript(rules: HouseRules, match: Match, events: list[Event]) -> None:
    transcript = Transcript.of(rules, match.first_dealer, events)

    text = write(transcript)

    assert write(read(text)) == text
    assert from_json(to_json(transcript)) == transcript
    assert read(text) == transcript
    assert replay(rules, match.first_dealer, read(text).events) == match
