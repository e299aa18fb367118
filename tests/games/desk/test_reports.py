"""What players report: by whom, about what, how often, and what the automatic check tells them."""

from datetime import timedelta

import pytest

from accounts.models import User
from games import store
from games.models import Case, CaseStep, Event, Round
from games.refusals import (
    AlreadyReported,
    GameNotFound,
    NoSuchEvent,
    NotSeated,
    TooManyReports,
)
from games.services.desk import reports
from tests.games.desk.staff import WORDS, reported
from tests.games.ruled import mid_trick, ruled, second_round
from tests.games.tables import ARCADIA, NOW, fingerprint, new_game, seated

ALL_WELL = {"chain": True, "deal": True, "legality": True, "scores": True}


def seq_of(game: str, kind: str, number: int = 1) -> int:
    return Event.objects.filter(game=game, kind=kind, round=number).latest("seq").seq


def test_a_report_makes_a_case_about_its_round_and_leaves_the_game_alone(
    people: list[User],
) -> None:
    game = mid_trick(people, ARCADIA)
    before = fingerprint(game)

    made = reported(people[1], game, seq=seq_of(game, "played"))

    assert (made.case.round, made.case.state, made.seat) == (1, Case.State.REPORTED, 1)
    assert made.checks == ALL_WELL
    assert fingerprint(game) == before
    step = CaseStep.objects.get(case=made.case)
    assert (step.kind, step.by, step.data["seq"]) == ("reported", people[1], made.seq)


def test_reports_about_one_round_pool_into_one_case(people: list[User]) -> None:
    game = second_round(people, ARCADIA)
    first, second = seq_of(game, "played", 1), seq_of(game, "played", 2)

    one = reported(people[0], game, seq=first)
    same = reported(people[1], game, seq=first - 3, category="time")
    other = reported(people[2], game, seq=second)
    of_no_round = reported(people[3], game, seq=1, category="abuse")

    assert one.case == same.case
    assert {one.case.round, other.case.round, of_no_round.case.round} == {1, 2, 0}


def test_a_seat_has_one_report_of_a_round_until_it_is_decided(people: list[User]) -> None:
    game = mid_trick(people, ARCADIA)
    made = reported(people[0], game)

    with pytest.raises(AlreadyReported):
        reported(people[0], game, category="bug")

    Case.objects.filter(pk=made.case_id).update(state=Case.State.DECIDED)
    assert reported(people[0], game).case != made.case


def test_ten_reports_a_day_are_enough(people: list[User]) -> None:
    asha = people[0]
    for _ in range(10):
        reported(asha, new_game(asha, seats=("me", "open", "open", "open")))
    eleventh = new_game(asha, seats=("me", "open", "open", "open"))

    with pytest.raises(TooManyReports):
        reported(asha, eleventh)

    assert reported(asha, eleventh, now=NOW + timedelta(days=1, seconds=1))


def test_only_who_has_or_had_a_seat_reports(people: list[User], eli: User) -> None:
    game = mid_trick(people, ARCADIA)

    with pytest.raises(NotSeated):
        reported(eli, game)

    ruled(game, "replace_seat", seat=2)
    assert reported(people[2], game).seat == 2


def test_a_table_that_is_not_to_be_seen_cannot_be_reported(people: list[User], eli: User) -> None:
    game = seated(people, ARCADIA, visibility="link")

    with pytest.raises(GameNotFound):
        reported(eli, game)


@pytest.mark.parametrize("seq", [0, -1, 10_000])
def test_a_report_names_an_event_of_the_game(people: list[User], seq: int) -> None:
    game = mid_trick(people, ARCADIA)

    with pytest.raises(NoSuchEvent):
        reported(people[0], game, seq=seq)
    assert not Case.objects.exists()


@pytest.mark.parametrize(
    ("category", "text"), [("play", ""), ("play", "  "), ("play", "x" * 2001), ("noise", WORDS)]
)
def test_a_report_says_something(people: list[User], category: str, text: str) -> None:
    game = mid_trick(people, ARCADIA)

    with pytest.raises(ValueError, match="report"):
        reports.report(people[0], game, seq=1, category=category, text=text, now=NOW)


def test_the_check_tells_which_part_is_not_in_order(people: list[User]) -> None:
    game = second_round(people, ARCADIA)
    Round.objects.filter(game=game, number=1).update(scores=[1, 2, 3, 4])

    assert reported(people[0], game).checks == {**ALL_WELL, "scores": False}


def test_a_game_that_does_not_replay_can_be_reported(people: list[User]) -> None:
    game = mid_trick(people, ARCADIA)
    with store.locked(game, now=NOW) as table:  # though it was never frozen
        store.append_fact(table, store.Kind.THAWED, by=store.By.STAFF)

    made = reported(people[0], game)

    assert made.checks == {"chain": True, "deal": True, "legality": False}
