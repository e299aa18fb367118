"""Signals of collusion, kept for reviewers: finished rounds are weighed one by one, and what they add up to is stored by pair.

Only rounds whose seed is revealed, only cards that a person chose. In short slices; each round is weighed once, so whatever dies,
the next slice goes on. A flag asks a person to look. Nothing follows from it by itself.
"""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import combinations
from time import monotonic
from typing import Any, Final

from django.db.models import Count, F, Q, QuerySet

from games import signals, store
from games.engine.cards import DECK
from games.engine.errors import RuleViolation
from games.engine.round import State
from games.models import Event, Game, PairSignal, Round, RoundSignal, Seat
from games.signals import PAIRS, Index, PairRound
from games.table import BrokenLog

SLICE_SECONDS: Final = 2.0
_CARDS: Final = {card.text: card for card in DECK}

Pair = tuple[int, int]  # two users' ids, the lower first


@dataclass(frozen=True, slots=True)
class Progress:
    """How many rounds were weighed, and how many wait."""

    weighed: int
    waiting: int


def weigh_some(*, now: datetime, seconds: float = SLICE_SECONDS) -> Progress:
    """Weigh rounds for so long, and work out anew the pairs that each of them tells of. No lock is held meanwhile."""
    until = monotonic() + seconds
    for row in _waiting().order_by("pk").select_related("game")[:200]:
        _weigh(row, now=now)
        for one, two in sorted(_pairs_at(row.game_id)):
            _add_up(one, two, now=now)
        if monotonic() > until:
            break
    return progress()


def progress() -> Progress:
    return Progress(RoundSignal.objects.count(), _waiting().count())


def flagged() -> QuerySet[PairSignal]:
    """The pairs that a reviewer should look at, the last found first."""
    return (
        PairSignal.objects.filter(is_flagged=True)
        .select_related("one", "two")
        .order_by("-computed_at", "pk")
    )


def signals_at(game_id: str) -> QuerySet[PairSignal]:
    """What is known of the people at one table, flagged or not: for whoever reviews a case of it."""
    users = Seat.objects.filter(game=game_id, user__isnull=False).values("user")
    pairs = PairSignal.objects.filter(one__in=users, two__in=users)
    return pairs.select_related("one", "two").order_by("pk")


def _waiting() -> QuerySet[Round]:
    """Finished rounds, not weighed yet, at which two people sat or more."""
    people = Count("game__seats", filter=Q(game__seats__user__isnull=False))
    revealed = Round.objects.filter(key__lte=F("game__keys_revealed"))
    done = revealed.filter(state=State.SCORED, signal__isnull=True)
    return done.annotate(people=people).filter(people__gte=2)


def _weigh(row: Round, *, now: datetime) -> None:
    try:
        found = signals.pair_rounds(_weighed(row, now=now))
        values = [[found[pair].gift, found[pair].knowledge] for pair in PAIRS]
    except (BrokenLog, RuleViolation, ValueError):
        values = []  # the nightly inspection tells of it; the rounds after it must not wait
    # Two workers may weigh the same round: the first one is as good as the second.
    RoundSignal.objects.get_or_create(round=row, defaults={"values": values})


def _weighed(row: Round, *, now: datetime) -> list[signals.Weighed]:
    table = store.load(row.game_id, now=now)
    lines = store.round_lines(table, row.number)
    first = next(
        (
            n
            for n, e in enumerate(lines)
            if e["kind"] in ("played", "claimed") and e["attempt"] == row.attempt
        ),
        len(lines),
    )
    start = store.state_after(table, row.number, lines[:first])
    played = Event.objects.filter(
        game=table.game, round=row.number, attempt=row.attempt, kind=Event.Kind.PLAYED
    )
    plays = [
        (seat or 0, _CARDS[card or ""], by == Event.By.PLAYER and not via)
        for seat, card, by, via in played.order_by("seq").values_list("seat", "card", "by", "via")
    ]
    return signals.weigh(start, plays, f"{row.game_id}/{row.number}")


def _pairs_at(game_id: str) -> set[Pair]:
    seats = Seat.objects.filter(game=game_id, user__isnull=False)
    return set(combinations(sorted(seats.values_list("user", flat=True)), 2))


def _add_up(one: int, two: int, *, now: datetime) -> None:
    rounds = list(_rounds_of(one, two))
    gift = signals.index([each.gift for each in rounds])
    lift, chance = signals.place_lift(
        {str(user): _places_of(user) for user in (one, two)}, str(one), str(two)
    )
    PairSignal.objects.update_or_create(
        one_id=one,
        two_id=two,
        defaults={
            "rounds": len(rounds),
            "gift": _json(gift),
            "knowledge": _json(signals.index([each.knowledge for each in rounds])),
            "places": {**_json(lift), "chance": chance},
            "is_flagged": signals.is_flagged(gift),
            "computed_at": now,
        },
    )


def _rounds_of(one: int, two: int) -> Iterable[PairRound]:
    """What every weighed round says about these two."""
    seats = {
        user: dict(Seat.objects.filter(user=user).values_list("game", "number"))
        for user in (one, two)
    }
    shared = seats[one].keys() & seats[two].keys()
    kept = RoundSignal.objects.filter(round__game__in=shared).exclude(values=[])
    for game, values in kept.order_by("pk").values_list("round__game", "values"):
        places = sorted((seats[one][game], seats[two][game]))
        gift, knowledge = values[PAIRS.index((places[0], places[1]))]
        yield PairRound(gift, knowledge)


def _places_of(user: int) -> list[tuple[str, int]]:
    """`(match, place)` of every match that this user finished."""
    done = Seat.objects.filter(user=user, game__status=Game.Status.FINISHED).select_related("game")
    return [
        (seat.game_id, (seat.game.result or {})["ranks"][seat.number])
        for seat in done.order_by("game")
        if not seat.game.is_abandoned
    ]


def _json(index: Index) -> dict[str, Any]:
    return {name: value if math.isfinite(value) else None for name, value in asdict(index).items()}
