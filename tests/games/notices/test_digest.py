"""The daily digest: once per local day, whatever the clocks do, most urgent first, nothing stale in it."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.core.mail import EmailMessage

from accounts.models import User
from games import tasks
from games.models import Notice
from games.notices.choices import digest_at, next_digest_at
from games.services import pace
from tests.games.notices.acting import DAY, HOUR, MINUTE, act, four, look_in, of, send, wants
from tests.games.tables import NOW, ONE_ROUND, loaded

Mails = list[EmailMessage]
SEALED = ONE_ROUND.replace(sealed_bids=True)
ALL = dict.fromkeys(
    ["your_turn", "reminder", "time_ran_out", "seat_taken_over", "round_over", "match_over", "invitation"],
    "digest",
)  # fmt: skip


def live_in(user: User, zone: str, hour: int) -> User:
    User.objects.filter(pk=user.pk).update(time_zone=zone, digest_hour=hour, notice_choices=ALL)
    user.refresh_from_db()
    return user


def send_twice(at: datetime) -> int:
    """The first sweep puts a digest together, the next one sends it."""
    return send(at) + send(at)


def notice(user: User, game: str, *, turn: int, at: datetime) -> Notice:
    """A piece of news for the digest, written at `at`, that stays news while the match runs."""
    due = next_digest_at(user, at)
    return Notice.objects.create(
        user=user, kind="time_ran_out", game_id=game, round=1, turn=turn,
        created_at=at, due_at=due, next_attempt_at=due,
    )  # fmt: skip


def test_it_comes_at_the_local_hour(people: Sequence[User], mailoutbox: Mails) -> None:
    live_in(people[0], "Asia/Kathmandu", 9)  # 03:15 UTC
    four(people, SEALED)
    asha = people[0]
    nine = datetime(2026, 11, 30, 3, 15, tzinfo=UTC)

    send(nine - timedelta(seconds=1))
    assert [mail for mail in mailoutbox if mail.to == [asha.email]] == []
    send(nine)
    send(nine)

    [mail] = [mail for mail in mailoutbox if mail.to == [asha.email]]
    assert mail.subject == "Your day at Callbreak: 1 game"
    assert of(asha) == [("your_turn", "in_digest", "digest_chosen"), ("digest", "sent", "games")]


CHANGES = [
    # Zone, hour of the digest, first local day; each stretch of days has a change of the clocks in its middle.
    ("Europe/Berlin", 2, date(2026, 10, 23)),  # 02:00 comes twice
    ("Europe/Berlin", 2, date(2026, 3, 27)),  # 02:00 does not come
    ("Europe/Berlin", 9, date(2026, 10, 23)),
    ("Europe/Berlin", 9, date(2026, 3, 27)),
    ("America/New_York", 1, date(2026, 10, 30)),
    ("America/New_York", 2, date(2026, 3, 6)),
    ("America/Santiago", 0, date(2026, 9, 4)),  # midnight does not come
    ("Australia/Lord_Howe", 2, date(2026, 10, 2)),  # half an hour
    ("Asia/Kathmandu", 9, date(2026, 10, 23)),
]


@pytest.mark.parametrize(("zone", "hour", "first"), CHANGES)
def test_digest_once_per_local_day_over_a_change_of_the_clocks(
    people: Sequence[User], mailoutbox: Mails, zone: str, hour: int, first: date
) -> None:
    asha = live_in(people[0], zone, hour)
    game = four(people)
    Notice.objects.all().delete()
    begin = datetime.combine(first, time(), tzinfo=ZoneInfo(zone)).astimezone(UTC) - DAY // 2
    days: list[date] = []

    for step in range(5 * 48):
        at = begin + step * 30 * MINUTE
        if step % 4 == 0:
            notice(asha, game, turn=100 + step, at=at)
        with time_machine.travel(at, tick=False):
            for _ in range(2):
                tasks.send_notices()
        days += [at.astimezone(ZoneInfo(zone)).date()] * len(mailoutbox)
        mailoutbox.clear()

    # Every day got exactly one: none was left out, none had two.
    assert days == [days[0] + timedelta(days=place) for place in range(len(days))]
    assert len(days) >= 4


def test_an_hour_that_does_not_come_is_the_end_of_the_gap(asha: User) -> None:
    berlin = live_in(asha, "Europe/Berlin", 2)
    assert digest_at(berlin, date(2026, 3, 29)) == datetime(2026, 3, 29, 1, 0, tzinfo=UTC)  # 03:00

    santiago = live_in(asha, "America/Santiago", 0)
    assert digest_at(santiago, date(2026, 9, 6)) == datetime(2026, 9, 6, 4, 0, tzinfo=UTC)  # 01:00


def test_moving_to_another_zone_gives_no_second_digest_on_the_same_date(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    asha = live_in(people[0], "Asia/Kathmandu", 9)
    game = four(people)
    Notice.objects.all().delete()
    notice(asha, game, turn=90, at=NOW)
    nine = datetime(2026, 11, 30, 3, 15, tzinfo=UTC)
    assert send_twice(nine) == 1

    live_in(asha, "America/Los_Angeles", 9)  # where it is still the evening before
    notice(asha, game, turn=91, at=nine)
    for hour in range(30):
        send_twice(nine + hour * HOUR)

    digests = Notice.objects.filter(user=asha, kind="digest", status="sent").order_by("pk")
    assert [str(digest.day) for digest in digests] == ["2026-11-30"]
    assert send_twice(nine + 40 * HOUR) == 1


def test_most_urgent_first_and_each_decision_once(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    asha = live_in(people[0], "UTC", 9)
    relaxed, fast = four(people, SEALED), four(people, SEALED)
    hurry(fast)
    table = loaded(fast)
    pace.wake(fast, round=1, now=NOW + 11 * HOUR)
    at = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)

    send_twice(at)

    [mail] = [mail for mail in mailoutbox if mail.to == [asha.email]]
    text = str(mail.body)
    assert text.index(f"/games/{fast}/") < text.index(f"/games/{relaxed}/")
    assert text.count(f"/games/{fast}/") == 1
    assert table.game.status == "playing"
    digest = Notice.objects.get(user=asha, kind="digest")
    assert digest.why == "Games in it: 2, most urgent first."


def hurry(game: str) -> None:
    """Let the open turns of this game end sooner than they would."""
    row = loaded(game).rows[1]
    for kept in row.clocks.values():
        kept["deadline"] = (NOW + 14 * HOUR).isoformat()
        kept["remind"] = (NOW + 10 * HOUR).isoformat()
    row.save(update_fields=["clocks"])


def test_what_was_done_or_seen_before_the_digest_is_not_in_it(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    game = four(people)
    for user in people:
        live_in(user, "UTC", 9)
        Notice.objects.filter(user=user).update(
            next_attempt_at=datetime(2026, 11, 30, 9, tzinfo=UTC)
        )
    first = act(game, now=NOW + HOUR)
    news = notice(first, game, turn=90, at=NOW)
    look_in(first, NOW + 2 * HOUR)

    send(datetime(2026, 11, 30, 9, 1, tzinfo=UTC))
    send(datetime(2026, 11, 30, 9, 2, tzinfo=UTC))

    assert [mail for mail in mailoutbox if mail.to == [first.email]] == []
    news.refresh_from_db()
    assert (news.status, news.reason) == ("held_back", "looked_in")
    assert of(first, "your_turn") == [("your_turn", "dropped", "moved")]
    assert of(first, "digest") in ([], [("digest", "dropped", "nothing_left")])


def test_a_sweep_that_slept_past_midnight_waits_for_the_hour_of_the_day(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    asha = live_in(people[0], "UTC", 9)
    game = four(people)
    Notice.objects.all().delete()
    notice(asha, game, turn=90, at=NOW)

    assert send(datetime(2026, 12, 1, 0, 30, tzinfo=UTC)) == 0
    assert send_twice(datetime(2026, 12, 1, 9, 0, tzinfo=UTC)) == 1
    assert send(datetime(2026, 12, 1, 23, 59, tzinfo=UTC)) == 0


def test_whoever_switches_to_at_once_is_told_at_once(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    asha = live_in(people[0], "UTC", 9)
    four(people, SEALED)
    wants(asha, your_turn="at_once")

    send(datetime(2026, 11, 30, 9, 0, tzinfo=UTC))

    assert of(asha) == [("your_turn", "sent", "not_seen")]
