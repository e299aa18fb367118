"""Devices that are told "it is your turn in game X": a kind and an id and nothing else, once for each notice and device."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from django.conf import LazySettings
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from py_vapid import Vapid02

from accounts.models import User
from games import tasks
from games.models import Notice, PushDevice
from games.notices import devices, pushing
from games.notices.choices import choose_on_devices
from games.services import pace
from tests.accounts.internet import NAME, Internet, internet, says
from tests.games.notices.acting import (
    DAY,
    MINUTE,
    WAITED,
    act,
    four,
    look_in,
    next_player,
    run_out,
    send,
    wants,
)
from tests.games.notices.browsers import KEY, Browser
from tests.games.tables import NOW

DUE: Final = NOW + MINUTE
BROWSER: Final = Browser()


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Internet]:
    """The devices' own server, somewhere on the internet."""
    with internet(tmp_path) as web:
        web.answers = [says(201)]
        yield web


@pytest.fixture(autouse=True)
def pushing_is_on(settings: LazySettings) -> None:
    settings.CALLBREAK_PUSH_KEY = KEY


def switched_on(user: User, name: str) -> PushDevice:
    endpoint = f"https://{NAME}/push/{name}"
    return devices.switch_on(
        user, endpoint=endpoint, **BROWSER.keys, name="Firefox, Android", now=NOW
    )


def with_devices(people: Sequence[User]) -> tuple[str, User]:
    """A game of four who have a device each, and the one whose turn it is."""
    for user in people:
        switched_on(user, user.username)
    game = four(people)
    return game, next_player(game)


def push(web: Internet, at: datetime) -> int:
    return pushing.send_due(now=at, poster=web.poster())


def messages(user: User, kind: str = "your_turn") -> list[tuple[str, str]]:
    """`(status, reason)` of what this person's devices were to be told, oldest first."""
    rows = Notice.objects.filter(user=user, kind=kind).exclude(device_name="").order_by("pk")
    return [(row.status, row.reason) for row in rows]


def heard(web: Internet) -> list[tuple[str, str]]:
    """`(path, kind)` of what the server was sent."""
    bodies = [json.loads(BROWSER.read(body)) for _headers, body in web.heard]
    return [(path, body["kind"]) for path, body in zip(web.paths, bodies, strict=True)]


def test_a_turn_is_told_to_the_device_of_its_person_alone_and_in_two_words(
    people: Sequence[User], web: Internet
) -> None:
    game, user = with_devices(people)

    assert push(web, DUE - timedelta(seconds=1)) == 0
    assert push(web, DUE) == 1

    [(headers, body)] = web.heard
    assert web.paths == [f"/push/{user.username}"]
    assert json.loads(BROWSER.read(body)) == {"kind": "your_turn", "game": game}
    assert messages(user) == [("sent", "pushed")]
    assert game not in str(headers)
    assert user.username not in str(headers)
    assert 0 < int(headers["ttl"]) <= 24 * 3600


def test_it_is_signed_with_the_sites_key(people: Sequence[User], web: Internet) -> None:
    with_devices(people)
    push(web, DUE)

    [(headers, _body)] = web.heard
    scheme, _, rest = headers["authorization"].partition(" ")
    parts = dict(part.split("=", 1) for part in rest.split(","))
    assert scheme == "vapid"
    assert parts["k"] == devices.public_key()
    assert Vapid02.verify(headers["authorization"])


def test_the_task_run_three_times_tells_once(people: Sequence[User], web: Internet) -> None:
    with_devices(people)

    for minutes in range(3):
        push(web, DUE + minutes * MINUTE)

    assert len(web.heard) == 1


def test_whoever_moved_or_looked_in_is_told_nothing(people: Sequence[User], web: Internet) -> None:
    game, first = with_devices(people)
    act(game, now=NOW + timedelta(seconds=20))
    second = next_player(game)
    look_in(second, NOW + timedelta(seconds=40))

    push(web, DUE + MINUTE)

    assert web.heard == []
    assert messages(first) == [("dropped", "moved")]
    assert messages(second) == [("held_back", "looked_in")]


def test_one_message_until_the_next_visit(people: Sequence[User], web: Internet) -> None:
    game, user = with_devices(people)
    push(web, DUE)
    minutes = 5
    act(game, now=NOW + minutes * MINUTE)
    while next_player(game) != user:
        minutes += 1
        act(game, now=NOW + minutes * MINUTE)

    push(web, NOW + (minutes + 2) * MINUTE)

    assert messages(user) == [("sent", "pushed"), ("held_back", "one_push")]
    assert web.paths.count(f"/push/{user.username}") == 1


def test_what_is_graver_is_told_although_a_message_went_before(
    people: Sequence[User], web: Internet
) -> None:
    game, user = with_devices(people)
    push(web, DUE)
    at = NOW + DAY * 4 // 5 + MINUTE

    pace.wake(game, round=1, now=at)
    push(web, at)
    over = run_out(game)
    push(web, over + MINUTE)

    mine = f"/push/{user.username}"
    kinds = [kind for path, kind in heard(web) if path == mine]
    assert kinds == ["your_turn", "reminder", "time_ran_out"]
    assert messages(user, "reminder") == [("sent", "time_is_short")]


def test_each_kind_is_told_or_not_as_its_person_likes_whatever_they_chose_for_mail(
    people: Sequence[User], web: Internet, mailoutbox: list[EmailMessage]
) -> None:
    _, user = with_devices(people)
    wants(user, your_turn="off")
    push(web, DUE)
    assert messages(user) == [("sent", "pushed")]
    send(WAITED)
    assert mailoutbox == []

    _, other = with_devices(people)
    choose_on_devices(other, ["reminder"])
    other.save()
    push(web, DUE)
    send(WAITED)

    assert messages(other)[-1] == ("held_back", "off")


def test_mail_and_messages_know_nothing_of_each_other(
    people: Sequence[User], web: Internet, mailoutbox: list[EmailMessage]
) -> None:
    _, user = with_devices(people)

    push(web, DUE)
    send(WAITED)

    assert len(web.heard) == 1
    assert [mail.to for mail in mailoutbox] == [[user.email]]


def test_who_has_no_mail_address_is_told_all_the_same(
    people: Sequence[User], web: Internet
) -> None:
    User.objects.update(email="")
    for user in people:
        user.refresh_from_db()
    with_devices(people)

    assert push(web, DUE) == 1
    assert not Notice.objects.filter(device_name="").exists()


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_switched_off_and_the_ledger_says_so(
    people: Sequence[User], web: Internet, status: int
) -> None:
    _, user = with_devices(people)
    web.answers = [says(status)]

    push(web, DUE)

    assert not user.push_devices.exists()
    assert messages(user) == [("dropped", "gone")]
    assert Notice.objects.get(reason="gone").device_name == "Firefox, Android"


def test_what_waits_for_a_device_that_was_switched_off_is_dropped(
    people: Sequence[User], web: Internet
) -> None:
    _, user = with_devices(people)
    devices.switch_off(user, user.push_devices.get().pk)

    push(web, DUE)

    assert web.heard == []
    assert messages(user) == [("dropped", "no_device")]


def test_a_server_in_trouble_is_asked_again_and_then_given_up(
    people: Sequence[User], web: Internet
) -> None:
    _, user = with_devices(people)
    web.answers = [says(503)]

    for minutes in range(1, 61):
        push(web, NOW + minutes * MINUTE)

    assert len(web.heard) == pushing.MOST_ATTEMPTS
    assert messages(user) == [("dropped", "no_answer")]
    assert user.push_devices.exists()


def test_a_server_that_is_well_again_gets_it(people: Sequence[User], web: Internet) -> None:
    _, user = with_devices(people)
    web.answers = [says(429), says(201)]

    push(web, DUE)
    push(web, DUE + 5 * MINUTE)

    assert messages(user) == [("sent", "pushed")]


@pytest.mark.parametrize("status", [302, 307])
def test_no_redirect_is_followed(people: Sequence[User], web: Internet, status: int) -> None:
    _, user = with_devices(people)
    web.answers = [says(status, {"Location": f"https://{NAME}/elsewhere"})]

    push(web, DUE)

    assert len(web.heard) == 1
    assert messages(user) == [("dropped", "no_answer")]


def test_nothing_is_sent_into_a_network_of_ours(people: Sequence[User], web: Internet) -> None:
    _, user = with_devices(people)
    web.names = [["127.0.0.1"]]

    push(web, DUE)

    assert web.called == []
    assert messages(user) == [("queued", "waits")]


def test_without_a_key_nothing_is_written_and_nothing_sent(
    people: Sequence[User], web: Internet, settings: LazySettings
) -> None:
    settings.CALLBREAK_PUSH_KEY = ""
    _, user = with_devices(people)

    tasks.send_pushes()

    assert Notice.objects.filter(user=user).exists()
    assert not Notice.objects.exclude(device_name="").exists()


def test_a_browser_that_changes_hands_belongs_to_the_last_and_five_are_the_most(
    people: Sequence[User],
) -> None:
    switched_on(people[0], "one")
    switched_on(people[1], "one")
    assert [device.user for device in PushDevice.objects.all()] == [people[1]]

    for number in range(7):
        switched_on(people[0], f"{number}")

    kept = people[0].push_devices.order_by("pk").values_list("endpoint", flat=True)
    assert list(kept) == [f"https://{NAME}/push/{number}" for number in range(2, 7)]


def test_the_database_refuses_a_second_row_for_a_notice_on_a_device(
    people: Sequence[User],
) -> None:
    _, user = with_devices(people)
    row = Notice.objects.exclude(device_name="").get(user=user)
    device = user.push_devices.get()
    row.pk = device.pk = None

    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        device.save(force_insert=True)


GOOD: Final = {"endpoint": "https://push.example/one", **BROWSER.keys}


@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": "http://push.example/one"},
        {"endpoint": "https://127.0.0.1/one"},
        {"endpoint": "https://user:word@push.example/one"},
        {"endpoint": "https://push.example/" + "x" * 1000},
        {"endpoint": "https://push.example/\r\nHost: other"},
        {"endpoint": ""},
        {"p256dh": ""},
        {"p256dh": "BA" + "A" * 85},
        {"p256dh": "!" * 87},
        {"auth": "A" * 20},
        {"auth": "?"},
    ],
)
def test_what_nothing_could_be_sent_to_is_refused(asha: User, changes: dict[str, str]) -> None:
    with pytest.raises(devices.BadDevice):
        devices.switch_on(asha, **(GOOD | changes), name="", now=NOW)

    assert not PushDevice.objects.exists()
