"""People sit down, leave and start: the seat they get, and what a retry or a stranger is told."""

import pytest

from accounts.models import User
from games.models import Game
from games.refusals import (
    AlreadySeated,
    AnchorMismatch,
    GameNotFound,
    NotCreator,
    NotOpen,
    NotSeated,
    SeatTaken,
    TableFull,
)
from games.services import lobby
from tests.games.tables import NOW, fingerprint, kinds_of, log_of, new_game

OPEN = ("me", "open", "open", "open")


def test_the_first_free_seat_is_taken(asha: User, bina: User) -> None:
    game = new_game(asha, seats=OPEN)

    table = lobby.sit(bina, game, now=NOW)

    assert table.seat_of(bina.pk) == 1
    assert log_of(game)[-1].seat == 1


def test_the_seat_asked_for_is_taken(asha: User, bina: User) -> None:
    game = new_game(asha, seats=OPEN)

    assert lobby.sit(bina, game, seat=3, now=NOW).seat_of(bina.pk) == 3


def test_an_invited_person_gets_the_seat_kept_for_them(asha: User, bina: User, eli: User) -> None:
    game = new_game(asha, seats=("me", "open", "open", "user:bina"))

    assert lobby.sit(bina, game, now=NOW).seat_of(bina.pk) == 3
    with pytest.raises(SeatTaken):
        lobby.sit(eli, game, seat=3, now=NOW)


def test_a_seat_kept_for_another_is_not_free(asha: User, bina: User, eli: User) -> None:
    game = new_game(asha, seats=("me", "user:bina", "bot:steady", "bot:steady"))

    with pytest.raises(SeatTaken):
        lobby.sit(eli, game, seat=1, now=NOW)
    with pytest.raises(TableFull):
        lobby.sit(eli, game, now=NOW)


def test_sitting_down_twice_is_one_seat_and_one_line(asha: User, bina: User) -> None:
    game = new_game(asha, seats=OPEN)
    lobby.sit(bina, game, now=NOW, contribution=b"once")
    before = fingerprint(game)

    lobby.sit(bina, game, now=NOW, contribution=b"twice")
    lobby.sit(bina, game, seat=1, now=NOW)
    with pytest.raises(AlreadySeated):
        lobby.sit(bina, game, seat=2, now=NOW)

    assert fingerprint(game) == before


def test_a_contribution_that_followed_the_anchor_is_marked(asha: User, bina: User) -> None:
    game = new_game(asha, seats=OPEN)

    with pytest.raises(AnchorMismatch):
        lobby.sit(bina, game, now=NOW, anchor="0" * 64)
    lobby.sit(bina, game, now=NOW, anchor=Game.objects.get(pk=game).anchor)

    assert log_of(game)[-1].data["anchor_seen"] is True


def test_a_table_by_link_does_not_exist_for_strangers(asha: User, bina: User, eli: User) -> None:
    game = new_game(asha, seats=("me", "user:bina", "open", "open"), visibility="link")

    for attempt in (lobby.sit, lobby.leave, lobby.start):
        with pytest.raises(GameNotFound):
            attempt(eli, game, now=NOW)
    lobby.sit(bina, game, now=NOW)


def test_no_game_and_a_hidden_game_look_alike(asha: User, eli: User) -> None:
    hidden = new_game(asha, seats=OPEN, visibility="link")

    refused = []
    for game in (hidden, "22222222ABCD"):
        with pytest.raises(GameNotFound) as caught:
            lobby.sit(eli, game, now=NOW)
        refused.append((caught.value.code, caught.value.data))

    assert refused[0] == refused[1]


def test_the_last_person_starts_the_match(asha: User, bina: User) -> None:
    game = new_game(asha, seats=("me", "open", "bot:steady", "bot:steady"))

    lobby.sit(bina, game, now=NOW)

    assert Game.objects.get(pk=game).status == "playing"
    assert kinds_of(game)[4:7] == ["joined", "started", "dealt"]


def test_nobody_sits_down_at_a_match_that_runs(asha: User, eli: User) -> None:
    game = new_game(asha)

    with pytest.raises(NotOpen):
        lobby.sit(eli, game, now=NOW)


# Leaving


def test_a_seat_that_was_left_is_free_again(asha: User, bina: User, eli: User) -> None:
    game = new_game(asha, seats=OPEN)
    lobby.sit(bina, game, now=NOW, contribution=b"gone")

    lobby.leave(bina, game, now=NOW)

    seat = Game.objects.get(pk=game).seats.get(number=1)
    assert (seat.user, bytes(seat.contribution)) == (None, b"")
    assert lobby.sit(eli, game, now=NOW).seat_of(eli.pk) == 1
    assert kinds_of(game) == ["created", "joined", "joined", "left", "joined"]


def test_the_last_to_leave_cancels_the_table(asha: User, bina: User) -> None:
    game = new_game(asha, seats=OPEN)
    lobby.sit(bina, game, now=NOW)

    lobby.leave(asha, game, now=NOW)
    assert Game.objects.get(pk=game).status == "open"
    lobby.leave(bina, game, now=NOW)

    assert Game.objects.get(pk=game).status == "cancelled"
    assert kinds_of(game)[-2:] == ["left", "cancelled"]
    with pytest.raises(NotOpen):
        lobby.sit(bina, game, now=NOW)


def test_who_has_no_seat_cannot_leave_and_who_plays_cannot_either(asha: User, eli: User) -> None:
    game = new_game(asha, seats=("me", "bot:steady", "bot:steady", "bot:steady"))
    before = fingerprint(game)

    with pytest.raises(NotSeated):
        lobby.leave(eli, game, now=NOW)
    with pytest.raises(NotOpen):
        lobby.leave(asha, game, now=NOW)

    assert fingerprint(game) == before


# Starting


def test_the_creator_fills_the_table_with_bots(asha: User, bina: User) -> None:
    game = new_game(asha, seats=("me", "open", "user:bina", "open"))

    table = lobby.start(asha, game, now=NOW)

    assert [seat.kind for seat in table.seats] == ["human", "bot", "bot", "bot"]
    assert Game.objects.get(pk=game).started_at == NOW


def test_starting_twice_deals_once(asha: User) -> None:
    game = new_game(asha, seats=OPEN)
    lobby.start(asha, game, now=NOW)
    before = fingerprint(game)

    lobby.start(asha, game, now=NOW)

    assert fingerprint(game) == before
    assert kinds_of(game).count("started") == 1


def test_only_the_creator_starts(asha: User, bina: User) -> None:
    game = new_game(asha, seats=OPEN)
    lobby.sit(bina, game, now=NOW)

    with pytest.raises(NotCreator):
        lobby.start(bina, game, now=NOW)

    assert Game.objects.get(pk=game).status == "open"
