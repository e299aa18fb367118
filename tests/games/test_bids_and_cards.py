"""One decision: made once by the one who is to make it, answered alike when repeated, refused without a trace."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from accounts.models import User
from games import receipts, store
from games.engine.cards import DECK, Card
from games.engine.errors import RuleViolation
from games.models import Game
from games.refusals import GameNotFound, NotSeated, StaleTurn
from tests.games.tables import (
    ARCADIA,
    BOTS_ALONE,
    NOW,
    decisions,
    fingerprint,
    loaded,
    log_of,
    make,
    new_game,
    play_on,
    seated,
    steadily,
    step,
)


@pytest.fixture
def game(people: list[User]) -> str:
    return seated(people)


@contextmanager
def refused_as(code: str) -> Iterator[None]:
    with pytest.raises(RuleViolation) as caught:
        yield
    assert caught.value.code == code


def due(game: str) -> tuple[int, int, int]:
    return decisions(loaded(game))[0]


class Unchanged:
    """Remembers games as they are; at the end of the test they must still be so."""

    def __init__(self) -> None:
        self.games: dict[str, object] = {}

    def keep(self, game: str) -> None:
        self.games[game] = fingerprint(game)


@pytest.fixture
def unchanged() -> Iterator[Unchanged]:
    kept = Unchanged()
    yield kept
    assert {game: fingerprint(game) for game in kept.games} == kept.games


def test_a_bid_is_one_line(game: str, people: list[User]) -> None:
    number, turn, seat = due(game)

    move = make(people[seat], game, 3, round=number, turn=turn)

    line = log_of(game)[-1]
    assert (line.kind, line.seat, line.bid, line.turn) == ("bid", seat, 3, turn)
    assert (line.by, line.at, line.card) == ("player", NOW, None)
    assert (move.seq, move.hash, move.repeated) == (line.seq, line.hash, False)


def test_a_card_is_one_line_and_leaves_the_hand(game: str, people: list[User]) -> None:
    play_on(game, decisions=4)
    number, turn, seat = due(game)
    card = loaded(game).observe(number, seat).legal[0]

    make(people[seat], game, card, round=number, turn=turn)

    line = log_of(game)[-1]
    assert (line.kind, line.seat, line.card, line.turn) == ("played", seat, card.text, turn)
    assert card not in loaded(game).observe(number, seat).hand


def test_an_accepted_move_is_receipted(game: str, people: list[User]) -> None:
    number, turn, seat = due(game)

    move = make(people[seat], game, 3, round=number, turn=turn)

    assert move.signature == receipts.sign(game, move.seq, move.hash)
    row = Game.objects.get(pk=game)
    assert (row.seq, row.head) == (move.seq, move.hash)


@pytest.mark.parametrize("bids", [True, False])
def test_the_same_answer_again_is_the_same_move(
    game: str, people: list[User], bids: bool, unchanged: Unchanged
) -> None:
    play_on(game, decisions=0 if bids else 6)
    number, turn, seat = due(game)
    answer = steadily(loaded(game).observe(number, seat))
    first = make(people[seat], game, answer, round=number, turn=turn)
    unchanged.keep(game)

    again = make(people[seat], game, answer, round=number, turn=turn)

    assert (again.seq, again.hash, again.repeated) == (first.seq, first.hash, True)


def test_the_same_answer_again_is_the_same_move_long_after(
    game: str, people: list[User], unchanged: Unchanged
) -> None:
    number, turn, seat = due(game)
    first = make(people[seat], game, 3, round=number, turn=turn)
    play_on(game)
    assert Game.objects.get(pk=game).status == "finished"
    unchanged.keep(game)

    again = make(people[seat], game, 3, round=number, turn=turn)

    assert (again.seq, again.repeated) == (first.seq, True)


def test_another_answer_to_a_decision_that_was_made_is_stale(
    game: str, people: list[User], unchanged: Unchanged
) -> None:
    number, turn, seat = due(game)
    make(people[seat], game, 3, round=number, turn=turn)
    unchanged.keep(game)

    with pytest.raises(StaleTurn) as stale:
        make(people[seat], game, 4, round=number, turn=turn)

    assert stale.value.data == {"turn": turn + 1, "to_act": (seat + 1) % 4}


def test_an_answer_to_a_decision_not_yet_due_is_stale(
    game: str, people: list[User], unchanged: Unchanged
) -> None:
    number, turn, seat = due(game)
    unchanged.keep(game)

    for wrong in (turn + 1, turn + 4, 99):
        with pytest.raises(StaleTurn):
            make(people[seat], game, 3, round=number, turn=wrong)


def test_the_answer_of_another_seat_is_stale_even_if_it_is_equal(
    game: str, people: list[User], unchanged: Unchanged
) -> None:
    number, turn, seat = due(game)
    make(people[seat], game, 3, round=number, turn=turn)
    unchanged.keep(game)

    with pytest.raises(StaleTurn):
        make(people[(seat + 1) % 4], game, 3, round=number, turn=turn)


def test_out_of_turn_is_refused(game: str, people: list[User], unchanged: Unchanged) -> None:
    number, turn, seat = due(game)
    unchanged.keep(game)

    for other in range(4):
        if other != seat:
            with refused_as("not_your_turn"):
                make(people[other], game, 3, round=number, turn=turn)


def test_every_card_that_may_not_be_played_changes_nothing(
    game: str, people: list[User], unchanged: Unchanged
) -> None:
    play_on(game, decisions=9)
    number, turn, seat = due(game)
    seen = loaded(game).observe(number, seat)
    unchanged.keep(game)

    refused = {}
    for card in DECK:
        if card not in seen.legal:
            with pytest.raises(RuleViolation) as caught:
                make(people[seat], game, card, round=number, turn=turn)
            refused[card] = str(caught.value.code)

    assert len(refused) == 52 - len(seen.legal)
    foreign = {code for card, code in refused.items() if card not in seen.hand}
    assert foreign == {"card_not_held"}


def test_a_bid_out_of_range_and_a_card_for_a_bid_change_nothing(
    game: str, people: list[User], unchanged: Unchanged
) -> None:
    number, turn, seat = due(game)
    unchanged.keep(game)

    answers: list[int | Card] = [0, 14, -1, DECK[0]]
    for answer in answers:
        with pytest.raises(RuleViolation):
            make(people[seat], game, answer, round=number, turn=turn)


def test_a_bid_while_cards_are_played_is_refused(
    game: str, people: list[User], unchanged: Unchanged
) -> None:
    play_on(game, decisions=4)
    number, turn, seat = due(game)
    unchanged.keep(game)

    with refused_as("wrong_phase"):
        make(people[seat], game, 3, round=number, turn=turn)


def test_a_round_that_was_not_dealt_is_refused(
    game: str, people: list[User], unchanged: Unchanged
) -> None:
    unchanged.keep(game)

    with refused_as("wrong_phase"):
        make(people[0], game, 3, round=2, turn=0)


def test_strangers_are_refused_alike_whatever_they_send(
    game: str, people: list[User], eli: User, unchanged: Unchanged
) -> None:
    number, turn, _ = due(game)
    unchanged.keep(game)

    answers: list[int | Card] = [3, 99, *DECK]
    for answer in answers:
        with pytest.raises(NotSeated) as refused:
            make(eli, game, answer, round=number, turn=turn)
        assert refused.value.data == {}
    with pytest.raises(GameNotFound):
        make(eli, "22222222ABCD", 3, round=1, turn=0)


def test_nothing_is_played_in_a_match_that_is_over(
    game: str, people: list[User], unchanged: Unchanged
) -> None:
    play_on(game)
    unchanged.keep(game)

    with refused_as("game_over"):
        make(people[0], game, 3, round=1, turn=56)


def test_a_move_reads_the_events_of_its_own_round_alone(asha: User) -> None:
    game = new_game(asha, ARCADIA.replace(rounds=3), BOTS_ALONE)
    play_on(game, decisions=56 + 20)

    with store.locked(game, 2, now=NOW) as table:
        assert set(table.rounds) == {2}


def test_the_table_is_never_without_somebody_to_act(game: str) -> None:
    while step(game):
        table = loaded(game)
        assert table.game.status == "finished" or decisions(table)
