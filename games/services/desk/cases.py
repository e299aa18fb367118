"""A case in the hands of one reviewer: taken for two hours, its hands opened in sight of the players, its game stopped."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from accounts.models import User
from games import store
from games.models import Case, CaseStep, Decision, Event, Game
from games.refusals import CannotRule
from games.services import freezing
from games.services.desk import reports, reviewers, trail
from games.store import By
from games.table import Table

LEASE: Final = timedelta(hours=2)
State = Case.State
WAITING: Final = Q(made_at__isnull=True, withdrawn_at__isnull=True)
TO_TAKE: Final = (State.REPORTED, State.IN_REVIEW, State.APPEALED)


@dataclass(frozen=True, slots=True)
class Desk:
    """A case under the lock of its game."""

    table: Table
    case: Case
    reviewer: User

    def need_hold(self) -> None:
        """`CannotRule` unless this reviewer holds the case now."""
        if self.case.holder_at(self.table.now) != self.reviewer.pk:
            raise CannotRule("Take the case first: one person reviews it at a time, for 2 hours.")

    def add_step(self, kind: CaseStep.Kind, **data: object) -> None:
        trail.add(self.case, kind, by=self.reviewer, now=self.table.now, **data)


@contextmanager
def locked(case_id: int, reviewer: User, *, now: datetime) -> Iterator[Desk]:
    """The case and its game, for a reviewer who may see them. `MayNotReview`; `Case.DoesNotExist`."""
    game_id = Case.objects.values_list("game_id", flat=True).get(pk=case_id)
    with store.locked(game_id, now=now) as table:
        reviewers.check(reviewer, table.game, now=now)
        yield Desk(table, Case.objects.select_for_update(of=("self",)).get(pk=case_id), reviewer)


def open_case(reviewer: User, game_id: str, *, round: int, now: datetime) -> Case:
    """A case that nobody reported: the one that is open about this round (0: none in particular), or a new one."""
    with store.locked(game_id, now=now) as table:
        reviewers.check(reviewer, table.game, now=now)
        if round and round not in table.rows:
            raise CannotRule("That round was not dealt.")
        case, is_new = reports.case_about(table, round)
        if is_new:
            trail.add(case, trail.Kind.OPENED, by=reviewer, now=now)
        return case


def take(reviewer: User, case_id: int, *, now: datetime) -> None:
    """Hold the case for two hours from now, if nobody else does."""
    with locked(case_id, reviewer, now=now) as desk:
        case = desk.case
        if case.state not in TO_TAKE or proposal(case) is not None:
            raise CannotRule("There is nothing to review in this case at the moment.")
        if case.holder_at(now) not in (None, reviewer.pk):
            raise CannotRule("Somebody else is reviewing this case.")
        if case.state == State.APPEALED and reviewer.pk in deciders(case):
            raise CannotRule("You decided this case: somebody else decides the appeal.")
        if case.state == State.REPORTED:
            case.state = State.IN_REVIEW
        case.holder, case.held_until = reviewer, now + LEASE
        case.save(update_fields=["state", "holder", "held_until"])
        desk.add_step(trail.Kind.TAKEN)


def let_go(reviewer: User, case_id: int, *, now: datetime) -> None:
    """Leave the case to others before the two hours are over."""
    with locked(case_id, reviewer, now=now) as desk:
        desk.need_hold()
        case = desk.case
        if case.state == State.IN_REVIEW:
            case.state = State.REPORTED
        case.holder, case.held_until = None, None
        case.save(update_fields=["state", "holder", "held_until"])
        desk.add_step(trail.Kind.LET_GO)


def deciders(case: Case) -> set[int]:
    """Who made the first decision of this case."""
    made = case.decisions.filter(made_at__isnull=False, is_appeal=False)
    return {pk for pair in made.values_list("proposed_by", "signed_by") for pk in pair if pk}


# The hands


def open_hands(reviewer: User, case_id: int, *, round: int, now: datetime) -> None:
    """Let the staff of this case see the four hands of the deal that is being played: an event that the players see.

    Once for a deal; a round that is dealt anew is closed again. Of a round whose seed is public there is nothing to open.
    """
    with locked(case_id, reviewer, now=now) as desk:
        desk.need_hold()
        row = desk.table.rows.get(round)
        if row is None:
            raise CannotRule("That round was not dealt.")
        if row.key <= desk.table.game.keys_revealed:
            raise CannotRule("That round is over: everybody can see its hands.")
        if (round, row.attempt) in opened(desk.case):
            return
        kind = Event.Kind.HANDS_OPENED
        event = store.append_fact(desk.table, kind, by=By.STAFF, round=round, attempt=row.attempt)
        desk.add_step(trail.Kind.HANDS_OPENED, seq=event.seq, round=round, attempt=row.attempt)


def opened(case: Case) -> frozenset[tuple[int, int]]:
    """The deals, `(round, attempt)`, whose hands this case has opened."""
    steps = CaseStep.objects.filter(case=case, kind=trail.Kind.HANDS_OPENED)
    return frozenset((step.data["round"], step.data["attempt"]) for step in steps)


# A game that is stopped


def freeze(reviewer: User, case_id: int, *, now: datetime) -> None:
    """Stop the game of this case, for 72 hours at most (`quarantine`); its clocks get the time back."""
    with locked(case_id, reviewer, now=now) as desk:
        desk.need_hold()
        if desk.table.game.status != Game.Status.PLAYING:
            raise CannotRule("This game is not being played.")
        freezing.freeze(desk.table, by=By.STAFF)
        desk.add_step(trail.Kind.FROZEN)


def thaw(reviewer: User, case_id: int, *, now: datetime) -> None:
    """Let the game of this case go on."""
    with locked(case_id, reviewer, now=now) as desk:
        desk.need_hold()
        if desk.table.game.status != Game.Status.FROZEN:
            raise CannotRule("This game does not stand still.")
        freezing.thaw(desk.table)
        desk.add_step(trail.Kind.THAWED)


def proposal(case: Case) -> Decision | None:
    """The ruling that waits to be signed, sent back, or made by itself."""
    return case.decisions.filter(WAITING).first()
