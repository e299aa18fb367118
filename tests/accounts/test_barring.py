"""A suspended account: its person can log in, read why, and do nothing else."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import access, barring
from accounts.access import Access
from accounts.models import ApiToken, User
from games.models import Event
from tests.conftest import PASSWORD
from tests.games.tables import ONE_ROUND, loaded, seated

WHY = "You called other players names."


def suspended(user: User, *, days: int = 3) -> None:
    barring.bar(user, until=timezone.now() + timedelta(days=days), reason=WHY)


def test_logging_in_leads_to_the_reason(asha: User) -> None:
    suspended(asha)
    browser = Client()

    answer = browser.post("/accounts/login/", {"login": "asha", "password": PASSWORD}, follow=True)

    text = answer.content.decode()
    assert answer.status_code == 403
    assert "Your account is suspended until" in text
    assert WHY in text
    assert browser.post("/accounts/logout/").status_code == 302


def test_a_closed_account_is_told_so(asha: User, browser_of: Callable[[User], Client]) -> None:
    barring.bar(asha, until=barring.FOR_GOOD, reason=WHY)

    text = browser_of(asha).get("/home/").content.decode()

    assert "Your account has been closed by staff." in text


@pytest.mark.parametrize("path", ["", "home/", "tables/", "games/new/", "settings/", "rules/"])
def test_every_page_gives_the_reason(
    asha: User, browser_of: Callable[[User], Client], path: str
) -> None:
    suspended(asha)

    answer = browser_of(asha).get(f"/{path}")

    assert (answer.status_code, WHY in answer.content.decode()) == (403, True)


def test_no_move_is_made_by_form_or_by_api(
    people: list[User],
    browser_of: Callable[[User], Client],
    api_of: Callable[[User], APIClient],
) -> None:
    game = seated(people, ONE_ROUND)
    seat = loaded(game).rounds[1].to_act
    assert seat is not None
    suspended(people[seat])
    move = {"round": 1, "turn": 0, "bid": 3}
    before = Event.objects.count()

    by_form = browser_of(people[seat]).post(f"/games/{game}/bid", move, headers={"X-Poll": "1"})
    by_api = api_of(people[seat]).post(f"/api/v1/games/{game}/moves", move, format="json")
    by_session = browser_of(people[seat]).get(f"/api/v1/games/{game}")

    assert by_form.status_code == 403
    assert (by_api.status_code, by_api.json()["code"]) == (403, "barred")
    assert WHY in by_api.json()["detail"]
    assert by_session.json()["code"] == "barred"
    assert Event.objects.count() == before


def test_an_open_page_shows_nothing_new(
    people: list[User], browser_of: Callable[[User], Client]
) -> None:
    game = seated(people, ONE_ROUND)
    suspended(people[0])

    answer = browser_of(people[0]).get(f"/games/{game}/table", headers={"X-Poll": "1"})

    assert answer.status_code == 403
    assert WHY in answer.content.decode()


def test_a_shorter_suspension_ends_no_longer_one(asha: User) -> None:
    barring.bar(asha, until=barring.FOR_GOOD, reason="The first reason, for good.")
    suspended(asha)

    asha.refresh_from_db()
    assert (asha.barred_until, asha.barred_reason) == (
        barring.FOR_GOOD,
        "The first reason, for good.",
    )


def test_an_open_stream_is_closed(asha: User, api_of: Callable[[User], APIClient]) -> None:
    api_of(asha)
    held = Access(token=ApiToken.objects.get().pk)
    assert access.closed([held], now=timezone.now()) == set()

    suspended(asha)

    assert access.closed([held], now=timezone.now()) == {held}
    assert access.closed([held], now=timezone.now() + timedelta(days=4)) == set()


def test_a_suspension_that_is_over_stops_nothing(
    asha: User, browser_of: Callable[[User], Client]
) -> None:
    suspended(asha, days=-1)

    assert browser_of(asha).get("/home/").status_code == 200


def test_the_others_are_not_stopped(
    asha: User, bina: User, browser_of: Callable[[User], Client]
) -> None:
    suspended(asha)

    assert browser_of(bina).get("/home/").status_code == 200
    assert Client().get("/").status_code == 200
