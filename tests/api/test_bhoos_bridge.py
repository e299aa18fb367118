"""A bot written for the public hackathon plays here through the bridge, and is told what its own protocol promises."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

import bot_client
from accounts.models import User
from bhoos_bridge import HackathonBot
from tests.api.hackathon import RANKS, HackathonServer, hackathon_bot
from tests.api.rest import Json, let_bots_play

ClientOf = Callable[[User], bot_client.Client]


@pytest.fixture
def bot() -> Iterator[HackathonServer]:
    with hackathon_bot() as server:
        yield server


def _play(client: bot_client.Client, bot: HackathonServer, rounds: int) -> Json:
    seats = ["me", "bot:steady", "bot:beginner", "bot:steady"]
    body = {"rules": {"rounds": rounds}, "seats": seats}
    game = str(client.call("POST", "/games", body)["id"])
    bridge = HackathonBot(bot.address, client)
    bridge.wake()
    return bot_client.play(client, game, bridge, wait=lambda _seconds: let_bots_play(game))


def test_a_hackathon_bot_plays_a_whole_match(
    asha: User, bot: HackathonServer, client_of: ClientOf, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = _play(client_of(asha), bot, rounds=5)

    assert seen["status"] == "finished"
    assert len(seen["rounds"]) == 5
    # Every answer was the bot's own: none had to be replaced.
    assert capsys.readouterr().err == ""


def test_it_is_told_what_its_protocol_promises(
    asha: User, bot: HackathonServer, client_of: ClientOf
) -> None:
    seen = _play(client_of(asha), bot, rounds=2)

    bids = [asked for path, asked in bot.asked if path == "/bid"]
    plays = [asked for path, asked in bot.asked if path == "/play"]
    assert [each["context"]["round"] for each in bids] == [1, 2]
    for asked in bids + plays:
        assert asked["playerId"] == "P0"
        assert asked["playerIds"] == ["P0", "P1", "P2", "P3"]
        assert all(card[0] in RANKS and card[1] in "CDHS" for card in asked["cards"])
    assert {len(each["cards"]) for each in bids} == {13}
    for asked in plays:
        assert asked["timeBudget"] > 0
        assert len(asked["history"]) == 13 - len(asked["cards"])
        won = [asked["context"]["players"][player]["won"] for player in asked["playerIds"]]
        assert won == [sum(trick[2] == seat for trick in asked["history"]) for seat in range(4)]
        for trick, following in pairwise(asked["history"]):
            assert trick[2] == following[0]
            assert len(set(trick[1])) == 4
    first = seen["rounds"][0]["scores"]
    told = bids[1]["context"]["players"]
    assert [told[f"P{seat}"]["totalPoints"] for seat in range(4)] == [
        score / seen["score_scale"] for score in first
    ]
    last = plays[-1]["context"]["players"]
    assert [last[f"P{seat}"]["bid"] for seat in range(4)] == seen["rounds"][1]["bids"]


@pytest.mark.parametrize(
    "answers",
    [
        {"/bid": b'{"value": 99}', "/play": b'{"value": "1X"}'},
        {"/bid": b'{"value": true}', "/play": b'{"value": 3}'},
        {"/bid": b"sorry", "/play": b"[]"},
    ],
    ids=["out of range", "of another type", "no answer"],
)
def test_an_answer_that_does_not_hold_here_is_replaced_and_reported(
    asha: User,
    bot: HackathonServer,
    client_of: ClientOf,
    answers: dict[str, bytes],
    capsys: pytest.CaptureFixture[str],
) -> None:
    bot.answers = answers

    seen = _play(client_of(asha), bot, rounds=1)

    assert seen["status"] == "finished"
    assert seen["rounds"][0]["bids"][0] == seen["rules"]["min_bid"]
    said = capsys.readouterr().err
    assert "not a bid here" in said
    assert "not to be played now" in said
