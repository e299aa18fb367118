"""What a reviewer sees of one decision of a case: the replay page's own value, and what only staff may know beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Self

from django.db.models import Q
from django.urls import reverse

from games import queries
from games.models import Case, Event, Notice, PairSignal, Report
from games.replay import Replay, reviewed
from games.services.desk import cases
from games.web.replay_page import ReplayPage, replay_page
from games.wording import card_sign

_BY: Final = {
    "player": "the player",
    "bot": "a bot",
    "clock": "a stand-in, since time had run out",
    "staff": "staff",
    "dice": "the shuffle",
    "rule": "the rules",
}
_VIA: Final = {"plan": "by a standing plan", "forced": "by itself, as the only legal card"}


@dataclass(frozen=True, slots=True)
class Evidence:
    """A step of a round, with the addresses of the steps around it. `legal` and `held` are of the seat before it played, where the
    hands are open.
    """

    page: ReplayPage
    at: datetime
    who: str
    used: timedelta | None
    deadline: datetime | None
    notices: Sequence[Notice]
    held: str = field(repr=False)
    legal: str = field(repr=False)
    may_open: bool
    links: dict[str, str]
    rounds: Sequence[tuple[int, bool]]

    @classmethod
    def of(cls, case: Case, *, seq: int | None, number: int | None, now: datetime) -> Self:
        """What the case is about, or the step that was asked for. `NotStarted`, `GameNotFound`, `BrokenLog`."""
        if seq is None and number is None:
            first = case.reports.order_by("pk").values_list("seq", flat=True).first()
            seq, number = first, case.round or None
        found = reviewed(case.game_id, seen_by(case), now=now, seq=seq, number=number)
        event = Event.objects.get(game=case.game, seq=found.step.seq)
        asked = found.asked
        return cls(
            page=replay_page(found, None, sort="high"),
            at=event.at,
            who=" ".join(filter(None, [_BY[event.by], _VIA.get(event.via, "")])),
            used=_used(found, event),
            deadline=_deadline(found),
            notices=_notices(found, event),
            held=_cards(asked.hand) if asked else "",
            legal=_cards(asked.legal) if asked else "",
            may_open=not found.is_face_up and case.state in cases.TO_TAKE,
            links=_links(case, found),
            rounds=[(each, each == found.round) for each in found.table.rows],
        )


def seen_by(case: Case) -> frozenset[tuple[int, int]]:
    """The deals whose hands the staff of this case may see: none once it is decided."""
    is_open = case.state not in (Case.State.DECIDED, Case.State.FINAL)
    return cases.opened(case) if is_open else frozenset()


def marks(case: Case, seq: int) -> dict[str, str]:
    """The reported events before and after this one."""
    reported = sorted(set(Report.objects.filter(case=case).values_list("seq", flat=True)))
    before = [each for each in reported if each < seq]
    after = [each for each in reported if each > seq]
    links = {}
    if before:
        links["prev"] = _address(case, before[-1])
    if after:
        links["next"] = _address(case, after[0])
    return links


def signals(case: Case) -> list[PairSignal]:
    """What is known of the pairs of people at this table, with sample sizes and intervals. Flags for a person, no verdict."""
    people = [seat.user_id for seat in case.game.seats.all() if seat.user_id]
    pairs = PairSignal.objects.filter(Q(one__in=people) & Q(two__in=people))
    return list(pairs.select_related("one", "two").order_by("pk"))


def _used(found: Replay, event: Event) -> timedelta | None:
    """How long the decision took: since the step before it, at which its turn came."""
    if event.turn is None or found.at == 0:
        return None
    before = Event.objects.get(game=event.game_id, seq=found.steps[found.at - 1].seq)
    return event.at - before.at


def _deadline(found: Replay) -> datetime | None:
    """By when the seat that is to act must answer, at the round's last step."""
    if found.at < len(found.steps) - 1:
        return None
    row = found.table.rows[found.round]
    return queries.deadline_of(row, row.actors[0]) if row.actors else None


def _notices(found: Replay, event: Event) -> list[Notice]:
    """What the player of this decision was written about it."""
    if event.turn is None:
        return []
    about = Notice.objects.filter(game=event.game_id, round=found.round, turn=event.turn)
    return list(about.exclude(kind=Notice.Kind.RULING).order_by("created_at"))


def _cards(cards: Sequence[object]) -> str:
    return " ".join(card_sign(str(card)) for card in cards)


def _links(case: Case, found: Replay) -> dict[str, str]:
    at, steps = found.at, found.steps
    links = {}
    if at > 0:
        links["prev"] = _address(case, steps[at - 1].seq, found.round)
    if at < len(steps) - 1:
        links["next"] = _address(case, steps[at + 1].seq, found.round)
    return links


def _address(case: Case, seq: int, number: int | None = None) -> str:
    of_round = f"&round={number}" if number else ""
    return f"{reverse('desk_case', args=[case.pk])}?seq={seq}{of_round}"
