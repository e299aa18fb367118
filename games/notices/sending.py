"""The sweep that decides about every notice that is due, and sends it: at most one mail for each row, whatever runs twice.

A row is decided about when it is due, not when it was written:
- switched off, no address, no news any more, too old: it is dropped or held back and says why;
- chosen for the daily digest: see `digests`;
- at once: its receiver had 15 minutes to look in. Then **one mail goes out until their next visit**; a second one only if
  something graver happened than what the last one said (`GRAVITY`): time is short, time ran out, a bot keeps the seat. A ruling always goes
  out.

Before a mail leaves, the row says when it is tried again; afterwards it says "sent", if it is still as this worker left it. So a
server that is down for hours loses nothing: the row is tried again, ever more slowly, and checked again each time. While a
person's mail is on its way, their others wait for it. A worker that is killed between sending and saying so sends once more,
under the same Message-ID.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused, SMTPSenderRefused
from typing import Final

import structlog
from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.models import Notice
from games.notices import devices, digests, letters
from games.notices.choices import Choice, choice_of, first_due_at, on_devices
from games.notices.freshness import has_been_seen, why_stale

logger = structlog.get_logger(__name__)

Kind = Notice.Kind
Status = Notice.Status
Reason = Notice.Reason

AT_ONCE: Final = 50
# What a worker took and did not finish, another may take after this: longer than a batch with a slow server lasts.
LEASE: Final = timedelta(minutes=15)
FIRST_WAIT: Final = timedelta(minutes=1)
LONGEST_WAIT: Final = timedelta(minutes=20)
GIVE_UP_AFTER: Final = timedelta(days=3)
# From here on a mail says that it is late.
LATE: Final = timedelta(minutes=5)
SERVICE_NOT_AVAILABLE: Final = 421
KEPT_FOR: Final = timedelta(days=60)
GRAVITY: Final[Mapping[str, int]] = {
    Kind.YOUR_TURN: 0,
    Kind.ROUND_OVER: 0,
    Kind.MATCH_OVER: 0,
    Kind.INVITATION: 0,
    Kind.REMINDER: 1,
    Kind.TIME_RAN_OUT: 2,
    Kind.SEAT_TAKEN_OVER: 3,
    Kind.RULING: 4,
}


class ServerDown(Exception):
    """The mail server cannot be spoken to: there is no use in trying the next mail now."""


def send_due(*, now: datetime, limit: int = AT_ONCE) -> int:
    """Decide about the notices that are due, at most `limit`; how many mails went out. Rows of other workers are passed over."""
    taken = take(now, limit)
    sent = 0
    for place, pk in enumerate(taken):
        try:
            sent += _see_to(pk, now)
        except ServerDown:
            _let_go(taken[place + 1 :], now)
            break
        except (
            Exception
        ) as error:  # a notice that cannot be put into words must not stop the others
            logger.error("notice_broken", notice=pk, error=type(error).__name__)
    return sent


def look_again(user: User, *, now: datetime) -> None:
    """Let what waits for this person be due as they wish it now: their hour, zone or choices have changed."""
    mails = Notice.objects.filter(user=user, device_name="", status=Status.QUEUED, attempts=0)
    for notice in mails:
        if notice.kind != Kind.DIGEST:
            due_at = max(first_due_at(user, notice.kind, now=notice.created_at), now)
            Notice.objects.filter(pk=notice.pk, next_attempt_at=notice.next_attempt_at).update(
                due_at=due_at, next_attempt_at=due_at
            )


def forget_old(*, now: datetime, limit: int = 1000) -> int:
    """Delete notices of two months ago that are done with."""
    old = Notice.objects.filter(created_at__lt=now - KEPT_FOR).exclude(status=Status.QUEUED)
    return Notice.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:limit])).delete()[0]


def take(now: datetime, limit: int, *, to_devices: bool = False) -> list[int]:
    """The longest due rows, mails or messages to devices, kept from other workers for a while."""
    by_mail = Q(device_name="")
    with transaction.atomic():
        due = list(
            Notice.objects.select_for_update(skip_locked=True)
            .filter(status=Status.QUEUED, next_attempt_at__lte=now)
            .filter(~by_mail if to_devices else by_mail)
            .order_by("next_attempt_at", "pk")
            .values_list("pk", flat=True)[:limit]
        )
        Notice.objects.filter(pk__in=due).update(next_attempt_at=now + LEASE)
    return due


def _let_go(taken: list[int], now: datetime) -> None:
    mine = Notice.objects.filter(pk__in=taken, status=Status.QUEUED, next_attempt_at=now + LEASE)
    mine.update(next_attempt_at=now)


def _see_to(pk: int, now: datetime) -> bool:
    """Whether a mail went out for this notice. `ServerDown` when it could have."""
    notice = to_send(pk, now)
    if notice is None:
        return False
    try:
        letters.message_of(notice, now=now).send()
    except (OSError, SMTPException) as error:
        logger.warning("notice_not_taken", notice=pk, error=type(error).__name__)
        if _is_down(error):
            raise ServerDown from None
        return False
    return finish(notice, now)


def _is_down(error: Exception) -> bool:
    """Whether the server itself is in trouble, rather than with this one mail."""
    if isinstance(error, SMTPSenderRefused | SMTPDataError):
        return error.smtp_code == SERVICE_NOT_AVAILABLE
    return not isinstance(error, SMTPRecipientsRefused)


def to_send(pk: int, now: datetime) -> Notice | None:
    """The notice if it is to go out now, and nobody else sends it. Else what becomes of it is written down."""
    with transaction.atomic():
        rows = Notice.objects.select_related("game", "device")
        notice = rows.filter(pk=pk, status=Status.QUEUED).first()
        if notice is None or notice.next_attempt_at != now + LEASE:
            return None
        # Two workers with two notices of one person must see each other's mail.
        notice.user = User.objects.select_for_update(no_key=True).get(pk=notice.user_id)
        verdict = _verdict(notice, now)
        if verdict is None:
            notice.attempts += 1
            notice.next_attempt_at = now + _wait(notice)
        else:
            notice.status, notice.reason = verdict.status, verdict.reason
            notice.next_attempt_at = verdict.again_at or notice.next_attempt_at
        notice.save(update_fields=_DECIDED)
    return notice if verdict is None else None


_DECIDED: Final = ["status", "reason", "amount", "digest", "next_attempt_at", "attempts"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a notice that is not sent now."""

    status: Notice.Status
    reason: Notice.Reason = Reason.WAITS
    again_at: datetime | None = None


def _verdict(notice: Notice, now: datetime) -> Verdict | None:
    """None: send it."""
    if notice.device_name:
        return _verdict_on_a_message(notice, now)
    user = notice.user
    if not user.is_active or not user.email:
        return Verdict(Status.DROPPED, Reason.NO_ADDRESS)
    if EmailAddress.objects.filter(user=user, email=user.email, verified=False).exists():
        return Verdict(Status.HELD_BACK, Reason.UNCONFIRMED)
    if notice.kind == Kind.DIGEST:
        return _verdict_on_digest(notice, now)
    choice = choice_of(user, notice.kind)
    if choice == Choice.OFF:
        return Verdict(Status.HELD_BACK, Reason.OFF)
    stale = why_stale(notice)
    if stale is not None:
        return Verdict(Status.DROPPED, stale)
    if now - notice.due_at > GIVE_UP_AFTER:
        return Verdict(Status.DROPPED, Reason.GIVEN_UP)
    if choice == Choice.DIGEST:
        return _for_the_digest(notice, now)
    if notice.kind == Kind.RULING:
        return None  # each is told, whatever went out before
    if has_been_seen(notice):
        return Verdict(Status.HELD_BACK, Reason.LOOKED_IN)
    return _one_until_the_next_visit(notice, now)


def _verdict_on_a_message(notice: Notice, now: datetime) -> Verdict | None:
    if notice.device is None:
        return Verdict(Status.DROPPED, Reason.NO_DEVICE)
    if not (notice.user.is_active and devices.is_on() and on_devices(notice.user, notice.kind)):
        return Verdict(Status.HELD_BACK, Reason.OFF)
    stale = why_stale(notice)
    if stale is not None:
        return Verdict(Status.DROPPED, stale)
    if has_been_seen(notice):
        return Verdict(Status.HELD_BACK, Reason.LOOKED_IN)
    return _one_until_the_next_visit(notice, now)


def _for_the_digest(notice: Notice, now: datetime) -> Verdict:
    again_at = digests.gather(notice, now)
    if again_at is not None:
        return Verdict(Status.QUEUED, again_at=again_at)
    return Verdict(Status.IN_DIGEST, Reason.DIGEST_CHOSEN)


def _verdict_on_digest(digest: Notice, now: datetime) -> Verdict | None:
    if digests.is_past(digest, now):
        digests.put_back(digest, now)
        return Verdict(Status.DROPPED, Reason.NEXT_DAY)
    digest.amount = len({part.game_id for part in digests.fresh_parts(digest)})
    return None if digest.amount else Verdict(Status.DROPPED, Reason.NOTHING_LEFT)


def _one_until_the_next_visit(notice: Notice, now: datetime) -> Verdict | None:
    as_grave = [kind for kind, gravity in GRAVITY.items() if gravity >= GRAVITY[notice.kind]]
    alike = Notice.objects.filter(user=notice.user, device=notice.device, kind__in=as_grave)
    others = alike.exclude(pk=notice.pk)
    on_its_way = others.filter(status=Status.QUEUED, attempts__gt=0).order_by("-next_attempt_at")
    # Asked first: the mail of another worker may be sent between the two questions, and must be seen by one of them.
    first = on_its_way.first()
    sent = others.filter(status=Status.SENT)
    if notice.user.last_visit_at is not None:
        sent = sent.filter(sent_at__gte=notice.user.last_visit_at)
    if sent.exists():
        enough = Reason.ONE_PUSH if notice.device_name else Reason.ONE_IS_ENOUGH
        return Verdict(Status.HELD_BACK, enough)
    if first is None or notice.attempts:
        return None
    return Verdict(Status.QUEUED, again_at=max(first.next_attempt_at, now) + FIRST_WAIT)


def _wait(notice: Notice) -> timedelta:
    """How long until the next attempt, should this one fail: twice as long each time, give or take a quarter."""
    wait = min(FIRST_WAIT * 2.0 ** min(notice.attempts - 1, 10), LONGEST_WAIT)
    # Dice of its own, so that a retry can be told beforehand; no two rows come back together.
    return wait * Random(f"{notice.pk}/{notice.attempts}").uniform(0.75, 1.25)


def finish(notice: Notice, now: datetime) -> bool:
    """Write down that it went out, if it is still as this worker left it. Whether it was."""
    mine = Notice.objects.filter(
        pk=notice.pk, status=Status.QUEUED, next_attempt_at=notice.next_attempt_at
    )
    late = now - notice.due_at
    notice.reason = _why_sent(notice, late)
    if notice.reason == Reason.LATE:
        notice.amount = late // timedelta(minutes=1)
    with transaction.atomic():
        finished = mine.update(
            status=Status.SENT, reason=notice.reason, amount=notice.amount, sent_at=now
        )
        if notice.kind == Kind.DIGEST:
            notice.parts.filter(status=Status.IN_DIGEST).update(sent_at=now)
    return bool(finished)


def _why_sent(notice: Notice, late: timedelta) -> Notice.Reason:
    if notice.device_name:
        return Reason.TIME_IS_SHORT if notice.kind == Kind.REMINDER else Reason.PUSHED
    if notice.kind == Kind.DIGEST:
        return Reason.GAMES
    if notice.attempts > 1 and late > LATE:
        return Reason.LATE
    if notice.kind == Kind.RULING:
        return Reason.CONCERNS_YOU
    return Reason.TIME_IS_SHORT if notice.kind == Kind.REMINDER else Reason.NOT_SEEN
