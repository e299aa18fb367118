"""The player's side of the desk, by forms alone: to report, to read what became of it, to appeal."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import barring
from accounts.models import User
from games.models import Case, Report
from tests.games.desk.staff import WHY, proposed, reported, reviewer, taken
from tests.games.ruled import finished, mid_trick
from tests.games.tables import ARCADIA, ONE_ROUND, log_of

BrowserOf = Callable[[User], Client]
TEXT = "That card should not have been played."


def page(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


@pytest.mark.parametrize("where", ["", "log/", "sheet/", "replay/"])
def test_every_page_of_a_game_leads_to_the_form(
    people: list[User], browser_of: BrowserOf, where: str
) -> None:
    game = mid_trick(people, ARCADIA)

    assert f"/games/{game}/report/" in page(browser_of(people[0]), f"/games/{game}/{where}")
    assert f"/games/{game}/report/" not in page(Client(), f"/games/{game}/{where}")


def test_a_line_of_the_log_and_a_step_of_the_replay_are_named(
    people: list[User], browser_of: BrowserOf
) -> None:
    game, asha = mid_trick(people, ARCADIA), browser_of(people[0])
    seq = log_of(game)[-1].seq

    assert f"/games/{game}/report/?seq={seq - 3}" in page(asha, f"/games/{game}/log/")
    replayed = page(asha, f"/games/{game}/replay/?seq={seq - 3}")
    assert f"/games/{game}/report/?seq={seq - 3}" in replayed
    form = page(asha, f"/games/{game}/report/?seq={seq - 3}")
    assert f'<option value="{seq - 3}" selected>' in form


def test_a_report_is_sent_and_its_reporter_sees_the_check(
    people: list[User], browser_of: BrowserOf
) -> None:
    game, asha = mid_trick(people, ARCADIA), browser_of(people[0])
    form = {"seq": "9", "category": "play", "text": TEXT}

    sent = asha.post(f"/games/{game}/report/", form)

    case = Case.objects.get()
    assert (sent.status_code, sent["Location"]) == (302, f"/cases/{case.pk}/")
    seen = page(asha, f"/cases/{case.pk}/")
    assert TEXT in seen
    assert seen.count("<b>Yes</b>") == 4
    assert "Nothing is decided yet." in seen
    assert f"/cases/{case.pk}/" in page(asha, "/reports/")
    again = asha.post(f"/games/{game}/report/", form)
    assert again.status_code == 409
    assert "has reported this round already" in again.content.decode()
    assert Report.objects.count() == 1


@pytest.mark.parametrize("wrong", [{"text": ""}, {"category": "noise"}, {"text": "x" * 2001}])
def test_what_is_missing_is_said_beside_its_field(
    people: list[User], browser_of: BrowserOf, wrong: dict[str, str]
) -> None:
    game = mid_trick(people, ARCADIA)
    form = {"seq": "9", "category": "play", "text": TEXT, **wrong}

    answer = browser_of(people[0]).post(f"/games/{game}/report/", form)

    assert answer.status_code == 200
    assert "field--wrong" in answer.content.decode()
    assert not Report.objects.exists()


def test_nobody_reads_a_case_that_is_none_of_theirs(
    people: list[User], eli: User, browser_of: BrowserOf
) -> None:
    game = mid_trick(people, ARCADIA)
    case = reported(people[0], game).case

    for user in (people[1], eli):
        assert browser_of(user).get(f"/cases/{case.pk}/").status_code == 404
    assert browser_of(eli).post(f"/cases/{case.pk}/appeal", {"text": "x"}).status_code == 404
    assert Client().get(f"/cases/{case.pk}/").status_code == 302


def test_whom_it_concerns_reads_what_why_which_rule_and_appeals_once(
    people: list[User], browser_of: BrowserOf
) -> None:
    farida, game = reviewer("farida"), finished(people, ONE_ROUND)
    case = taken(people[0], game, farida, now=timezone.now())
    proposed(farida, case, "uphold_play", now=timezone.now())
    bina = browser_of(people[1])

    seen = page(bina, f"/cases/{case.pk}/")

    assert WHY in seen
    assert "/rules/arcadia/#beat" in seen
    assert f"/games/{game}/log/?after=0#e1" in seen
    assert log_of(game)[-1].hash in seen
    assert TEXT not in seen
    assert bina.post(f"/cases/{case.pk}/appeal", {"text": "Look again."}).status_code == 302
    assert Case.objects.get().state == Case.State.APPEALED
    assert "There was an appeal" in page(bina, f"/cases/{case.pk}/")
    again = bina.post(f"/cases/{case.pk}/appeal", {"text": "Look again."}, follow=True)
    assert "cannot be appealed any more" in again.content.decode()


def test_a_suspended_player_reads_and_appeals(people: list[User], browser_of: BrowserOf) -> None:
    farida, game = reviewer("farida"), finished(people, ONE_ROUND)
    case = taken(people[0], game, farida, now=timezone.now())
    proposed(farida, case, "warning", seat=1, now=timezone.now())
    barring.bar(people[1], until=timezone.now() + timedelta(days=3), reason=WHY)
    bina = browser_of(people[1])

    assert "/reports/" in bina.get("/home/").content.decode()
    assert "Staff warned the player of seat 2." in page(bina, "/reports/")
    assert bina.post(f"/cases/{case.pk}/appeal", {"text": "It was a joke."}).status_code == 302
    assert Case.objects.get().state == Case.State.APPEALED
    assert bina.get(f"/games/{game}/report/").status_code == 403


def test_the_numbers_of_every_month_are_public(people: list[User]) -> None:
    farida, game = reviewer("farida"), finished(people, ONE_ROUND)
    proposed(farida, taken(people[0], game, farida), "dismiss")

    seen = page(Client(), "/rulings/")

    assert "November 2026" in seen
    assert "<li>Reports: 1</li>" in seen
    assert "<li>dismiss: 1</li>" in seen
