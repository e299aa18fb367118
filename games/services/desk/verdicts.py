"""What is decided of a case: proposed, signed where that is due, made once, told to all whom it concerns, appealed once.

What weighs most needs two people. Where nobody else could sign, it waits for a day in sight of the players instead, and takes
effect by itself; somebody who can sign meanwhile may.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q

from accounts import barring
from accounts.models import User
from games import notices, store
from games.engine.errors import EXPLAIN
from games.engine.events import Ruled, check_deltas
from games.engine.events import Ruling as Effect
from games.engine.rules import PRESETS
from games.models import TO_APPEAL, Case, Decision, Event, SeatHolder
from games.refusals import CannotAppeal, CannotRule, GameNotFound
from games.services import rulings
from games.services.desk import cases, reviewers, trail
from games.services.desk.cases import Desk
from games.services.rulings import Order
from games.table import BrokenLog, Table

State = Case.State
Ruling = Decision.Ruling
REASON: Final = range(20, 1001)
LONGEST_NOTE: Final = 2000
LONGEST_APPEAL: Final = 2000
COOLING_OFF: Final = timedelta(hours=24)
LONGEST_SUSPENSION_DAYS: Final = 365
ON_ACCOUNTS: Final = (Ruling.WARNING, Ruling.SUSPENSION, Ruling.BAN, Ruling.LIFT)
NEEDS_TWO: Final = (
    *(Ruling.VOID_ROUND, Ruling.ADJUST_SCORE, Ruling.CANCEL_GAME),
    *(Ruling.SUSPENSION, Ruling.BAN, Ruling.LIFT),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A ruling as a reviewer fills it in. `deltas` are units by seat, `days` how long a suspension lasts.

    `goes_on`: the ruling also lets a cancelled game go on.
    """

    ruling: str
    reason: str
    cites: Sequence[str | int]
    note: str = ""
    round: int | None = None
    seat: int | None = None
    replay: bool = False
    deltas: Sequence[int] = ()
    seconds: int = 0
    to_player: bool = False
    days: int = 0
    goes_on: bool = False


def propose(reviewer: User, case_id: int, proposal: Proposal, *, now: datetime) -> Decision:
    """Propose a ruling. It is made at once unless it needs a second person. `CannotRule` says why it cannot be."""
    with cases.locked(case_id, reviewer, now=now) as desk:
        desk.need_hold()
        if cases.proposal(desk.case) is not None:
            raise CannotRule("A ruling has been proposed already: sign it, or send it back.")
        decision = _drawn_up(desk, proposal)
        needs_two = decision.ruling in NEEDS_TWO or "lifts" in decision.facts
        alone = needs_two and not reviewers.others_for(desk.table.game, reviewer, now=now)
        if alone:
            decision.takes_effect_at = now + COOLING_OFF
        decision.save()
        desk.add_step(trail.Kind.PROPOSED, decision=decision.pk, ruling=decision.ruling)
        if not needs_two:
            _make(desk.table, desk.case, decision, by=reviewer)
            return decision
        if desk.case.state == State.IN_REVIEW:
            desk.case.state = State.PROPOSED
            desk.case.save(update_fields=["state"])
        if alone:
            notices.ruling_waits(desk.table, decision, _concerned(desk.table, desk.case))
    return decision


def sign(reviewer: User, decision_id: int, *, now: datetime) -> Decision:
    """The second signature: what was proposed is made. `CannotRule` if it was decided, sent back, or is one's own."""
    case_id = Decision.objects.values_list("case_id", flat=True).get(pk=decision_id)
    with cases.locked(case_id, reviewer, now=now) as desk:
        decision = _still_waiting(decision_id)
        if decision.proposed_by_id == reviewer.pk:
            raise CannotRule("You proposed this: somebody else has to sign it.")
        decision.signed_by = reviewer
        _make(desk.table, desk.case, decision, by=reviewer)
    return decision


def send_back(reviewer: User, decision_id: int, *, now: datetime) -> None:
    """Withdraw what was proposed, or refuse to sign it: the case is in review again."""
    case_id = Decision.objects.values_list("case_id", flat=True).get(pk=decision_id)
    with cases.locked(case_id, reviewer, now=now) as desk:
        decision = _still_waiting(decision_id)
        _withdraw(desk.case, decision, now)
        desk.add_step(trail.Kind.WITHDRAWN, decision=decision.pk)


def make_due(*, now: datetime) -> int:
    """Make the rulings that have waited in public for long enough; how many were made."""
    due = Decision.objects.filter(cases.WAITING, takes_effect_at__lte=now).order_by("pk")
    return sum(_make_by_itself(*each, now) for each in due.values_list("pk", "case__game"))


def appeal(user: User, case_id: int, text: str, *, now: datetime) -> Case:
    """Ask for a second look, by somebody else, within seven days. `GameNotFound` for whom the case does not concern."""
    text = text.strip()
    if not 0 < len(text) <= LONGEST_APPEAL:
        raise ValueError("an appeal has 1 to 2,000 characters")
    game_id = Case.objects.filter(pk=case_id).values_list("game_id", flat=True).first()
    if game_id is None:
        raise GameNotFound
    with store.locked(game_id, now=now):
        case = Case.objects.select_for_update(of=("self",)).get(pk=case_id)
        if not concerns(case, user):
            raise GameNotFound
        if not can_be_appealed(case, now=now):
            raise CannotAppeal
        case.state, case.appeal = State.APPEALED, text
        case.appealed_by, case.appealed_at = user, now
        case.holder, case.held_until = None, None
        case.save()
        trail.add(case, trail.Kind.APPEALED, by=user, now=now)
    return case


def can_be_appealed(case: Case, *, now: datetime) -> bool:
    return (
        case.state == State.DECIDED
        and case.decided_at is not None
        and now <= case.decided_at + TO_APPEAL
    )


def concerns(case: Case, user: User) -> bool:
    """Whether this user has or had a seat in the game, also by a bot account, or reported."""
    held = SeatHolder.objects.filter(Q(user=user) | Q(person=user), game=case.game_id)
    return held.exists() or case.reports.filter(user=user).exists()


# Drawing up


def _drawn_up(desk: Desk, proposal: Proposal) -> Decision:
    """The decision that this proposal comes to, checked against the game as it is now."""
    reason = proposal.reason.strip()
    if len(reason) not in REASON:
        raise CannotRule("The public reason has 20 to 1,000 characters.")
    if len(proposal.note) > LONGEST_NOTE:
        raise CannotRule("The note for the staff has 2,000 characters at most.")
    if proposal.ruling not in Ruling.values:
        raise CannotRule("Choose what is decided.")
    _check_cites(desk.table, proposal.cites)
    decision = Decision(
        case=desk.case,
        is_appeal=desk.case.state == State.APPEALED,
        ruling=proposal.ruling,
        round=proposal.round,
        seat=proposal.seat,
        facts=_facts(desk.table, proposal),
        cites=list(proposal.cites),
        reason=reason,
        note=proposal.note.strip(),
        proposed_by=desk.reviewer,
        proposed_at=desk.table.now,
    )
    if decision.ruling in ON_ACCOUNTS:
        decision.against = _person_of(desk.table, decision)
    else:
        rulings.check(desk.table, _order(decision))
    return decision


def _check_cites(table: Table, cites: Sequence[str | int]) -> None:
    names = {*PRESETS, "custom"}
    topics = {explanation.topic for explanation in EXPLAIN.values()}
    for cite in cites:
        if isinstance(cite, int):
            is_known = 1 <= cite <= table.game.seq
        else:
            name, _, topic = cite.partition("/")
            is_known = name in names and topic in topics
        if not is_known:
            raise CannotRule(f"{cite} is neither a rule nor an event of this game.")
    if not cites:
        raise CannotRule("Cite a rule (arcadia/beat) or the number of an event, at least one.")


def _facts(table: Table, proposal: Proposal) -> dict[str, Any]:
    """What the ruling says besides round and seat."""
    facts: dict[str, Any] = {}
    match proposal.ruling:
        case Ruling.VOID_ROUND:
            facts["replay"] = proposal.replay
        case Ruling.ADJUST_SCORE:
            try:
                check_deltas(list(proposal.deltas))
            except ValueError as error:
                raise CannotRule(str(error)) from None
            facts["deltas"] = list(proposal.deltas)
        case Ruling.RESTORE_CLOCK:
            facts["seconds"] = proposal.seconds
        case Ruling.REPLACE_SEAT:
            facts["to_player"] = proposal.to_player
        case Ruling.SUSPENSION:
            if not 1 <= proposal.days <= LONGEST_SUSPENSION_DAYS:
                raise CannotRule("A suspension lasts 1 to 365 days.")
            facts["days"] = proposal.days
    if proposal.goes_on:
        facts["lifts"] = _cancelled_by(table)
    return facts


def _cancelled_by(table: Table) -> int:
    ruled = Event.objects.filter(game=table.game, kind=Event.Kind.RULED)
    cancelling = ruled.filter(data__ruling=str(Effect.CANCEL_GAME)).order_by("-seq")
    seq = cancelling.values_list("seq", flat=True).first()
    if seq is None:
        raise CannotRule("This game was not cancelled by a ruling.")
    return seq


def _order(decision: Decision) -> Order:
    facts = decision.facts
    ruled = Ruled(
        Effect(decision.ruling),
        decision.round,
        decision.seat,
        facts.get("replay", False),
        tuple(facts.get("deltas", ())),
        facts.get("lifts"),
    )
    return Order(
        ruled=ruled,
        reason=decision.reason,
        cites=decision.cites,
        seconds=facts.get("seconds", 0),
        to_player=facts.get("to_player", False),
    )


def _person_of(table: Table, decision: Decision) -> User:
    """Whose account it is about: who holds the seat, or held it last."""
    if decision.seat is None:
        raise CannotRule("Choose the seat whose player this is about.")
    seat = table.seats[decision.seat]
    held = SeatHolder.objects.filter(game=table.game, seat=decision.seat).select_related("user")
    holder = held.order_by("-pk").first()
    user = seat.user or (holder.user if holder else None)
    if user is None:
        raise CannotRule("No person has ever held that seat.")
    if decision.ruling == Ruling.LIFT and not barring.is_barred(user, now=table.now):
        raise CannotRule("That account is neither suspended nor closed.")
    return user


# Making


def _waiting(decision_id: int) -> Decision | None:
    return Decision.objects.filter(cases.WAITING, pk=decision_id).first()


def _still_waiting(decision_id: int) -> Decision:
    """What was proposed, under the lock of its game. Of many who sign at once, one finds it waiting."""
    decision = _waiting(decision_id)
    if decision is None:
        raise CannotRule("This was decided or sent back meanwhile.")
    return decision


def _make(table: Table, case: Case, decision: Decision, *, by: User | None) -> None:
    now = table.now
    # Asked first: a seat that is replaced has another holder afterwards.
    people = _concerned(table, case)
    if decision.ruling in ON_ACCOUNTS:
        _sanction(decision, now)
    else:
        rulings.rule(table, _order(decision))
    decision.made_at = now
    decision.seq, decision.head = table.game.seq, table.game.head
    decision.save()
    if case.state == State.APPEALED:
        case.state = State.FINAL
    else:
        case.state, case.decided_at = State.DECIDED, now
    case.holder, case.held_until = None, None
    case.save()
    trail.add(case, trail.Kind.DECIDED, by=by, now=now, decision=decision.pk)
    notices.ruling(table, decision, people)


def _sanction(decision: Decision, now: datetime) -> None:
    user = decision.against
    if user is None:
        raise CannotRule("The account is not there any more.")
    match decision.ruling:
        case Ruling.SUSPENSION:
            until = now + timedelta(days=decision.facts["days"])
            barring.bar(user, until=until, reason=decision.reason)
        case Ruling.BAN:
            barring.bar(user, until=barring.FOR_GOOD, reason=decision.reason)
        case Ruling.LIFT:
            barring.lift(user)


def _make_by_itself(decision_id: int, game_id: str, now: datetime) -> bool:
    """One ruling whose day is over. Where the game has changed so that it cannot be made, the case is in review again."""
    try:
        with store.locked(game_id, now=now) as table:
            decision = _waiting(decision_id)
            if decision is None:
                return False
            case = Case.objects.select_for_update(of=("self",)).get(pk=decision.case_id)
            _make(table, case, decision, by=None)
    except (CannotRule, BrokenLog):
        with store.locked(game_id, now=now):
            decision = _waiting(decision_id)
            if decision is None:  # somebody signed it or sent it back meanwhile
                return False
            case = Case.objects.select_for_update(of=("self",)).get(pk=decision.case_id)
            _withdraw(case, decision, now)
            trail.add(case, trail.Kind.FAILED, by=None, now=now, decision=decision.pk)
        return False
    return True


def _withdraw(case: Case, decision: Decision, now: datetime) -> None:
    decision.withdrawn_at = now
    decision.save(update_fields=["withdrawn_at"])
    if case.state == State.PROPOSED:
        case.state = State.IN_REVIEW
        case.save(update_fields=["state"])


def _concerned(table: Table, case: Case) -> list[User]:
    """Everybody who is to hear: who has or had a seat, and who reported."""
    held = SeatHolder.objects.filter(game=table.game)
    reported = case.reports.exclude(user=None).values("user")
    seated = Q(pk__in=held.values("user")) | Q(pk__in=held.values("person"))
    return list(User.objects.filter(seated | Q(pk__in=reported)).order_by("pk"))
