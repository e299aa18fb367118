"""What the site itself exports passes the stand-alone verifier: at every table, at any moment."""

from datetime import datetime, timedelta
from typing import Any, Final

import pytest

from accounts.models import User
from callbreak_verify import verify
from games import queries
from games.engine.claim import claim_proven
from games.engine.rules import PRESETS, HouseRules
from games.models import Game
from games.services import following, lobby, pace, play
from games.services.audit import verify_game
from tests.games.tables import (
    ARCADIA,
    BOTS_ALONE,
    NOW,
    ONE_ROUND,
    kinds_of,
    loaded,
    new_game,
    play_on,
    seated,
    step,
)

PRACTICE: Final = PRESETS["everestbuzz-practice"]
TABLES: Final = {
    **PRESETS,
    "yeeqia": PRESETS["yeeqia"].replace(max_rounds=2),
    "practice with everything": PRACTICE.replace(
        must_beat=True, must_trump=True, redeal_no_faces=True, redeal_bids_below=8, max_bid=13
    ),
    "practice with an instant win": PRACTICE.replace(instant_win_bid=8, rounds=2),
    "side by side": ARCADIA.replace(rounds=3, parallel_rounds=True),
    "sealed": ARCADIA.replace(rounds=2, sealed_bids=True),
    "sealed and side by side": ARCADIA.replace(rounds=2, sealed_bids=True, parallel_rounds=True),
    "custom": HouseRules(rounds=1, min_bid=0, must_trump=True, must_trump_low=True),
}


def failed(game: str) -> list[str]:
    export: Any = queries.export(game, None, now=NOW)
    return [line for is_well, line in verify(export) if not is_well]


@pytest.mark.parametrize("name", TABLES)
def test_a_match_among_bots_passes_from_its_start_to_its_end(asha: User, name: str) -> None:
    game = new_game(asha, TABLES[name], BOTS_ALONE)
    for _ in range(4):
        assert not failed(game)
        play_on(game, decisions=13)
    play_on(game)

    assert queries.export(game, None, now=NOW)["status"] == "finished"
    assert not failed(game)


def test_a_table_passes_before_it_begins(asha: User, bina: User) -> None:
    game = new_game(asha, ONE_ROUND, ("me", "open", "open", "bot:steady"), contribution=b"mine")
    assert not failed(game)
    lobby.sit(bina, game, now=NOW, contribution=b"and mine")
    assert not failed(game)
    lobby.leave(bina, game, now=NOW)
    assert not failed(game)
    lobby.leave(asha, game, now=NOW)

    assert queries.export(game, None, now=NOW)["status"] == "cancelled"
    assert not failed(game)


def test_it_names_who_contributed_last_at_a_table_of_people(
    asha: User, bina: User, chandra: User, dipak: User
) -> None:
    game = seated([asha, bina, chandra, dipak])
    play_on(game)
    export: Any = queries.export(game, None, now=NOW)

    said = dict(line.split(": ", 1) for _, line in verify(export))

    assert "(dipak) contributed last" in said["seats"]
    assert said["seats"].count("had not seen the anchor") == 4


def test_a_round_whose_rest_was_claimed_passes(people: list[User]) -> None:
    for _ in range(20):
        game = seated(people)
        if claimed_as_soon_as_it_is_proven(game, people):
            break

    assert "claimed" in kinds_of(game)
    assert not failed(game)
    assert not verify_game(game, now=NOW)


def claimed_as_soon_as_it_is_proven(game: str, people: list[User]) -> bool:
    while step(game):
        table = loaded(game)
        state = table.rounds[1]
        leader = state.leader
        if not state.is_over and leader is not None and claim_proven(state.observe(leader)):
            play.claim(people[leader], game, round=1, turn=state.turn, now=NOW)
            return True
    return False


def test_a_match_that_its_people_let_run_out_passes_to_its_abandoned_end(
    people: list[User],
) -> None:
    game = new_game(people[0], ARCADIA, ("me", *(f"user:{user.username}" for user in people[1:])))
    for user in people[1:]:
        lobby.sit(user, game, now=NOW)
    play_on(game, decisions=60)
    later = NOW
    while Game.objects.get(pk=game).status == Game.Status.PLAYING:
        assert not failed(game)
        later += timedelta(days=3)
        number = queries.running(loaded(game))[0]
        pace.wake(game, round=number, now=later)
        while play_bots(game, later):
            pass

    assert kinds_of(game)[-1] == "abandoned"
    assert not failed(game)
    assert not verify_game(game, now=NOW)


def play_bots(game: str, now: datetime) -> bool:
    table = loaded(game)
    return any(
        following.follow_up(game, round=number, turn=table.rounds[number].turn_of(seat), now=now)
        for number, seat in table.bots_due()
    )
