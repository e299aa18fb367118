"""Built-in bots: asked by a worker, at most once for a decision, and never the reason why a table hangs."""

from types import MappingProxyType
from typing import NoReturn

import pytest
from django.conf import LazySettings

from accounts.models import User
from games.bots import BOTS, Policy
from games.engine.cards import Card
from games.engine.observation import Observation
from games.models import Game
from games.services import deciding, following, lobby, settling
from tests.games.tables import (
    BOTS_ALONE,
    NOW,
    decisions,
    fingerprint,
    loaded,
    log_of,
    new_game,
    play_on,
    seated,
    step,
)


class Raises:
    """A policy that only ever breaks."""

    def bid(self, seen: Observation) -> NoReturn:
        raise RuntimeError("no idea")

    def play(self, seen: Observation) -> NoReturn:
        raise RuntimeError("no idea")


class Cheats:
    """A policy that answers what the rules refuse."""

    def bid(self, seen: Observation) -> int:
        return 99

    def play(self, seen: Observation) -> Card:
        return next(card for card in seen.hand if card not in seen.legal)


def test_a_bot_answers_its_decision_once(asha: User) -> None:
    game = new_game(asha)
    number, turn, seat = decisions(loaded(game))[0]

    assert following.follow_up(game, round=number, turn=turn, now=NOW)
    after = fingerprint(game)
    assert not following.follow_up(game, round=number, turn=turn, now=NOW)

    line = log_of(game)[-1]
    assert (line.by, line.seat, line.turn) == ("bot", seat, turn)
    assert fingerprint(game) == after


@pytest.mark.parametrize(("round", "turn"), [(1, 1), (1, 55), (1, 99), (2, 0), (9, 9)])
def test_a_task_for_another_moment_does_nothing(asha: User, round: int, turn: int) -> None:
    game = new_game(asha)
    before = fingerprint(game)

    assert not following.follow_up(game, round=round, turn=turn, now=NOW)

    assert fingerprint(game) == before


def test_a_task_never_moves_for_a_person(
    asha: User, bina: User, chandra: User, dipak: User
) -> None:
    game = seated([asha, bina, chandra, dipak])
    before = fingerprint(game)

    assert not any(following.follow_up(game, round=1, turn=turn, now=NOW) for turn in range(56))

    assert fingerprint(game) == before


def test_a_task_for_a_match_that_is_over_does_nothing(asha: User) -> None:
    game = new_game(asha)
    play_on(game)
    before = fingerprint(game)

    assert not any(following.follow_up(game, round=1, turn=turn, now=NOW) for turn in range(58))

    assert fingerprint(game) == before


def test_tasks_that_come_twice_late_and_out_of_order_play_each_decision_once(asha: User) -> None:
    game = new_game(asha)

    for turn in range(56):
        for late in (turn, turn, max(turn - 3, 0), turn + 2, turn):
            following.follow_up(game, round=1, turn=late, now=NOW)
            table = loaded(game)
            if table.game.status == "finished":
                break

    turns = [line.turn for line in log_of(game) if line.kind in ("bid", "played")]
    assert turns == list(range(56))


@pytest.mark.parametrize("level", ["steady", "beginner"])
def test_where_one_bot_breaks_the_steady_one_answers(
    asha: User, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    policies: dict[str, Policy] = dict(BOTS) | {"beginner": Raises()}
    monkeypatch.setattr(deciding, "BOTS", MappingProxyType(policies))
    game = new_game(asha, seats=[f"bot:{level}"] * 4)

    play_on(game)

    assert Game.objects.get(pk=game).status == "finished"


def test_where_every_bot_breaks_the_first_legal_answer_is_given(
    asha: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding, "BOTS", MappingProxyType(dict.fromkeys(BOTS, Raises())))
    game = new_game(asha)

    step(game)
    assert log_of(game)[-1].bid == 1
    play_on(game)

    assert Game.objects.get(pk=game).status == "finished"


def test_a_bot_that_answers_against_the_rules_does_not_stop_the_table(
    asha: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    policies: dict[str, Policy] = dict(BOTS) | {"beginner": Cheats()}
    monkeypatch.setattr(deciding, "BOTS", MappingProxyType(policies))
    game = new_game(asha, seats=BOTS_ALONE)

    play_on(game)

    assert Game.objects.get(pk=game).status == "finished"


def test_a_bot_answers_the_same_after_a_crash(asha: User) -> None:
    game = new_game(asha)
    play_on(game, decisions=20)
    number, turn, seat = decisions(loaded(game))[0]

    level = loaded(game).seats[seat].bot
    answers = {
        deciding.ask_bot(loaded(game), loaded(game).observe(number, seat), level=level)
        for _ in range(5)
    }
    following.follow_up(game, round=number, turn=turn, now=NOW)

    assert {card.text for card in answers if isinstance(card, Card)} == {log_of(game)[-1].card}


@pytest.mark.parametrize(("people", "pace"), [(0, 0.0), (1, 0.0), (2, 7.5)])
def test_bots_take_their_time_only_where_several_people_sit(
    asha: User, bina: User, settings: LazySettings, people: int, pace: float
) -> None:
    settings.CALLBREAK_BOT_PACE = 7.5
    seats = [*["me", "open"][:people], *["bot:steady"] * (4 - people)]
    game = new_game(asha, seats=seats)

    if people == 2:
        lobby.sit(bina, game, now=NOW)

    assert settling.bot_pace(loaded(game)) == pace
