"""A round looked at again: every step as its viewer knew it, all four hands of a revealed round and of no other."""

import pytest

from accounts.models import User
from games import store
from games.models import Event, Game, Round
from games.refusals import GameNotFound, NotStarted
from games.replay import StillSealed, face_up, replay
from tests.games.tables import (
    ARCADIA,
    NOW,
    ONE_ROUND,
    loaded,
    make,
    new_game,
    play_on,
    seated,
    steadily,
)

SIDE_BY_SIDE = ARCADIA.replace(rounds=2, parallel_rounds=True)
SOLO = ("me", "bot:steady", "bot:steady", "bot:steady")


def test_every_step_is_what_the_viewer_could_see_then(people: list[User]) -> None:
    game = seated(people)
    table, asha = loaded(game), people[0]
    seat = table.seat_of(asha.pk)
    assert seat is not None
    then = [table.observe(1, seat)]
    for _ in range(20):
        play_on(game, decisions=1)
        then.append(loaded(game).observe(1, seat))

    first = Event.objects.get(game=game, kind="dealt").seq
    again = [replay(game, asha.pk, seq=first + made, now=NOW) for made in range(21)]

    assert [each.seen for each in again] == then
    assert [each.at for each in again] == list(range(21))
    assert not any(each.hands or each.asked for each in again)


def test_a_spectator_sees_no_hand_of_a_round_that_runs(people: list[User], eli: User) -> None:
    game = seated(people)
    play_on(game, decisions=30)

    for viewer in (None, eli.pk):
        shown = replay(game, viewer, now=NOW)
        assert shown.seen == loaded(game).observe(1, None)
        assert shown.seen.hand == ()
        assert not shown.is_face_up


def test_all_four_hands_are_refused_while_a_round_runs(people: list[User]) -> None:
    game = seated(people, SIDE_BY_SIDE)
    play_on(game, decisions=40)
    table = loaded(game)
    lines = store.round_lines(table, 1)

    with pytest.raises(StillSealed):
        face_up(table, 1, lines)
    table.rounds.clear()
    with pytest.raises(StillSealed):
        face_up(table, 1, lines[:3])


def test_a_round_that_is_over_stays_sealed_until_its_seed_is_public(people: list[User]) -> None:
    # Its key opens those below it too, so round 2 waits for round 1.
    game = seated(people, SIDE_BY_SIDE)
    while Round.objects.get(game=game, number=2).state != "scored":
        for number, turn, seat in _due(game, 2):
            _answer(game, number, turn, seat)

    shown = replay(game, people[0].pk, number=2, now=NOW)

    assert shown.steps[-1].kind == "played"
    assert shown.hands == ()
    assert shown.asked is None
    with pytest.raises(StillSealed):
        face_up(shown.table, 2, [])


def test_a_round_that_is_over_lies_face_up_for_everybody(people: list[User]) -> None:
    game = seated(people)
    play_on(game)

    for viewer in (None, people[2].pk):
        shown = replay(game, viewer, number=1, now=NOW)
        assert shown.at == 0
        assert len({card for each in shown.hands for card in each.hand}) == 52


def test_every_card_was_among_those_its_seat_could_play(people: list[User]) -> None:
    game = seated(people)
    play_on(game)

    for event in Event.objects.filter(game=game, kind="played"):
        shown = replay(game, None, seq=event.seq, now=NOW)
        assert shown.asked is not None
        assert shown.asked.seat == event.seat
        assert event.card in [card.text for card in shown.asked.legal]


def test_rounds_side_by_side_are_told_apart(people: list[User]) -> None:
    game = seated(people, SIDE_BY_SIDE)
    play_on(game, decisions=30)
    last = Game.objects.get(pk=game).seq

    rounds = [replay(game, None, seq=last, number=number, now=NOW) for number in (1, 2)]

    assert [each.round for each in rounds] == [1, 2]
    assert [each.at + 1 for each in rounds] == [len(each.steps) for each in rounds]
    for event in Event.objects.filter(game=game, round__isnull=False):
        assert replay(game, None, seq=event.seq, now=NOW).round == event.round


def test_a_seq_beside_the_rounds_is_the_nearest_step(asha: User) -> None:
    game = new_game(asha, ONE_ROUND)
    play_on(game)

    assert replay(game, asha.pk, seq=0, now=NOW).at == 0
    end = replay(game, asha.pk, seq=10**9, now=NOW)
    assert end.at == len(end.steps) - 1
    assert end.step.kind == "played"


def test_sealed_bids_stay_sealed_in_the_replay(people: list[User]) -> None:
    game = seated(people, ONE_ROUND.replace(sealed_bids=True))
    play_on(game, decisions=3)

    shown = replay(game, None, now=NOW)

    assert [step.kind for step in shown.steps] == ["dealt", "sealed", "sealed", "sealed"]
    assert shown.seen.bids == (None,) * 4


def test_what_is_not_there_or_not_to_be_seen(asha: User, eli: User) -> None:
    hidden = new_game(asha, seats=SOLO, visibility="link")
    waiting = new_game(asha, seats=("me", "open", "open", "open"))

    with pytest.raises(GameNotFound):
        replay(hidden, eli.pk, now=NOW)
    with pytest.raises(GameNotFound):
        replay(hidden, asha.pk, number=9, now=NOW)
    with pytest.raises(NotStarted):
        replay(waiting, asha.pk, now=NOW)


def _due(game: str, number: int) -> list[tuple[int, int, int]]:
    state = loaded(game).rounds[number]
    return [(number, state.turn_of(seat), seat) for seat in state.actors]


def _answer(game: str, number: int, turn: int, seat: int) -> None:
    table = loaded(game)
    user = table.seats[seat].user
    assert user is not None
    make(user, game, steadily(table.observe(number, seat)), round=number, turn=turn)
