"""Sealed bids: each is bound at once, none is shown before the fourth, and all four open together."""

import pytest

from accounts.models import User
from games import queries
from games.engine import deal
from games.engine.errors import RuleViolation
from games.models import SealedBid
from games.refusals import StaleTurn
from tests.games.tables import (
    ARCADIA,
    NOW,
    decisions,
    fingerprint,
    kinds_of,
    loaded,
    log_of,
    make,
    play_on,
    seated,
)

SEALED = ARCADIA.replace(rounds=2, sealed_bids=True)
BIDS = (2, 3, 4, 1)


@pytest.fixture
def game(people: list[User]) -> str:
    return seated(people, SEALED)


def turn_of(game: str, seat: int) -> int:
    return {place: turn for _, turn, place in decisions(loaded(game))}[seat]


def bid(game: str, people: list[User], seat: int) -> int:
    """Have this seat bid; the turn it answered."""
    turn = turn_of(game, seat)
    make(people[seat], game, BIDS[seat], round=1, turn=turn)
    return turn


def test_everybody_may_bid_at_once(game: str) -> None:
    due = decisions(loaded(game))

    assert sorted(seat for _, _, seat in due) == [0, 1, 2, 3]
    assert sorted(turn for _, turn, _ in due) == [0, 1, 2, 3]


def test_a_sealed_bid_is_a_commitment_and_no_number(game: str, people: list[User]) -> None:
    bid(game, people, 2)

    line = log_of(game)[-1]
    assert (line.kind, line.seat, line.bid, line.turn) == ("sealed", 2, None, None)
    table = loaded(game)
    salt = deal.bid_salt(table.round_key(1), 0, 2)
    assert line.data == {"commitment": deal.bid_commitment(game, 1, 0, 2, salt, BIDS[2]).hex()}


def test_three_sealed_bids_are_shown_to_their_own_seats_alone(
    game: str, people: list[User]
) -> None:
    for seat in (0, 1, 3):
        bid(game, people, seat)

    for viewer in (*(user.pk for user in people), None):
        table = queries.open_table(game, viewer, now=NOW)
        own = table.seat_of(viewer)
        seen = queries.game_as_seen(table, viewer)["rounds"][0]
        assert seen["bids"] == [BIDS[seat] if seat == own != 2 else None for seat in range(4)]
        assert seen["has_bid"] == [True, True, False, True]
        assert seen["to_act"] is None
    assert loaded(game).rows[1].bids == [None] * 4


def test_the_fourth_opens_all_in_the_order_of_the_seats(game: str, people: list[User]) -> None:
    turns = {seat: bid(game, people, seat) for seat in (3, 0, 2, 1)}

    opened = log_of(game)[-4:]
    assert kinds_of(game)[-8:] == ["sealed"] * 4 + ["bid"] * 4
    assert [(line.seat, line.bid) for line in opened] == list(enumerate(BIDS))
    assert {line.seat: line.turn for line in opened if line.seat is not None} == turns
    assert loaded(game).rows[1].state == "playing"


def test_a_sealed_bid_cannot_be_changed_but_can_be_sent_again(
    game: str, people: list[User]
) -> None:
    turn = turn_of(game, 1)
    first = make(people[1], game, 3, round=1, turn=turn)
    before = fingerprint(game)

    again = make(people[1], game, 3, round=1, turn=turn)
    with pytest.raises(StaleTurn):
        make(people[1], game, 4, round=1, turn=turn)

    assert (again.seq, again.repeated) == (first.seq, True)
    assert fingerprint(game) == before
    assert SealedBid.objects.get().bid == 3


def test_a_sealed_bid_sent_again_after_the_opening_is_still_answered_with_its_seal(
    game: str, people: list[User]
) -> None:
    turn = turn_of(game, 1)
    first = make(people[1], game, BIDS[1], round=1, turn=turn)
    for seat in (0, 2, 3):
        bid(game, people, seat)

    again = make(people[1], game, BIDS[1], round=1, turn=turn)

    assert (again.seq, again.hash) == (first.seq, first.hash)
    assert log_of(game)[first.seq - 1].kind == "sealed"


@pytest.mark.parametrize("has_bid", [True, False])
def test_one_cannot_probe_what_another_has_bid(
    game: str, people: list[User], has_bid: bool
) -> None:
    theirs = turn_of(game, 1)
    if has_bid:
        bid(game, people, 1)

    answers = []
    for guess in range(14):
        with pytest.raises(StaleTurn) as stale:
            make(people[0], game, guess, round=1, turn=theirs)
        answers.append(stale.value.data)

    assert len({repr(answer) for answer in answers}) == 1


def test_a_bid_out_of_range_seals_nothing(game: str, people: list[User]) -> None:
    before = fingerprint(game)

    with pytest.raises(RuleViolation):
        make(people[0], game, 14, round=1, turn=turn_of(game, 0))

    assert fingerprint(game) == before
    assert not SealedBid.objects.exists()


def test_a_match_with_sealed_bids_comes_to_its_end(game: str) -> None:
    play_on(game)

    kinds = kinds_of(game)
    assert kinds.count("sealed") == kinds.count("bid") == 8
    assert loaded(game).game.status == "finished"


def test_the_waiting_decisions_are_those_that_can_be_answered(
    game: str, people: list[User]
) -> None:
    bid(game, people, 3)

    for seat, user in enumerate(people):
        waiting = queries.decisions_awaiting(user)
        assert [each["turn"] for each in waiting] == ([] if seat == 3 else [turn_of(game, seat)])
