"""Rulings at stored games: each in each state under each way to play, and then everything tells one story."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from games import queries, store
from games.models import Event, Game, Notice, Round, Seat, SeatHolder
from games.refusals import CannotRule
from games.services import freezing, pace, plans, play
from games.store import By
from tests.games.ruled import (
    RULES,
    STATES,
    assert_one_story,
    bidding,
    cancelled,
    finished,
    frozen,
    mid_trick,
    order,
    ruled,
    second_round,
)
from tests.games.tables import ARCADIA, NOW, fingerprint, kinds_of, loaded, log_of, play_on, step

THREE = ARCADIA.replace(rounds=3)
ALWAYS = {"dismiss", "uphold_play"}
RULINGS: dict[str, dict[str, Any]] = {
    "dismiss": {"round": 1},
    "uphold_play": {},
    "restore_clock": {"seat": 2, "seconds": 7200},
    "replace_seat": {"seat": 1},
    "void_round": {"round": 1},
    "void_round, replayed": {"round": 1, "replay": True},
    "adjust_score": {"deltas": (0, -30, 12, 0)},
    "cancel_game": {},
}
# What cannot be ruled, by state; everything else can.
IMPOSSIBLE = {
    "open_table": {
        *("restore_clock", "replace_seat", "void_round", "void_round, replayed", "adjust_score")
    },
    "finished": {"restore_clock", "replace_seat"},
    "abandoned": {"restore_clock", "replace_seat", "void_round, replayed"},
    "cancelled": set(RULINGS) - ALWAYS,
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", RULES)
def test_every_ruling_in_every_state_leaves_one_story_or_changes_nothing(
    people: list[User], name: str, state: str
) -> None:
    game = STATES[state](people, RULES[name])
    assert_one_story(game)

    for what, fields in RULINGS.items():
        before = fingerprint(game)
        with transaction.atomic():
            try:
                ruled(game, what.partition(",")[0], **fields)
            except CannotRule:
                assert what in IMPOSSIBLE.get(state, ()), what
                assert fingerprint(game) == before
            else:
                assert what not in IMPOSSIBLE.get(state, ()), what
                assert_one_story(game, page=True)
                play_on(game, decisions=3)
                assert_one_story(game)
            transaction.set_rollback(True)


@pytest.mark.parametrize("name", RULES)
def test_a_game_can_be_ruled_on_again_and_again_and_is_played_to_its_end(
    people: list[User], name: str
) -> None:
    game = mid_trick(people, RULES[name])
    for what in ("void_round, replayed", "adjust_score", "void_round", "cancel_game"):
        ruled(game, what.partition(",")[0], **RULINGS[what])
        assert_one_story(game)
        play_on(game, decisions=40)
    last = Event.objects.filter(game=game, data__ruling="cancel_game").latest("seq")
    ruled(game, "void_round", round=1, replay=True, lifts=last.seq)
    play_on(game)

    match = assert_one_story(game, page=True)
    assert match is not None
    assert match.standings.finished
    assert Game.objects.get(pk=game).status == Game.Status.FINISHED


# A void round


def test_the_seed_of_a_void_round_is_revealed_when_all_before_it_are_over(
    people: list[User],
) -> None:
    game = second_round(people, RULES["side by side"])
    running = queries.running(loaded(game))

    ruled(game, "void_round", round=running[-1], replay=True)

    row = Round.objects.get(game=game, number=running[-1])
    assert row.key == 4
    assert Game.objects.get(pk=game).keys_revealed < row.key
    play_on(game)
    events = Event.objects.filter(game=game, kind="revealed").order_by("seq")
    assert [event.data["key"] for event in events] == [1, 2, 3, 4]
    assert [event.round for event in events if event.data["key"] == running[-1]] == [running[-1]]
    assert_one_story(game)


def test_a_replayed_round_goes_on_counting_and_refuses_what_was_meant_for_the_old_one(
    people: list[User],
) -> None:
    game = mid_trick(people, THREE)
    before = Round.objects.get(game=game)

    ruled(game, "void_round", round=1, replay=True)

    row = Round.objects.get(game=game)
    assert (row.number, row.dealer, row.attempt, row.turn) == (1, before.dealer, 1, before.turn)
    assert (row.key, row.state, row.scores) == (2, "bidding", None)
    assert kinds_of(game)[-3:] == ["ruled", "revealed", "dealt"]
    table = loaded(game)
    seat = table.rounds[1].to_act
    assert seat is not None
    made = play.place_bid(people[seat], game, 3, round=1, turn=row.turn, now=NOW)
    assert not made.repeated


def test_a_void_round_takes_its_plans_and_its_autopilot_with_it(people: list[User]) -> None:
    from games.engine.plan import Plan

    game = mid_trick(people, THREE)
    plan = Plan.from_json({"rules": [{"play": "lowest"}]})
    plans.save(people[0], game, plan, round=1, seen=None, now=NOW)

    ruled(game, "void_round", round=1, replay=True)

    assert Round.objects.get(game=game).planned == {}
    with pytest.raises(Exception, match="no_plan"):
        plans.plan_of(people[0], game, round=1, now=NOW)


def test_a_match_that_goes_on_is_news_again_when_it_is_over_again(people: list[User]) -> None:
    game = finished(people, THREE)
    told = Notice.objects.filter(game=game, kind=Notice.Kind.MATCH_OVER)
    assert told.count() == 4

    ruled(game, "void_round", round=2, replay=True)

    row = Game.objects.get(pk=game)
    assert (row.status, row.result, row.finished_at) == (Game.Status.PLAYING, None, None)
    assert not told.exists()
    play_on(game)
    assert told.count() == 4


# Clocks and seats


def test_time_is_given_back_to_the_seat_that_is_to_act_or_to_its_bank(people: list[User]) -> None:
    game = mid_trick(people, THREE)
    row = Round.objects.get(game=game)
    acting = int(next(iter(row.clocks)))
    waiting = (acting + 1) % 4

    ruled(game, "restore_clock", seat=acting, seconds=3600)
    ruled(game, "restore_clock", seat=waiting, seconds=3600)

    after = Round.objects.get(game=game)
    moved = queries.deadline_of(after, acting)
    assert moved is not None
    assert moved - (queries.deadline_of(row, acting) or NOW) == timedelta(hours=1)
    assert after.banks[waiting] - row.banks[waiting] == 3600
    assert [place for place in range(4) if after.banks[place] != row.banks[place]] == [waiting]


def test_whoever_was_late_gets_the_seat_back_with_the_time(people: list[User]) -> None:
    game = mid_trick(people, THREE)
    Seat.objects.filter(game=game, number=1).update(timeouts_running=2, stand_in_since=NOW)

    ruled(game, "restore_clock", seat=1, seconds=3600)

    held = loaded(game).seats[1]
    assert (held.timeouts_running, held.stand_in_since) == (0, None)
    assert kinds_of(game)[-2:] == ["ruled", "returned"]
    assert log_of(game)[-1].by == By.STAFF


def test_a_replaced_person_holds_no_seat_and_can_have_it_back(people: list[User]) -> None:
    game = mid_trick(people, THREE)

    ruled(game, "replace_seat", seat=1)

    held = loaded(game).seats[1]
    assert (held.user, held.bot) == (None, "steady")
    assert SeatHolder.objects.filter(game=game, user=people[1], seat=1).exists()
    assert play_on_as_others(game)
    ruled(game, "replace_seat", seat=1, to_player=True)
    held = loaded(game).seats[1]
    assert (held.user, held.bot) == (people[1], "")
    assert_one_story(game, page=True)


def play_on_as_others(game: str) -> bool:
    return all(step(game) for _ in range(6))


def test_a_match_without_any_person_left_is_abandoned(people: list[User]) -> None:
    game = mid_trick(people, THREE)

    for seat in range(4):
        ruled(game, "replace_seat", seat=seat)

    row = Game.objects.get(pk=game)
    assert row.status == Game.Status.FINISHED
    assert row.result is not None
    assert row.result["reason"] == "abandoned"
    assert_one_story(game)


# A cancelled game, a frozen one


def test_nobody_moves_in_a_cancelled_game_and_its_seeds_stay_sealed(people: list[User]) -> None:
    game = second_round(people, THREE)

    ruled(game, "cancel_game")

    row = Game.objects.get(pk=game)
    assert (row.status, row.result, row.next_attempt_at) == (Game.Status.CANCELLED, None, None)
    assert row.keys_revealed == 1
    assert not Round.objects.filter(game=game, alarm_at__isnull=False).exists()
    assert not step(game)


def test_a_cancelled_game_goes_on_where_it_was(people: list[User]) -> None:
    game = mid_trick(people, THREE)
    turn = Round.objects.get(game=game).turn
    last = ruled(game, "cancel_game")

    ruled(game, "dismiss", lifts=last.seq)

    row = Round.objects.get(game=game)
    assert (row.turn, len(row.clocks)) == (turn, 1)
    assert row.alarm_at is not None
    play_on(game)
    assert_one_story(game)


@pytest.mark.parametrize("lifts", [1, 30, 9999])
def test_nothing_but_the_cancellation_in_force_can_be_lifted(
    people: list[User], lifts: int
) -> None:
    with pytest.raises(CannotRule):
        ruled(cancelled(people, THREE), "dismiss", lifts=lifts)
    with pytest.raises(CannotRule):
        ruled(bidding(people, THREE), "dismiss", lifts=lifts)


def test_a_ruling_on_a_frozen_game_lets_it_go_on_with_its_time(people: list[User]) -> None:
    game = frozen(people, THREE)
    before = Round.objects.get(game=game)
    seat = int(next(iter(before.clocks)))
    assert before.alarm_at is None
    assert not step(game)

    ruled(game, "uphold_play", now=NOW + timedelta(hours=20))

    row = Round.objects.get(game=game)
    assert Game.objects.get(pk=game).status == Game.Status.PLAYING
    moved = queries.deadline_of(row, seat)
    assert moved == (queries.deadline_of(before, seat) or NOW) + timedelta(hours=20)
    assert kinds_of(game)[-3:] == ["thawed", "deadlines_moved", "ruled"]
    assert_one_story(game)


def test_a_frozen_game_can_be_cancelled_without_going_on_first(people: list[User]) -> None:
    game = frozen(people, THREE)

    ruled(game, "cancel_game")

    assert kinds_of(game)[-2:] == ["ruled", "cancelled"]
    assert_one_story(game)


def test_an_outage_meanwhile_is_not_given_back_twice(people: list[User]) -> None:
    game = frozen(people, THREE)
    seat = int(next(iter(Round.objects.get(game=game).clocks)))
    before = queries.deadline_of(Round.objects.get(game=game), seat)
    pace.sweep(now=NOW)
    pace.sweep(now=NOW + timedelta(hours=5))
    pace.sweep(now=NOW + timedelta(hours=8))

    with store.locked(game, now=NOW + timedelta(hours=8)) as table:
        freezing.thaw(table, by=By.STAFF)
    pace.sweep(now=NOW + timedelta(hours=8, minutes=1))

    after = queries.deadline_of(Round.objects.get(game=game), seat)
    assert before is not None
    assert after == before + timedelta(hours=8)


# What is refused


@pytest.mark.parametrize(
    ("ruling", "fields"),
    [
        ("void_round", {"round": 2}),
        ("void_round", {"round": 0}),
        ("restore_clock", {"seat": 1, "seconds": 0}),
        ("restore_clock", {"seat": 1, "seconds": 31 * 86400}),
        ("restore_clock", {"seconds": 60}),
        ("replace_seat", {}),
        ("replace_seat", {"seat": 1, "to_player": True}),
    ],
)
def test_a_ruling_that_cannot_be_is_refused_with_a_sentence(
    people: list[User], ruling: str, fields: dict[str, Any]
) -> None:
    game = mid_trick(people, THREE)
    before = fingerprint(game)

    with pytest.raises(CannotRule) as refused:
        ruled(game, ruling, **fields)

    assert len(str(refused.value.sentence)) > 20
    assert fingerprint(game) == before


def test_what_a_ruling_says_stands_in_the_log_for_everybody(
    people: list[User], browser_of: Callable[..., object]
) -> None:
    game = mid_trick(people, THREE)

    event = ruled(game, "adjust_score", deltas=(0, -30, 0, 0))

    assert event.data == {
        "ruling": "adjust_score",
        "deltas": [0, -30, 0, 0],
        "reason": order("dismiss").reason,
        "cites": ["arcadia/beat", 7],
    }
    assert (event.by, event.round, event.seat) == (By.STAFF, None, None)
