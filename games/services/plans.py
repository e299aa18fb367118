"""Standing plans: kept for one person, one round and one deal, and known to nobody else.

Saving, reading and throwing away leave no event, and change nothing that anybody else can see. A plan dies with its deal,
with its round, and with whoever owns it. What it does is `engine.plan`'s, when it does it is `following`'s business.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.utils.crypto import salted_hmac

from accounts.models import User
from games import models, store
from games.engine.errors import Code, RuleViolation, citation
from games.engine.plan import Plan
from games.models import Game
from games.refusals import GameNotFound, NoPlan, NotSeated, PlanChanged, PlanUnseen
from games.table import Table

# In `seen`: whatever is there.
ANY: str = "*"


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored plan as its owner knows it. `tag` names this very version of it.

    It answers decisions from `from_turn` on; `halted` is why it left the last one to its owner (a reason of
    `engine.plan`'s), empty if it did not.
    """

    plan: Plan
    tag: str
    from_turn: int
    halted: str

    @property
    def etag(self) -> str:
        """The tag as HTTP writes it."""
        return f'"{self.tag}"'

    @classmethod
    def of(cls, row: models.Plan) -> Self:
        tag = tag_of(row.pk, row.version)
        return cls(Plan.from_json(row.body), tag, row.from_turn, row.halted)


def tag_of(pk: int, version: int) -> str:
    """The name of this version of a stored plan. Keyed: a bare number would tell how many plans are saved here."""
    return salted_hmac("games.plan", f"{pk} {version}").hexdigest()[:32]


def plan_of(user: User, game_id: str, *, round: int, now: datetime) -> Kept:
    """The plan that this user has for a running round. `NoPlan` if there is none."""
    table = store.load(game_id, now=now)
    kept = kept_plan(table, round, _seat_of(table, user))
    if kept is None:
        raise NoPlan
    return Kept.of(kept)


def save(
    user: User,
    game_id: str,
    plan: Plan,
    *,
    round: int,
    seen: Collection[str] | None,
    now: datetime,
) -> tuple[Kept, bool]:
    """Keep a plan for a running round; and whether it is the first. While it is the user's turn, it applies from their next.

    `seen` are the tags of what it is to replace (None: of nothing): `PlanUnseen` or `PlanChanged` if it is another.
    RuleViolation: `wrong_phase` where no round runs, `card_not_held` for a queue that names a card not in the hand.
    """
    with store.locked(game_id, round, now=now) as table:
        seat = _seat_of(table, user)
        table.check_not_frozen()
        if table.game.status != Game.Status.PLAYING or not _is_running(table, round):
            raise RuleViolation(Code.WRONG_PHASE, rule=_rule(table, Code.WRONG_PHASE))
        kept = kept_plan(table, round, seat)
        _check_seen(kept, seen)
        state = table.rounds[round]
        for card in plan.not_held(table.observe(round, seat).hand):
            raise RuleViolation(
                Code.CARD_NOT_HELD, card=card.text, rule=_rule(table, Code.CARD_NOT_HELD)
            )
        is_first = kept is None
        kept = kept or models.Plan(game=table.game, round=round, seat=seat, version=0)
        kept.owner = user
        kept.body, kept.halted, kept.version = plan.to_json(), "", kept.version + 1
        kept.from_turn = state.turn_of(seat) + 1 if seat in state.actors else 0
        _clear_for(table, round, seat, kept)
        kept.save()
        _look_from(table, round, seat, kept.from_turn)
    return Kept.of(kept), is_first


def throw_away(
    user: User, game_id: str, *, round: int, seen: Collection[str] | None, now: datetime
) -> None:
    """Forget a plan. `NoPlan`, or as `save` says for `seen`."""
    with store.locked(game_id, now=now) as table:
        seat = _seat_of(table, user)
        kept = kept_plan(table, round, seat)
        if kept is None:
            raise NoPlan
        _check_seen(kept, seen)
        kept.delete()
        _look_from(table, round, seat, None)


def kept_plan(table: Table, number: int, seat: int) -> models.Plan | None:
    """The plan of whoever holds this seat for a running round, if they have one."""
    if not _is_running(table, number) or str(seat) not in table.rows[number].planned:
        return None
    return models.Plan.objects.filter(
        game=table.game, round=number, seat=seat, owner=table.seats[seat].user_id
    ).first()


def halt(table: Table, number: int, seat: int, plan: models.Plan | None, reason: str) -> None:
    """Leave this decision of a seat to its person, and say to them alone why. The next one is looked at again."""
    next_turn = table.rounds[number].turn_of(seat) + 1
    if plan is not None:
        plan.from_turn, plan.halted = next_turn, reason
        plan.save(update_fields=["from_turn", "halted"])
    _look_from(table, number, seat, next_turn)


def forget(table: Table, number: int, seat: int | None = None) -> None:
    """Let the plans of a round die, or one seat's. For whoever ends a deal or changes who holds a seat."""
    row = table.rows[number]
    if not row.planned:
        return
    plans = models.Plan.objects.filter(game=table.game, round=number)
    if seat is None:
        row.planned = {}
    else:
        plans = plans.filter(seat=seat)
        row.planned.pop(str(seat), None)
    plans.delete()
    table.changed.add(number)


def _seat_of(table: Table, user: User) -> int:
    if not table.is_visible_to(user.pk):
        raise GameNotFound
    seat = table.seat_of(user.pk)
    if seat is None:
        raise NotSeated
    return seat


def _is_running(table: Table, number: int) -> bool:
    return number in table.rows and bool(table.rows[number].actors)


def _rule(table: Table, code: Code) -> str:
    return citation(table.rules.name, code)


def _check_seen(kept: models.Plan | None, seen: Collection[str] | None) -> None:
    if kept is None:
        if seen is not None:
            raise PlanChanged
    elif seen is None:
        raise PlanUnseen
    elif ANY not in seen and Kept.of(kept).tag not in seen:
        raise PlanChanged


def _clear_for(table: Table, number: int, seat: int, kept: models.Plan) -> None:
    """Whoever held the seat before left no plan to their successor."""
    if kept.pk is None:
        models.Plan.objects.filter(game=table.game, round=number, seat=seat).delete()


def _look_from(table: Table, number: int, seat: int, turn: int | None) -> None:
    """Have workers look at this seat's decisions from this turn on; None: no longer. No event tells of it."""
    row = table.rows[number]
    if turn is None:
        row.planned.pop(str(seat), None)
    else:
        row.planned[str(seat)] = turn
    row.save(update_fields=["planned"])
    if not table.answers_due():
        # Else the sweep would look at this table again and again.
        table.game.next_attempt_at = None
        table.game.save(update_fields=["next_attempt_at"])
