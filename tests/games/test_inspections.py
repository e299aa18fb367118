"""The nightly look at everything: in slices, resumed by whoever comes next, and loud when something is found."""

from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from accounts.models import User
from games.models import Game, Inspection
from games.services import checkpoints, inspecting
from tests.games.tables import NOW, new_game, play_on


def looked() -> Inspection:
    run = inspecting.go_on(now=NOW, seconds=60)
    assert run is not None
    return run


def test_it_looks_at_every_game_and_ends(asha: User) -> None:
    for _ in range(3):
        play_on(new_game(asha), decisions=4)
    checkpoints.make_checkpoint(now=NOW)

    inspecting.begin(now=NOW)
    run = looked()

    assert (run.total, run.checked, run.broken, run.findings) == (3, 3, 0, [])
    assert run.ended_at == NOW
    assert inspecting.go_on(now=NOW) is None
    assert inspecting.latest() == run


def test_it_goes_on_where_a_slice_ended(asha: User) -> None:
    for _ in range(3):
        new_game(asha)
    inspecting.begin(now=NOW)

    done = [inspecting.go_on(now=NOW, seconds=0) for _ in range(3)]

    assert [run and run.checked for run in done] == [1, 2, 3]
    assert looked().ended_at is not None
    assert Inspection.objects.get().checked == 3


def test_two_workers_do_not_look_at_once_and_a_dead_one_is_followed(asha: User) -> None:
    new_game(asha)
    run = inspecting.begin(now=NOW)
    Inspection.objects.filter(pk=run.pk).update(busy_until=NOW + inspecting.LEASE)

    assert inspecting.go_on(now=NOW) is None
    later = inspecting.go_on(now=NOW + inspecting.LEASE, seconds=60)

    assert later is not None
    assert later.checked == 1


def test_it_is_begun_once_a_night_and_gives_up_one_that_never_ended(asha: User) -> None:
    new_game(asha)
    first = inspecting.begin(now=NOW)

    assert inspecting.begin(now=NOW) == first
    second = inspecting.begin(now=NOW + timedelta(days=1))

    assert second != first
    assert list(Inspection.objects.filter(ended_at=None)) == [second]


@pytest.mark.django_db
def test_nothing_is_done_where_none_was_begun() -> None:
    assert inspecting.go_on(now=NOW) is None
    assert inspecting.latest() is None


def test_what_is_found_is_stored_and_told(asha: User) -> None:
    games = [new_game(asha) for _ in range(2)]
    play_on(games[0])
    Game.objects.filter(pk=games[0]).update(totals=[0, 0, 0, 1])
    inspecting.begin(now=NOW)

    with capture_logs() as lines:
        run = looked()

    assert (run.checked, run.broken) == (2, 1)
    assert run.findings == [[games[0], ["columns: totals"]]]
    errors: list[Any] = [line["event"] for line in lines if line["log_level"] == "error"]
    assert errors == ["inspection.found", "inspection.ended"]


def test_a_broken_root_is_found_too(asha: User) -> None:
    new_game(asha)
    made = checkpoints.make_checkpoint(now=NOW)
    assert made is not None
    made.root = "ab" * 32
    made.save()
    inspecting.begin(now=NOW)

    assert looked().findings[0][0] == "checkpoints"
