"""What follows by itself: deals thrown in, rounds scored, seeds revealed in their order, the match ended."""

from collections.abc import Callable

import pytest

from accounts.models import User
from games.engine import deal, events
from games.engine.cards import DECK
from games.engine.rules import PRESETS
from games.models import Game
from games.services import following
from games.services.settling import standings_of
from games.table import Derive, dealing_with, derive_hands
from tests.build import cards
from tests.games.tables import (
    ARCADIA,
    BOTS_ALONE,
    NOW,
    ONE_ROUND,
    decisions,
    kinds_of,
    loaded,
    log_of,
    new_game,
    play_on,
    seated,
)

FRIENDS = PRESETS["everestbuzz-friends"].replace(rounds=1)
SIDE_BY_SIDE = ARCADIA.replace(rounds=3, parallel_rounds=True)


def dealing(by_attempt: Callable[[int], events.Hands | None]) -> Derive:
    """A derivation that deals these hands, or the true ones for None."""

    def derive(round_key: bytes, game: str, key: int, attempt: int) -> events.Hands:
        return by_attempt(attempt) or derive_hands(round_key, game, key, attempt)

    return derive


def without_spades(seat: int) -> events.Hands:
    """A deal in which `seat` holds no spade and everybody else has some."""
    plain = [card for card in DECK if not card.is_spade]
    rest = [*plain[13:], *(card for card in DECK if card.is_spade)]
    others = [tuple(rest[place::3]) for place in range(3)]
    return (*others[:seat], tuple(plain[:13]), *others[seat:])


def fair() -> events.Hands:
    return tuple(DECK[seat::4] for seat in range(4))


def test_a_deal_without_spades_is_thrown_in_and_dealt_again(asha: User) -> None:
    hands = {0: without_spades(2), 1: without_spades(0), 2: fair()}
    with dealing_with(dealing(hands.get)):
        game = new_game(asha, FRIENDS)

        lines = [line for line in log_of(game) if line.round == 1]
        assert [(line.kind, line.attempt) for line in lines] == [
            ("dealt", 0),
            ("thrown_in", 0),
            ("dealt", 1),
            ("thrown_in", 1),
            ("dealt", 2),
        ]
        assert {line.data["reason"] for line in lines if line.kind == "thrown_in"} == {"no_spades"}
        assert {line.by for line in lines if line.kind == "thrown_in"} == {"rule"}
        assert loaded(game).rows[1].attempt == 2
        play_on(game)

    assert Game.objects.get(pk=game).status == "finished"


def test_every_attempt_is_committed_anew_under_the_same_key(asha: User) -> None:
    hands = {0: without_spades(2), 1: fair()}
    with dealing_with(dealing(hands.get)):
        game = new_game(asha, FRIENDS)

    first, second = (line.data for line in log_of(game) if line.kind == "dealt")
    assert (first["key"], first["dealer"]) == (second["key"], second["dealer"])
    assert not set(first["commitments"]) & set(second["commitments"])


def test_low_bids_are_thrown_in_after_the_fourth_and_turns_go_on_counting(
    asha: User, bina: User, chandra: User, dipak: User
) -> None:
    rules = PRESETS["everestbuzz-practice"].replace(redeal_bids_below=8, rounds=1)
    with dealing_with(dealing(lambda attempt: fair())):
        game = seated([asha, bina, chandra, dipak], rules)
        play_on(game, decisions=5, choose=lambda seen: 1)

    lines = [line for line in log_of(game) if line.round == 1]
    assert [line.kind for line in lines] == ["dealt", *["bid"] * 4, "thrown_in", "dealt", "bid"]
    assert lines[5].data == {"reason": "low_bids"}
    assert [line.turn for line in lines if line.kind == "bid"] == [0, 1, 2, 3, 4]
    assert [line.attempt for line in lines if line.kind == "bid"] == [0, 0, 0, 0, 1]


def test_the_dealer_moves_on_from_round_to_round(asha: User) -> None:
    game = new_game(asha, ARCADIA.replace(rounds=2), BOTS_ALONE)
    play_on(game, decisions=57)

    first = Game.objects.get(pk=game).first_dealer
    assert first is not None
    assert [row.dealer for row in loaded(game).rows.values()] == [
        (first + place) % 4 for place in range(2)
    ]


def test_a_scored_round_reveals_its_seed_before_the_next_is_dealt(asha: User) -> None:
    game = new_game(asha, ARCADIA.replace(rounds=2), BOTS_ALONE)
    play_on(game)

    kinds = [kind for kind in kinds_of(game) if kind in ("dealt", "revealed")]
    assert kinds == ["dealt", "revealed", "dealt", "revealed"]
    first, second = (line.data for line in log_of(game) if line.kind == "revealed")
    assert deal.previous_link(game, bytes.fromhex(second["s"]), 2).hex() == first["s"]


def test_side_by_side_every_round_is_dealt_at_the_start(asha: User) -> None:
    game = new_game(asha, SIDE_BY_SIDE, BOTS_ALONE)

    assert kinds_of(game)[6:] == ["dealt"] * 3
    assert sorted(number for number, _, _ in decisions(loaded(game))) == [1, 2, 3]


def finish(game: str, number: int) -> None:
    """Have the bots play this round to its end and no other."""
    for turn in range(56):
        following.follow_up(game, round=number, turn=turn, now=NOW)


@pytest.mark.parametrize(
    ("order", "revealed"),
    [
        ((1, 2, 3), [[1], [1, 2], [1, 2, 3]]),
        ((3, 2, 1), [[], [], [1, 2, 3]]),
        ((2, 1, 3), [[], [1, 2], [1, 2, 3]]),
        ((1, 3, 2), [[1], [1], [1, 2, 3]]),
    ],
)
def test_a_seed_waits_until_every_earlier_key_is_over(
    asha: User, order: tuple[int, ...], revealed: list[list[int]]
) -> None:
    game = new_game(asha, SIDE_BY_SIDE, BOTS_ALONE)

    seen = []
    for number in order:
        finish(game, number)
        seen.append([line.data["key"] for line in log_of(game) if line.kind == "revealed"])

    assert seen == revealed
    assert Game.objects.get(pk=game).status == "finished"


def test_rounds_side_by_side_may_be_played_in_any_order(asha: User) -> None:
    game = new_game(asha, SIDE_BY_SIDE, BOTS_ALONE)
    play_on(game)  # which goes round the rounds

    order = [line.round for line in log_of(game) if line.kind == "played"]
    assert order != sorted(order, key=lambda number: number or 0)
    assert Game.objects.get(pk=game).status == "finished"


def test_a_finished_match_says_who_won_and_why(asha: User) -> None:
    game = new_game(asha, ONE_ROUND)
    play_on(game)

    result = Game.objects.get(pk=game).result
    assert result is not None
    standing = standings_of(loaded(game))
    assert result == {
        "reason": "rounds",
        "winners": list(standing.winners),
        "totals": list(standing.totals),
        "ranks": list(standing.ranks),
    }
    assert kinds_of(game)[-1] == "revealed"


def test_a_match_to_a_target_ends_at_its_last_round_in_any_case(asha: User) -> None:
    rules = PRESETS["yeeqia"].replace(max_rounds=2)
    game = new_game(asha, rules, BOTS_ALONE)
    play_on(game)

    row = Game.objects.get(pk=game)
    assert (row.status, row.result and row.result["reason"]) == ("finished", "round_limit")
    assert kinds_of(game).count("revealed") == 2


def test_nothing_of_a_deal_is_stored(asha: User) -> None:
    game = new_game(asha, ONE_ROUND, ("me", *["bot:steady"] * 3))
    hand = loaded(game).observe(1, 0).hand

    stored = repr([line.__dict__ for line in log_of(game)])
    assert len(hand) == 13
    assert not [card for card in cards(" ".join(map(str, hand))) if f"'{card}'" in stored]
