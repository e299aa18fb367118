"""The daily digest: everything a person wants told once a day, in one mail for each of their local days.

It goes out between its hour and the end of its local day, so that no day gets two, whatever the clocks or the mail server do: a
digest that could not be sent on its day gives its parts back, to the next one.
"""

from datetime import UTC, datetime
from typing import Final

from games.models import Notice
from games.notices.choices import (
    USUAL,
    Choice,
    choice_of,
    digest_at,
    local_day,
    next_digest_at,
)
from games.notices.freshness import OF_A_TURN, deadline_of, has_been_seen, why_stale

Status = Notice.Status
Reason = Notice.Reason

MOST_PARTS: Final = 100
_NO_HURRY: Final = datetime.max.replace(tzinfo=UTC)


def gather(notice: Notice, now: datetime) -> datetime | None:
    """Make today's digest of everything that waits for it, if its hour has come and there was none yet.

    None if so: `notice` is in it. Else when `notice` is to be looked at again. Called under the lock of its receiver.
    """
    user = notice.user
    today = local_day(user, now)
    if now < digest_at(user, today):
        return digest_at(user, today)
    digest, is_new = Notice.objects.get_or_create(
        user=user,
        kind=Notice.Kind.DIGEST,
        day=today,
        defaults={"created_at": now, "due_at": now, "next_attempt_at": now},
    )
    if not is_new:
        return next_digest_at(user, now)
    kinds = [kind for kind in USUAL if choice_of(user, kind) == Choice.DIGEST]
    others = Notice.objects.filter(user=user, device_name="", kind__in=kinds, status=Status.QUEUED)
    oldest = others.exclude(pk=notice.pk).order_by("created_at").values_list("pk", flat=True)
    Notice.objects.filter(pk__in=list(oldest[: MOST_PARTS - 1])).update(
        status=Status.IN_DIGEST, reason=Reason.DIGEST_CHOSEN, digest=digest
    )
    notice.digest = digest
    return None


def fresh_parts(digest: Notice) -> list[Notice]:
    """What the digest has to say now, most urgent first, each decision once. What is no news any more is dropped for good."""
    fresh: dict[tuple[object, ...], tuple[datetime, Notice]] = {}
    parts = digest.parts.filter(status=Status.IN_DIGEST).select_related("game")
    for part in parts.order_by("created_at", "pk"):
        part.user = digest.user
        stale = _why_stale_here(part)
        if stale is not None:
            status = Status.HELD_BACK if stale == Reason.LOOKED_IN else Status.DROPPED
            Notice.objects.filter(pk=part.pk).update(status=status, reason=stale)
            continue
        about = "turn" if part.kind in OF_A_TURN else part.kind
        key = (part.game_id, part.round, part.turn, about)
        fresh[key] = (deadline_of(part) or _NO_HURRY, part)
    ordered = sorted(fresh.values(), key=lambda each: (each[0], each[1].created_at, each[1].pk))
    return [part for _, part in ordered]


def _why_stale_here(part: Notice) -> Notice.Reason | None:
    """A decision that waits is told about though its maker has looked in; other news are old by then."""
    stale = why_stale(part)
    if stale is None and part.kind not in OF_A_TURN and has_been_seen(part):
        return Reason.LOOKED_IN
    return stale


def is_past(digest: Notice, now: datetime) -> bool:
    """Whether the local day is over that this digest is of."""
    return digest.day is not None and local_day(digest.user, now) != digest.day


def put_back(digest: Notice, now: datetime) -> None:
    """Let the parts of a digest that never went out wait for the next."""
    again_at = max(digest_at(digest.user, local_day(digest.user, now)), now)
    digest.parts.filter(status=Status.IN_DIGEST).update(
        status=Status.QUEUED, reason=Reason.WAITS, digest=None, next_attempt_at=again_at
    )
