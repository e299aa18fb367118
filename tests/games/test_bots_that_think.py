"""A bot that searches: asked outside the lock, at most twice for a decision, its choice kept for whoever reviews it."""

from dataclasses import replace
from types import MappingProxyType

import pytest
from django.db import connection
from structlog.testing import capture_logs

from accounts.models import User
from games import store
from games.bots import BOTS
from games.bots.expert import Expert
from games.engine.cards import Card
from games.engine.observation import Observation
from games.models import BotChoice, Event, Game
from games.services import deciding, following, thinking
from tests.games.tables import NOW, decisions, loaded, log_of, new_game, play_on

EXPERT_AMONG_STEADY = ("bot:expert", "bot:steady", "bot:steady", "bot:steady")


class Breaks(Expert):
    def bid(self, observation: Observation) -> int:
        raise RuntimeError("no idea")

    def play(self, observation: Observation) -> Card:
        raise RuntimeError("no idea")


def seat_the_expert(monkeypatch: pytest.MonkeyPatch, expert: Expert) -> None:
    policies = MappingProxyType(dict(BOTS) | {"expert": expert})
    monkeypatch.setattr(deciding, "BOTS", policies)
    monkeypatch.setattr(thinking, "BOTS", policies)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Expert:
    expert = Expert(bid_worlds=6, play_worlds=3)
    seat_the_expert(monkeypatch, expert)
    return expert


def asked_for(game: str, *, before: int | None = None) -> tuple[int, int]:
    """The `(round, turn)` at which the expert's first decision waits."""
    while True:
        number, turn, seat = decisions(loaded(game))[0]
        if seat == 0:
            return number, turn
        following.follow_up(game, round=number, turn=turn, now=NOW)


def test_every_choice_is_kept_and_can_be_repeated(asha: User, quick: Expert) -> None:
    game = new_game(asha, seats=EXPERT_AMONG_STEADY)

    play_on(game)

    table = loaded(game)
    lines = store.round_lines(table, 1)
    made_at = [place for place, line in enumerate(lines) if line["kind"] in ("bid", "played")]
    choices = BotChoice.objects.filter(game=game)
    assert choices.count() == 13  # its bid and twelve cards: the last one plays itself
    for choice in choices:
        made = made_at[choice.turn]
        before = store.state_after(table, 1, lines[:made])
        seen = replace(before.observe(choice.seat), tie_break=int(choice.tie_break, 16))
        again = quick.play(seen).text if seen.state == "playing" else quick.bid(seen)
        assert again == (lines[made]["card"] or lines[made]["bid"])
        assert (choice.level, choice.answered_by, choice.tries) == ("expert", "expert", 1)
        assert choice.version == Expert.VERSION
        assert choice.worlds == (3 if seen.state == "playing" else 6)


def test_other_bots_leave_nothing_to_review(asha: User) -> None:
    play_on(new_game(asha))

    assert not BotChoice.objects.exists()


def test_where_the_expert_breaks_it_is_asked_again_and_then_steady_answers(
    asha: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat_the_expert(monkeypatch, Breaks())
    game = new_game(asha, seats=EXPERT_AMONG_STEADY)
    number, turn = asked_for(game)

    with capture_logs() as logs:
        assert following.follow_up(game, round=number, turn=turn, now=NOW)

    alerts = [(line["level"], line["log_level"]) for line in logs if line["event"] == "bot_failed"]
    assert alerts == [("expert", "error")] * 2
    assert BotChoice.objects.get().answered_by == "steady"
    play_on(game)
    assert Game.objects.get(pk=game).status == "finished"


@pytest.mark.parametrize(
    ("died_before", "answered_by"), [(0, "expert"), (1, "expert"), (2, "steady"), (7, "steady")]
)
def test_after_two_workers_that_did_not_come_back_steady_answers(
    asha: User, quick: Expert, died_before: int, answered_by: str
) -> None:
    game = new_game(asha, seats=EXPERT_AMONG_STEADY)
    number, turn = asked_for(game)
    for _ in range(died_before):
        with store.locked(game, number, now=NOW) as table:
            thinking.begin(table, number, 0)

    with capture_logs() as logs:
        assert following.follow_up(game, round=number, turn=turn, now=NOW)

    assert BotChoice.objects.get(turn=turn).answered_by == answered_by
    alerts = [line["tries"] for line in logs if line["event"] == "bot_not_finished"]
    assert alerts == ([died_before + 1] if died_before else [])


def test_of_two_workers_that_think_at_once_one_answers(
    asha: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(asha, seats=EXPERT_AMONG_STEADY)
    outer = True

    class Slow(Expert):
        def bid(self, observation: Observation) -> int:
            nonlocal outer
            if outer:
                outer = False
                assert following.follow_up(game, round=number, turn=turn, now=NOW)
            return 2

    seat_the_expert(monkeypatch, Slow())
    number, turn = asked_for(game)

    assert not following.follow_up(game, round=number, turn=turn, now=NOW)

    assert [line.turn for line in log_of(game) if line.kind == Event.Kind.BID].count(turn) == 1


def test_a_bot_thinks_outside_every_transaction(
    asha: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    depths = []

    class Looks(Expert):
        def bid(self, observation: Observation) -> int:
            depths.append(len(connection.savepoint_ids))
            return 2

    seat_the_expert(monkeypatch, Looks())
    game = new_game(asha, seats=EXPERT_AMONG_STEADY)
    number, turn = asked_for(game)

    assert following.follow_up(game, round=number, turn=turn, now=NOW)

    assert depths == [len(connection.savepoint_ids)]
