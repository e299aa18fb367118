"""Deadlines of people, and what happens when they pass: a stand-in plays, keeps the seat, and gives it back."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

import pytest

from accounts.models import User
from games import queries, store
from games.engine.errors import RuleViolation
from games.models import Game, Heartbeat, Outage, Round
from games.refusals import GameNotFound, NothingToTakeBack, NotSeated, TimeRanOut
from games.services import following, lobby, pace, play
from tests.games.clockwork import (
    GRACE,
    HOUR,
    ONE_DAY,
    answer,
    due,
    four_at,
    run_out,
    seat_of,
    twice_late,
    until_it_is_the_bots_turn,
)
from tests.games.tables import ARCADIA, NOW, kinds_of, log_of, new_game, steadily

SECOND = timedelta(seconds=1)


@pytest.fixture
def game(people: Sequence[User]) -> str:
    """A game of four people with a day for every decision."""
    return four_at(people, clock=ONE_DAY)


# Deadlines


def test_a_turn_that_opens_has_a_deadline_in_whole_minutes(game: str) -> None:
    *_, deadline = due(game)

    assert deadline == datetime(2026, 11, 30, 19, 30, tzinfo=NOW.tzinfo)


def test_the_deadline_is_the_same_on_the_page_and_in_what_the_sweep_reads(
    game: str, people: Sequence[User]
) -> None:
    number, _, seat, deadline = due(game)

    view = queries.game_as_seen(queries.open_table(game, None, now=NOW), people[seat].pk)
    assert view["rounds"][0]["deadline"] == deadline
    assert view["you"]["rounds"][0]["deadline"] == deadline
    assert queries.decisions_awaiting(people[seat])[0]["deadline"] == deadline
    row = Round.objects.get(game=game, number=number)
    assert row.alarm_at == deadline - timedelta(seconds=86400 * 20 // 100)


def test_the_next_turn_opens_when_the_last_is_answered(game: str) -> None:
    _, _, seat, deadline = due(game)

    answer(game, now=NOW + 5 * HOUR)

    _, _, next_seat, next_deadline = due(game)
    assert next_seat == (seat + 1) % 4
    assert next_deadline == deadline + 5 * HOUR


def test_a_bots_turn_has_no_deadline(asha: User) -> None:
    game = new_game(asha, ARCADIA, ["me", "bot:steady", "bot:steady", "bot:steady"])

    view = queries.game_as_seen(queries.open_table(game, None, now=NOW), asha.pk)

    row = view["rounds"][0]
    assert (row["deadline"] is None) == (row["to_act"] != 0)


def test_a_night_and_a_holiday_move_the_deadline(people: Sequence[User]) -> None:
    for user in people:
        user.time_zone = "Asia/Kathmandu"
        user.night_start, user.night_end = time(22), time(6)
        user.holidays = [date(2026, 12, 1).isoformat()]
        user.save()
    game = four_at(people, clock={"kind": "per_turn", "seconds": 28800})

    *_, deadline = due(game)

    # 01:15 at night in Kathmandu when it opens: eight hours from six in the morning.
    assert deadline == datetime(2026, 11, 30, 8, 15, tzinfo=NOW.tzinfo)


def test_a_table_says_whether_weekends_and_holidays_count(people: Sequence[User]) -> None:
    for user in people:
        user.holidays = [date(2026, 11, 30).isoformat()]
        user.save()
    two_days = {"kind": "per_turn", "seconds": 172800}

    # It is a Sunday evening, and the Monday a holiday.
    deadlines = [
        due(four_at(people, clock=two_days, **pauses))[3]
        for pauses in (
            {"allows_holidays": False},
            {"pauses_weekends": True, "allows_holidays": False},
            {"pauses_weekends": True},
        )
    ]

    assert [f"{deadline:%a %d %H:%M}" for deadline in deadlines] == [
        "Tue 01 19:30",
        "Wed 02 00:00",
        "Thu 03 00:00",
    ]


def test_a_bank_shrinks_by_what_was_used_and_grows_by_the_increment(people: Sequence[User]) -> None:
    bank = {"kind": "bank", "start": 36000, "increment": 3600, "cap": 36000, "longest_turn": 36000}
    game = four_at(people, clock=bank)
    number, _, seat, _ = due(game)

    answer(game, now=NOW + 4 * HOUR)

    row = Round.objects.get(game=game, number=number)
    # Counted from the minute after it opened to the minute before it was answered.
    assert row.banks[seat] == 36000 - (4 * 3600 - 60) + 3600


def test_changing_the_night_in_mid_turn_moves_nothing(game: str, people: Sequence[User]) -> None:
    _, _, seat, deadline = due(game)
    people[seat].night_start, people[seat].night_end = time(0), time(11)
    people[seat].save()

    assert due(game)[3] == deadline


# In time, and too late


@pytest.mark.parametrize("early", [SECOND, 0 * SECOND])
def test_an_answer_by_the_deadline_counts(game: str, early: timedelta) -> None:
    *_, deadline = due(game)

    assert not answer(game, now=deadline - early).repeated


def test_an_answer_after_the_deadline_is_refused_and_changes_nothing(game: str) -> None:
    *_, deadline = due(game)
    before = log_of(game)

    with pytest.raises(TimeRanOut):
        answer(game, now=deadline + SECOND)

    assert log_of(game) == before


def test_the_sweep_waits_for_answers_that_are_on_their_way(game: str) -> None:
    number, turn, _, deadline = due(game)

    pace.wake(game, round=number, now=deadline + GRACE - SECOND)
    assert due(game)[1] == turn
    pace.wake(game, round=number, now=deadline + GRACE)

    assert due(game)[1] == turn + 1


def test_waking_twice_plays_one_decision(game: str) -> None:
    number, turn, _, deadline = due(game)

    for _ in range(3):
        pace.wake(game, round=number, now=deadline + GRACE)

    assert due(game)[1] == turn + 1


# Stand-ins


def test_the_first_time_a_bot_plays_that_decision_and_the_seat_is_late(game: str) -> None:
    _, _, seat, _ = due(game)

    run_out(game)

    assert kinds_of(game)[-2:] == ["stood_in", "bid"]
    assert [event.by for event in log_of(game)[-2:]] == ["clock", "bot"]
    assert (seat_of(game, seat).timeouts_running, seat_of(game, seat).kind) == (1, "human")
    view = queries.game_as_seen(queries.open_table(game, None, now=NOW), None)
    assert view["seats"][seat]["late"] is True


def test_an_answer_in_time_makes_a_late_seat_punctual_again(game: str) -> None:
    _, _, seat, _ = due(game)
    now = run_out(game)

    for _ in range(4):
        now += HOUR
        answer(game, now=now)

    assert seat_of(game, seat).timeouts_running == 0


def test_the_second_time_running_a_bot_keeps_the_seat(game: str) -> None:
    seat, now = twice_late(game)

    assert seat_of(game, seat).kind == "stand_in"
    number, turn = until_it_is_the_bots_turn(game, now=now)
    assert following.follow_up(game, round=number, turn=turn, now=now)
    assert [log_of(game)[-1].seat, log_of(game)[-1].by] == [seat, "bot"]


def test_the_owner_takes_the_seat_back_with_one_click(game: str, people: Sequence[User]) -> None:
    seat, now = twice_late(game)

    pace.take_back(people[seat], game, now=now)

    assert seat_of(game, seat).kind == "human"
    assert kinds_of(game)[-1] == "returned"
    with pytest.raises(NothingToTakeBack):
        pace.take_back(people[seat], game, now=now)


def test_taking_back_on_my_turn_starts_the_clock_for_it(game: str, people: Sequence[User]) -> None:
    seat, now = twice_late(game)
    until_it_is_the_bots_turn(game, now=now)

    pace.take_back(people[seat], game, now=now + HOUR)

    _, _, acting, deadline = due(game)
    assert acting == seat
    assert deadline > now + 24 * HOUR


def test_answering_in_person_takes_the_seat_back_too(game: str) -> None:
    seat, now = twice_late(game)
    number, turn = until_it_is_the_bots_turn(game, now=now)
    table = queries.open_table(game, None, now=now)
    user = table.seats[seat].user
    assert user is not None
    card = steadily(table.observe(number, seat))
    assert not isinstance(card, int)

    play.play_card(user, game, card, round=number, turn=turn, now=now)

    assert kinds_of(game)[-2:] == ["returned", "played"]
    assert seat_of(game, seat).kind == "human"


def test_a_refused_answer_gives_no_seat_back(game: str, people: Sequence[User]) -> None:
    seat, now = twice_late(game)
    number, turn = until_it_is_the_bots_turn(game, now=now)
    before = log_of(game)

    with pytest.raises(RuleViolation):
        play.place_bid(people[seat], game, 3, round=number, turn=turn, now=now)

    assert log_of(game) == before
    assert seat_of(game, seat).kind == "stand_in"


def test_only_whoever_sits_there_takes_a_seat_back(game: str, eli: User) -> None:
    twice_late(game)

    with pytest.raises(NotSeated):
        pace.take_back(eli, game, now=NOW)
    Game.objects.filter(pk=game).update(visibility="link")
    with pytest.raises(GameNotFound):
        pace.take_back(eli, game, now=NOW)


def test_a_match_that_everybody_has_left_is_abandoned(game: str) -> None:
    for _ in range(8):
        run_out(game)

    row = Game.objects.get(pk=game)
    assert (row.status, row.result and row.result["reason"]) == ("finished", "abandoned")
    assert row.result
    assert row.result["winners"] == []
    assert kinds_of(game)[-2:] == ["stood_in", "abandoned"]
    assert not Round.objects.filter(game=game, alarm_at__isnull=False).exists()


A_BANK = {"kind": "bank", "start": 86400, "increment": 3600, "cap": 86400, "longest_turn": 43200}


@pytest.mark.parametrize(
    ("clock", "longest"),
    # Of each of the four two decisions run out, each as long as one may take.
    [(ONE_DAY, 8 * 24 * HOUR), (A_BANK, 8 * 12 * HOUR)],
)
def test_four_who_leave_are_closed_within_two_time_outs_of_each(
    people: Sequence[User], clock: dict[str, object], longest: timedelta
) -> None:
    game, now = four_at(people, clock=clock), NOW

    while Game.objects.get(pk=game).status == "playing":
        now = run_out(game)

    assert kinds_of(game).count("stood_in") == 8
    assert Game.objects.get(pk=game).finished_at == now
    # Rounding to the minute and the sweep's grace take less than two minutes each time.
    assert longest - HOUR <= now - NOW <= longest + 8 * timedelta(minutes=2)


# The sweep


def test_the_sweep_wakes_what_has_run_out_and_nothing_else(game: str) -> None:
    *_, deadline = due(game)
    Round.objects.filter(game=game).update(alarm_at=deadline + GRACE)

    assert pace.sweep(now=deadline + GRACE - SECOND) == 0
    assert pace.sweep(now=deadline + GRACE) == 1
    assert pace.sweep(now=deadline + GRACE) == 0
    assert pace.sweep(now=deadline + GRACE + pace.NEXT_LOOK) == 1


def test_an_outage_is_given_back_to_every_clock_once(game: str) -> None:
    *_, deadline = due(game)
    pace.sweep(now=NOW)

    pace.sweep(now=NOW + 6 * HOUR)
    pace.sweep(now=NOW + 6 * HOUR + SECOND)

    assert due(game)[3] == deadline + 6 * HOUR
    moved = [event for event in log_of(game) if event.kind == "deadlines_moved"]
    assert [event.data for event in moved] == [{"seconds": 6 * 3600}]
    assert Outage.objects.count() == 1


def test_no_clock_is_judged_before_every_game_has_its_time_back(people: Sequence[User]) -> None:
    games = [four_at(people, clock=ONE_DAY) for _ in range(3)]
    *_, deadline = due(games[0])
    pace.sweep(now=deadline - 6 * HOUR)
    after = deadline + HOUR

    pace.sweep(now=after, limit=2)
    first = [due(game)[3] for game in games]
    pace.sweep(now=after + SECOND, limit=2)

    assert sorted(first) == [deadline, deadline + 7 * HOUR, deadline + 7 * HOUR]
    assert [due(game)[3] for game in games] == [deadline + 7 * HOUR] * 3
    assert all("stood_in" not in kinds_of(game) for game in games)


def test_a_message_from_before_an_outage_takes_nobodys_time(game: str) -> None:
    number, *_, deadline = due(game)
    pace.sweep(now=deadline - HOUR)

    pace.wake(game, round=number, now=deadline + HOUR)  # before the sweep is back
    pace.sweep(
        now=deadline + HOUR, limit=0
    )  # which has seen the outage, and given nothing back yet
    pace.wake(game, round=number, now=deadline + HOUR + SECOND)

    assert kinds_of(game)[-1] == "deadlines_moved"
    assert due(game)[3] == deadline + 2 * HOUR


def test_whoever_answers_after_an_outage_has_their_time_back_already(game: str) -> None:
    *_, deadline = due(game)
    pace.sweep(now=deadline - HOUR)
    pace.sweep(now=deadline + HOUR, limit=0)

    answer(game, now=deadline + 2 * HOUR)

    assert kinds_of(game)[-2:] == ["deadlines_moved", "bid"]


def test_whoever_answers_after_that_time_too_is_late(game: str) -> None:
    *_, deadline = due(game)
    pace.sweep(now=deadline - HOUR)
    pace.sweep(now=deadline + HOUR, limit=0)

    with pytest.raises(TimeRanOut):
        answer(game, now=deadline + 2 * HOUR + SECOND)

    assert "deadlines_moved" not in kinds_of(game)


def test_a_short_silence_is_nobodys_loss(game: str) -> None:
    *_, deadline = due(game)
    pace.sweep(now=NOW)

    pace.sweep(now=NOW + timedelta(minutes=10))

    assert due(game)[3] == deadline
    assert Heartbeat.objects.get(name="sweep").at == NOW + timedelta(minutes=10)


def test_a_game_that_started_after_an_outage_gives_nothing_back(people: Sequence[User]) -> None:
    pace.sweep(now=NOW - 8 * HOUR)
    pace.sweep(now=NOW - HOUR)
    game = four_at(people, clock=ONE_DAY)
    *_, deadline = due(game)

    pace.sweep(now=NOW)

    assert due(game)[3] == deadline
    assert "deadlines_moved" not in kinds_of(game)


def test_time_over_runs_out_on_every_board_by_itself(people: Sequence[User]) -> None:
    rules = ARCADIA.replace(parallel_rounds=True)
    seats = ["me", *(f"user:{user.username}" for user in people[1:])]
    game = new_game(people[0], rules, seats, clock=ONE_DAY)
    for user in people[1:]:
        lobby.sit(user, game, now=NOW)
    table = queries.open_table(game, None, now=NOW)
    deadline = queries.deadline_of(table.rows[3], table.rounds[3].to_act)
    assert deadline is not None

    pace.wake(game, round=3, now=deadline + GRACE)

    table = store.load(game, now=NOW)
    store.fold(table, *table.rows)
    assert [table.rounds[number].turn for number in range(1, 6)] == [0, 0, 1, 0, 0]
