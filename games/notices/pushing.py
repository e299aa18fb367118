"""The sweep that tells devices what waits for their person: ids alone, encrypted for the one browser (RFC 8291, VAPID).

A row of the ledger each, decided about when it is due as mails are (`sending`): not if its person has looked in, moved, or was
told on this device since their last visit. What a device's own server answers decides what becomes of it: gone is switched off,
in trouble is tried again a few times. One that is slow keeps no mail waiting: mails have a sweep of their own.
"""

import json
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import Final
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.utils.crypto import salted_hmac

from accounts.outbound.posting import Outcome, Poster
from games.models import Notice, PushDevice
from games.notices import sending
from games.notices.freshness import deadline_of

logger = structlog.get_logger(__name__)

Status = Notice.Status
Reason = Notice.Reason

# One after the other, of ten seconds each at the most: less than the lease of `sending`.
AT_ONCE: Final = 50
MOST_ATTEMPTS: Final = 5
# How long its server may keep a message for a device that is switched off: until the decision is due, or so long.
LONGEST: Final = timedelta(days=1)
_GONE: Final = (404, 410)
_IN_TROUBLE: Final = (408, 429)
_TOKEN_LASTS: Final = timedelta(hours=12)


def send_due(*, now: datetime, poster: Poster | None = None, limit: int = AT_ONCE) -> int:
    """Decide about the messages that are due, at most `limit`; how many were taken by their servers."""
    poster, sent = poster or Poster(), 0
    for pk in sending.take(now, limit, to_devices=True):
        try:
            sent += _see_to(pk, poster, now)
        except Exception as error:  # one that cannot be made must not stop the others
            logger.error("push_broken", notice=pk, error=type(error).__name__)
    return sent


def payload(notice: Notice) -> bytes:
    """What a device is told. Nothing of a hand, a plan or a person can be in it: it is made of the kind and the game's id."""
    return json.dumps({"kind": notice.kind, "game": notice.game_id}).encode()


def _see_to(pk: int, poster: Poster, now: datetime) -> bool:
    """Whether the device's server took it."""
    notice = sending.to_send(pk, now)
    if notice is None or notice.device is None:
        return False
    outcome = _post(notice, notice.device, poster, now)
    if outcome.is_delivered:
        return sending.finish(notice, now)
    logger.warning("push_not_taken", notice=pk, status=outcome.status, error=outcome.error)
    if outcome.status in _GONE:
        _drop(notice, Reason.GONE)
        notice.device.delete()
    elif _is_refused(outcome) or notice.attempts >= MOST_ATTEMPTS:
        _drop(notice, Reason.NO_ANSWER)
    return False


def _is_refused(outcome: Outcome) -> bool:
    """Whether the server wants this message as little the next time."""
    status = outcome.status
    return status is not None and status < 500 and status not in _IN_TROUBLE


def _drop(notice: Notice, reason: Notice.Reason) -> None:
    mine = Notice.objects.filter(
        pk=notice.pk, status=Status.QUEUED, next_attempt_at=notice.next_attempt_at
    )
    mine.update(status=Status.DROPPED, reason=reason)


def _post(notice: Notice, device: PushDevice, poster: Poster, now: datetime) -> Outcome:
    # An extra: imported where it is needed, since a site without a key has no use for it.
    from py_vapid import Vapid02
    from pywebpush import WebPusher

    keys = {"p256dh": device.p256dh, "auth": device.auth}
    pusher = WebPusher({"endpoint": device.endpoint, "keys": keys})
    body = pusher.encode(payload(notice), content_encoding="aes128gcm")["body"]
    where = urlsplit(device.endpoint)
    claims = {
        "aud": f"{where.scheme}://{where.netloc}",
        "exp": int((now + _TOKEN_LASTS).timestamp()),
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
    }
    headers = {
        **Vapid02.from_raw(settings.CALLBREAK_PUSH_KEY.encode()).sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(_seconds_left(notice, now)),
        # A newer message about the same game takes the place of one that still waits. To its server it is a mere number.
        "Topic": salted_hmac("games.push", f"{device.pk} {notice.game_id}").hexdigest()[:32],
        "Urgency": "normal",
    }
    return poster.post(device.endpoint, headers, body)


def _seconds_left(notice: Notice, now: datetime) -> int:
    deadline = deadline_of(notice)
    left = LONGEST if deadline is None else min(deadline - now, LONGEST)
    return max(int(left.total_seconds()), 0)
