"""Mail of the account pages: stored first, sent by the worker, retried until it is stale.

Storing costs the same whoever is written to, so no answer tells whether an address is known; and a
mail server that is down for hours loses nothing.
"""

from datetime import datetime, timedelta
from smtplib import SMTPException

import structlog
from celery import current_app
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone

from accounts.models import OutgoingMail

log = structlog.get_logger(__name__)

FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=1)
STALE_AFTER = timedelta(days=3)
AT_ONCE = 50


def queue_mail(message: EmailMessage) -> None:
    """Store the mail and ask the worker to send it once this transaction is through."""
    now = timezone.now()
    for recipient in message.to:
        mail = OutgoingMail.objects.create(
            to=recipient,
            subject=str(message.subject)[:250],
            text=str(message.body),
            created_at=now,
            next_attempt_at=now,
        )
        transaction.on_commit(lambda pk=mail.pk: _ask_worker(pk), robust=True)  # type: ignore[misc] # the default binds it


def send_queued(pk: int, *, now: datetime) -> bool:
    """True if this call sent the mail. False: sent already, not due, being sent, or refused."""
    mail = OutgoingMail.objects.filter(pk=pk, next_attempt_at__lte=now).first()
    if mail is None:
        return False
    if now - mail.created_at > STALE_AFTER:
        log.warning("mail.given_up", mail=pk, attempts=mail.attempts)
        mail.delete()
        return False
    wait = min(FIRST_WAIT * 2**mail.attempts, LONGEST_WAIT)
    # Without the condition two workers would both send: the one that moved the date may.
    claimed = OutgoingMail.objects.filter(pk=pk, next_attempt_at=mail.next_attempt_at).update(
        attempts=mail.attempts + 1, next_attempt_at=now + wait
    )
    if not claimed:
        return False
    try:
        EmailMessage(mail.subject, mail.text, to=[mail.to]).send()
    except (OSError, SMTPException) as error:
        log.warning(
            "mail.refused", mail=pk, attempts=mail.attempts + 1, reason=type(error).__name__
        )
        return False
    mail.delete()
    return True


def send_due(*, now: datetime) -> int:
    """Send what a lost message or a refusal left behind; how many went out."""
    due = OutgoingMail.objects.filter(next_attempt_at__lte=now).order_by("next_attempt_at")
    return sum(send_queued(pk, now=now) for pk in due.values_list("pk", flat=True)[:AT_ONCE])


def _ask_worker(pk: int) -> None:
    # By name: the task imports this module.
    current_app.send_task("accounts.tasks.send_mail", args=[pk])
