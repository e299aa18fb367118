"""A game that contradicts itself is stopped by itself, the staff is told, and it goes on by itself; all others never notice."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import OutgoingMail, User
from callbreak_verify import verify
from games import guards, nudges, queries, store, tasks
from games.models import DealSecret, Event, Game, Quarantine, Round
from games.refusals import GameFrozen
from games.services import autopilot, freezing, inspecting, pace, quarantine
from games.services.audit import verify_game
from games.store import By
from games.table import BrokenLog
from tests.games.clockwork import due, four_at
from tests.games.tables import ARCADIA, NOW, kinds_of, log_of, make, new_game, play_on, seated

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def staff(db: None) -> User:
    return User.objects.create_superuser("chief", "chief@example.com", "x")


@pytest.fixture
def game(people: list[User]) -> str:
    """A game of four people, in the middle of its first round."""
    game = four_at(people)
    play_on(game, decisions=9)
    return game


def break_columns(game: str) -> None:
    Round.objects.filter(game=game).update(won=[5, 5, 2, 1])


def mend_columns(game: str) -> None:
    table = store.load(game, now=NOW)
    store.fold(table, 1)
    Round.objects.filter(game=game).update(won=list(table.rounds[1].won))


def break_log(game: str) -> None:
    """A line as only somebody at the database could write it: a card that nobody held."""
    last = log_of(game)[-1]
    last.pk, last.seq, last.turn, last.data = None, last.seq + 1, 400, {}
    last.card = "2C" if last.card != "2C" else "3C"
    last.attempt = 7
    last.save(force_insert=True)


def break_seed(game: str) -> None:
    with guards.lifted(guards.SEEDS):
        DealSecret.objects.filter(game=game).update(sealed=b"nobody's")


def status(game: str) -> str:
    return Game.objects.get(pk=game).status


# Stopped


@pytest.mark.parametrize("damage", [break_columns, break_log, break_seed])
def test_whatever_contradicts_itself_stops_the_game(
    game: str, damage: Callable[[str], None]
) -> None:
    damage(game)

    assert quarantine.look_at(game, now=NOW)

    row = Game.objects.get(pk=game)
    assert (row.status, row.frozen_at, row.next_attempt_at) == (Game.Status.FROZEN, NOW, None)
    assert not Round.objects.filter(game=game, alarm_at__isnull=False).exists()
    assert Quarantine.objects.get().findings


def test_a_game_in_order_is_not_stopped(game: str) -> None:
    assert not quarantine.look_at(game, now=NOW)
    assert status(game) == Game.Status.PLAYING


def test_the_log_says_so_where_it_takes_one_more_line(game: str) -> None:
    break_seed(game)
    quarantine.look_at(game, now=NOW)

    assert [(e.kind, e.by) for e in log_of(game)][-1] == ("frozen", "rule")


def test_a_log_that_is_not_whole_is_not_added_to(game: str) -> None:
    break_log(game)
    before = len(log_of(game))
    quarantine.look_at(game, now=NOW)

    assert len(log_of(game)) == before


def test_a_workers_task_that_meets_it_stops_it(asha: User, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, healthy = (new_game(asha, ARCADIA) for _ in range(2))
    break_seed(broken)

    with pytest.raises(BrokenLog):
        tasks.follow_up(broken, 1, 0)
    tasks.follow_up(healthy, 1, 0)

    assert (status(broken), status(healthy)) == (Game.Status.FROZEN, Game.Status.PLAYING)
    assert kinds_of(healthy)[-1] == "bid"
    tasks.follow_up(broken, 1, 0)  # a lost message that comes now is no trouble any more


def test_the_nightly_look_stops_it(game: str) -> None:
    break_columns(game)
    inspecting.begin(now=NOW)
    inspecting.go_on(now=NOW, seconds=60)

    assert status(game) == Game.Status.FROZEN


def test_a_page_that_cannot_be_shown_has_a_worker_look_at_it(
    game: str,
    people: list[User],
    browser_of: Callable[[User], Client],
    django_capture_on_commit_callbacks: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    break_seed(game)
    sent: list[tuple[str, Any]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_: sent.append((name, args)))

    with django_capture_on_commit_callbacks(execute=True):
        page = browser_of(people[0]).get(f"/games/{game}/")
        answer = browser_of(people[0]).get(f"/api/v1/games/{game}")

    assert (page.status_code, answer.status_code) == (503, 503)
    assert "cannot be read at the moment" in page.content.decode()
    assert sent == [(nudges.INSPECT, [game])] * 2
    tasks.inspect_game(game)
    assert status(game) == Game.Status.FROZEN
    assert "This game is stopped" in browser_of(people[0]).get(f"/games/{game}/").content.decode()


# Meanwhile


@pytest.mark.parametrize("damage", [break_columns, break_log, break_seed])
def test_a_move_answers_with_a_code_of_its_own(
    game: str,
    people: list[User],
    api_of: Callable[[User], APIClient],
    browser_of: Callable[[User], Client],
    damage: Callable[[str], None],
) -> None:
    number, turn, seat, _ = due(game)
    damage(game)
    quarantine.look_at(game, now=NOW)
    before = list(Event.objects.order_by("pk").values())
    mover = people[seat]

    sent = {"round": number, "turn": turn, "card": "AS"}
    refused = api_of(mover).post(f"/api/v1/games/{game}/moves", sent, format="json")
    page = browser_of(mover).post(f"/games/{game}/play", sent)

    assert (refused.status_code, refused.json()["code"]) == (409, "game_frozen")
    assert page.status_code == 409
    assert "This game is stopped" in page.content.decode()
    assert "no time runs" in page.content.decode()
    assert list(Event.objects.order_by("pk").values()) == before


def test_a_lost_answer_can_still_be_asked_again(game: str, people: list[User]) -> None:
    last = log_of(game)[-1]
    break_seed(game)
    quarantine.look_at(game, now=NOW)

    from games.engine.cards import card

    again = make(
        people[last.seat or 0],
        game,
        card(last.card or ""),
        round=last.round or 0,
        turn=last.turn or 0,
    )

    assert (again.repeated, again.seq) == (True, last.seq)


def test_nothing_else_of_the_match_can_be_done(game: str, people: list[User]) -> None:
    quarantined(game)

    with pytest.raises(GameFrozen):
        autopilot.switch(people[0], game, round=1, on=True, now=NOW)
    with pytest.raises(GameFrozen):
        pace.take_back(people[0], game, now=NOW)


def test_no_time_runs_out(game: str) -> None:
    number, _, _, deadline = due(game)
    quarantined(game)
    pace.wake(game, round=number, now=deadline + HOUR)

    assert "stood_in" not in kinds_of(game)


def quarantined(game: str) -> None:
    break_columns(game)
    assert quarantine.look_at(game, now=NOW)


# On again


def test_it_goes_on_with_all_its_time_once_everything_agrees(game: str) -> None:
    *_, deadline = due(game)
    quarantined(game)
    quarantine.see_to(now=NOW + 11 * MINUTE)
    assert status(game) == Game.Status.FROZEN

    mend_columns(game)
    quarantine.see_to(now=NOW + 30 * MINUTE)

    assert status(game) == Game.Status.PLAYING
    assert due(game)[3] == deadline + 30 * MINUTE
    assert Quarantine.objects.get().outcome == "mended"
    assert kinds_of(game)[-3:] == ["frozen", "thawed", "deadlines_moved"]
    assert verify_game(game, now=NOW) == []
    export: Any = queries.export(game, None, now=NOW)
    assert all(is_well for is_well, _ in verify(export))


def test_a_game_that_was_stopped_without_a_line_goes_on_without_one(game: str) -> None:
    quarantined_before = len(log_of(game))
    Game.objects.filter(pk=game).update(seq=quarantined_before + 3)
    assert quarantine.look_at(game, now=NOW)
    assert len(log_of(game)) == quarantined_before

    Game.objects.filter(pk=game).update(seq=quarantined_before)
    quarantine.see_to(now=NOW + HOUR)

    assert status(game) == Game.Status.PLAYING
    assert kinds_of(game)[-2:] == [kinds_of(game)[-2], "deadlines_moved"]
    assert "thawed" not in kinds_of(game)
    assert verify_game(game, now=NOW) == []


def test_after_three_days_it_goes_on_in_any_case_and_is_not_stopped_for_the_same_again(
    game: str,
) -> None:
    *_, deadline = due(game)
    quarantined(game)

    quarantine.see_to(now=NOW + quarantine.LONGEST - MINUTE)
    assert status(game) == Game.Status.FROZEN
    quarantine.see_to(now=NOW + quarantine.LONGEST + 10 * MINUTE)

    assert status(game) == Game.Status.PLAYING
    assert due(game)[3] == deadline + quarantine.LONGEST + 10 * MINUTE
    assert not quarantine.look_at(game, now=NOW)
    Game.objects.filter(pk=game).update(anchor="ab" * 32)
    assert quarantine.look_at(game, now=NOW)  # something else


def test_a_game_that_cannot_be_read_stays_until_somebody_mends_or_cancels_it(game: str) -> None:
    break_seed(game)
    quarantine.look_at(game, now=NOW)

    quarantine.see_to(now=NOW + 2 * quarantine.LONGEST)

    assert status(game) == Game.Status.FROZEN
    assert Quarantine.objects.get().ended_at is None


def test_a_game_that_staff_stopped_goes_on_after_three_days(game: str) -> None:
    with store.locked(game, now=NOW) as table:
        freezing.freeze(table, by=By.STAFF)

    quarantine.see_to(now=NOW + quarantine.LONGEST - MINUTE)
    assert status(game) == Game.Status.FROZEN
    quarantine.see_to(now=NOW + quarantine.LONGEST)

    assert status(game) == Game.Status.PLAYING


def test_a_game_that_staff_let_go_on_is_in_quarantine_no_more(game: str) -> None:
    quarantined(game)
    with store.locked(game, now=NOW) as table:
        freezing.thaw(table)

    quarantine.see_to(now=NOW + HOUR)

    assert Quarantine.objects.get().outcome == "staff"


# Alerts


def test_the_staff_is_told_once_an_hour_and_of_every_game(
    people: list[User], asha: User, staff: User
) -> None:
    games = [seated(people) for _ in range(3)]
    for game in games:
        play_on(game, decisions=5)
        quarantined(game)

    assert [mail.to for mail in OutgoingMail.objects.all()] == [staff.email]
    quarantine.see_to(now=NOW + 30 * MINUTE)
    assert OutgoingMail.objects.count() == 1
    quarantine.see_to(now=NOW + 61 * MINUTE)
    quarantine.see_to(now=NOW + 3 * HOUR)

    first, second = OutgoingMail.objects.order_by("pk")
    assert games[0] in first.text
    assert all(game in second.text for game in games[1:])
    assert not any(user.username in first.text + second.text for user in people)


def test_the_first_page_of_the_admin_says_so(
    game: str, staff: User, browser_of: Callable[[User], Client]
) -> None:
    quarantined(game)

    page = browser_of(staff).get("/admin/").content.decode()

    assert game in page
    assert "columns: round 1: won" in page
