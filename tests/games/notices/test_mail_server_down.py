"""A real mail server that is down for hours: nothing lost, nothing doubled, nothing stale, nobody flooded."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from games.models import Notice
from games.services import lobby
from tests.games.notices.acting import (
    DAY,
    HOUR,
    MINUTE,
    ONE_DAY,
    WAITED,
    act,
    four,
    next_player,
    of,
    send,
    wants,
)
from tests.games.notices.mailserver import MailServer, mail_server
from tests.games.tables import NOW, ONE_ROUND, new_game

SEALED = ONE_ROUND.replace(sealed_bids=True)
SWEEP = timedelta(seconds=15)


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    with mail_server(settings) as server:
        yield server


def sweep_from(begin: datetime, until: datetime, every: timedelta = MINUTE) -> None:
    at = begin
    while at < until:
        send(at)
        at += every


def test_two_hours_down_with_200_turns(person: Callable[[str], User], server: MailServer) -> None:
    games = []
    for number in range(50):
        people = [person(f"p{number}x{seat}") for seat in range(4)]
        seats = ["me", *(f"user:{user.username}" for user in people[1:])]
        games.append(new_game(people[0], SEALED, seats, clock=ONE_DAY))
        for user in people[1:]:
            lobby.sit(user, games[-1], now=NOW)
    Notice.objects.filter(kind="invitation").delete()
    assert Notice.objects.filter(kind="your_turn").count() == 200

    # Down for two hours; meanwhile thirty of them bid.
    sweep_from(WAITED, WAITED + HOUR)
    moved = [act(game, now=WAITED + HOUR) for game in games[:30]]
    sweep_from(WAITED + HOUR, WAITED + 2 * HOUR)
    assert not Notice.objects.filter(status="sent").exists()
    tried = Notice.objects.filter(attempts__gt=0).count()

    server.start()
    # Every worker of a busy evening sweeps at once, more than once.
    sweep_from(WAITED + 2 * HOUR, WAITED + 3 * HOUR, every=5 * MINUTE)
    sweep_from(WAITED + 3 * HOUR, WAITED + 4 * HOUR, every=20 * MINUTE)

    got = Counter(address for address, _ in server.mails)
    expected = set(User.objects.values_list("email", flat=True)) - {user.email for user in moved}
    assert set(got) == expected
    assert set(got.values()) == {1}
    assert len(expected) == 170
    assert all(of(user) == [("your_turn", "dropped", "moved")] for user in moved)
    assert not Notice.objects.filter(status="queued").exists()
    assert len({mail["Message-ID"] for _, mail in server.mails}) == 170
    # One try a sweep while it was down, and those that were tried say that they are late.
    assert 0 < tried <= 120
    late = Notice.objects.filter(status="sent", reason="late").first()
    assert late is not None
    assert late.amount >= 60
    assert "Sent once it was back" in late.why


def test_many_turns_of_four_people_are_four_mails(
    people: Sequence[User], server: MailServer
) -> None:
    for _ in range(12):
        four(people, SEALED)

    sweep_from(WAITED, WAITED + 2 * HOUR, every=4 * MINUTE)
    server.start()
    sweep_from(WAITED + 2 * HOUR, WAITED + 5 * HOUR, every=4 * MINUTE)

    assert sorted(address for address, _ in server.mails) == sorted(user.email for user in people)
    assert Notice.objects.filter(status="sent").count() == 4
    assert Notice.objects.filter(status="held_back", reason="one_is_enough").count() == 44


def test_a_server_in_trouble_is_asked_ever_more_slowly(
    people: Sequence[User], server: MailServer
) -> None:
    four(people)

    sweep_from(WAITED, WAITED + 5 * HOUR)

    [notice] = Notice.objects.filter(status="queued")
    assert 15 <= notice.attempts <= 30


def test_one_address_that_is_refused_does_not_stop_the_others(
    people: Sequence[User], server: MailServer
) -> None:
    four(people, SEALED)
    server.refused.add(people[0].email)
    server.start()

    assert send(WAITED) == 3
    assert {address for address, _ in server.mails} == {user.email for user in people[1:]}


def test_after_three_days_a_mail_is_given_up_and_says_so(
    people: Sequence[User], server: MailServer
) -> None:
    game = four(people)
    first = next_player(game)
    Notice.objects.filter(user=first).update(kind="time_ran_out")

    for hour in range(4 * 24):
        send(WAITED + hour * HOUR)
    server.start()
    send(WAITED + 5 * DAY)

    assert of(first) == [("time_ran_out", "dropped", "given_up")]
    assert server.mails == []


def test_a_digest_that_could_not_go_out_on_its_day_is_in_the_next(
    people: Sequence[User], server: MailServer
) -> None:
    four(people, SEALED)
    asha = people[0]
    wants(asha, your_turn="digest")
    User.objects.filter(pk=asha.pk).update(digest_hour=23)
    Notice.objects.exclude(user=asha).delete()
    Notice.objects.update(next_attempt_at=datetime(2026, 11, 29, 23, tzinfo=UTC))

    sweep_from(datetime(2026, 11, 29, 22, tzinfo=UTC), datetime(2026, 11, 30, 2, tzinfo=UTC))
    assert of(asha, "digest") == [("digest", "dropped", "next_day")]
    server.start()
    begin = datetime(2026, 11, 30, 2, tzinfo=UTC)
    sweep_from(begin, begin + 21 * HOUR + 15 * MINUTE, every=5 * MINUTE)

    assert of(asha, "digest") == [("digest", "dropped", "next_day"), ("digest", "sent", "games")]
    assert len(server.mails) == 1
    assert of(asha, "your_turn") == [("your_turn", "in_digest", "digest_chosen")]


def test_what_the_server_gets_can_be_stopped_with_one_click(
    people: Sequence[User], server: MailServer
) -> None:
    four(people)
    server.start()
    send(WAITED)

    [(_, mail)] = server.mails
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["List-Unsubscribe"].strip().startswith("<http")
    assert mail.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in mail.walk()][1:] == ["text/plain", "text/html"]
