"""Rounds in turn and side by side, and what a match refuses."""

from random import Random

import pytest

from games.engine.events import Bid, Dealt, Event, Played, ThrownIn
from games.engine.match import Match, replay
from games.engine.round import State
from games.engine.rules import PRESETS, HouseRules, with_options
from tests.build import cards, deal_of
from tests.engine.matches import next_event, random_deal, random_steps, refused

ARCADIA = PRESETS["arcadia"]
BY_SUIT = deal_of(
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
)


def dealt_match(rules: HouseRules = ARCADIA, dealer: int = 0) -> Match:
    return Match.start(rules, dealer).apply(Dealt(1, 0, BY_SUIT))


def after(match: Match, *events: Event) -> Match:
    for event in events:
        match = match.apply(event)
    return match


def played_out(rules: HouseRules, seed: int = 1) -> Match:
    return list(random_steps(rules, Random(seed)))[-1][2]


def test_nothing_lies_on_the_table_before_the_first_deal() -> None:
    match = Match.start(ARCADIA, 2)

    assert match.rounds == ()
    assert match.standings.totals == (0, 0, 0, 0)


@pytest.mark.parametrize("dealer", [-1, 4, True, None])
def test_a_match_starts_with_a_seat_as_dealer(dealer: int) -> None:
    with pytest.raises(ValueError, match="first_dealer"):
        Match.start(ARCADIA, dealer)


def test_the_seat_after_the_dealer_bids_first_and_leads() -> None:
    match = dealt_match(dealer=3)

    assert match.rounds[0].to_act == 0
    match = after(match, Bid(1, 0, 1), Bid(1, 1, 1), Bid(1, 2, 1), Bid(1, 3, 1))
    assert match.rounds[0].state is State.PLAYING
    assert match.rounds[0].to_act == 0


def test_the_deal_passes_on_after_a_completed_round() -> None:
    match = played_out(ARCADIA)

    assert [row.dealer for row in match.rounds] == [
        (match.first_dealer + place) % 4 for place in range(5)
    ]


def test_a_redeal_keeps_the_dealer_and_the_number_and_counts_its_attempts() -> None:
    match = Match.start(PRESETS["everestbuzz-friends"], 1).apply(Dealt(1, 0, BY_SUIT))

    match = after(match, ThrownIn(1, 0, "no_spades"))
    assert match.rounds[0].awaits_deal
    match = after(match, random_deal(Random(4), 1, 1))

    row = match.rounds[0]
    assert (row.number, row.attempt, row.dealer, row.turn) == (1, 1, 1, 0)


def test_turns_go_on_counting_over_a_redeal_for_low_bids() -> None:
    rules = ARCADIA.replace(redeal_bids_below=8, redeal_bids_limit=1)
    match = after(dealt_match(rules), *(Bid(1, seat, 1) for seat in (1, 2, 3, 0)))

    assert match.rounds[0].throw_in == "low_bids"
    match = after(match, ThrownIn(1, 0, "low_bids"), Dealt(1, 1, BY_SUIT))
    assert match.rounds[0].turn == 4
    match = after(match, *(Bid(1, seat, 1) for seat in (1, 2, 3, 0)))

    assert match.rounds[0].state is State.PLAYING


def test_bids_can_be_thrown_in_as_often_as_the_rules_say() -> None:
    rules = ARCADIA.replace(redeal_bids_below=8, redeal_bids_limit=2)
    match = dealt_match(rules)
    for attempt in (0, 1):
        match = after(match, *(Bid(1, seat, 1) for seat in (1, 2, 3, 0)))
        match = after(match, ThrownIn(1, attempt, "low_bids"), Dealt(1, attempt + 1, BY_SUIT))

    match = after(match, *(Bid(1, seat, 1) for seat in (1, 2, 3, 0)))

    assert match.rounds[0].throw_in is None


def test_sealed_bids_come_in_any_order_and_show_together() -> None:
    match = dealt_match(with_options("arcadia", {"sealed_bids": True}))

    match = after(match, Bid(1, 3, 4), Bid(1, 0, 2), Bid(1, 1, 3))
    row = match.rounds[0]
    assert row.to_act is None
    assert row.actors == (2,)
    assert row.observe(3).bids == (None, None, None, 4)
    assert row.observe(None).bids == (None, None, None, None)
    assert row.observe(2).has_bid == (True, True, False, True)
    match = after(match, Bid(1, 2, 1))

    assert match.rounds[0].observe(None).bids == (2, 3, 1, 4)
    assert match.rounds[0].to_act == 1


def test_a_sealed_bid_has_the_turn_of_its_place_whoever_comes_first() -> None:
    row = dealt_match(with_options("arcadia", {"sealed_bids": True})).rounds[0]

    assert [row.turn_of(seat) for seat in (1, 2, 3, 0)] == [0, 1, 2, 3]
    assert row.turn_of(None) == 0
    row = row.apply(Bid(1, 3, 4))
    assert [row.turn_of(seat) for seat in (1, 2, 0)] == [0, 1, 3]
    assert row.observe(None).turn == 0


def test_side_by_side_all_rounds_are_open_at_once() -> None:
    match = Match.start(with_options("arcadia", {"parallel_rounds": True}), 2)

    for number in range(1, 6):
        match = match.apply(random_deal(Random(number), number, 0))

    assert [row.dealer for row in match.rounds] == [2, 3, 0, 1, 2]
    assert refused(match, random_deal(Random(6), 6, 0)) == "wrong_phase"
    match = match.apply(Bid(4, 2, 3))
    assert [row.turn for row in match.rounds] == [0, 0, 0, 1, 0]


def test_in_turn_a_round_is_dealt_when_the_last_is_scored() -> None:
    assert refused(dealt_match(), random_deal(Random(1), 2, 0)) == "wrong_phase"


def test_a_finished_match_takes_nothing_more() -> None:
    match = played_out(PRESETS["everestbuzz-friends"])

    assert refused(match, random_deal(Random(1), 4, 0)) == "game_over"
    assert refused(match, Bid(3, 0, 1)) == "game_over"


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Bid(1, 2, 1), "not_your_turn"),
        (Bid(1, 1, 14), "bid_out_of_range"),
        (Bid(2, 1, 1), "wrong_phase"),
        (Bid(0, 1, 1), "wrong_phase"),
        (Played(1, 1, cards("2D")[0]), "wrong_phase"),
        (Dealt(1, 1, BY_SUIT), "wrong_phase"),
        (ThrownIn(1, 0, "no_spades"), "wrong_phase"),
    ],
)
def test_bidding_refuses(event: Event, code: str) -> None:
    match = dealt_match()

    assert refused(match, event) == code


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Played(1, 2, cards("2H")[0]), "not_your_turn"),
        (Played(1, 1, cards("2H")[0]), "card_not_held"),
        (Played(1, 1, cards("AS")[0]), "card_not_held"),
        (Bid(1, 1, 3), "wrong_phase"),
    ],
)
def test_play_refuses(event: Event, code: str) -> None:
    match = after(dealt_match(), *(Bid(1, seat, 1) for seat in (1, 2, 3, 0)))

    assert refused(match, event) == code


@pytest.mark.parametrize(
    "deal",
    [
        Dealt(1, 0, BY_SUIT[:3]),
        Dealt(1, 0, (*BY_SUIT[:3], BY_SUIT[0])),
        Dealt(1, 0, (BY_SUIT[0][:12], (*BY_SUIT[1], BY_SUIT[0][12]), *BY_SUIT[2:])),
        Dealt(1, 1, BY_SUIT),
        Dealt(1, 0, None),
    ],
    ids=["three hands", "a hand twice", "twelve and fourteen", "a later attempt", "sealed"],
)
def test_a_deal_must_be_the_whole_deck_and_the_next_attempt(deal: Dealt) -> None:
    assert refused(Match.start(ARCADIA, 0), deal) == "bad_deal"


def test_a_deal_that_the_rules_throw_in_must_be_thrown_in() -> None:
    match = Match.start(PRESETS["everestbuzz-friends"], 0).apply(Dealt(1, 0, BY_SUIT))

    assert refused(match, Bid(1, 1, 1)) == "wrong_phase"
    assert refused(match, Dealt(1, 1, BY_SUIT)) == "wrong_phase"
    assert refused(match, ThrownIn(1, 0, "no_faces")) == "bad_deal"
    assert refused(match, ThrownIn(1, 1, "no_spades")) == "bad_deal"
    assert match.rounds[0].observe(0).hand == ()


@pytest.mark.parametrize("seat", [4, -1, True])
def test_a_seat_that_cannot_be_is_a_malformed_event(seat: int) -> None:
    with pytest.raises(ValueError, match="seat"):
        dealt_match().apply(Bid(1, seat, 1))


def test_a_refused_event_leaves_the_match_as_it_was() -> None:
    match = dealt_match()
    before = match.rounds

    assert refused(match, Bid(1, 2, 1)) == "not_your_turn"
    assert match.rounds is before


def test_every_event_makes_a_new_match() -> None:
    match = dealt_match()

    later = match.apply(Bid(1, 1, 3))

    assert match.rounds[0].bids == (None, None, None, None)
    assert later.rounds[0].bids == (None, 3, None, None)


def test_replay_is_the_fold() -> None:
    dice = Random(9)
    match, events = Match.start(ARCADIA, 1), []
    while (event := next_event(match, dice)) is not None:
        events.append(event)
        match = match.apply(event)

    assert replay(ARCADIA, 1, events) == match
    assert replay(ARCADIA, 1, events[:100]).rounds[0].state is State.SCORED
