"""Claims at the table: "the rest are mine" ends a round, or is refused and nobody hears of it."""

from typing import Any

import pytest

from accounts.models import User
from games import queries, store
from games.engine.cards import card
from games.engine.claim import claim_proven
from games.engine.errors import RuleViolation
from games.engine.transcript import read, write
from games.models import Round
from games.refusals import StaleTurn
from games.services import play
from tests.games.arranged import (
    ONE_HEART,
    RULES,
    answer,
    at_the_first_card,
    dealt,
    person_at,
    seat_at,
    turn_of,
)
from tests.games.export import verified
from tests.games.tables import NOW, fingerprint, kinds_of, loaded, log_of, seated, step

# The first holds the ace of hearts and all spades but the lowest.
SPADES = (
    "AH AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S",
    "2S KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H",
    "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
    "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C",
)


@pytest.fixture
def game(people: list[User]) -> Any:
    with dealt(SPADES):
        yield at_the_first_card(people)


def claim(game: str, place: int = 0, turn: int | None = None) -> play.Move:
    user = person_at(game, place)
    return play.claim(user, game, round=1, turn=turn_of(game) if turn is None else turn, now=NOW)


def test_a_proven_claim_ends_the_round_and_scores_it(game: str) -> None:
    for text in ("AH", "2H", "AD", "AC"):
        answer(game, text)

    claim(game)

    seat = seat_at(game, 0)
    row = Round.objects.get(game=game)
    won = [13 if each == seat else 0 for each in range(4)]
    assert (row.state, row.won, row.tricks_played, row.claimed_by) == ("scored", won, 1, seat)
    assert row.last_trick is not None
    assert row.last_trick["cards"] == ["AH", "2H", "AD", "AC"]
    assert kinds_of(game)[-3:] == ["played", "claimed", "revealed"]
    assert log_of(game)[-2].by == "player"
    assert loaded(game).game.result is not None


def test_a_claim_before_any_trick_has_no_last_trick(game: str) -> None:
    claim(game)

    row = Round.objects.get(game=game)
    assert (sum(row.won), row.tricks_played, row.last_trick) == (13, 0, None)


def test_what_follows_a_claim_is_told_alike_at_once_and_later(game: str) -> None:
    user = person_at(game, 0)
    at_once = queries.game_as_seen(claim(game).table, user.pk)

    later = queries.game_as_seen(store.load(game, now=NOW), user.pk)

    assert at_once == later
    assert later["rounds"][0]["claimed_by"] == seat_at(game, 0)
    assert later["rounds"][0]["tricks_played"] == 0


def test_the_same_claim_again_is_the_same_move(game: str) -> None:
    turn = turn_of(game)
    first = claim(game)

    again = claim(game, turn=turn)

    assert (again.seq, again.repeated, first.repeated) == (first.seq, True, False)
    with pytest.raises(StaleTurn):
        play.play_card(person_at(game, 0), game, card("AH"), round=1, turn=turn, now=NOW)


def test_a_card_led_is_not_taken_for_a_claim(game: str) -> None:
    turn = turn_of(game)
    answer(game, "AH")

    with pytest.raises(StaleTurn):
        claim(game, turn=turn)


def test_a_claim_that_is_not_proven_leaves_no_trace(people: list[User]) -> None:
    with dealt(ONE_HEART):
        game = at_the_first_card(people)
        before = fingerprint(game)

        with pytest.raises(RuleViolation) as refused:
            claim(game)

        assert refused.value.code == "claim_not_proven"
        assert fingerprint(game) == before


@pytest.mark.parametrize(
    ("place", "cards", "code"), [(1, (), "not_your_turn"), (1, ("AH",), "wrong_phase")]
)
def test_only_the_seat_that_leads_to_an_empty_trick_may_claim(
    game: str, place: int, cards: tuple[str, ...], code: str
) -> None:
    for text in cards:
        answer(game, text)

    with pytest.raises(RuleViolation) as refused:
        claim(game, place)

    assert refused.value.code == code


def test_nobody_claims_while_bids_are_made(people: list[User]) -> None:
    with dealt(SPADES):
        game = seated(people, RULES)

        with pytest.raises(RuleViolation) as refused:
            claim(game)

    assert refused.value.code == "wrong_phase"


def test_the_log_of_a_claimed_round_replays_and_reads(game: str) -> None:
    answer(game, "AH")
    for text in ("2H", "AD", "AC"):
        answer(game, text)
    claim(game)

    exported = queries.export(game, None, now=NOW)
    match = queries.transcript(game, None, now=NOW)

    assert [event["kind"] for event in exported["events"]][-2:] == ["claimed", "revealed"]
    text = write(match)
    assert f"seat {seat_at(game, 0)} claims the rest" in text
    assert read(text) == match
    [row] = loaded(game).rounds.values()
    assert list(row.won) == Round.objects.get(game=game).won
    assert list(row.scores or ()) == Round.objects.get(game=game).scores


def test_an_export_with_a_claim_is_whole(people: list[User]) -> None:
    exported = queries.export(claimed_when_proven(people), None, now=NOW)

    match = verified(exported)

    assert list(match.standings.totals) == exported["result"]["totals"]


def claimed_when_proven(people: list[User]) -> str:
    """A game whose cards were really dealt, played on until somebody could claim the rest, which they did."""
    for _ in range(20):
        game = seated(people)
        while step(game):
            seat = loaded(game).rounds[1].to_act
            if seat is not None and claim_proven(loaded(game).observe(1, seat)):
                user = loaded(game).seats[seat].user
                assert user is not None
                play.claim(user, game, round=1, turn=turn_of(game), now=NOW)
                return game
    raise AssertionError("nobody ever held the rest")
