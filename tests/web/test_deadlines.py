"""Until when, at the table and in the list; the seat that a bot keeps; and a poll that asks nobody who they are."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.utils.translation import override
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import queries
from games.engine.clock import GRACE
from games.models import Game, Round, Seat
from games.services import lobby, pace
from games.web.deadlines import in_words, moment
from tests.games.tables import ARCADIA, NOW, new_game

DAY = {"kind": "per_turn", "seconds": 86400}
BrowserOf = Callable[[User], Client]
SECOND, NO_TIME = timedelta(seconds=1), timedelta()


@pytest.fixture
def game(people: Sequence[User]) -> str:
    game = new_game(people[0], ARCADIA, ["me", *(f"user:{user}" for user in people[1:])], clock=DAY)
    for user in people[1:]:
        lobby.sit(user, game, now=NOW)
    return game


def to_act(game: str) -> tuple[int, User]:
    table = queries.open_table(game, None, now=NOW)
    seat = table.rounds[1].to_act
    assert seat is not None
    user = table.seats[seat].user
    assert user is not None
    return seat, user


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=3, hours=2, minutes=5), "3 days 2 h left"),
        (timedelta(days=1, hours=12, minutes=0), "1 day 12 h left"),
        (timedelta(days=2), "2 days left"),
        (timedelta(hours=23, minutes=40), "23 h 40 min left"),
        (timedelta(hours=5), "5 h left"),
        (timedelta(minutes=59, seconds=59), "59 min left"),
        (timedelta(seconds=-5), "0 min left"),
    ],
)
def test_what_is_left_is_told_to_the_minute(left: timedelta, words: str) -> None:
    assert in_words(left) == words


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (NOW + timedelta(minutes=5), "19:34"),
        (NOW - timedelta(hours=20), "Sat 23:29"),
        (NOW + timedelta(days=6), "Sat 19:29"),
        (NOW + timedelta(days=7), "6 Dec, 19:29"),
        (NOW - timedelta(days=40), "20 Oct, 19:29"),
    ],
)
def test_a_moment_is_told_as_shortly_as_it_is_clear(at: datetime, words: str) -> None:
    with override("en"):
        assert moment(at, NOW) == words


def test_the_table_says_until_when_in_my_own_zone(game: str, browser_of: BrowserOf) -> None:
    _, user = to_act(game)
    user.time_zone = "Asia/Kathmandu"
    user.save()

    with time_machine.travel(NOW, tick=False):
        page = browser_of(user).get(f"/games/{game}/").content.decode()

    assert 'datetime="2026-11-30T19:30:00+00:00">Tue 1 Dec, 01:15</time>' in page
    assert "Move by" in page
    assert "(1 day left)" in page


# Each opens 20 hours before the clocks of its zone change, or where there is 45 minutes to UTC.
CHANGES = [
    ("America/New_York", datetime(2026, 3, 7, 11, 0, 31, tzinfo=UTC)),
    ("America/New_York", datetime(2026, 10, 31, 10, 0, 31, tzinfo=UTC)),
    ("Asia/Kathmandu", datetime(2026, 11, 29, 19, 29, 31, tzinfo=UTC)),
]


@pytest.mark.parametrize(("zone", "opened"), CHANGES)
def test_the_page_the_api_and_the_sweep_agree_to_the_second(
    people: Sequence[User], browser_of: BrowserOf, zone: str, opened: datetime
) -> None:
    for user in people:
        user.time_zone, user.night_start, user.night_end = zone, time(23), time(7)
        user.save()
    with time_machine.travel(opened, tick=False):
        seats = ["me", *(f"user:{user}" for user in people[1:])]
        wanted = lobby.NewGame(rules=ARCADIA, seats=seats, clock=DAY)
        game = lobby.create_game(people[0], wanted, now=opened).game.pk
        for user in people[1:]:
            lobby.sit(user, game, now=opened)
        seat, user = to_act(game)
        browser = browser_of(user)
        page = browser.get(f"/games/{game}/").content.decode()
        seen = browser.get(f"/api/v1/games/{game}").json()
        [turn] = browser.get("/api/v1/me/turns").json()["turns"]

    row = Round.objects.get(game=game)
    deadline = datetime.fromisoformat(row.clocks[str(seat)]["deadline"])
    local = deadline.astimezone(ZoneInfo(zone))
    assert f'<time datetime="{deadline:%Y-%m-%dT%H:%M:%S}+00:00">' in page
    assert f"{local:%H:%M}</time>" in page
    assert seen["rounds"][0]["deadline"] == turn["deadline"] == f"{deadline:%Y-%m-%dT%H:%M:%SZ}"
    late = [_late_after_a_look(game, seat, deadline + GRACE + wait) for wait in (-SECOND, NO_TIME)]
    assert late == [0, 1]


def _late_after_a_look(game: str, seat: int, now: datetime) -> int:
    pace.wake(game, round=1, now=now)
    return Seat.objects.get(game=game, number=seat).timeouts_running


def test_others_see_whom_the_table_waits_for(game: str, browser_of: BrowserOf, eli: User) -> None:
    _, user = to_act(game)

    with time_machine.travel(NOW, tick=False):
        page = browser_of(eli).get(f"/games/{game}/").content.decode()

    assert f"{user.username} has until" in page


def test_my_games_tell_what_is_left_and_mark_what_is_urgent(
    game: str, browser_of: BrowserOf
) -> None:
    _, user = to_act(game)
    browser = browser_of(user)

    with time_machine.travel(NOW, tick=False):
        home = browser.get("/home/").content.decode()
        assert "<b>1 day left</b>, by Mon 19:30" in home
    with time_machine.travel(NOW + timedelta(hours=23, minutes=30), tick=False):
        page = browser.get("/home/").content.decode()
    assert "30 min left" in page
    assert "game--soon" in page


def test_the_next_game_is_the_one_with_the_nearest_deadline(
    game: str, people: Sequence[User], browser_of: BrowserOf
) -> None:
    _, user = to_act(game)
    others = [other for other in people if other != user]
    week = {"kind": "per_turn", "seconds": 604800}
    patient = new_game(user, ARCADIA, ["me", *(f"user:{each}" for each in others)], clock=week)
    for other in others:
        lobby.sit(other, patient, now=NOW)
    Game.objects.filter(pk=patient).update(started_at=datetime(2020, 1, 1, tzinfo=UTC))

    assert browser_of(user).get("/next/")["Location"] == f"/games/{game}/"
    home = browser_of(user).get("/home/").content.decode()
    assert home.index(f'href="/games/{game}/"') < home.index(f'href="/games/{patient}/"')


def test_a_seat_that_a_bot_keeps_is_taken_back_on_the_page(
    game: str, browser_of: BrowserOf
) -> None:
    seat, user = to_act(game)
    Seat.objects.filter(game=game, number=seat).update(timeouts_running=2, stand_in_since=NOW)
    browser = browser_of(user)
    assert "Take my seat back" in browser.get(f"/games/{game}/").content.decode()
    assert "stand-in bot" in Client().get(f"/games/{game}/").content.decode()

    assert browser.post(f"/games/{game}/back").status_code == 302

    assert Seat.objects.get(game=game, number=seat).is_person
    assert browser.post(f"/games/{game}/back").status_code == 409


def test_a_late_seat_is_marked_for_all(game: str) -> None:
    deadline = queries.deadline_of(Round.objects.get(game=game, number=1), to_act(game)[0])
    assert deadline is not None
    pace.wake(game, round=1, now=deadline + timedelta(seconds=30))

    assert ">late<" in Client().get(f"/games/{game}/").content.decode()


def test_a_poll_that_finds_nothing_new_asks_one_thing_of_the_database(
    game: str, browser_of: BrowserOf, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = browser_of(to_act(game)[1])
    page = browser.get(f"/games/{game}/").context["page"]

    with django_assert_num_queries(1):
        answer = browser.get(f"{page.poll}{page.version}", headers={"X-Poll": "1"})

    assert answer.status_code == 204


def test_a_made_up_key_opens_no_table(game: str) -> None:
    Game.objects.filter(pk=game).update(visibility="link")
    seq = Game.objects.get(pk=game).seq

    assert Client().get(f"/games/{game}/table?k=0123456789&v={seq}").status_code == 404
