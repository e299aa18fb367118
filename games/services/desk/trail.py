"""The trail of a case: one line for every step, written once and never changed."""

from datetime import datetime
from typing import Any

from accounts.models import User
from games.models import Case, CaseStep

Kind = CaseStep.Kind


def add(case: Case, kind: CaseStep.Kind, *, by: User | None, now: datetime, **data: Any) -> None:
    """The next line. Called under the lock of the case's game, which keeps the numbers apart."""
    number = CaseStep.objects.filter(case=case).count() + 1
    CaseStep.objects.create(case=case, number=number, kind=kind, by=by, at=now, data=data)
