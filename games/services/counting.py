"""Counts the deals whose seeds are revealed, thrown-in ones too: else the count would favour what the rules keep.

Once each, in short slices, from where the last one ended. A running round is never looked at: what is counted, anybody can deal again.
"""

from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from games import store
from games.models import DealCount, Event

SLICE_SECONDS: Final = 2.0
# An event's number is given before its transaction ends: a younger one may be seen before an older one.
SETTLED: Final = timedelta(minutes=10)
AT_ONCE: Final = 500


def count_some(*, now: datetime, seconds: float = SLICE_SECONDS) -> DealCount:
    """Count on for so long. Nobody waits for it meanwhile: what two workers counted at once is kept of the first alone."""
    row, _ = DealCount.objects.get_or_create(pk=1, defaults={"at": now})
    before, until = row.after, monotonic() + seconds
    fresh = Event.objects.filter(kind=Event.Kind.REVEALED, pk__gt=before, at__lt=now - SETTLED)
    for revealed in fresh.order_by("pk")[:AT_ONCE]:
        _count(row, revealed, now=now)
        row.after = revealed.pk
        if monotonic() > until:
            break
    DealCount.objects.filter(pk=1, after=before).update(
        after=row.after, at=now, deals=row.deals, spades=row.spades, cards=row.cards
    )
    return DealCount.objects.get(pk=1)


def counted() -> DealCount | None:
    """What was counted so far."""
    return DealCount.objects.filter(pk=1).first()


def _count(row: DealCount, revealed: Event, *, now: datetime) -> None:
    table = store.load(revealed.game_id, now=now)
    key = revealed.data["key"]
    dealt = Event.objects.filter(game=table.game, kind=Event.Kind.DEALT, round=revealed.round)
    for deal in dealt:
        if deal.data["key"] != key:  # dealt again under another key, after a ruling
            continue
        row.deals += 1
        for seat, hand in enumerate(table.hands(key, deal.attempt or 0)):
            row.spades[sum(card.is_spade for card in hand)] += 1
            for card in hand:
                row.cards[card.index][seat] += 1
