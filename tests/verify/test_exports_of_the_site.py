"""What the site itself exports passes the stand-alone verifier: at every table, at any moment."""

from typing import Any, Final

import pytest

from accounts.models import User
from callbreak_verify import verify
from games import queries
from games.engine.rules import PRESETS, HouseRules
from games.services import lobby
from tests.games.tables import ARCADIA, BOTS_ALONE, NOW, ONE_ROUND, new_game, play_on, seated

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
