"""Quarantine: a game whose log, seed or columns contradict themselves is frozen by itself, and goes on by itself. The others play on.

It is looked at again and again, and goes on as soon as everything agrees; after three days in any case, unless its rounds
cannot be read any more: then only mending or cancelling it helps. The staff is told by mail, once an hour at the most. Nothing here
names a card, a seed or a person.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from accounts.mail import queue_mail
from accounts.models import User
from games import store
from games.models import Game, Quarantine
from games.refusals import GameNotFound
from games.services import freezing
from games.services.audit import verify_game
from games.store import By
from games.table import BrokenLog

logger = structlog.get_logger(__name__)

LONGEST: Final = timedelta(hours=72)
LOOK_EVERY: Final = timedelta(minutes=10)
TELL_EVERY: Final = timedelta(hours=1)
AT_ONCE: Final = 20
MOST_TOLD: Final = 20
# A line can be added only to a log that is whole; what was found of it otherwise must not be made worse.
_NOT_TO_BE_ADDED_TO: Final = ("chain", "heads", "rules")
# What a game says that was frozen without a line of its log.
_FROZEN_UNTOLD: Final = "columns: status"
_DAMAGE: Final = (BrokenLog, IntegrityError, ValueError, LookupError, TypeError)

_LETTER: Final = """\
What is stored of these games contradicts itself. Each was stopped, its clocks with it; all other games go on.

{games}

They are looked at every ten minutes and go on by themselves as soon as everything agrees, after 72 hours in any case, unless their
rounds cannot be read. All of them: {url}
"""


@contextmanager
def watch(*, now: datetime) -> Iterator[None]:
    """Around a worker's task: a game that turns out to be broken is looked at at once. The error goes on."""
    try:
        yield
    except BrokenLog as broken:
        look_at(broken.game, now=now)
        raise


def look_at(game_id: str, *, now: datetime) -> bool:
    """Check a game of which something was seen that cannot be. Whether it was frozen for it."""
    if not Game.objects.filter(pk=game_id, status=Game.Status.PLAYING).exists():
        return False
    try:
        found = verify_game(game_id, now=now)
    except GameNotFound:
        return False
    return bool(found) and freeze(game_id, found, now=now)


def freeze(game_id: str, found: list[str], *, now: datetime) -> bool:
    """Stop a game that is being played because of what was found (`verify_game`). Whether it was.

    Not twice for the same: what could not be mended in three days stops it no longer.
    """
    with transaction.atomic():
        locked = Game.objects.select_for_update().filter(pk=game_id, status=Game.Status.PLAYING)
        if not locked.exists() or _was_frozen_for(game_id, found):
            return False
        # One that staff let go on is over, though nobody has looked at it since.
        left = Quarantine.objects.filter(game_id=game_id, ended_at=None)
        left.update(ended_at=now, outcome=Quarantine.Outcome.STAFF)
        Quarantine.objects.create(
            game_id=game_id, began_at=now, findings=found, look_at=now + LOOK_EVERY
        )
        _stop(game_id, found, now=now)
    logger.error("game.quarantined", game=game_id, found=found)
    _tell_staff(now=now)
    return True


def see_to(*, now: datetime) -> None:
    """Let games go on that may: they agree again, or have stood still for long enough, whoever stopped them."""
    due = Quarantine.objects.filter(ended_at=None, look_at__lte=now)
    for pk in due.order_by("look_at").values_list("pk", flat=True)[:AT_ONCE]:
        _look_again(pk, now=now)
    overdue = Game.objects.filter(status=Game.Status.FROZEN, frozen_at__lte=now - LONGEST)
    overdue = overdue.exclude(pk__in=open_ones().values("game"))
    for game_id in overdue.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]:
        _thaw(game_id, now=now)
    _tell_staff(now=now)


def open_ones() -> QuerySet[Quarantine]:
    """What the staff is shown: the games that stand still because of a contradiction, the longest first."""
    return Quarantine.objects.filter(ended_at=None).order_by("began_at")


def _was_frozen_for(game_id: str, found: list[str]) -> bool:
    before = Quarantine.objects.filter(game=game_id, outcome=Quarantine.Outcome.TIME)
    return any(found == findings for findings in before.values_list("findings", flat=True))


def _stop(game_id: str, found: list[str], *, now: datetime) -> None:
    if not any(each.startswith(_NOT_TO_BE_ADDED_TO) for each in found):
        try:
            with store.locked(game_id, now=now) as table:
                freezing.freeze(table, by=By.RULE)
        except _DAMAGE:
            pass  # it takes no more lines, and is stopped without one
        else:
            return
    freezing.freeze_untold(game_id, now=now)


def _look_again(pk: int, *, now: datetime) -> None:
    with transaction.atomic():
        kept = Quarantine.objects.select_for_update(skip_locked=True).filter(pk=pk, ended_at=None)
        if (found := kept.first()) is None:
            return
        game_id = found.game_id
        found.look_at = now + LOOK_EVERY
        is_frozen = Game.objects.filter(pk=game_id, status=Game.Status.FROZEN).exists()
        if not is_frozen:
            found.outcome, found.ended_at = Quarantine.Outcome.STAFF, now
        elif not {*verify_game(game_id, now=now)} - {_FROZEN_UNTOLD}:
            if _thaw(game_id, now=now):
                found.outcome, found.ended_at = Quarantine.Outcome.MENDED, now
        elif now - found.began_at >= LONGEST and _thaw(game_id, now=now):
            found.outcome, found.ended_at = Quarantine.Outcome.TIME, now
        found.save(update_fields=["look_at", "outcome", "ended_at"])
    if found.ended_at is not None:
        logger.warning("game.quarantine_ended", game=game_id, outcome=str(found.outcome))


def _thaw(game_id: str, *, now: datetime) -> bool:
    """Whether the game goes on."""
    try:
        with store.locked(game_id, now=now) as table:
            if table.game.status != Game.Status.FROZEN:
                return False  # staff let it go on, or cancelled it, since it was looked at
            freezing.thaw(table, by=By.RULE)
    except _DAMAGE as error:
        logger.error("game.stays_frozen", game=game_id, error=type(error).__name__)
        return False
    return True


def _tell_staff(*, now: datetime) -> None:
    untold = open_ones().filter(told_at=None)
    lately = Quarantine.objects.filter(told_at__gt=now - TELL_EVERY)
    if lately.exists() or not untold.exists():
        return
    with transaction.atomic():
        news = list(untold.select_for_update()[:MOST_TOLD])
        lines = [f"{each.game_id}: {'; '.join(each.findings)}" for each in news]
        more = untold.count() - len(news)
        if more:
            lines.append(f"and {more} more")
        text = _LETTER.format(
            games="\n".join(lines), url=f"{settings.SITE_URL}/admin/games/quarantine/"
        )
        staff = User.objects.filter(is_staff=True, is_active=True).exclude(email="")
        for address in staff.order_by("pk").values_list("email", flat=True)[:MOST_TOLD]:
            queue_mail(EmailMessage(f"Callbreak: {len(lines)} stopped", text, to=[address]))
        untold.update(told_at=now)
