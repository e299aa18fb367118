"""The queue of messages: what is due is sent, what did not arrive is tried again ever more slowly, and given up after a day and a half.

A row is leased before it is sent and written when its answer is there, so two workers send it once, and one that was killed loses
nothing: its receiver may see it twice, under one id. A webhook has one message in each batch, so a slow one holds up no other.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from random import Random
from typing import Final

import structlog
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext

from accounts.mail import queue_mail
from accounts.models import Webhook, WebhookDelivery
from accounts.outbound.posting import Outcome, Poster
from accounts.webhooks.signing import signatures, unseal

logger = structlog.get_logger(__name__)

Status = WebhookDelivery.Status

AT_ONCE: Final = 32
SIDE_BY_SIDE: Final = 8
# Longer than a batch can take: four times ten seconds, and names that are slow to resolve.
LEASE: Final = timedelta(minutes=5)
WAITS: Final = tuple(
    timedelta(seconds=seconds) for seconds in (5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400)
)
JITTER: Final = 0.2
DISABLED_AFTER: Final = timedelta(hours=24)
KEPT_FOR: Final = timedelta(days=30)
GONE: Final = 410


def send_due(
    *, now: datetime, poster: Poster | None = None, dice: Random | None = None, limit: int = AT_ONCE
) -> int:
    """Send what is due, one message for each webhook and at most `limit`; how many arrived."""
    poster, dice = poster or Poster(), dice or Random()
    due = list(
        WebhookDelivery.objects.filter(pk__in=_take(now, limit)).select_related("webhook__user")
    )
    with ThreadPoolExecutor(SIDE_BY_SIDE) as threads:
        outcomes = list(threads.map(lambda each: _send(each, poster, now), due))
    for delivery, outcome in zip(due, outcomes, strict=True):
        _write_down(delivery, outcome, now=now, dice=dice)
    return sum(outcome.is_delivered for outcome in outcomes)


def forget_old(*, now: datetime) -> None:
    """Keep the log of deliveries to a month."""
    WebhookDelivery.objects.filter(created_at__lt=now - KEPT_FOR).exclude(
        status=Status.QUEUED
    ).delete()


def _take(now: datetime, limit: int) -> list[str]:
    with transaction.atomic():
        due = (
            WebhookDelivery.objects.select_for_update(skip_locked=True, of=["self"])
            .filter(status=Status.QUEUED, next_attempt_at__lte=now, webhook__disabled="")
            .order_by("next_attempt_at", "created_at", "pk")
            .values_list("webhook", "pk")[: 10 * limit]
        )
        first = list(_first_of_each(due))[:limit]
        WebhookDelivery.objects.filter(pk__in=first).update(next_attempt_at=now + LEASE)
    return first


def _first_of_each(due: Iterable[tuple[int, str]]) -> Iterable[str]:
    firsts: dict[int, str] = {}
    for webhook, pk in due:
        firsts.setdefault(webhook, pk)
    return firsts.values()


def _send(delivery: WebhookDelivery, poster: Poster, now: datetime) -> Outcome:
    """No query is made here: this runs beside others."""
    webhook, stamp = delivery.webhook, int(now.timestamp())
    secrets = [unseal(webhook.secret)]
    if webhook.old_secret is not None and webhook.old_until and now < webhook.old_until:
        secrets.append(unseal(webhook.old_secret))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Callbreak-Webhooks/1",
        "webhook-id": delivery.pk,
        "webhook-timestamp": str(stamp),
        "webhook-signature": signatures(secrets, delivery.pk, stamp, delivery.body),
    }
    return poster.post(webhook.url, headers, delivery.body.encode())


@transaction.atomic
def _write_down(
    delivery: WebhookDelivery, outcome: Outcome, *, now: datetime, dice: Random
) -> None:
    attempts = delivery.attempts + 1
    if outcome.is_delivered:
        status, next_at = Status.DELIVERED, now
    elif attempts > len(WAITS):
        status, next_at = Status.FAILED, now
    else:
        wait = WAITS[attempts - 1] * dice.uniform(1 - JITTER, 1 + JITTER)
        status, next_at = Status.QUEUED, now + wait
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        status=status,
        attempts=attempts,
        next_attempt_at=next_at,
        last_attempt_at=now,
        answer=outcome.status,
        error=outcome.error,
    )
    webhook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
    if webhook is not None:
        _keep_health(webhook, outcome, now)


def _keep_health(webhook: Webhook, outcome: Outcome, now: datetime) -> None:
    if outcome.is_delivered:
        webhook.failing_since = None
    else:
        webhook.failing_since = webhook.failing_since or now
        if outcome.status == GONE:
            webhook.disabled = Webhook.Disabled.GONE
        elif now - webhook.failing_since >= DISABLED_AFTER:
            webhook.disabled = Webhook.Disabled.FAILING
        if webhook.disabled:
            _tell_owner(webhook)
    webhook.save(update_fields=["failing_since", "disabled"])


def _tell_owner(webhook: Webhook) -> None:
    # The address alone: what it answered is nobody's business in a mail.
    logger.info("webhook_disabled", webhook=webhook.pk, reason=webhook.disabled)
    if not webhook.user.email:
        return
    with translation.override(webhook.user.language or None):
        context = {"webhook": webhook, "why": webhook.get_disabled_display()}
        text = render_to_string("accounts/webhook_disabled.txt", context)
        subject = gettext("Your webhook is switched off")
    queue_mail(EmailMessage(subject, text, to=[webhook.user.email]))
