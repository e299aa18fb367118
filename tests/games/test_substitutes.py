"""A seat that a bot has kept for a week: offered by its table, taken over by somebody who sees that hand from then on."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from callbreak_verify import verify
from games import queries
from games.models import Game, Notice, Plan, Seat, SeatHolder
from games.notices.freshness import why_stale
from games.refusals import (
    AccountNeeded,
    AlreadySeated,
    GameNotFound,
    HadASeat,
    NameNeeded,
    NotKeptForLong,
    NotOffered,
    NotSeated,
    TooManyGames,
    UnknownPlayer,
)
from games.replay import replay
from games.services import autopilot, following, lobby, pace, play, rematching, substituting
from games.services.audit import verify_game
from tests.games.arranged import LOWEST_HEART
from tests.games.clockwork import (
    HOUR,
    ONE_WEEK,
    answer,
    due,
    four_at,
    run_out,
    seat_of,
    twice_late,
    until_it_is_the_bots_turn,
)
from tests.games.tables import NOW, fingerprint, kinds_of, loaded, log_of, play_on

WEEK: Final = timedelta(days=7)
SECOND: Final = timedelta(seconds=1)


@pytest.fixture
def game(people: Sequence[User]) -> str:
    """A game of four people with a week for every decision."""
    return four_at(people, clock=ONE_WEEK)


def other_than(seat: int, people: Sequence[User]) -> User:
    return people[(seat + 1) % 4]


def kept_for_a_week(game: str) -> tuple[int, datetime]:
    """The seat that a bot keeps, and the first instant at which it may be offered."""
    seat, now = twice_late(game)
    return seat, now + WEEK


def offered(game: str, people: Sequence[User], *, to: str = "") -> tuple[int, datetime]:
    seat, now = kept_for_a_week(game)
    substituting.offer(other_than(seat, people), game, seat=seat, to=to, now=now)
    return seat, now


def hand_of(game: str, seat: int) -> set[str]:
    table = loaded(game)
    return {card.text for card in table.observe(max(table.rounds), seat).hand}


def seen_by(user: User, game: str, *, now: datetime) -> dict[str, object]:
    return queries.game_as_seen(queries.open_table(game, user.pk, now=now), user.pk)


# The whole story


def test_one_human_leaves_comes_back_in_mid_trick_leaves_for_good_and_is_replaced(
    game: str, people: Sequence[User], eli: User
) -> None:
    # They leave: the second time running a bot keeps the seat, and plays on.
    seat, now = twice_late(game)
    owner = people[seat]
    number, _ = until_it_is_the_bots_turn(game, now=now)
    assert seat_of(game, seat).kind == "stand_in"

    # They come back in the middle of a trick, on their own turn, and play that card themselves.
    while not (loaded(game).observe(number, None).trick and loaded(game).bots_due()):
        _one_more(game, now)
    pace.take_back(owner, game, now=now)
    assert due(game)[2] == seat
    answer(game, now=now + HOUR)
    assert [log_of(game)[-1].by, log_of(game)[-1].seat] == ["player", seat]

    # They leave again, for good: again twice, then seven days.
    while due(game)[2] != seat:
        now += HOUR
        answer(game, now=now)
    run_out(game)
    while due(game)[2] != seat:
        answer(game, now=due(game)[3])
    now = run_out(game) + WEEK
    assert seat_of(game, seat).kind == "stand_in"
    substituting.offer(other_than(seat, people), game, seat=seat, now=now)
    before = seen_by(eli, game, now=now)

    substituting.take_over(eli, game, seat=seat, now=now)

    # The substitute sees the hand from now on, and nothing of it as it was before.
    assert "you" not in before
    mine = seen_by(eli, game, now=now)["you"]
    assert isinstance(mine, dict)
    assert set(mine["rounds"][0]["hand"]) == hand_of(game, seat)
    assert queries.observation(loaded(game), number, eli.pk).hand
    event = log_of(game)[-1]
    assert (event.kind, event.by, event.seat, event.data) == ("substituted", "player", seat, {})
    dealt = next(line.seq for line in log_of(game) if line.kind == "dealt")
    assert replay(game, eli.pk, now=now, seq=dealt).seen.seat is None
    assert replay(game, eli.pk, now=now, seq=dealt).seen.hand == ()
    assert replay(game, eli.pk, now=now, seq=event.seq).seen.hand

    # Whoever held it looks on, and plays no more.
    assert "you" not in seen_by(owner, game, now=now)
    number, turn, _, _ = due(game)
    with pytest.raises(NotSeated):
        play.place_bid(owner, game, 3, round=number, turn=turn, now=now)
    with pytest.raises(NotSeated):
        pace.take_back(owner, game, now=now)

    # The match goes on to its end, and everything in its log is as it should be.
    assert not verify_game(game, now=now)
    play_on(game)
    assert Game.objects.get(pk=game).status == "finished"
    assert not verify_game(game, now=now)
    checked = verify(queries.export(game, None, now=now))
    assert [line for is_well, line in checked if not is_well] == []


def _one_more(game: str, now: datetime) -> None:
    """Whoever is due acts: the stand-in, or a person."""
    table = queries.open_table(game, None, now=now)
    if bots := table.bots_due():
        number = bots[0][0]
        following.follow_up(game, round=number, turn=table.rounds[number].turn, now=now)
    else:
        answer(game, now=now)


# Offering


def test_a_seat_may_be_offered_after_seven_days_to_the_second(
    game: str, people: Sequence[User]
) -> None:
    seat, now = kept_for_a_week(game)
    host = other_than(seat, people)
    before = fingerprint(game)

    with pytest.raises(NotKeptForLong) as refused:
        substituting.offer(host, game, seat=seat, now=now - SECOND)
    assert fingerprint(game) == before
    substituting.offer(host, game, seat=seat, now=now)

    assert refused.value.data == {
        "from": (now - now.second * SECOND + timedelta(minutes=1)).isoformat()
    }
    assert seat_of(game, seat).offered_at == now


def test_a_seat_whose_person_is_there_is_not_offered(game: str, people: Sequence[User]) -> None:
    with pytest.raises(NotKeptForLong) as refused:
        substituting.offer(people[0], game, seat=1, now=NOW + WEEK)
    assert refused.value.data == {}


def test_only_who_plays_here_offers_it_or_takes_the_offer_back(
    game: str, people: Sequence[User], eli: User
) -> None:
    seat, now = kept_for_a_week(game)

    for user in (eli, people[seat]):
        with pytest.raises(NotSeated):
            substituting.offer(user, game, seat=seat, now=now)
        with pytest.raises(NotSeated):
            substituting.withdraw(user, game, seat=seat, now=now)
    Game.objects.filter(pk=game).update(visibility="link")
    with pytest.raises(GameNotFound):
        substituting.offer(eli, game, seat=seat, now=now)


def test_an_offer_is_no_event_but_everybody_s_view_changes(
    game: str, people: Sequence[User], eli: User
) -> None:
    seat, now = kept_for_a_week(game)
    host, lines = other_than(seat, people), len(log_of(game))
    versions = [queries.version(game, eli.pk)]

    for act in (substituting.offer, substituting.offer, substituting.withdraw):
        act(host, game, seat=seat, now=now)
        versions.append(queries.version(game, eli.pk))

    assert len(log_of(game)) == lines
    assert versions[1] == versions[2]
    assert len(set(versions)) == 3
    assert queries.known_version(game) == versions[-1]


def test_an_offer_that_is_withdrawn_is_none(game: str, people: Sequence[User], eli: User) -> None:
    seat, now = offered(game, people)

    substituting.withdraw(other_than(seat, people), game, seat=seat, now=now)

    with pytest.raises(NotOffered):
        substituting.take_over(eli, game, seat=seat, now=now)


def test_whoever_comes_back_ends_the_offer(game: str, people: Sequence[User], eli: User) -> None:
    seat, now = offered(game, people, to="eli")

    pace.take_back(people[seat], game, now=now)

    assert (seat_of(game, seat).offered_at, seat_of(game, seat).invited) == (None, None)
    with pytest.raises(NotOffered):
        substituting.take_over(eli, game, seat=seat, now=now)


def test_a_hidden_table_offers_its_seat_to_somebody_by_name(
    game: str, people: Sequence[User], eli: User
) -> None:
    seat, now = kept_for_a_week(game)
    Game.objects.filter(pk=game).update(visibility="link")
    host = other_than(seat, people)
    with pytest.raises(NameNeeded):
        substituting.offer(host, game, seat=seat, now=now)
    with pytest.raises(GameNotFound):
        substituting.take_over(eli, game, seat=seat, now=now)

    substituting.offer(host, game, seat=seat, to="Eli", now=now)

    assert queries.open_table(game, eli.pk, now=now).seat_of(eli.pk) is None
    substituting.take_over(eli, game, seat=seat, now=now)
    assert seat_of(game, seat).user == eli


def test_a_seat_that_is_kept_for_somebody_is_nobody_else_s(
    game: str, people: Sequence[User], eli: User, person: Callable[[str], User]
) -> None:
    farah = person("farah")
    seat, now = offered(game, people, to="farah")

    with pytest.raises(NotOffered):
        substituting.take_over(eli, game, seat=seat, now=now)

    substituting.take_over(farah, game, seat=seat, now=now)


def test_nobody_is_named_who_could_not_come(game: str, people: Sequence[User], eli: User) -> None:
    seat, now = kept_for_a_week(game)
    host = other_than(seat, people)
    eli.is_guest = True
    eli.save()

    for name, refusal in (("nobody", UnknownPlayer), ("eli", AccountNeeded), ("asha", HadASeat)):
        with pytest.raises(refusal):
            substituting.offer(host, game, seat=seat, to=name, now=now)
    assert seat_of(game, seat).offered_at is None


def test_whoever_is_named_is_told_once_and_no_more_when_it_is_over(
    game: str, people: Sequence[User], eli: User
) -> None:
    seat, now = offered(game, people, to="eli")
    substituting.offer(other_than(seat, people), game, seat=seat, to="eli", now=now)

    [notice] = Notice.objects.filter(user=eli)
    assert (notice.kind, notice.round) == ("invitation", 0)


# Taking over


def test_a_guest_takes_no_seat_over(game: str, people: Sequence[User], eli: User) -> None:
    seat, now = offered(game, people)
    eli.is_guest = True
    eli.save()

    with pytest.raises(AccountNeeded):
        substituting.take_over(eli, game, seat=seat, now=now)


def test_nobody_who_sits_or_sat_there_takes_a_seat_over(
    game: str, people: Sequence[User], eli: User
) -> None:
    seat, now = offered(game, people)
    with pytest.raises(AlreadySeated):
        substituting.take_over(other_than(seat, people), game, seat=seat, now=now)
    substituting.take_over(eli, game, seat=seat, now=now)
    # Another seat is left, and the one who was replaced would come back to it.
    gone = (seat + 2) % 4
    Seat.objects.filter(game=game, number=gone).update(
        timeouts_running=2, stand_in_since=now - WEEK, offered_at=now, invited=None
    )

    with pytest.raises(HadASeat):
        substituting.take_over(people[seat], game, seat=gone, now=now)


def test_the_database_lets_nobody_hold_two_seats_of_a_game(
    game: str, people: Sequence[User]
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        SeatHolder.objects.create(game_id=game, user=people[0], person=people[0], seat=2)


def test_of_two_who_want_the_seat_the_second_comes_too_late(
    game: str, people: Sequence[User], eli: User, person: Callable[[str], User]
) -> None:
    farah = person("farah")
    seat, now = offered(game, people)

    substituting.take_over(eli, game, seat=seat, now=now)

    with pytest.raises(NotOffered):
        substituting.take_over(farah, game, seat=seat, now=now)
    assert kinds_of(game).count("substituted") == 1


def test_taking_it_over_again_is_the_same(game: str, people: Sequence[User], eli: User) -> None:
    seat, now = offered(game, people)
    substituting.take_over(eli, game, seat=seat, now=now)
    lines = len(log_of(game))

    substituting.take_over(eli, game, seat=seat, now=now)

    assert len(log_of(game)) == lines


def test_who_has_too_many_games_takes_no_other_over(
    game: str, people: Sequence[User], eli: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, now = offered(game, people)
    monkeypatch.setattr(lobby, "MAX_RUNNING_GAMES", 0)

    with pytest.raises(TooManyGames):
        substituting.take_over(eli, game, seat=seat, now=now)


def test_plans_and_autopilot_of_the_one_before_die(
    game: str, people: Sequence[User], eli: User
) -> None:
    seat, now = offered(game, people)
    owner = people[seat]
    Plan.objects.create(game_id=game, round=1, seat=seat, owner=owner, body=LOWEST_HEART.to_json())
    row = loaded(game).rows[1]
    row.planned, row.autopilot = {str(seat): 0}, [seat]
    row.save()

    substituting.take_over(eli, game, seat=seat, now=now)

    row = loaded(game).rows[1]
    assert (row.planned, row.autopilot) == ({}, [])
    assert not Plan.objects.exists()


def test_their_clock_runs_when_their_turn_comes_and_the_bank_is_the_seat_s(
    people: Sequence[User], eli: User
) -> None:
    bank = {"kind": "bank", "start": 1209600, "increment": 3600, "cap": 1209600}
    game = four_at(people, clock={**bank, "longest_turn": 604800})
    seat, now = twice_late(game)
    now += WEEK
    substituting.offer(other_than(seat, people), game, seat=seat, now=now)
    left = loaded(game).rows[1].banks[seat]

    substituting.take_over(eli, game, seat=seat, now=now)

    assert loaded(game).rows[1].banks[seat] == left
    while due(game)[2] != seat:
        answer(game, now=now)
    _, _, _, deadline = due(game)
    assert deadline <= now + timedelta(seconds=left + 120)


def test_a_substitute_brings_no_further_holidays(
    game: str, people: Sequence[User], eli: User
) -> None:
    seat, now = offered(game, people)
    eli.holidays = [f"{now.date() + timedelta(days=ahead)}" for ahead in range(15)]
    eli.save()

    substituting.take_over(eli, game, seat=seat, now=now)

    while due(game)[2] != seat:
        answer(game, now=now)
    assert due(game)[3] <= now + WEEK + timedelta(minutes=1)


def test_the_autopilot_counts_neither_as_coming_back_nor_as_being_late(
    game: str, people: Sequence[User], eli: User
) -> None:
    seat, now = twice_late(game)
    for on in (True, False):
        autopilot.switch(people[seat], game, round=1, on=on, now=now)
    now += WEEK
    substituting.offer(other_than(seat, people), game, seat=seat, now=now)
    substituting.take_over(eli, game, seat=seat, now=now)

    assert not verify_game(game, now=now)
    checked = verify(queries.export(game, None, now=now))
    assert [line for is_well, line in checked if not is_well] == []


# Afterwards


def test_the_one_before_them_still_sees_a_hidden_table_as_everybody_there_does(
    game: str, people: Sequence[User], eli: User
) -> None:
    seat, now = offered(game, people, to="eli")
    Game.objects.filter(pk=game).update(visibility="link")
    substituting.take_over(eli, game, seat=seat, now=now)
    owner = people[seat]

    assert "you" not in seen_by(owner, game, now=now)
    assert queries.version(game, owner.pk)
    assert [found.pk for found in queries.visible_games(owner)] == [game]
    assert not queries.games_of(owner).exclude(created_by=owner).exists()


def test_notices_to_the_one_before_them_are_dropped(
    game: str, people: Sequence[User], eli: User
) -> None:
    seat, now = offered(game, people)
    substituting.take_over(eli, game, seat=seat, now=now)

    theirs = Notice.objects.filter(user=people[seat]).select_related("game")
    stale = {notice.kind: why_stale(notice) for notice in theirs}
    assert stale["time_ran_out"] == stale["seat_taken_over"] == "replaced"


def test_the_substitute_belongs_to_the_company_of_the_rematch(
    game: str, people: Sequence[User], eli: User
) -> None:
    seat, now = offered(game, people)
    substituting.take_over(eli, game, seat=seat, now=now)
    play_on(game)

    with pytest.raises(NotSeated):
        rematching.rematch(people[seat], game, now=now)
    again = rematching.rematch(eli, game, now=now)

    invited = set(Seat.objects.filter(game=again).values_list("invited__username", flat=True))
    assert invited == {None, *(user.username for user in people)} - {people[seat].username}
    assert list(queries.public_matches(people[seat])) == []
    assert [match.pk for match in queries.public_matches(eli)] == [game]
