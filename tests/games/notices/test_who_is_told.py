"""Which rows the ledger gets when something happens: who, about what, once."""

from collections.abc import Sequence

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from games import notices
from games.models import Notice
from games.services import lobby, pace, play
from tests.games.notices.acting import DAY, HOUR, MINUTE, act, four, next_player, of, run_out
from tests.games.tables import ARCADIA, NOW, ONE_ROUND, decisions, loaded, new_game, play_on

Kind = Notice.Kind


def told(kind: str) -> list[str]:
    return sorted(
        Notice.objects.filter(kind=kind).values_list("user__username", flat=True).distinct()
    )


def test_a_turn_that_opens_is_told_to_the_person_of_the_seat_alone(people: Sequence[User]) -> None:
    game = four(people)
    first = next_player(game)

    assert told(Kind.YOUR_TURN) == [first.username]
    act(game, now=NOW)
    assert told(Kind.YOUR_TURN) == sorted([first.username, next_player(game).username])


def test_with_sealed_bids_all_four_are_told(people: Sequence[User]) -> None:
    four(people, ONE_ROUND.replace(sealed_bids=True))

    assert told(Kind.YOUR_TURN) == ["asha", "bina", "chandra", "dipak"]


def test_a_reminder_is_told_once_at_eighty_percent(people: Sequence[User]) -> None:
    game = four(people)
    at = NOW + DAY * 4 // 5

    pace.wake(game, round=1, now=at - 2 * MINUTE)
    assert told(Kind.REMINDER) == []
    for minute in (1, 2, 30):
        pace.wake(game, round=1, now=at + minute * MINUTE)

    assert told(Kind.REMINDER) == [next_player(game).username]
    assert Notice.objects.filter(kind=Kind.REMINDER).count() == 1
    # The next alarm is the end of the time: without that the sweep would look again for ever.
    assert pace.sweep(now=at + 2 * HOUR) == 0


def test_time_that_ran_out_and_a_seat_taken_over_are_told_to_its_person(
    people: Sequence[User],
) -> None:
    game = four(people, ARCADIA)
    late = next_player(game)

    at = run_out(game)
    assert of(late, Kind.TIME_RAN_OUT) == [(Kind.TIME_RAN_OUT, "queued", "waits")]
    for _ in range(3):
        act(game, now=at)
    run_out_until(game, late)

    assert told(Kind.SEAT_TAKEN_OVER) == [late.username]
    assert told(Kind.TIME_RAN_OUT) == [late.username]


def run_out_until(game: str, user: User) -> None:
    """Others answer in time until it is this person's turn, who does not."""
    table = loaded(game)
    while next_player(game) != user:
        act(game, now=table.game.started_at or NOW)
    run_out(game)


def test_the_end_of_a_round_and_of_the_match_is_told_to_everybody_at_the_table(
    people: Sequence[User],
) -> None:
    game = four(people, ONE_ROUND)
    play_on(game)

    everybody = ["asha", "bina", "chandra", "dipak"]
    assert (told(Kind.ROUND_OVER), told(Kind.MATCH_OVER)) == (everybody, everybody)


def test_an_abandoned_match_is_told_to_those_who_left_it(asha: User) -> None:
    bots = ("bot:steady", "bot:steady", "bot:steady")
    game = new_game(asha, ARCADIA, ("me", *bots), clock={"kind": "per_turn", "seconds": 3600})
    for _ in range(2):
        while (due := decisions(loaded(game))[0]) and due[2] != 0:
            play_on(game, decisions=1)
        at = run_out(game)

    assert loaded(game).game.result == {
        "reason": "abandoned", "winners": [], "totals": [0, 0, 0, 0], "ranks": [1, 1, 1, 1],
    }  # fmt: skip
    assert at > NOW
    assert told(Kind.MATCH_OVER) == ["asha"]


def test_an_invitation_is_told_to_whom_a_seat_is_kept_for(
    asha: User, bina: User, eli: User
) -> None:
    new_game(asha, ONE_ROUND, ("me", "user:bina", "open", "bot:steady"))

    assert told(Kind.INVITATION) == ["bina"]
    assert of(eli) == []


def test_bots_and_people_without_an_address_are_not_told(asha: User, bina: User) -> None:
    User.objects.filter(pk=asha.pk).update(email="")
    User.objects.filter(pk=bina.pk).update(is_bot=True)
    game = new_game(
        User.objects.get(pk=asha.pk),
        ONE_ROUND,
        ("me", "user:bina", "open", "open"),
        bots_may_sit=True,
    )
    lobby.sit(User.objects.get(pk=bina.pk), game, now=NOW)
    lobby.start(User.objects.get(pk=asha.pk), game, now=NOW)
    play_on(game)

    assert not Notice.objects.exists()


def test_a_refused_move_tells_nobody(people: Sequence[User]) -> None:
    game = four(people)
    before = Notice.objects.count()
    wrong = next(user for user in people if user != next_player(game))

    with pytest.raises(Exception, match=r"turn|act"):
        play.place_bid(wrong, game, 3, round=1, turn=0, now=NOW)

    assert Notice.objects.count() == before


def test_what_is_told_twice_is_one_row(people: Sequence[User]) -> None:
    table = loaded(four(people))
    seat = decisions(table)[0][2]
    before = Notice.objects.count()

    for _ in range(3):
        notices.your_turn(table, round=1, turn=0, seat=seat)

    assert Notice.objects.count() == before


def test_the_database_refuses_a_second_row_a_second_digest_and_a_digest_of_a_game(
    people: Sequence[User],
) -> None:
    four(people)
    stored = Notice.objects.filter(kind=Kind.YOUR_TURN).values().get()
    row = {name: value for name, value in stored.items() if name != "id"}
    today = timezone.now().date()
    digest = row | {"kind": Kind.DIGEST, "game_id": None, "day": today}
    Notice.objects.create(**digest)

    for name, wrong in (
        ("notice_once", row),
        ("notice_one_digest_a_day", digest),
        ("notice_of_a_game_or_a_day", row | {"kind": Kind.DIGEST}),
        ("notice_status_known", row | {"turn": 9, "status": "lost"}),
    ):
        with pytest.raises(IntegrityError) as refused, transaction.atomic():
            Notice.objects.create(**wrong)
        # SQLite names a constraint only if it is a check.
        assert name in str(refused.value) or "UNIQUE constraint failed" in str(refused.value)
