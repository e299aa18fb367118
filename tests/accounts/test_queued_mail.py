"""Account mail: stored first, sent once, retried, given up in the end."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as outbox
from django.core.mail import EmailMessage
from django.utils import timezone

from accounts.mail import queue_mail, send_due, send_queued
from accounts.models import OutgoingMail

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued() -> OutgoingMail:
    queue_mail(EmailMessage("Hello", "A link", to=["asha@example.com"]))
    return OutgoingMail.objects.get()


def test_a_mail_is_sent_once_and_forgotten(queued: OutgoingMail) -> None:
    now = timezone.now()

    assert send_queued(queued.pk, now=now)
    assert not send_queued(queued.pk, now=now)

    assert [message.to for message in outbox.outbox] == [["asha@example.com"]]
    assert not OutgoingMail.objects.exists()


def test_a_server_that_is_down_for_hours_loses_nothing(queued: OutgoingMail, settings: Any) -> None:
    now = timezone.now()
    working, settings.EMAIL_BACKEND = (
        settings.EMAIL_BACKEND,
        "django.core.mail.backends.smtp.EmailBackend",
    )
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    attempts = 0
    for minute in range(5 * 60):
        send_due(now=now + timedelta(minutes=minute))
    attempts = OutgoingMail.objects.get().attempts

    settings.EMAIL_BACKEND = working
    sent = send_due(now=now + timedelta(hours=7))

    assert sent == 1
    assert 5 <= attempts <= 12  # ever more slowly: it does not hammer a server in trouble
    assert len(outbox.outbox) == 1


def test_a_mail_that_nobody_took_for_days_is_dropped(queued: OutgoingMail) -> None:
    assert send_due(now=queued.created_at + timedelta(days=4)) == 0

    assert not OutgoingMail.objects.exists()
    assert outbox.outbox == []
