"""Autopilot: a player gives the rest of a round to a bot, everybody sees it, and it can be called off."""

from datetime import timedelta

import pytest

from accounts.models import User
from games import queries, store
from games.refusals import GameNotFound, NothingToGiveUp, NotSeated
from games.services import autopilot, pace
from games.table import Table
from tests.games.arranged import follow, turn_of
from tests.games.tables import ARCADIA, NOW, fingerprint, loaded, log_of, play_on, seated

A_DAY = {"kind": "per_turn", "seconds": 86400}
A_BANK = {"kind": "bank", "start": 86400, "increment": 3600, "cap": 86400, "longest_turn": 43200}


def switch(user: User, game: str, *, on: bool, round: int = 1) -> Table:
    return autopilot.switch(user, game, round=round, on=on, now=NOW)


def test_a_bot_plays_the_rest_of_the_round_for_whoever_gives_it_up(people: list[User]) -> None:
    game = seated(people)
    seat = loaded(game).rounds[1].to_act
    assert seat is not None
    turn = turn_of(game)

    switch(people[seat], game, on=True)

    line = log_of(game)[-1]
    assert (line.kind, line.by, line.seat, line.round) == ("stood_in", "player", seat, 1)
    table = loaded(game)
    assert table.rows[1].alarm_at is None
    assert queries.game_as_seen(table, None)["rounds"][0]["autopilot"] == [seat]
    assert table.seats[seat].kind == "human"
    assert follow(game)
    assert (log_of(game)[-1].by, log_of(game)[-1].turn) == ("bot", turn)


def test_calling_it_off_gives_the_turn_back(people: list[User]) -> None:
    game = seated(people)
    seat = loaded(game).rounds[1].to_act
    assert seat is not None
    switch(people[seat], game, on=True)

    switch(people[seat], game, on=False)

    line = log_of(game)[-1]
    assert (line.kind, line.by, line.seat, line.round) == ("returned", "player", seat, 1)
    assert str(seat) in loaded(game).rows[1].clocks
    assert not follow(game)


@pytest.mark.parametrize("clock", [A_DAY, A_BANK], ids=["a day a turn", "a bank"])
def test_calling_it_off_wins_no_time(people: list[User], clock: dict[str, object]) -> None:
    game = seated(people, clock=clock)
    seat = loaded(game).rounds[1].to_act
    assert seat is not None
    before = loaded(game).rows[1]
    deadline = queries.deadline_of(before, seat)
    assert deadline is not None

    for minutes in (30, 20, 10, 0, -1):
        now = deadline - timedelta(minutes=minutes)
        autopilot.switch(people[seat], game, round=1, on=True, now=now)
        autopilot.switch(people[seat], game, round=1, on=False, now=now)

    after = loaded(game).rows[1]
    assert (after.clocks, after.banks) == (before.clocks, before.banks)
    assert after.alarm_at == before.alarm_at
    pace.wake(game, round=1, now=deadline + timedelta(minutes=2))
    assert [line.by for line in log_of(game)[-2:]] == ["clock", "bot"]


def test_what_a_bot_was_given_nobody_is_late_with(people: list[User]) -> None:
    game = seated(people, ARCADIA.replace(rounds=1, sealed_bids=True), clock=A_DAY)
    deadline = queries.deadline_of(loaded(game).rows[1], 0)
    assert deadline is not None
    switch(people[0], game, on=True)

    pace.wake(game, round=1, now=deadline + timedelta(minutes=2))

    late = [seat.number for seat in loaded(game).seats if seat.timeouts_running]
    assert late == [1, 2, 3]


def test_it_ends_with_the_round(people: list[User]) -> None:
    game = seated(people, ARCADIA.replace(rounds=2))
    switch(people[0], game, on=True)
    play_on(game, decisions=56)

    view = queries.game_as_seen(store.load(game, now=NOW), None)

    assert [row["autopilot"] for row in view["rounds"]] == [[], []]
    with pytest.raises(NothingToGiveUp):
        switch(people[0], game, on=True)


def test_twice_is_once(people: list[User]) -> None:
    game = seated(people)
    switch(people[0], game, on=True)
    before = fingerprint(game)

    switch(people[0], game, on=True)

    assert fingerprint(game) == before


def test_nobody_gives_up_for_others_or_where_nothing_runs(people: list[User], eli: User) -> None:
    game = seated(people)

    with pytest.raises(NotSeated):
        switch(eli, game, on=True)
    with pytest.raises(NothingToGiveUp):
        switch(people[0], game, on=True, round=2)
    with pytest.raises(GameNotFound):
        switch(people[0], "K7QX2M9RTV4B", on=True)
