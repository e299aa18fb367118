"""A case in the hands of one reviewer: who may take it, for how long, and what the players see of opened hands."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission

from accounts.models import User
from games.models import Case, CaseStep, Game
from games.refusals import CannotRule, MayNotReview
from games.services import quarantine
from games.services.audit import verify_game
from games.services.desk import cases
from tests.games.desk.staff import reported, reviewer, taken
from tests.games.ruled import finished, mid_trick, ruled
from tests.games.tables import ARCADIA, NOW, ONE_ROUND, kinds_of, log_of, seated

LATER = NOW + timedelta(hours=2, seconds=1)


def state_of(case: Case) -> str:
    return Case.objects.get(pk=case.pk).state


def test_one_reviewer_holds_a_case_for_two_hours(people: list[User]) -> None:
    farida, gopal = reviewer("farida"), reviewer("gopal")
    case = taken(people[0], mid_trick(people, ARCADIA), farida)

    with pytest.raises(CannotRule, match="Somebody else"):
        cases.take(gopal, case.pk, now=NOW + timedelta(hours=1))

    assert state_of(case) == Case.State.IN_REVIEW
    cases.take(gopal, case.pk, now=LATER)
    with pytest.raises(CannotRule, match="Take the case first"):
        cases.let_go(farida, case.pk, now=LATER)


def test_a_case_that_is_let_go_waits_for_somebody_else(people: list[User]) -> None:
    farida, gopal = reviewer("farida"), reviewer("gopal")
    case = taken(people[0], mid_trick(people, ARCADIA), farida)

    cases.let_go(farida, case.pk, now=NOW)

    assert state_of(case) == Case.State.REPORTED
    cases.take(gopal, case.pk, now=NOW)
    kinds = CaseStep.objects.filter(case=case).order_by("number").values_list("kind", flat=True)
    assert list(kinds) == ["reported", "taken", "let_go", "taken"]


def test_staff_without_the_permission_and_players_with_it_are_refused(
    people: list[User], eli: User
) -> None:
    case = reported(people[0], mid_trick(people, ARCADIA)).case
    staff = User.objects.create_user("harka", is_staff=True)
    may = Permission.objects.get(codename="review_dispute")
    eli.user_permissions.add(may)

    for user in (staff, eli, people[0]):
        with pytest.raises(MayNotReview):
            cases.take(user, case.pk, now=NOW)
    assert state_of(case) == Case.State.REPORTED


def test_nobody_reviews_a_game_they_sit_in(people: list[User]) -> None:
    people[2] = reviewer("farida")
    case = reported(people[0], mid_trick(people, ARCADIA)).case

    with pytest.raises(MayNotReview):
        cases.take(people[2], case.pk, now=NOW)


def test_nobody_reviews_a_recent_opponent(people: list[User]) -> None:
    farida = reviewer("farida")
    other = finished([farida, people[3], *people[:2]], ONE_ROUND)
    case = reported(people[0], mid_trick(people, ARCADIA)).case

    with pytest.raises(MayNotReview):
        cases.take(farida, case.pk, now=NOW + timedelta(days=29))

    assert Game.objects.get(pk=other).finished_at == NOW
    cases.take(farida, case.pk, now=NOW + timedelta(days=31))


def test_an_opponent_who_was_replaced_is_still_one(people: list[User]) -> None:
    farida = reviewer("farida")
    ruled(seated([farida, *people[1:]], ARCADIA), "replace_seat", seat=0)
    case = reported(people[0], mid_trick(people, ARCADIA)).case

    with pytest.raises(MayNotReview):
        cases.take(farida, case.pk, now=NOW)


def test_opening_hands_is_an_event_that_the_players_see(people: list[User]) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)

    for _ in range(2):
        cases.open_hands(farida, case.pk, round=1, now=NOW)

    assert kinds_of(game).count("hands_opened") == 1
    event = log_of(game)[-1]
    assert (event.kind, event.round, event.attempt, event.by) == ("hands_opened", 1, 0, "staff")
    assert cases.opened(case) == {(1, 0)}
    assert verify_game(game, now=NOW) == []


def test_a_round_that_is_dealt_anew_is_closed_again(people: list[User]) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)
    cases.open_hands(farida, case.pk, round=1, now=NOW)
    ruled(game, "void_round", round=1, replay=True)

    assert (1, 1) not in cases.opened(case)
    cases.open_hands(farida, case.pk, round=1, now=NOW)
    assert cases.opened(case) == {(1, 0), (1, 1)}


def test_no_hand_is_opened_without_the_case(people: list[User]) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    case = reported(people[0], game).case

    with pytest.raises(CannotRule, match="Take the case first"):
        cases.open_hands(farida, case.pk, round=1, now=NOW)
    assert "hands_opened" not in kinds_of(game)


def test_a_reviewer_stops_a_game_for_three_days_at_most(people: list[User]) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)

    cases.freeze(farida, case.pk, now=NOW)

    assert Game.objects.get(pk=game).status == Game.Status.FROZEN
    quarantine.see_to(now=NOW + timedelta(hours=71))
    assert Game.objects.get(pk=game).status == Game.Status.FROZEN
    quarantine.see_to(now=NOW + timedelta(hours=72))
    assert Game.objects.get(pk=game).status == Game.Status.PLAYING
    assert kinds_of(game)[-3:] == ["frozen", "thawed", "deadlines_moved"]
    assert verify_game(game, now=NOW) == []


def test_staff_can_look_into_what_nobody_reported(people: list[User]) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)

    case = cases.open_case(farida, game, round=1, now=NOW)

    assert cases.open_case(farida, game, round=1, now=NOW) == case
    assert reported(people[0], game, seq=log_of(game)[-1].seq).case == case
    with pytest.raises(CannotRule):
        cases.open_case(farida, game, round=9, now=NOW)
