"""Rulings in the fold: what they change, what they leave, and what the match refuses of them."""

from random import Random

import pytest

from games.engine.cards import DECK
from games.engine.events import Bid, Dealt, Played, Ruled, Ruling, from_record, to_record
from games.engine.match import Match
from games.engine.observation import Observation
from games.engine.round import State
from games.engine.rules import PRESETS, HouseRules, with_options
from games.engine.scoring import End
from games.engine.transcript import Transcript, read, write
from tests.engine.matches import next_event, random_deal, random_steps, refused

ARCADIA = PRESETS["arcadia"]
THREE = ARCADIA.replace(rounds=3)
TO_A_TARGET = PRESETS["yeeqia"].replace(min_bid=1, max_bid=1, target=25, max_rounds=20)


def finished(rules: HouseRules, seed: int = 1) -> Match:
    match = Match.start(rules, 0)
    for _, _, after in random_steps(rules, Random(seed)):
        match = after
    return match


def midway(rules: HouseRules, round: int, tricks: int, seed: int = 1) -> Match:
    """The match when so many tricks of that round have been played."""
    for _, _, match in random_steps(rules, Random(seed)):
        if len(match.rounds) == round and len(match.rounds[-1].tricks) == tricks:
            return match
    raise AssertionError("no such moment")


def void(round: int, *, replay: bool = False) -> Ruled:
    return Ruled(Ruling.VOID_ROUND, round, replay=replay)


def adjust(*deltas: int) -> Ruled:
    return Ruled(Ruling.ADJUST_SCORE, deltas=deltas)


def played_on(match: Match, seed: int = 2) -> Match:
    dice = Random(seed)
    while (event := next_event(match, dice)) is not None:
        match = match.apply(event)
    return match


def totals_of(match: Match) -> list[int]:
    rows = [row.scores for row in match.rounds if row.scores is not None]
    return [sum(scores[seat] for scores in rows) for seat in range(4)]


# A void round


def test_a_void_round_loses_its_score_and_counts_as_played() -> None:
    match = finished(THREE)

    after = match.apply(void(2))

    assert after.rounds[1].state is State.VOID
    assert after.rounds[1].scores is None
    assert list(after.standings.totals) == totals_of(after) != totals_of(match)
    assert after.standings.reason is End.ROUNDS


def test_a_round_that_was_never_finished_can_be_made_void_and_the_next_is_dealt() -> None:
    match = midway(THREE, round=1, tricks=6).apply(void(1))

    assert match.rounds[0].to_act is None
    assert match.rounds[0].observe(0).hand == ()
    match = played_on(match)
    assert [row.state for row in match.rounds] == [State.VOID, State.SCORED, State.SCORED]
    assert match.standings.finished


def test_a_replayed_round_keeps_number_and_dealer_and_goes_on_counting() -> None:
    match = midway(THREE, round=2, tricks=5)
    before = match.rounds[1]

    match = match.apply(void(2, replay=True))

    row = match.rounds[1]
    assert (row.number, row.dealer, row.attempt, row.turn) == (2, before.dealer, 0, 24)
    assert (row.bids, row.won, row.tricks) == ((None,) * 4, (0, 0, 0, 0), ())
    assert refused(match, random_deal(Random(3), 2, 0)) == "bad_deal"
    match = match.apply(random_deal(Random(3), 2, 1))
    assert match.keys == 3
    assert match.rounds[1].first_turn == 24


def test_a_replay_may_run_beside_the_round_that_was_being_played() -> None:
    match = midway(THREE, round=2, tricks=5).apply(void(1, replay=True))
    match = match.apply(random_deal(Random(3), 1, 1))

    assert [row.is_over for row in match.rounds] == [False, False]
    assert refused(match, random_deal(Random(4), 3, 0)) == "wrong_phase"
    assert played_on(match).standings.reason is End.ROUNDS


def test_a_finished_match_goes_on_when_one_of_its_rounds_is_replayed() -> None:
    match = finished(THREE).apply(void(2, replay=True))

    assert not match.standings.finished
    assert match.standings.winners == ()
    assert played_on(match).standings.finished


def test_a_void_round_may_be_replayed_later_but_not_be_made_void_twice() -> None:
    match = finished(THREE).apply(void(2))

    assert refused(match, void(2)) == "wrong_phase"
    match = match.apply(void(2, replay=True))
    assert match.rounds[1].awaits_deal


def test_what_was_not_dealt_cannot_be_made_void() -> None:
    match = midway(THREE, round=1, tricks=2)

    assert refused(match, void(2)) == "wrong_phase"
    assert refused(match, void(0)) == "wrong_phase"
    assert refused(match.apply(void(1, replay=True)), void(1)) == "wrong_phase"


def test_the_last_key_ends_the_match_whatever_round_it_served() -> None:
    match = midway(ARCADIA, round=1, tricks=0)
    for attempt in range(1, 128):
        match = match.apply(void(1, replay=True)).apply(random_deal(Random(attempt), 1, attempt))
    assert match.keys == 128

    assert refused(match, void(1, replay=True)) == "game_over"
    assert match.apply(void(1)).standings.reason is End.ROUND_LIMIT
    assert played_on(match).standings.reason is End.ROUND_LIMIT


def test_sealed_bids_that_waited_are_never_shown_and_their_turns_are_not_used_again() -> None:
    match = Match.start(with_options("arcadia", {"sealed_bids": True}), 0)
    match = match.apply(random_deal(Random(1), 1, 0)).apply(Bid(1, 3, 5))

    plain = match.apply(void(1)).rounds[0]
    again = match.apply(void(1, replay=True)).apply(random_deal(Random(2), 1, 1)).rounds[0]

    assert plain.observe(None).bids == plain.observe(3).bids == (None,) * 4
    assert again.observe(3).bids == (None,) * 4
    assert [again.turn_of(seat) for seat in (1, 2, 3, 0)] == [4, 5, 6, 7]


# Scores


def test_an_adjustment_adds_to_the_totals_and_to_no_round() -> None:
    match = midway(THREE, round=2, tricks=5)

    after = match.apply(adjust(0, -10, 0, 7))

    before = match.standings.totals
    assert after.standings.totals == (before[0], before[1] - 10, before[2], before[3] + 7)
    assert after.rounds == match.rounds


def test_an_adjustment_can_be_taken_back_by_its_opposite() -> None:
    match = finished(THREE)

    after = match.apply(adjust(0, -10, 0, 7)).apply(adjust(0, 10, 0, -7))

    assert after.standings == match.standings


def test_an_adjustment_changes_who_has_won() -> None:
    match = finished(THREE)
    last = match.standings.ranks.index(4)

    after = match.apply(adjust(*(500 if seat == last else 0 for seat in range(4))))

    assert after.standings.winners == (last,)


def test_a_match_that_an_adjustment_takes_below_its_target_goes_on() -> None:
    match = finished(TO_A_TARGET)
    assert match.standings.reason is End.TARGET

    match = match.apply(adjust(-200, -200, -200, -200))

    assert not match.standings.finished
    assert match.apply(random_deal(Random(1), len(match.rounds) + 1, 0)).rounds[-1].hands


def test_a_target_that_an_adjustment_reaches_is_judged_when_no_round_is_running() -> None:
    match = midway(TO_A_TARGET, round=1, tricks=3).apply(adjust(300, 0, 0, 0))

    assert not match.standings.finished
    assert played_on(match).standings.reason is End.TARGET
    assert len(played_on(match).rounds) == 1


def test_of_two_instant_wins_that_of_the_earlier_round_counts() -> None:
    rules = ARCADIA.replace(rounds=2, instant_win_bid=8)
    # The seat after the dealer holds every spade and leads, so it makes any bid.
    hands = [DECK[start : start + 13] for start in range(0, 52, 13)]

    def round_won_at_once(match: Match, number: int, attempt: int) -> Match:
        dealer = (match.first_dealer + number - 1) % 4
        leader = (dealer + 1) % 4
        match = match.apply(Dealt(number, attempt, [hands[(s - leader + 3) % 4] for s in range(4)]))
        for place in range(4):
            match = match.apply(Bid(number, (leader + place) % 4, 13 if place == 0 else 1))
        while not match.rounds[number - 1].is_over:
            row = match.rounds[number - 1]
            seat = row.to_act
            assert seat is not None
            match = match.apply(Played(number, seat, row.observe(seat).legal[0]))
        return match

    match = midway(rules.replace(instant_win_bid=None), round=2, tricks=0)
    match = Match(rules, match.first_dealer, match.rounds[:1], keys=1)
    match = round_won_at_once(match, 2, 0)
    assert match.standings.reason is End.INSTANT_WIN
    second = match.standings.winners

    match = round_won_at_once(match.apply(void(1, replay=True)), 1, 1)

    assert match.standings.reason is End.INSTANT_WIN
    assert match.standings.winners == ((second[0] - 1) % 4,)


# Cancelling, and what changes nothing


def test_a_cancelled_game_takes_nothing_until_a_ruling_lifts_that() -> None:
    match = midway(THREE, round=1, tricks=2)
    cancelled = match.apply(Ruled(Ruling.CANCEL_GAME))
    row = match.rounds[0]
    assert row.to_act is not None
    move = Played(1, row.to_act, row.observe(row.to_act).legal[0])

    assert refused(cancelled, move) == "game_over"
    assert refused(cancelled, Ruled(Ruling.CANCEL_GAME)) == "game_over"
    assert refused(cancelled, void(1)) == "game_over"
    assert refused(cancelled, adjust(1, 0, 0, 0)) == "game_over"
    assert cancelled.apply(Ruled(Ruling.UPHOLD_PLAY)) == cancelled
    assert cancelled.apply(Ruled(Ruling.DISMISS, lifts=70)) == match
    assert cancelled.apply(Ruled(Ruling.VOID_ROUND, 1, lifts=70)) == match.apply(void(1))


def test_only_a_cancelled_game_can_be_let_go_on() -> None:
    assert refused(midway(THREE, 1, 2), Ruled(Ruling.DISMISS, lifts=70)) == "wrong_phase"


@pytest.mark.parametrize(
    "ruling", [Ruling.DISMISS, Ruling.UPHOLD_PLAY, Ruling.RESTORE_CLOCK, Ruling.REPLACE_SEAT]
)
def test_other_rulings_leave_the_match_as_it_is(ruling: Ruling) -> None:
    for match in (midway(THREE, 1, 2), finished(THREE)):
        assert match.apply(Ruled(ruling, round=1, seat=2)) == match


def test_a_ruling_leaves_the_observations_of_other_rounds_as_they_are() -> None:
    match = midway(THREE, round=2, tricks=4)

    after = match.apply(void(1)).apply(adjust(0, 0, 5, 0))

    def seen(of: Match) -> list[Observation]:
        return [of.rounds[1].observe(seat) for seat in (None, 0, 1, 2, 3)]

    assert seen(after) == seen(match)


# Records and text


@pytest.mark.parametrize(
    "event",
    [
        Ruled(Ruling.DISMISS, 2),
        Ruled(Ruling.UPHOLD_PLAY),
        Ruled(Ruling.RESTORE_CLOCK, seat=3),
        Ruled(Ruling.REPLACE_SEAT, seat=0),
        void(4),
        void(1, replay=True),
        adjust(0, -30, 0, 12),
        Ruled(Ruling.CANCEL_GAME),
        Ruled(Ruling.DISMISS, lifts=211),
    ],
)
def test_a_ruling_survives_its_record_and_its_line_of_text(event: Ruled) -> None:
    transcript = Transcript.of(ARCADIA, 0, [event])

    assert from_record(to_record(event)) == event
    assert read(write(transcript)) == transcript


@pytest.mark.parametrize(
    ("columns", "data"),
    [
        ({}, {}),
        ({}, {"ruling": "set_score"}),
        ({}, {"ruling": "void_round", "replay": True}),
        ({"round": 1}, {"ruling": "void_round"}),
        ({"round": 1}, {"ruling": "void_round", "replay": 1}),
        ({"round": "1"}, {"ruling": "void_round", "replay": True}),
        ({"seat": True}, {"ruling": "dismiss"}),
        ({}, {"ruling": "dismiss", "lifts": "211"}),
        ({}, {"ruling": "adjust_score"}),
        ({}, {"ruling": "adjust_score", "deltas": [1, 2, 3]}),
        ({}, {"ruling": "adjust_score", "deltas": [1, 2, 3, 0.5]}),
        ({}, {"ruling": "adjust_score", "deltas": [0, 0, 0, 0]}),
        ({}, {"ruling": "adjust_score", "deltas": [0, 0, 0, 20_001]}),
    ],
)
def test_a_record_of_a_ruling_that_cannot_be_is_refused(
    columns: dict[str, object], data: dict[str, object]
) -> None:
    with pytest.raises(ValueError, match=r"ruled|Ruling|deltas"):
        from_record({"kind": "ruled", **columns, "data": data})


def test_the_transcript_keeps_apart_what_came_before_a_ruling_and_after_it() -> None:
    match = midway(THREE, round=1, tricks=1)
    row = match.rounds[0]
    assert row.to_act is not None
    first = Played(1, row.to_act, row.observe(row.to_act).legal[0])
    seat = (row.to_act + 1) % 4
    second = Played(1, seat, match.apply(first).rounds[0].observe(seat).legal[0])

    text = write(Transcript.of(THREE, 0, [first, adjust(0, 0, 0, -5), second, void(1)]))

    assert text.splitlines()[3:] == [
        "",
        "round 1",
        f"play {first.seat} {first.card}",
        "",
        "ruling adjust_score by 0 0 0 -5",
        "",
        "round 1",
        f"play {second.seat} {second.card}",
        "",
        "ruling void_round round 1",
    ]


@pytest.mark.parametrize("line", ["ruling promote", "ruling dismiss 7", "ruling dismiss lifts x"])
def test_a_line_of_a_ruling_that_was_not_written_here_is_refused(line: str) -> None:
    text = write(Transcript.of(ARCADIA, 0, [])) + f"\n{line}\n"

    with pytest.raises(ValueError, match="line 5"):
        read(text)
