"""Mail at once: a quarter of an hour for a visit, then one mail until the next visit; nothing stale, nothing twice."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage

from accounts.models import User
from games import tasks
from games.models import Notice
from games.notices import sending
from games.services import lobby, pace
from tests.games.notices.acting import (
    DAY,
    HOUR,
    MINUTE,
    WAITED,
    act,
    four,
    look_in,
    next_player,
    of,
    run_out,
    send,
    wants,
)
from tests.games.tables import ARCADIA, NOW, ONE_ROUND, new_game, play_on

SECOND = timedelta(seconds=1)
Mails = list[EmailMessage]


def receivers(mails: Mails) -> list[str]:
    return [address for mail in mails for address in mail.to]


def test_it_waits_a_quarter_of_an_hour(people: Sequence[User], mailoutbox: Mails) -> None:
    first = next_player(four(people))

    assert send(WAITED - SECOND) == 0
    assert send(WAITED) == 1

    assert receivers(mailoutbox) == [first.email]
    assert of(first) == [("your_turn", "sent", "not_seen")]


def test_whoever_looks_in_meanwhile_gets_none(people: Sequence[User], mailoutbox: Mails) -> None:
    first = next_player(four(people))
    look_in(first, NOW + 3 * MINUTE)

    send(WAITED)

    assert mailoutbox == []
    assert of(first) == [("your_turn", "held_back", "looked_in")]


def test_a_visit_before_the_turn_opened_is_none(people: Sequence[User], mailoutbox: Mails) -> None:
    first = next_player(four(people))
    look_in(first, NOW - SECOND)

    assert send(WAITED) == 1


def test_a_turn_that_was_made_before_is_dropped_and_says_so(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    game = four(people)
    first = act(game, now=NOW + 5 * MINUTE)

    send(WAITED)

    assert mailoutbox == []
    assert of(first) == [("your_turn", "dropped", "moved")]


def test_the_task_run_three_times_sends_one_mail(people: Sequence[User], mailoutbox: Mails) -> None:
    four(people)

    with time_machine.travel(WAITED, tick=False):
        for _ in range(3):
            tasks.send_notices()

    assert len(mailoutbox) == 1


def test_a_second_worker_that_took_the_same_row_sends_nothing(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    four(people)
    [taken] = sending.take(WAITED, 50)

    assert sending._see_to(taken, WAITED)
    assert not sending._see_to(taken, WAITED)
    assert send(WAITED) == 0

    assert len(mailoutbox) == 1


def test_a_worker_killed_before_it_sent_is_followed_by_another(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    four(people)
    sending.take(WAITED, 50)  # and dies

    assert send(WAITED + MINUTE) == 0
    assert send(WAITED + sending.LEASE) == 1


def test_one_mail_until_the_next_visit(people: Sequence[User], mailoutbox: Mails) -> None:
    games = [four(people, ONE_ROUND.replace(sealed_bids=True)) for _ in range(5)]
    asha = people[0]

    send(WAITED)
    assert receivers(mailoutbox).count(asha.email) == 1
    assert [row[1:] for row in of(asha)] == [("sent", "not_seen")] + 4 * [
        ("held_back", "one_is_enough")
    ]

    # Still no visit: what comes later is held back too.
    lobby_invitation(people[1], asha)
    send(WAITED + HOUR)
    assert of(asha, "invitation") == [("invitation", "held_back", "one_is_enough")]
    assert receivers(mailoutbox).count(asha.email) == 1

    # After a visit the next one goes out.
    look_in(asha, WAITED + 2 * HOUR)
    later = four_later(people, at=WAITED + 3 * HOUR)
    send(WAITED + 4 * HOUR)
    assert receivers(mailoutbox).count(asha.email) == 2
    assert games
    assert later


def lobby_invitation(host: User, guest: User) -> None:
    new_game(host, ONE_ROUND, ("me", f"user:{guest.username}", "open", "open"))


def four_later(people: Sequence[User], *, at: Any) -> str:
    wanted = lobby.NewGame(
        rules=ONE_ROUND.replace(sealed_bids=True),
        seats=["me", *(f"user:{user.username}" for user in people[1:])],
    )
    game = lobby.create_game(people[0], wanted, now=at).game.id
    for user in people[1:]:
        lobby.sit(user, game, now=at)
    return game


def test_a_reminder_goes_out_although_a_mail_went_before_and_at_once(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    game = four(people)
    first = next_player(game)
    send(WAITED)
    at = NOW + DAY * 4 // 5 + MINUTE

    pace.wake(game, round=1, now=at)
    send(at)

    assert receivers(mailoutbox) == [first.email, first.email]
    assert of(first, "reminder") == [("reminder", "sent", "time_is_short")]


def test_a_reminder_of_another_table_is_held_back_until_a_visit(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    games = [four(people, ONE_ROUND.replace(sealed_bids=True)) for _ in range(3)]
    at = NOW + DAY * 4 // 5 + MINUTE

    for game in games:
        pace.wake(game, round=1, now=at)
    send(at)

    asha = people[0]
    assert [row[1] for row in of(asha, "reminder")] == ["sent", "held_back", "held_back"]
    # The mails about the open turns, due long before, went nowhere: the graver one had gone.
    assert receivers(mailoutbox).count(asha.email) <= 2


def test_time_that_ran_out_is_told_and_its_reminder_is_stale(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    game = four(people)
    late = next_player(game)
    pace.wake(game, round=1, now=NOW + DAY * 4 // 5 + MINUTE)

    at = run_out(game)
    send(at + 15 * MINUTE)

    assert of(late) == [
        ("your_turn", "dropped", "time_over"),
        ("reminder", "dropped", "time_over"),
        ("time_ran_out", "sent", "not_seen"),
    ]


def test_a_seat_that_was_taken_back_is_no_news(people: Sequence[User], mailoutbox: Mails) -> None:
    game = four(people, ARCADIA)
    late = next_player(game)
    at = run_out(game)
    while next_player(game) != late:
        act(game, now=at)
    at = run_out(game)
    pace.take_back(late, game, now=at + MINUTE)

    send(at + HOUR)

    assert of(late, "seat_taken_over") == [("seat_taken_over", "dropped", "came_back")]


def test_an_invitation_to_a_seat_that_is_gone_is_dropped(
    asha: User, bina: User, mailoutbox: Mails
) -> None:
    game = new_game(asha, ONE_ROUND, ("me", "user:bina", "open", "open"))
    lobby.start(asha, game, now=NOW)

    send(WAITED)

    assert of(bina) == [("invitation", "dropped", "not_open")]


def test_what_is_off_is_held_back_and_says_so(people: Sequence[User], mailoutbox: Mails) -> None:
    game = four(people)
    first = next_player(game)
    wants(first, your_turn="off")

    send(WAITED)

    assert mailoutbox == []
    assert of(first) == [("your_turn", "held_back", "off")]


def test_an_address_that_nobody_confirmed_gets_no_mail(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    first = next_player(four(people))
    address = EmailAddress.objects.create(user=first, email=first.email, primary=True)

    send(WAITED)
    assert of(first) == [("your_turn", "held_back", "unconfirmed")]

    EmailAddress.objects.filter(pk=address.pk).update(verified=True)
    Notice.objects.update(status="queued", next_attempt_at=WAITED)
    assert send(WAITED) == 1


def test_an_account_that_was_closed_gets_no_mail(people: Sequence[User], mailoutbox: Mails) -> None:
    first = next_player(four(people))
    User.objects.filter(pk=first.pk).update(is_active=False)

    send(WAITED)

    assert of(first) == [("your_turn", "dropped", "no_address")]


def test_a_match_that_is_over_is_told_and_its_last_round_is_not(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    game = four(people)
    for user in people:
        wants(user, round_over="at_once")
    play_on(game)

    send(WAITED)
    send(WAITED + DAY)

    assert sorted(receivers(mailoutbox)) == sorted(user.email for user in people)
    for user in people:
        assert of(user, "match_over") == [("match_over", "sent", "not_seen")]
        assert of(user, "round_over") == [("round_over", "dropped", "not_running")]


def test_one_notice_that_cannot_be_written_does_not_stop_the_others(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    four(people, ONE_ROUND.replace(sealed_bids=True))
    User.objects.filter(pk=people[0].pk).update(time_zone="Nowhere/Land")

    assert send(WAITED) == 3


def test_old_lines_of_the_ledger_are_forgotten_but_never_a_waiting_one(
    people: Sequence[User],
) -> None:
    game = four(people)
    act(game, now=NOW)
    first = Notice.objects.earliest("pk")
    Notice.objects.filter(pk=first.pk).update(status="sent")
    waiting = Notice.objects.exclude(pk=first.pk).count()

    with time_machine.travel(NOW + 61 * DAY, tick=False):
        tasks.forget_notices()

    assert Notice.objects.count() == waiting
    assert not Notice.objects.filter(pk=first.pk).exists()


@pytest.mark.parametrize("limit", [1, 3])
def test_a_sweep_takes_so_many_and_the_longest_due_first(
    people: Sequence[User], mailoutbox: Mails, limit: int
) -> None:
    four(people, ONE_ROUND.replace(sealed_bids=True))
    last = Notice.objects.latest("pk")
    Notice.objects.filter(pk=last.pk).update(next_attempt_at=NOW)

    assert sending.send_due(now=WAITED, limit=limit) == limit

    assert receivers(mailoutbox)[0] == last.user.email
