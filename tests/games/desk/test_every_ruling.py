"""Scripted disputes: every ruling in every state of a game under every way to play, from the report to the outcome."""

from typing import Any, Final

import pytest
from django.db import transaction

from accounts.models import User
from games.models import Case, CaseStep, Decision, Notice, SeatHolder
from games.refusals import CannotRule
from games.services.desk import cases, verdicts
from tests.games.desk.staff import proposed, reviewer, taken
from tests.games.ruled import RULES, STATES, assert_one_story, cancelled, mid_trick
from tests.games.tables import fingerprint, play_on
from tests.games.test_rulings import IMPOSSIBLE, RULINGS

ON_ACCOUNTS: Final[dict[str, dict[str, Any]]] = {
    "warning": {"seat": 0},
    "suspension": {"seat": 0, "days": 3},
    "ban": {"seat": 0},
}
ALL: Final = {**RULINGS, **ON_ACCOUNTS}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", RULES)
def test_from_the_report_to_the_outcome(people: list[User], name: str, state: str) -> None:
    farida, gopal = reviewer("farida"), reviewer("gopal")
    game = STATES[state](people, RULES[name])

    for what, fields in ALL.items():
        before = fingerprint(game)
        with transaction.atomic():
            case = taken(people[0], game, farida)
            try:
                decision = proposed(farida, case, what.partition(",")[0], **fields)
            except CannotRule:
                assert what in IMPOSSIBLE.get(state, ()), what
                assert fingerprint(game) == before
            else:
                assert what not in IMPOSSIBLE.get(state, ()), what
                if decision.made_at is None:
                    assert fingerprint(game) == before
                    verdicts.sign(gopal, decision.pk, now=decision.proposed_at)
                assert_decided(game, case, people, page=what == "void_round")
                if what in ON_ACCOUNTS:
                    assert fingerprint(game) == before
                play_on(game, decisions=2)
                assert_one_story(game)
            transaction.set_rollback(True)


def assert_decided(game: str, case: Case, people: list[User], *, page: bool) -> None:
    assert_one_story(game, page=page)
    assert Case.objects.get(pk=case.pk).state == Case.State.DECIDED
    decision = Decision.objects.get(case=case)
    seated = set(SeatHolder.objects.filter(game=game).values_list("user", flat=True))
    told = set(Notice.objects.filter(decision=decision, turn=1).values_list("user", flat=True))
    assert told == seated
    assert people[0].pk in told
    assert CaseStep.objects.filter(case=case).latest("number").kind == "decided"


@pytest.mark.parametrize("name", RULES)
def test_a_cancelled_game_goes_on_by_an_appeal(people: list[User], name: str) -> None:
    farida, gopal, hari = (reviewer(each) for each in ("farida", "gopal", "hari"))
    game = mid_trick(people, RULES[name])
    case = taken(people[0], game, farida)
    first = proposed(farida, case, "cancel_game")
    verdicts.sign(gopal, first.pk, now=first.proposed_at)
    verdicts.appeal(people[1], case.pk, "We want to play on.", now=first.proposed_at)
    cases.take(hari, case.pk, now=first.proposed_at)

    second = proposed(hari, case, "dismiss", goes_on=True)
    verdicts.sign(farida, second.pk, now=first.proposed_at)

    assert Case.objects.get(pk=case.pk).state == Case.State.FINAL
    assert_one_story(game, page=True)
    play_on(game)
    assert_one_story(game, page=True)


def test_what_cannot_be_ruled_of_a_cancelled_game_is_refused_before_it_is_proposed(
    people: list[User],
) -> None:
    farida = reviewer("farida")
    game = cancelled(people, RULES["arcadia"])

    with pytest.raises(CannotRule, match="was cancelled"):
        proposed(farida, taken(people[0], game, farida), "void_round", round=1)
    assert not Decision.objects.exists()
