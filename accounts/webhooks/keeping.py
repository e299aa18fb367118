"""What the owner of a webhook does with it."""

import json
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User, Webhook, WebhookDelivery
from accounts.outbound.targets import parse
from accounts.webhooks.signing import new_secret, seal

MOST: Final = 10
LONGEST_URL: Final = 500
BOTH_SECRETS_FOR: Final = timedelta(hours=24)
TEST: Final = "test"


class TooManyWebhooks(Exception):
    sentence = _("Ten webhooks are the most that an account has.")


def make(user: User, url: str, events: Iterable[str], *, now: datetime) -> tuple[Webhook, str]:
    """A webhook and its secret, which nobody sees again. What waits already will be told. `BadTarget`, `TooManyWebhooks`."""
    parse(url, longest=LONGEST_URL)
    secret = new_secret()
    wanted = set(events)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if user.webhooks.count() >= MOST:
            raise TooManyWebhooks
        webhook = Webhook.objects.create(
            user=user,
            url=url,
            events=[event for event in Webhook.Event.values if event in wanted],
            secret=seal(secret),
            created_at=now,
        )
    return webhook, secret


def change_secret(webhook: Webhook, *, now: datetime) -> str:
    """A new secret. For a day, what is sent is signed with the old one too."""
    secret = new_secret()
    Webhook.objects.filter(pk=webhook.pk).update(
        secret=seal(secret), old_secret=bytes(webhook.secret), old_until=now + BOTH_SECRETS_FOR
    )
    return secret


def switch_on(webhook: Webhook) -> None:
    """Begin anew: what waits now is told, what happened meanwhile is not."""
    Webhook.objects.filter(pk=webhook.pk).exclude(disabled="").update(
        disabled="", failing_since=None, place=""
    )


def send_test(webhook: Webhook, *, now: datetime) -> WebhookDelivery:
    """Queue a message that says nothing."""
    return queue(webhook, TEST, {}, now=now)


def send_again(delivery: WebhookDelivery, *, now: datetime) -> None:
    """Queue a message once more, as it was: a receiver that has it knows it by its id."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        status=WebhookDelivery.Status.QUEUED, attempts=0, next_attempt_at=now
    )


def queue(
    webhook: Webhook, kind: str, data: dict[str, object], *, now: datetime
) -> WebhookDelivery:
    """Write a message down to be sent."""
    stamp = now.isoformat(timespec="seconds").replace("+00:00", "Z")
    body = {"type": kind, "timestamp": stamp, "data": data}
    return WebhookDelivery.objects.create(
        id=f"msg_{secrets.token_hex(12)}",
        webhook=webhook,
        kind=kind,
        body=json.dumps(body, separators=(",", ":")),
        created_at=now,
        next_attempt_at=now,
    )
