"""The last trick plays itself; a card that only its holder knows to be forced does not, but where a table was made so."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from games.models import Game
from games.services import lobby
from tests.games.arranged import (
    ONE_HEART,
    THREE_HEARTS,
    answer,
    at_the_first_card,
    dealt,
    follow,
    seat_at,
    turn_of,
)
from tests.games.tables import NOW, ONE_ROUND, loaded, log_of, new_game, play_on, seated, step


def test_the_last_trick_plays_itself_card_by_card(people: list[User]) -> None:
    game = seated(people)
    play_on(game, decisions=4 + 47)
    assert not follow(game)
    step(game)

    for _ in range(4):
        before = len(log_of(game))
        assert loaded(game).rows[1].clocks == {}
        assert follow(game)
        assert log_of(game)[before].kind == "played"
        assert log_of(game)[before].by == "rule"

    assert Game.objects.get(pk=game).status == "finished"


def test_a_bots_last_card_is_the_rules_too(asha: User) -> None:
    game = new_game(asha)

    play_on(game)

    played = [event.by for event in log_of(game) if event.kind == "played"]
    assert played == ["bot"] * 48 + ["rule"] * 4


def test_a_player_may_still_lay_their_last_card_themselves(people: list[User]) -> None:
    game = seated(people)
    play_on(game, decisions=4 + 48)
    turn = turn_of(game)

    step(game)

    assert log_of(game)[-1].by == "player"
    assert turn_of(game) == turn + 1


@pytest.mark.parametrize("hands", [ONE_HEART, THREE_HEARTS])
def test_a_forced_card_waits_for_its_player_elsewhere(people: list[User], hands: Any) -> None:
    with dealt(hands):
        game = at_the_first_card(people)
        answer(game, "AH")

        assert not follow(game)
        assert Game.objects.get(pk=game).next_attempt_at is None
        assert str(seat_at(game, 1)) in loaded(game).rows[1].clocks


def test_where_the_table_was_made_so_the_only_legal_card_is_played(people: list[User]) -> None:
    with dealt(ONE_HEART):
        game = at_the_first_card(people, auto_forced=True)
        assert not follow(game)
        assert Game.objects.get(pk=game).next_attempt_at is None
        answer(game, "AH")
        assert Game.objects.get(pk=game).next_attempt_at is not None

        assert follow(game)

    line = log_of(game)[-1]
    assert (line.card, line.by, line.via) == ("2H", "player", "forced")
    assert log_of(game)[0].data["options"]["auto_forced"] is True


def test_where_the_table_was_made_so_a_choice_is_still_asked_for(people: list[User]) -> None:
    with dealt(THREE_HEARTS):
        game = at_the_first_card(people, auto_forced=True)
        answer(game, "AH")

        assert not follow(game)
        assert not follow(game)
        assert Game.objects.get(pk=game).next_attempt_at is None


def test_no_rated_table_plays_by_itself(asha: User) -> None:
    with pytest.raises(ValueError, match="auto_forced"):
        lobby.create_game(
            asha, lobby.NewGame(rules=ONE_ROUND, rated=True, auto_forced=True), now=NOW
        )
    game = new_game(asha)
    with pytest.raises(IntegrityError, match="game_rated_plays_nothing"), transaction.atomic():
        Game.objects.filter(pk=game).update(rated=True, auto_forced=True)
