"""Totals, ranks, and when a match is over."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.rules import PRESETS, HouseRules
from games.engine.scoring import End, instant_winner, rank, standings
from tests.engine.strategies import house_rules, tricks_won

Results = list[tuple[tuple[int, int, int, int], tuple[int, int, int, int]]]

SEED_ROUND = ((4, 3, 3, 2), (6, 3, 2, 2))  # 42 30 -30 20
LEVEL_ROUND = ((3, 3, 3, 3), (4, 3, 3, 3))  # 31 30 30 30
BEST_ROUND = ((13, 1, 1, 1), (13, 0, 0, 0))  # 130 -10 -10 -10
TWO_MADE = ((5, 6, 5, 5), (6, 6, 1, 0))  # 51 60 -50 -50
SEVEN_MADE = ((7, 1, 1, 1), (13, 0, 0, 0))  # 76 -10 -10 -10
EIGHT_MADE = ((1, 8, 1, 1), (2, 8, 2, 1))  # 11 80 11 10
LAST_TAKES_ALL = ((1, 2, 3, 4), (0, 0, 0, 13))  # -10 -20 -30 49

INSTANT = HouseRules(rounds=3, instant_win_bid=8)


def test_before_the_first_round_all_are_level_and_nobody_wins() -> None:
    table = standings(HouseRules(), [])

    assert (table.finished, table.reason, table.winners) == (False, None, ())
    assert table.totals == (0, 0, 0, 0)
    assert table.ranks == (1, 1, 1, 1)


def test_totals_are_sums_and_nobody_wins_before_the_end() -> None:
    table = standings(HouseRules(rounds=3), [SEED_ROUND, LEVEL_ROUND])

    assert (table.finished, table.reason, table.winners) == (False, None, ())
    assert table.totals == (73, 60, 0, 50)
    assert table.ranks == (1, 2, 4, 3)


def test_after_the_last_round_the_highest_total_wins() -> None:
    table = standings(HouseRules(rounds=2), [SEED_ROUND, LAST_TAKES_ALL])

    assert (table.finished, table.reason) == (True, End.ROUNDS)
    assert table.totals == (32, 10, -60, 69)
    assert table.winners == (3,)
    assert table.ranks == (2, 3, 4, 1)


def test_reasons_are_plain_words_to_compare_with() -> None:
    assert standings(HouseRules(rounds=1), [SEED_ROUND]).reason == "rounds"
    assert list(End) == ["instant_win", "target", "rounds", "round_limit"]


def test_seats_that_are_level_at_the_top_share_the_win() -> None:
    results = [((1, 1, 3, 3), (4, 4, 3, 2))]  # 13 13 30 -30

    twice = standings(HouseRules(rounds=2), [*results, ((3, 3, 1, 3), (4, 4, 4, 1))])

    assert twice.totals == (44, 44, 43, -60)
    assert twice.winners == (0, 1)
    assert twice.ranks == (1, 1, 3, 4)


def test_a_total_that_just_reaches_the_target_counts() -> None:
    assert standings(HouseRules(target=130), [BEST_ROUND]).reason == "target"
    assert standings(HouseRules(target=131), [BEST_ROUND]).reason is None


def test_the_highest_total_wins_a_target_even_if_two_reach_it() -> None:
    table = standings(HouseRules(target=51), [TWO_MADE])

    assert (table.reason, table.winners) == ("target", (1,))


def test_a_match_with_a_target_stops_at_the_round_limit() -> None:
    rules = HouseRules(rounds=None, target=300, max_rounds=2)

    assert not standings(rules, [SEED_ROUND]).finished
    table = standings(rules, [SEED_ROUND, LEVEL_ROUND])

    assert (table.reason, table.winners) == ("round_limit", (0,))


def test_a_match_with_a_target_alone_goes_on() -> None:
    rules = HouseRules(rounds=None, target=300)

    assert not standings(rules, [SEED_ROUND, LAST_TAKES_ALL] * 4 + [TWO_MADE]).finished


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_an_instant_win_ends_the_match_in_any_round_whatever_the_totals(rounds: int) -> None:
    table = standings(INSTANT, [SEVEN_MADE] * (rounds - 1) + [EIGHT_MADE])

    assert (table.finished, table.reason, table.winners) == (True, "instant_win", (1,))


def test_after_an_instant_win_the_others_are_placed_from_second() -> None:
    table = standings(INSTANT, [SEVEN_MADE, SEVEN_MADE, EIGHT_MADE])

    assert table.totals == (163, 60, -9, -10)
    assert table.ranks == (2, 1, 3, 4)


@pytest.mark.parametrize(
    ("ends", "reason"),
    [
        ({"instant_win_bid": 8, "target": 80, "rounds": 1, "max_rounds": 1}, "instant_win"),
        ({"target": 80, "rounds": 1, "max_rounds": 1}, "target"),
        ({"target": 81, "rounds": 1, "max_rounds": 1}, "rounds"),
        ({"target": 81, "rounds": 2, "max_rounds": 1}, "round_limit"),
        ({"target": 81, "rounds": 2, "max_rounds": 2}, None),
    ],
)
def test_when_several_ends_fall_together_the_first_one_is_named(
    ends: dict[str, Any], reason: str | None
) -> None:
    assert standings(HouseRules(**ends), [EIGHT_MADE]).reason == reason


@pytest.mark.parametrize(
    ("rules", "results"),
    [
        (HouseRules(rounds=1), [SEED_ROUND] * 2),
        (HouseRules(target=130), [BEST_ROUND, SEED_ROUND]),
        (INSTANT, [EIGHT_MADE, SEED_ROUND]),
        (HouseRules(rounds=None, target=300, max_rounds=1), [SEED_ROUND] * 2),
        (PRESETS["arcadia"].replace(parallel_rounds=True), [SEED_ROUND] * 6),
    ],
)
def test_a_round_beyond_the_end_is_malformed(rules: HouseRules, results: Results) -> None:
    with pytest.raises(ValueError, match="the match was over"):
        standings(rules, results)


def test_the_results_may_come_from_any_iterable() -> None:
    assert standings(HouseRules(), iter([SEED_ROUND])).totals == (42, 30, -30, 20)


@pytest.mark.parametrize(
    ("totals", "ranks"),
    [
        ((4, 3, 2, 1), (1, 2, 3, 4)),
        ((5, 5, 3, 1), (1, 1, 3, 4)),
        ((1, 5, 5, 5), (4, 1, 1, 1)),
        ((-1, -2, -2, -3), (1, 2, 2, 4)),
        ((0, 0, 0, 0), (1, 1, 1, 1)),
    ],
)
def test_equal_totals_share_the_better_place(
    totals: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    assert rank(totals) == ranks


@pytest.mark.parametrize(
    ("totals", "ranks"),
    [((9, 0, 9, 5), (2, 1, 2, 4)), ((1, 9, 1, 1), (2, 1, 2, 2)), ((9, 0, 5, 0), (2, 1, 3, 4))],
)
def test_an_instant_winner_is_first_alone(totals: tuple[int, ...], ranks: tuple[int, ...]) -> None:
    assert rank(totals, at_once=1) == ranks


@given(st.lists(st.integers(0, 13), min_size=4, max_size=4), tricks_won())
def test_one_seat_at_most_wins_at_once(bids: list[int], won: list[int]) -> None:
    rules = HouseRules(min_bid=0, instant_win_bid=7)
    made = [seat for seat in range(4) if bids[seat] >= 7 and won[seat] >= bids[seat]]

    assert made in ([], [instant_winner(rules, bids, won)])


@given(house_rules(), st.data())
def test_a_match_that_is_over_has_winners_and_one_that_is_not_has_none(
    rules: HouseRules, data: st.DataObject
) -> None:
    bid = st.integers(rules.min_bid, rules.max_bid)
    result = st.tuples(st.tuples(bid, bid, bid, bid), tricks_won())
    results = []

    for _ in range(3):
        results.append(data.draw(result))
        table = standings(rules, results)

        assert table.finished == (table.reason is not None) == bool(table.winners)
        if table.finished:
            assert table.winners == tuple(seat for seat in range(4) if table.ranks[seat] == 1)
            break


def test_a_match_whose_target_nobody_reaches_ends_when_its_keys_are_used_up() -> None:
    missed = ([5, 5, 5, 5], [4, 3, 3, 3])

    assert not standings(PRESETS["yeeqia"], [missed] * 127).finished
    table = standings(PRESETS["yeeqia"], [missed] * 128)

    assert (table.reason, table.winners) == ("round_limit", (0, 1, 2, 3))
