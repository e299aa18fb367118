"""What is decided of a case: by whom, when it takes effect, who hears of it, and the one appeal."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from accounts import barring
from accounts.models import User
from games.models import Case, CaseStep, Decision, Game, Notice
from games.notices import sending
from games.refusals import CannotAppeal, CannotRule, GameNotFound, MayNotReview
from games.services.desk import cases, verdicts
from tests.games.desk.staff import WHY, proposal, proposed, reviewer, taken
from tests.games.ruled import assert_one_story, mid_trick
from tests.games.tables import ARCADIA, NOW, fingerprint, kinds_of, log_of

DAY = timedelta(days=1)


def state_of(case: Case) -> str:
    return Case.objects.get(pk=case.pk).state


def told(decision: Decision) -> set[str]:
    rows = Notice.objects.filter(decision=decision, turn=1)
    return set(rows.values_list("user__username", flat=True))


def test_a_light_ruling_is_made_at_once_and_everybody_is_told(people: list[User]) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)

    decision = proposed(farida, case, "uphold_play", round=1)

    assert state_of(case) == Case.State.DECIDED
    event = log_of(game)[-1]
    assert (event.kind, event.data["ruling"], event.data["reason"]) == ("ruled", "uphold_play", WHY)
    assert (decision.seq, decision.head) == (event.seq, event.hash)
    assert told(decision) == {"asha", "bina", "chandra", "dipak"}


def test_a_heavy_ruling_waits_for_a_second_person(people: list[User]) -> None:
    farida, gopal = reviewer("farida"), reviewer("gopal")
    game = mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)
    before = fingerprint(game)

    decision = proposed(farida, case, "void_round", round=1, replay=True)

    assert (state_of(case), decision.takes_effect_at) == (Case.State.PROPOSED, None)
    assert fingerprint(game) == before
    assert not Notice.objects.filter(decision=decision).exists()
    with pytest.raises(CannotRule, match="somebody else"):
        verdicts.sign(farida, decision.pk, now=NOW)
    verdicts.sign(gopal, decision.pk, now=NOW)
    assert kinds_of(game)[-3:] == ["ruled", "revealed", "dealt"]
    assert_one_story(game)
    with pytest.raises(CannotRule, match="meanwhile"):
        verdicts.sign(gopal, decision.pk, now=NOW)


def test_what_is_sent_back_changes_nothing_and_can_be_proposed_again(people: list[User]) -> None:
    farida, gopal = reviewer("farida"), reviewer("gopal")
    case = taken(people[0], mid_trick(people, ARCADIA), farida)
    first = proposed(farida, case, "cancel_game")
    with pytest.raises(CannotRule, match="already"):
        proposed(farida, case, "dismiss")

    verdicts.send_back(gopal, first.pk, now=NOW)

    assert state_of(case) == Case.State.IN_REVIEW
    with pytest.raises(CannotRule):
        verdicts.sign(gopal, first.pk, now=NOW)
    assert proposed(farida, case, "dismiss").made_at == NOW


def test_where_nobody_else_can_sign_it_waits_a_day_in_public(people: list[User]) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    people[0].user_permissions.set(farida.user_permissions.all())  # no staff
    case = taken(people[0], game, farida)

    decision = proposed(farida, case, "adjust_score", deltas=(0, -30, 12, 0))

    assert decision.takes_effect_at == NOW + DAY
    assert Notice.objects.filter(decision=decision, turn=0).count() == 4
    assert verdicts.make_due(now=NOW + DAY - timedelta(seconds=1)) == 0
    assert verdicts.make_due(now=NOW + DAY) == 1
    assert verdicts.make_due(now=NOW + DAY) == 0
    assert Game.objects.get(pk=game).adjusted == [0, -30, 12, 0]
    assert told(decision) == {"asha", "bina", "chandra", "dipak"}
    assert_one_story(game)


def test_whoever_may_sign_meanwhile_need_not_wait(people: list[User]) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)
    decision = proposed(farida, case, "cancel_game")

    verdicts.sign(reviewer("gopal"), decision.pk, now=NOW)

    assert Game.objects.get(pk=game).status == Game.Status.CANCELLED
    assert verdicts.make_due(now=NOW + DAY) == 0


def test_what_cannot_be_made_any_more_goes_back_into_review(people: list[User]) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)
    decision = proposed(farida, case, "void_round", round=1, replay=True)
    other = cases.open_case(farida, game, round=1, now=NOW)
    cases.take(farida, other.pk, now=NOW)
    cancelled = proposed(farida, other, "cancel_game")
    verdicts.sign(reviewer("gopal"), cancelled.pk, now=NOW)

    assert verdicts.make_due(now=NOW + DAY) == 0

    assert state_of(case) == Case.State.IN_REVIEW
    assert CaseStep.objects.filter(case=case).latest("number").kind == "failed"
    assert Decision.objects.get(pk=decision.pk).withdrawn_at is not None


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"reason": "too short"}, "20 to 1,000"),
        ({"reason": "x" * 1001}, "20 to 1,000"),
        ({"reason": " " * 30}, "20 to 1,000"),
        ({"note": "x" * 2001}, "note"),
        ({"cites": []}, "at least one"),
        ({"cites": [10_000]}, "10000 is neither"),
        ({"cites": ["arcadia/nonsense"]}, "neither"),
        ({"ruling": "shrug"}, "Choose"),
        ({"ruling": "void_round", "round": 7}, "not dealt"),
        ({"ruling": "adjust_score"}, "deltas"),
        ({"ruling": "adjust_score", "deltas": (0, 0, 0, 0)}, "deltas"),
        ({"ruling": "restore_clock", "seat": 1}, "time to give back"),
        ({"ruling": "suspension", "seat": 1, "days": 0}, "1 to 365"),
        ({"ruling": "suspension", "days": 3}, "Choose the seat"),
        ({"ruling": "lift", "seat": 1}, "neither suspended"),
        ({"ruling": "dismiss", "goes_on": True}, "not cancelled"),
    ],
)
def test_a_proposal_that_cannot_be_is_refused_with_the_reason(
    people: list[User], fields: dict[str, Any], why: str
) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)
    before = fingerprint(game)

    with pytest.raises(CannotRule, match=why):
        proposed(farida, case, **fields)

    assert fingerprint(game) == before
    assert not Decision.objects.exists()


def test_nobody_proposes_without_holding_the_case(people: list[User], eli: User) -> None:
    farida, gopal = reviewer("farida"), reviewer("gopal")
    case = taken(people[0], mid_trick(people, ARCADIA), farida)

    with pytest.raises(CannotRule, match="Take the case"):
        verdicts.propose(gopal, case.pk, proposal(), now=NOW)
    with pytest.raises(CannotRule, match="Take the case"):
        verdicts.propose(farida, case.pk, proposal(), now=NOW + timedelta(hours=3))
    with pytest.raises(MayNotReview):
        verdicts.propose(eli, case.pk, proposal(), now=NOW)


# Accounts


def test_a_suspension_ends_by_itself_a_ban_does_not(people: list[User]) -> None:
    farida, gopal = reviewer("farida"), reviewer("gopal")
    game = mid_trick(people, ARCADIA)
    before = fingerprint(game)
    first = proposed(farida, taken(people[0], game, farida), "suspension", seat=1, days=3)
    verdicts.sign(gopal, first.pk, now=NOW)

    bina = User.objects.get(username="bina")
    assert barring.is_barred(bina, now=NOW + 2 * DAY)
    assert not barring.is_barred(bina, now=NOW + 3 * DAY)
    second = proposed(farida, taken(people[0], game, farida), "ban", seat=1)
    verdicts.sign(gopal, second.pk, now=NOW)
    bina.refresh_from_db()
    assert barring.is_barred(bina, now=NOW + 4000 * DAY)
    third = proposed(farida, taken(people[0], game, farida), "lift", seat=1)
    verdicts.sign(gopal, third.pk, now=NOW)
    bina.refresh_from_db()
    assert not barring.is_barred(bina, now=NOW)
    assert fingerprint(game) == before


def test_a_warning_is_told_and_bars_nobody(people: list[User]) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)

    decision = proposed(farida, taken(people[0], game, farida), "warning", seat=1)

    assert decision.against == people[1]
    assert User.objects.get(pk=people[1].pk).barred_until is None
    assert told(decision) == {"asha", "bina", "chandra", "dipak"}


# Appeals


def test_an_appeal_is_decided_by_another_person_and_then_final(people: list[User]) -> None:
    farida, gopal = reviewer("farida"), reviewer("gopal")
    game = mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)
    proposed(farida, case, "dismiss")

    verdicts.appeal(people[1], case.pk, "Look at trick 3 again.", now=NOW + 7 * DAY)

    assert state_of(case) == Case.State.APPEALED
    later = NOW + 8 * DAY
    with pytest.raises(CannotRule, match="You decided"):
        cases.take(farida, case.pk, now=later)
    cases.take(gopal, case.pk, now=later)
    decision = proposed(gopal, case, "restore_clock", seat=1, seconds=3600, now=later)
    assert state_of(case) == Case.State.FINAL
    assert decision.is_appeal
    assert told(decision) == {"asha", "bina", "chandra", "dipak"}
    with pytest.raises(CannotAppeal):
        verdicts.appeal(people[1], case.pk, "And again.", now=later)


def test_an_appeal_that_needs_two_waits_for_the_second(people: list[User]) -> None:
    farida, gopal = reviewer("farida"), reviewer("gopal")
    game = mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)
    proposed(farida, case, "dismiss")
    verdicts.appeal(people[0], case.pk, "It was no time-out.", now=NOW)
    cases.take(gopal, case.pk, now=NOW)

    decision = proposed(gopal, case, "void_round", round=1)

    assert state_of(case) == Case.State.APPEALED
    verdicts.sign(farida, decision.pk, now=NOW)
    assert state_of(case) == Case.State.FINAL


def test_no_appeal_after_a_week_by_a_stranger_or_before_a_decision(
    people: list[User], eli: User
) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)
    with pytest.raises(CannotAppeal):
        verdicts.appeal(people[0], case.pk, "Too early.", now=NOW)
    proposed(farida, case, "dismiss")

    with pytest.raises(GameNotFound):
        verdicts.appeal(eli, case.pk, "None of mine.", now=NOW)
    with pytest.raises(CannotAppeal):
        verdicts.appeal(people[0], case.pk, "Too late.", now=NOW + 7 * DAY + timedelta(seconds=1))
    with pytest.raises(ValueError, match="appeal"):
        verdicts.appeal(people[0], case.pk, "  ", now=NOW)


# Mails


def test_the_mail_says_what_why_which_rule_and_how_to_appeal(people: list[User]) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    User.objects.filter(pk=people[1].pk).update(last_visit_at=NOW + timedelta(minutes=1))
    decision = proposed(farida, taken(people[0], game, farida), "restore_clock", seat=1, seconds=60)

    assert sending.send_due(now=NOW + timedelta(minutes=2)) == 4

    for message in mail.outbox:
        text = str(message.body)
        assert "Staff gave bina 1 minute back." in text
        assert WHY in text
        assert "arcadia/beat, 1" in text
        assert "you can appeal once, until Sun 6 Dec 2026" in text
        assert decision.head in text
