"""What a lost message would have done: the sweep finds it, two sweeps do it once, a broker that is down costs no move."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.conf import LazySettings

from accounts.models import User
from games import guards, nudges, tasks
from games.models import DealSecret, Game
from games.projections import GRACE
from games.services import pace
from tests.games.tables import (
    ARCADIA,
    BOTS_ALONE,
    NOW,
    decisions,
    kinds_of,
    loaded,
    log_of,
    new_game,
    play_on,
    seated,
    step,
)

LATE = NOW + GRACE
OnCommit = Callable[..., AbstractContextManager[list[Callable[[], Any]]]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What is handed to the broker, instead of handing it over."""
    sent: list[dict[str, Any]] = []

    def keep(task: str, **options: Any) -> None:
        sent.append({"task": task} | options)

    monkeypatch.setattr(current_app, "send_task", keep)
    return sent


@pytest.fixture
def committed(django_capture_on_commit_callbacks: OnCommit) -> Callable[[], Any]:
    return lambda: django_capture_on_commit_callbacks(execute=True)


@pytest.fixture
def broken_broker(settings: LazySettings) -> Iterator[Path]:
    """The folder of the embedded broker is a file: nothing can be put there."""
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    aside = folder.with_suffix(".aside")
    if folder.exists():
        folder.rename(aside)
    folder.write_text("full")
    yield folder
    folder.unlink()
    if aside.exists():
        aside.rename(folder)


def test_a_move_nudges_the_bot_that_is_next_by_ids_alone(
    asha: User, sent: list[dict[str, Any]], committed: Callable[[], Any]
) -> None:
    with committed():
        game = new_game(asha)

    number, turn, _ = decisions(loaded(game))[0]
    assert [(each["task"], each["args"]) for each in sent] == [
        (nudges.FOLLOW_UP, [game, number, turn])
    ]


def test_a_move_before_a_person_nudges_nobody(
    asha: User,
    bina: User,
    chandra: User,
    dipak: User,
    sent: list[dict[str, Any]],
    committed: Callable[[], Any],
) -> None:
    with committed():
        step(seated([asha, bina, chandra, dipak]))

    assert sent == []


def test_side_by_side_every_round_with_a_bot_to_act_is_nudged(
    asha: User, sent: list[dict[str, Any]], committed: Callable[[], Any]
) -> None:
    with committed():
        new_game(asha, ARCADIA.replace(rounds=3, parallel_rounds=True))

    assert [each["args"][1] for each in sent] == [1, 2, 3]


def test_the_task_plays_the_decision_it_was_sent_for(
    asha: User, sent: list[dict[str, Any]], committed: Callable[[], Any]
) -> None:
    with committed():
        game = new_game(asha)
    played = 0
    while played < len(sent):
        with committed():
            tasks.follow_up(*sent[played]["args"])
        played += 1

    assert Game.objects.get(pk=game).status == "finished"
    assert played == 56


def test_a_move_stands_while_the_broker_is_down(
    asha: User, broken_broker: Path, committed: Callable[[], Any]
) -> None:
    with committed() as lost:
        game = new_game(asha)
        step(game)

    assert len(lost) == 2
    assert kinds_of(game)[-1] == "bid"
    assert broken_broker.read_text() == "full"
    assert Game.objects.get(pk=game).next_attempt_at == LATE


def test_the_sweep_finds_what_was_lost_while_the_broker_was_down(
    asha: User, sent: list[dict[str, Any]], committed: Callable[[], Any]
) -> None:
    game = new_game(asha)  # whose nudge never leaves this transaction

    with committed():
        assert pace.sweep(now=LATE - timedelta(microseconds=1)) == 0
        assert pace.sweep(now=LATE) == 1

    assert [each["args"] for each in sent] == [[game, 1, 0]]
    assert sent[0]["countdown"] is None


@pytest.mark.parametrize("decisions_before", [0, 1, 4, 9])
def test_the_sweep_names_each_decision_as_the_fold_does(
    asha: User,
    sent: list[dict[str, Any]],
    committed: Callable[[], Any],
    decisions_before: int,
) -> None:
    rules = ARCADIA.replace(rounds=2, sealed_bids=True, parallel_rounds=True)
    game = new_game(asha, rules)
    play_on(game, decisions=decisions_before)

    with committed():
        pace.sweep(now=LATE)

    due = [[game, number, turn] for number, turn, _ in decisions(loaded(game))]
    assert sorted(each["args"] for each in sent) == sorted(due)


def test_a_second_sweep_does_not_nudge_again_before_its_time(
    asha: User, sent: list[dict[str, Any]], committed: Callable[[], Any]
) -> None:
    new_game(asha)

    with committed():
        found = [pace.sweep(now=LATE + timedelta(seconds=after)) for after in (0, 0, 5, 19, 20, 25)]

    assert found == [1, 0, 0, 0, 1, 0]
    assert len(sent) == 2


def test_the_sweep_leaves_alone_what_waits_for_people_or_is_over(
    asha: User, bina: User, chandra: User, dipak: User
) -> None:
    seated([asha, bina, chandra, dipak])
    over = new_game(asha)
    play_on(over)
    new_game(asha, seats=("me", "open", "bot:steady", "bot:steady"))

    assert pace.sweep(now=NOW + timedelta(hours=1)) == 0
    assert not Game.objects.filter(next_attempt_at__isnull=False).exists()


def test_a_sweep_takes_the_longest_overdue_first_and_so_many(
    asha: User, sent: list[dict[str, Any]], committed: Callable[[], Any]
) -> None:
    games = [new_game(asha) for _ in range(4)]
    for place, game in enumerate(games):
        Game.objects.filter(pk=game).update(next_attempt_at=NOW - timedelta(hours=place))

    with committed():
        assert pace.sweep(now=LATE, limit=2) == 2
        assert pace.sweep(now=LATE, limit=5) == 2

    assert [each["args"][0] for each in sent] == games[::-1]


def test_a_sweep_after_hours_down_nudges_each_game_once(
    asha: User, sent: list[dict[str, Any]], committed: Callable[[], Any]
) -> None:
    games = [new_game(asha, seats=BOTS_ALONE) for _ in range(5)]

    with committed():
        assert pace.sweep(now=NOW + timedelta(hours=9)) == 5
        assert pace.sweep(now=NOW + timedelta(hours=9)) == 0

    assert sorted(each["args"][0] for each in sent) == sorted(games)


# Poison: one broken game must not stop the others


def break_seed(game: str) -> None:
    with guards.lifted(guards.SEEDS):
        DealSecret.objects.filter(game=game).update(sealed=b"nobody's")


@pytest.mark.parametrize("poison", ["seed", "log"])
def test_one_broken_game_does_not_stop_the_sweep(
    asha: User, sent: list[dict[str, Any]], committed: Callable[[], Any], poison: str
) -> None:
    broken, *healthy = [new_game(asha) for _ in range(4)]
    if poison == "seed":
        break_seed(broken)
    else:
        add_a_foreign_card(broken)

    with committed():
        assert pace.sweep(now=LATE) == 4

    # It reads rows alone, so the broken one is no trouble before its own task.
    assert sorted(each["args"][0] for each in sent) == sorted([broken, *healthy])


def add_a_foreign_card(game: str) -> None:
    """A line as only somebody at the database could write it: a card before anybody bid."""
    last = log_of(game)[-1]
    last.pk, last.seq, last.kind, last.data = None, last.seq + 1, "played", {}
    last.turn, last.seat, last.card = 0, 0, "AS"
    last.save(force_insert=True)


@pytest.mark.parametrize("poison", ["seed", "log"])
def test_a_broken_game_says_so_without_a_card_or_a_secret(
    asha: User, poison: str, caplog: pytest.LogCaptureFixture
) -> None:
    from games.table import BrokenLog

    game = new_game(asha)
    break_seed(game) if poison == "seed" else add_a_foreign_card(game)

    with pytest.raises(BrokenLog) as broken:
        tasks.follow_up(game, 1, 0)

    assert game in str(broken.value)
    assert "AS" not in str(broken.value).removeprefix(f"game {game}")
    assert broken.value.__suppress_context__
