"""Mail from us: the form, the ledger, and the link that stops a kind of mail."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from games import tasks
from games.models import Notice
from games.notices.choices import USUAL
from games.notices.stopping import stop_link
from tests.games.notices.acting import WAITED, act, four, next_player, of, send, wants
from tests.games.tables import NOW, ONE_ROUND
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]
PAGE = "/settings/notices/"


def filled(**changes: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {kind: choice.value for kind, choice in USUAL.items()}
    day = {
        "time_zone": "Asia/Kathmandu",
        "digest_hour": "18",
        "night_start": "22:30",
        "night_end": "07:00",
        "holidays": "2026-12-25\n2026-10-21",
    }
    return usual | day | changes


def test_the_page_shows_the_usual_choices_and_every_zone(asha: User, browser_of: BrowserOf) -> None:
    page = browser_of(asha).get(PAGE).content.decode()

    check(page)
    assert page.count('type="radio"') == 3 * len(USUAL)
    assert page.count(" checked") == len(USUAL)
    assert "Asia/Kathmandu (+05:45)" in page
    assert '<option value="UTC" selected>' in page
    assert "asha@example.com" in page


def test_what_is_saved_is_shown_and_holds(asha: User, browser_of: BrowserOf) -> None:
    browser = browser_of(asha)

    answer = browser.post(PAGE, filled(round_over="off", reminder="digest"), follow=True)

    asha.refresh_from_db()
    assert answer.redirect_chain == [(PAGE, 302)]
    assert asha.notice_choices["round_over"] == "off"
    assert asha.notice_choices["reminder"] == "digest"
    assert (asha.time_zone, asha.digest_hour) == ("Asia/Kathmandu", 18)
    assert (asha.night_start, asha.night_end) == (time(22, 30), time(7))
    assert asha.holidays == ["2026-10-21", "2026-12-25"]
    page = answer.content.decode()
    assert '<option value="Asia/Kathmandu" selected>' in page
    assert 'name="round_over" value="off" checked' in page


def test_no_night_and_no_holidays(asha: User, browser_of: BrowserOf) -> None:
    browser_of(asha).post(PAGE, filled(night_start="", night_end="", holidays=""))

    asha.refresh_from_db()
    assert (asha.night_start, asha.night_end, asha.holidays) == (None, None, [])


DAYS_16 = "\n".join(f"2026-05-{day:02}" for day in range(1, 17))
WRONG = [
    ({"night_start": "07:00", "night_end": "07:00"}, "night_end"),  # of 0 or of 24 hours
    ({"night_start": "20:00", "night_end": "08:01"}, "night_end"),
    ({"night_start": "08:00", "night_end": "20:01"}, "night_end"),
    ({"night_start": "", "night_end": "07:00"}, "night_end"),
    ({"night_start": "22:00", "night_end": ""}, "night_end"),
    ({"night_start": "25:00"}, "night_start"),
    ({"time_zone": "Mars/Olympus"}, "time_zone"),
    ({"time_zone": ""}, "time_zone"),
    ({"digest_hour": "24"}, "digest_hour"),
    ({"holidays": DAYS_16}, "holidays"),
    ({"holidays": "25.12.2026"}, "holidays"),
    ({"holidays": "2026-02-30"}, "holidays"),
    ({"holidays": "\n".join(f"20{year}-01-01" for year in range(10, 71))}, "holidays"),
    ({"your_turn": "hourly"}, "your_turn"),
    ({"your_turn": ""}, "your_turn"),
]


@pytest.mark.parametrize(("changes", "field"), WRONG)
def test_what_cannot_be_is_refused_and_changes_nothing(
    asha: User, browser_of: BrowserOf, changes: dict[str, str], field: str
) -> None:
    browser = browser_of(asha)
    before = User.objects.filter(pk=asha.pk).values().get()

    answer = browser.post(PAGE, filled(**changes))

    assert answer.status_code == 200
    assert field in answer.context["form"].errors
    after = User.objects.filter(pk=asha.pk).values().get()
    assert {**after, "last_visit_at": None} == {**before, "last_visit_at": None}


@pytest.mark.parametrize(
    "night", [("20:00", "08:00"), ("08:00", "20:00"), ("23:59", "00:00"), ("00:00", "12:00")]
)
def test_nights_of_up_to_twelve_hours(
    asha: User, browser_of: BrowserOf, night: tuple[str, str]
) -> None:
    browser_of(asha).post(PAGE, filled(night_start=night[0], night_end=night[1]))

    asha.refresh_from_db()
    assert asha.night_start is not None
    assert f"{asha.night_start:%H:%M}" == night[0]


def test_fifteen_holidays_in_each_of_two_years(asha: User, browser_of: BrowserOf) -> None:
    days = [f"{year}-05-{day:02}" for year in (2026, 2027) for day in range(1, 16)]

    browser_of(asha).post(PAGE, filled(holidays="\n".join(days)))

    asha.refresh_from_db()
    assert asha.holidays == days


def test_holidays_that_are_over_stay_and_count(asha: User, browser_of: BrowserOf) -> None:
    browser = browser_of(asha)
    with time_machine.travel("2026-05-10T12:00Z", tick=False):
        browser.post(PAGE, filled(holidays="2026-05-02\n2026-05-10\n2026-05-11"))
        browser.post(PAGE, filled(holidays=""))
    asha.refresh_from_db()
    assert asha.holidays == ["2026-05-02", "2026-05-10"]

    with time_machine.travel("2026-05-12T12:00Z", tick=False):
        fourteen = "\n".join(f"2026-08-{day:02}" for day in range(1, 15))
        answer = browser.post(PAGE, filled(holidays=fourteen))
    assert "holidays" in answer.context["form"].errors

    with time_machine.travel("2027-01-01T12:00Z", tick=False):
        browser.post(PAGE, filled(holidays=""))
    asha.refresh_from_db()
    assert asha.holidays == []


def test_the_ledger_says_what_was_sent_held_back_and_dropped_and_why(
    people: Sequence[User], browser_of: BrowserOf, mailoutbox: list[EmailMessage]
) -> None:
    asha = people[0]
    games = [four(people, ONE_ROUND.replace(sealed_bids=True)) for _ in range(3)]
    while next_player(games[0]) != asha:
        act(games[0], now=NOW)
    act(games[0], now=NOW)
    send(WAITED)

    page = browser_of(asha).get(PAGE).content.decode()

    check(page)
    assert "Your turn, bina, chandra, dipak, round 1" in page
    for tag, why in (
        ("Sent", "You had not looked in for 15 minutes."),
        ("Held back", "One mail is enough until your next visit."),
        ("Dropped", "You had moved before it was sent."),
    ):
        assert f">{tag}</span>" in page
        assert why in page


def test_nobody_sees_the_ledger_of_another(
    people: Sequence[User], eli: User, browser_of: BrowserOf
) -> None:
    game = four(people)
    newest = Notice.objects.latest("pk").pk

    for query in ("", f"?before={newest + 1}", "?before=99999999999999999999", "?before=x"):
        page = browser_of(eli).get(PAGE + query)
        assert page.status_code == 200
        assert game not in page.content.decode()


def test_older_lines_are_on_further_pages(people: Sequence[User], browser_of: BrowserOf) -> None:
    asha, game = people[0], four(people)
    Notice.objects.all().delete()
    Notice.objects.bulk_create(
        Notice(
            user=asha, game_id=game, kind="your_turn", round=1, turn=turn,
            created_at=NOW + timedelta(minutes=turn), due_at=NOW, next_attempt_at=NOW,
        )
        for turn in range(150)
    )  # fmt: skip
    Notice.objects.update(status="sent", reason="not_seen")
    browser, query, shown = browser_of(asha), "", []

    while True:
        answer = browser.get(PAGE + query)
        shown.append(len(answer.context["entries"]))
        query = answer.context["older"]
        if not query:
            break

    assert shown == [60, 60, 30]


def test_turns_of_a_fast_game_are_one_line_and_none_seems_to_wait(
    people: Sequence[User], browser_of: BrowserOf
) -> None:
    asha, game = people[0], four(people, ONE_ROUND)
    while Notice.objects.filter(user=asha, kind="your_turn").count() < 3:
        act(game, now=NOW)
    while next_player(game) == asha:
        act(game, now=NOW)

    entries = browser_of(asha).get(PAGE).context["entries"]

    assert Notice.objects.filter(user=asha, status="queued").count() == 3
    assert [(entry.what, entry.status, entry.why) for entry in entries] == [
        (
            "Your turn, bina, chandra, dipak, round 1, 3 times",
            "Dropped",
            "You had moved before it was sent.",
        )
    ]


def test_a_turn_that_is_mine_still_waits_in_the_ledger(
    people: Sequence[User], browser_of: BrowserOf
) -> None:
    game = four(people, ONE_ROUND)
    first = next_player(game)

    entries = browser_of(first).get(PAGE).context["entries"]

    assert [(entry.status, entry.why) for entry in entries] == [
        ("Waiting", "It goes out if it is still news then.")
    ]


def test_as_many_queries_for_a_full_ledger_as_for_one_line(
    people: Sequence[User], browser_of: BrowserOf, django_assert_num_queries: Any
) -> None:
    asha, browser = people[0], browser_of(people[0])
    four(people, ONE_ROUND.replace(sealed_bids=True))
    browser.get(PAGE)
    with django_assert_num_queries(8):
        browser.get(PAGE)
    for _ in range(4):
        four(people, ONE_ROUND.replace(sealed_bids=True))

    with django_assert_num_queries(8):
        browser.get(PAGE)
    assert Notice.objects.filter(user=asha).count() == 5


@pytest.mark.django_db
def test_a_guest_is_told_that_there_is_no_address() -> None:
    browser = Client()
    browser.post("/play/", {})

    page = browser.get(PAGE).content.decode()

    check(page)
    assert "We have no mail address of yours" in page
    assert not Notice.objects.exists()


def test_a_new_hour_holds_for_what_waits_already(
    people: Sequence[User], browser_of: BrowserOf
) -> None:
    asha = people[0]
    wants(asha, your_turn="digest")
    with time_machine.travel(NOW, tick=False):
        four([User.objects.get(pk=user.pk) for user in people], ONE_ROUND.replace(sealed_bids=True))
        browser_of(asha).post(PAGE, filled(your_turn="digest", time_zone="UTC", digest_hour="21"))

    due = Notice.objects.get(user=asha).next_attempt_at
    assert due == datetime(2026, 11, 29, 21, 0, tzinfo=UTC)


# The link that stops


@pytest.fixture
def notice(people: Sequence[User]) -> Notice:
    first = next_player(four(people))
    return Notice.objects.get(user=first)


def path_of(notice: Notice) -> str:
    return "/" + stop_link(notice).split("/", 3)[3]


def choices_of(user: User) -> dict[str, str]:
    return User.objects.get(pk=user.pk).notice_choices


def test_get_changes_nothing(notice: Notice, browser_of: BrowserOf) -> None:
    for browser in (Client(), browser_of(notice.user)):
        for _ in range(3):
            answer = browser.get(path_of(notice))
            browser.head(path_of(notice))
        assert answer.status_code == 200
        assert '<form class="stack" action="" method="post">' in answer.content.decode()

    check(answer.content.decode())
    assert choices_of(notice.user) == {}


def test_post_works_logged_out_and_as_mail_programs_send_it(notice: Notice) -> None:
    browser = Client(enforce_csrf_checks=True)

    answer = browser.post(path_of(notice), {"List-Unsubscribe": "One-Click"})

    assert answer.status_code == 200
    assert choices_of(notice.user) == {"your_turn": "off"}
    check(answer.content.decode())
    send(WAITED)
    assert of(notice.user) == [("your_turn", "held_back", "off")]


def test_the_link_cannot_switch_on_again(notice: Notice) -> None:
    for body in ({}, {"your_turn": "at_once"}, {"on": "1"}, {"List-Unsubscribe": "No"}):
        Client().post(path_of(notice), body)

    assert choices_of(notice.user) == {"your_turn": "off"}


def test_it_stops_its_own_kind_of_its_own_person_alone(
    notice: Notice, people: Sequence[User]
) -> None:
    wants(notice.user, reminder="digest")

    Client().post(path_of(notice))

    assert choices_of(notice.user) == {"reminder": "digest", "your_turn": "off"}
    assert all(choices_of(user) == {} for user in people if user != notice.user)


def test_the_link_of_a_digest_stops_what_comes_in_it(notice: Notice) -> None:
    wants(notice.user, your_turn="digest")
    notice.kind = "digest"

    Client().post(path_of(notice))

    assert choices_of(notice.user) == {"your_turn": "off", "round_over": "off"}


@pytest.mark.parametrize("token", ["x", "WzEsInlvdXJfdHVybiJd:x", "a" * 300])
def test_a_token_that_we_did_not_sign_is_nothing(notice: Notice, token: str) -> None:
    for method in ("get", "post"):
        assert getattr(Client(), method)(f"/notices/stop/{token}/").status_code == 404

    assert choices_of(notice.user) == {}


def test_the_token_is_in_no_log(notice: Notice, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        Client().get(path_of(notice))

    assert path_of(notice).split("/")[3] not in caplog.text


# The whole way


def test_an_open_tab_does_not_suppress_mail(
    people: Sequence[User], browser_of: BrowserOf, mailoutbox: list[EmailMessage]
) -> None:
    game = four(people)
    first = next_player(game)
    browser = browser_of(first)

    for minute in range(16):
        with time_machine.travel(NOW + timedelta(minutes=minute), tick=False):
            browser.get(f"/games/{game}/table?v=1")
            browser.get(f"/games/{game}/?by-itself=1")
            tasks.send_notices()

    assert [mail.to for mail in mailoutbox] == [[first.email]]


def test_a_page_loaded_in_time_does(
    people: Sequence[User], browser_of: BrowserOf, mailoutbox: list[EmailMessage]
) -> None:
    game = four(people)
    first = next_player(game)
    with time_machine.travel(NOW + timedelta(minutes=3), tick=False):
        browser_of(first).get(f"/games/{game}/")

    send(WAITED)

    assert mailoutbox == []
    assert of(first) == [("your_turn", "held_back", "looked_in")]
