"""Whole matches among bots, by the tasks that workers run; afterwards the log alone says everything that is stored."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final

import pytest
from celery import current_app

from accounts.models import User
from games import queries, tasks
from games.engine.rules import PRESETS, HouseRules
from games.models import Event, Game
from tests.games.export import verified
from tests.games.tables import ARCADIA, BOTS_ALONE, NOW, loaded, new_game, play_on

OnCommit = Callable[..., AbstractContextManager[list[Callable[[], Any]]]]
MATCHES: Final = {
    **PRESETS,
    "yeeqia": PRESETS["yeeqia"].replace(max_rounds=3),
    "practice with everything": PRESETS["everestbuzz-practice"].replace(
        must_beat=True,
        must_trump=True,
        redeal_no_faces=True,
        redeal_bids_below=8,
        instant_win_bid=8,
        rounds=2,
    ),
    "side by side": ARCADIA.replace(rounds=3, parallel_rounds=True),
    "sealed": ARCADIA.replace(rounds=2, sealed_bids=True),
    "sealed and side by side": ARCADIA.replace(rounds=2, sealed_bids=True, parallel_rounds=True),
}


@pytest.mark.parametrize("name", MATCHES)
def test_the_log_of_a_whole_match_says_everything_that_is_stored(
    asha: User,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: OnCommit,
) -> None:
    game = played_by_tasks(asha, MATCHES[name], monkeypatch, django_capture_on_commit_callbacks)

    row = Game.objects.get(pk=game)
    match = verified(queries.export(game, None, now=NOW))
    assert row.status == "finished"
    assert row.result == {
        "reason": str(match.standings.reason),
        "winners": list(match.standings.winners),
        "totals": list(match.standings.totals),
        "ranks": list(match.standings.ranks),
    }
    assert row.totals == list(match.standings.totals)
    stored = loaded(game).rows
    assert [
        {
            "number": each.number,
            "attempt": each.attempt,
            "dealer": each.dealer,
            "state": str(each.state),
            "turn": each.turn,
            "bids": list(each.bids),
            "won": list(each.won),
            "scores": list(each.scores or ()),
        }
        for each in match.rounds
    ] == [
        {
            "number": each.number,
            "attempt": each.attempt,
            "dealer": each.dealer,
            "state": each.state,
            "turn": each.turn,
            "bids": each.bids,
            "won": each.won,
            "scores": each.scores,
        }
        for each in stored.values()
    ]
    assert all(each.actors == [] for each in stored.values())
    assert row.keys_revealed == len(stored)


def played_by_tasks(
    creator: User, rules: HouseRules, monkeypatch: pytest.MonkeyPatch, on_commit: OnCommit
) -> str:
    """A match played by nothing but the tasks that its own moves send."""
    due: list[list[Any]] = []
    monkeypatch.setattr(current_app, "send_task", lambda task, *, args, **options: due.append(args))
    with on_commit(execute=True):
        game = new_game(creator, rules, BOTS_ALONE)
    while due:
        with on_commit(execute=True):
            tasks.follow_up(*due.pop(0))
    return game


def test_one_changed_byte_of_an_export_is_found(asha: User) -> None:
    game = new_game(asha)
    play_on(game)
    clean = queries.export(game, None, now=NOW)
    verified(clean)

    found = 0
    for place, line in enumerate(clean["events"]):
        for field in ("bid", "seat", "card", "turn", "minute", "kind"):
            if line[field] is None:
                continue
            forged = dict(line)
            forged[field] = "2C" if field == "card" and line[field] != "2C" else f"{line[field]}0"
            events = [*clean["events"][:place], forged, *clean["events"][place + 1 :]]
            with pytest.raises(AssertionError):
                verified(clean | {"events": events})
            found += 1
    assert found > 250  # some fields of every line, whatever was dealt


def test_a_log_that_was_cut_reordered_or_lengthened_is_found(asha: User) -> None:
    game = new_game(asha)
    play_on(game)
    clean = queries.export(game, None, now=NOW)
    lines = clean["events"]

    for tampered in (
        lines[:-1],
        lines[1:],
        [*lines[:20], *lines[21:]],
        [*lines[:20], lines[21], lines[20], *lines[22:]],
        [*lines, lines[-1]],
    ):
        with pytest.raises(AssertionError):
            verified(clean | {"events": tampered})


def test_events_are_numbered_without_a_gap_and_chained(asha: User) -> None:
    game = new_game(asha)
    play_on(game)

    lines = list(Event.objects.filter(game=game).order_by("seq"))
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    assert [line.prev_hash for line in lines[1:]] == [line.hash for line in lines[:-1]]
    row = Game.objects.get(pk=game)
    assert (row.seq, row.head) == (len(lines), lines[-1].hash)
