"""The nightly look at everything that is stored: every game against its log, every checkpoint against its games.

It is done in short slices, so that the sweep never waits for it, and each slice writes down how far it came: whatever dies, the next
one goes on from there. What is found is an alert in the log and stands on the first page of the admin.
"""

from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final

import structlog
from django.db.models import Q

from games.models import Game, Inspection
from games.refusals import GameNotFound
from games.services import checkpoints, quarantine
from games.services.audit import verify_game

logger = structlog.get_logger(__name__)

SLICE_SECONDS: Final = 2.0
LEASE: Final = timedelta(minutes=2)
MOST_FINDINGS: Final = 100
# Older roots were worked out again in the nights before: doing all of them every night would never end.
ROOTS_AGAIN: Final = 7


def begin(*, now: datetime) -> Inspection:
    """Tonight's inspection, begun if it is not yet. One that never ended is given up for it."""
    day = now.astimezone(UTC).date()
    total = Game.objects.count()
    tonight, is_new = Inspection.objects.get_or_create(
        day=day, defaults={"began_at": now, "busy_until": now, "total": total}
    )
    if is_new:
        Inspection.objects.filter(ended_at=None).exclude(pk=tonight.pk).update(ended_at=now)
    return tonight


def go_on(*, now: datetime, seconds: float = SLICE_SECONDS) -> Inspection | None:
    """Look at some more games, for so long; at the checkpoints when all games are done. None if nothing is to be done."""
    open_ones = Inspection.objects.filter(ended_at=None).order_by("-began_at")
    run = open_ones.first()
    if run is None:
        return None
    free = Inspection.objects.filter(Q(busy_until__lte=now), pk=run.pk, ended_at=None)
    if not free.update(busy_until=now + LEASE):
        return None
    run.refresh_from_db()
    until = monotonic() + seconds
    games = Game.objects.filter(pk__gt=run.after).order_by("pk").values_list("pk", flat=True)
    is_done = True
    for game in games.iterator(chunk_size=100):
        _look_at(run, game, now=now)
        if monotonic() > until:
            is_done = False
            break
    if is_done:
        _end(run, now=now)
    run.busy_until = now
    run.save()
    return run


def latest() -> Inspection | None:
    """The last inspection, ended or not: what the staff is shown."""
    return Inspection.objects.order_by("-began_at").first()


def _look_at(run: Inspection, game: str, *, now: datetime) -> None:
    run.after = game
    try:
        found = verify_game(game, now=now)
    except GameNotFound:
        return
    run.checked += 1
    _note(run, game, found)
    if found:
        quarantine.freeze(game, found, now=now)


def _end(run: Inspection, *, now: datetime) -> None:
    _note(run, "checkpoints", checkpoints.check(newest=ROOTS_AGAIN))
    run.ended_at = now
    log = logger.error if run.broken else logger.info
    log("inspection.ended", games=run.checked, broken=run.broken)


def _note(run: Inspection, what: str, found: list[str]) -> None:
    if not found:
        return
    run.broken += 1
    logger.error("inspection.found", what=what, found=found)
    if len(run.findings) < MOST_FINDINGS:
        run.findings.append([what, found])
