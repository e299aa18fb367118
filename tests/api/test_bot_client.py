"""The example that newcomers start from plays a whole match against a server on a real socket."""

from collections.abc import Callable

from rest_framework.test import APIClient

import bot_client
from accounts.models import User
from tests.api.rest import let_bots_play, new_game, see


def test_it_makes_a_table_and_plays_to_the_end(
    asha: User, client_of: Callable[[User], bot_client.Client]
) -> None:
    client = client_of(asha)
    game = client.new_table()

    seen = bot_client.play(client, game, wait=lambda _seconds: let_bots_play(game))

    assert seen["status"] == "finished"
    assert len(seen["rounds"]) == 5


def test_it_takes_a_seat_at_a_table(
    asha_api: APIClient, bina: User, client_of: Callable[[User], bot_client.Client]
) -> None:
    game = str(new_game(asha_api, seats=["me", "open", "bot:steady", "bot:steady"])["id"])

    client_of(bina).sit_down(game)

    assert see(asha_api, game)["seats"][1]["player"] == "bina"


def test_it_plays_several_games_side_by_side(
    asha: User, asha_api: APIClient, client_of: Callable[[User], bot_client.Client]
) -> None:
    games = [str(new_game(asha_api, rules={"rounds": 1})["id"]) for _each in range(5)]
    another = str(new_game(asha_api, seats=["me", "open", "open", "open"])["id"])

    def let_all_play(_seconds: float) -> None:
        for game in games:
            let_bots_play(game)

    over = bot_client.play_all(client_of(asha), games, wait=let_all_play)

    assert [seen["id"] for seen in over] == games
    assert {seen["status"] for seen in over} == {"finished"}
    assert see(asha_api, another)["status"] == "open"
