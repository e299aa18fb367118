"""Rounds side by side: each board is played by itself, in any order, and what one does changes nothing on another."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from games.models import Game, Round
from games.services import following, play
from tests.games.tables import (
    ARCADIA,
    BOTS_ALONE,
    NOW,
    decisions,
    loaded,
    log_of,
    make,
    new_game,
    seated,
    steadily,
)

FIVE = ARCADIA.replace(parallel_rounds=True)
THREE = FIVE.replace(rounds=3)
BANK = {"kind": "bank", "start": 86400, "increment": 3600, "cap": 86400, "longest_turn": 86400}
DECISIONS_A_ROUND = 56


@pytest.fixture
def game(people: Sequence[User]) -> str:
    return seated(people, FIVE, clock=BANK)


def finish(game: str, number: int) -> None:
    """Have the bots play this board to its end and no other."""
    for turn in range(DECISIONS_A_ROUND):
        following.follow_up(game, round=number, turn=turn, now=NOW)


def answer(game: str, number: int, people: Sequence[User]) -> play.Move:
    """Have whoever is to act on this board answer."""
    turn, seat = next(
        (turn, seat) for round, turn, seat in decisions(loaded(game)) if round == number
    )
    chosen = steadily(loaded(game).observe(number, seat))
    return make(people[seat], game, chosen, round=number, turn=turn)


def rows_besides(game: str, number: int) -> list[Any]:
    return list(Round.objects.filter(game=game).exclude(number=number).order_by("number").values())


def test_all_five_boards_wait_at_once(game: str) -> None:
    assert sorted(number for number, _, _ in decisions(loaded(game))) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("number", [1, 3, 5])
def test_a_move_on_one_board_changes_no_other(
    game: str, people: Sequence[User], number: int
) -> None:
    before = rows_besides(game, number)

    for _ in range(6):
        answer(game, number, people)

    assert Round.objects.get(game=game, number=number).turn == 6
    assert rows_besides(game, number) == before


def test_a_move_meant_for_one_board_is_not_taken_on_another(
    game: str, people: Sequence[User]
) -> None:
    answer(game, 4, people)
    turn, seat = next((turn, seat) for number, turn, seat in decisions(loaded(game)) if number == 4)
    before = rows_besides(game, 4)

    make(people[seat], game, 3, round=4, turn=turn)

    assert log_of(game)[-1].round == 4
    assert rows_besides(game, 4) == before


def test_every_board_has_a_bank_of_its_own(game: str, people: Sequence[User]) -> None:
    turn, seat = next((turn, seat) for number, turn, seat in decisions(loaded(game)) if number == 2)

    play.place_bid(people[seat], game, 3, round=2, turn=turn, now=NOW + timedelta(hours=10))

    banks = {row.number: row.banks[seat] for row in Round.objects.filter(game=game)}
    assert banks.pop(2) < 86400 - 8 * 3600
    assert set(banks.values()) == {86400}


def test_the_totals_are_of_the_boards_that_are_over(asha: User) -> None:
    game = new_game(asha, THREE, BOTS_ALONE)

    over: list[list[int]] = []
    for number in (3, 1, 2):
        finish(game, number)
        over.append(Round.objects.get(game=game, number=number).scores or [])
        row = Game.objects.get(pk=game)
        assert row.totals == [sum(scores) for scores in zip(*over, strict=True)]
        assert row.status == ("finished" if len(over) == 3 else "playing")

    assert row.result is not None
    assert row.result["totals"] == row.totals


def test_a_bot_plays_a_board_alike_whatever_happens_on_the_others(asha: User) -> None:
    game = new_game(asha, THREE, BOTS_ALONE)

    played = []
    for order in ((1, 2, 3), (3, 1, 2)):
        with transaction.atomic():
            for number in order:
                finish(game, number)
            lines = [line for line in log_of(game) if line.turn is not None]
            made = {(line.round, line.turn): (line.seat, line.bid, line.card) for line in lines}
            played.append(made)
            transaction.set_rollback(True)

    assert len(played[0]) == 3 * DECISIONS_A_ROUND
    assert played[0] == played[1]
