"""Reviewers, and cases in the states that tests want them in."""

from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import Permission

from accounts.models import User
from games.models import Case, Decision, Report
from games.services.desk import cases, reports, verdicts
from games.services.desk.verdicts import Proposal
from tests.games.tables import NOW

WHY: Final = "The reason that everybody may read."
WORDS: Final = "That card should not have been played."


def reviewer(name: str) -> User:
    """Staff who may review."""
    user = User.objects.create_user(name, f"{name}@example.com", "seven of spades", is_staff=True)
    may = Permission.objects.get(codename="review_dispute", content_type__app_label="games")
    user.user_permissions.add(may)
    return user


def reported(
    user: User, game: str, *, seq: int = 1, category: str = "play", now: datetime = NOW
) -> Report:
    return reports.report(user, game, seq=seq, category=category, text=WORDS, now=now)


def taken(user: User, game: str, by: User, *, seq: int = 1, now: datetime = NOW) -> Case:
    """A case that this reviewer holds, about what this user reported."""
    case = reported(user, game, seq=seq, now=now).case
    cases.take(by, case.pk, now=now)
    return Case.objects.get(pk=case.pk)


def proposal(ruling: str = "dismiss", **fields: Any) -> Proposal:
    wanted: dict[str, Any] = {"reason": WHY, "cites": ["arcadia/beat", 1], **fields}
    return Proposal(ruling=ruling, **wanted)


def proposed(
    by: User, case: Case, ruling: str = "dismiss", *, now: datetime = NOW, **fields: Any
) -> Decision:
    return verdicts.propose(by, case.pk, proposal(ruling, **fields), now=now)
