"""The queue of webhook messages: signed, retried ever more slowly, given up in the end, and a dead address switched off."""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from accounts.models import OutgoingMail, User, Webhook, WebhookDelivery
from accounts.webhooks import deliveries, keeping
from accounts.webhooks.signing import signatures
from tests.accounts.internet import NAME, Internet, internet, says
from tests.games.tables import NOW

URL = f"https://{NAME}/in"
Status = WebhookDelivery.Status


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Internet]:
    with internet(tmp_path) as web:
        yield web


def made(user: User) -> tuple[Webhook, str]:
    return keeping.make(user, URL, Webhook.Event.values, now=NOW)


def send(web: Internet, now: datetime) -> int:
    return deliveries.send_due(now=now, poster=web.poster(), dice=Random(1))


def is_signed_with(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """The published scheme, step by step: https://www.standardwebhooks.com."""
    kind, _, key = secret.partition("_")
    assert kind == "whsec"
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    mac = hmac.new(base64.b64decode(key), signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(mac).decode()}" in headers["webhook-signature"].split(" ")


def test_the_signature_is_the_published_schemes_own_example() -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = '{"test": 2432232314}'

    made = signatures([secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)

    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_message_arrives_signed(web: Internet, asha: User) -> None:
    webhook, secret = made(asha)
    sent = keeping.send_test(webhook, now=NOW)

    assert send(web, NOW) == 1
    assert send(web, NOW + timedelta(days=1)) == 0

    [(headers, body)] = web.heard
    assert json.loads(body) == {"type": "test", "timestamp": "2026-11-29T19:29:31Z", "data": {}}
    assert headers["webhook-id"] == sent.pk
    assert headers["webhook-timestamp"] == str(int(NOW.timestamp()))
    assert is_signed_with(secret, headers, body)
    sent.refresh_from_db()
    assert (sent.status, sent.attempts, sent.answer) == (Status.DELIVERED, 1, 204)
    assert secret.encode() not in bytes(webhook.secret)


def test_for_a_day_both_secrets_sign(web: Internet, asha: User) -> None:
    webhook, old = made(asha)
    new = keeping.change_secret(webhook, now=NOW)
    webhook.refresh_from_db()
    later = NOW + timedelta(hours=25)
    keeping.send_test(webhook, now=NOW)
    send(web, NOW)
    keeping.send_test(webhook, now=later)
    send(web, later)

    (during, body), (after, last_body) = web.heard
    assert is_signed_with(old, during, body)
    assert is_signed_with(new, during, body)
    assert is_signed_with(new, after, last_body)
    assert not is_signed_with(old, after, last_body)


def test_what_fails_is_tried_ever_more_slowly_under_one_id_and_given_up(
    web: Internet, asha: User
) -> None:
    webhook, _secret = made(asha)
    sent = keeping.send_test(webhook, now=NOW)
    web.answers = [says(500)]
    now, waits = NOW, []
    while sent.status == Status.QUEUED:
        # Somebody switches it on whenever it was switched off: here it is about one message alone.
        keeping.switch_on(webhook)
        assert send(web, now) == 0
        sent.refresh_from_db()
        waits.append(sent.next_attempt_at - now)
        now = max(sent.next_attempt_at, now)

    assert sent.status == Status.FAILED
    assert sent.attempts == len(deliveries.WAITS) + 1
    assert {headers["webhook-id"] for headers, _body in web.heard} == {sent.pk}
    for wait, planned in zip(waits, deliveries.WAITS, strict=False):
        assert planned * 0.8 <= wait <= planned * 1.2
        assert wait != planned


def test_a_message_not_yet_due_is_left_alone_and_a_lease_keeps_others_off(
    web: Internet, asha: User
) -> None:
    webhook, _secret = made(asha)
    keeping.send_test(webhook, now=NOW)
    web.answers = [says(500)]
    send(web, NOW)

    send(web, NOW + timedelta(seconds=3))
    assert len(web.heard) == 1

    send(web, NOW + timedelta(seconds=7))
    assert len(web.heard) == 2
    [waiting] = deliveries._take(NOW + timedelta(hours=1), 9)
    assert WebhookDelivery.objects.get(pk=waiting).status == Status.QUEUED
    assert deliveries._take(NOW + timedelta(hours=1), 9) == []


def test_after_a_day_of_failures_it_is_switched_off_and_its_owner_told(
    web: Internet, asha: User
) -> None:
    webhook, _secret = made(asha)
    web.answers = [says(500)]
    for hours in (0, 12, 23):
        keeping.send_test(webhook, now=NOW + timedelta(hours=hours))
        send(web, NOW + timedelta(hours=hours))
    webhook.refresh_from_db()
    assert webhook.failing_since == NOW
    assert webhook.disabled == ""
    assert not OutgoingMail.objects.exists()

    send(web, NOW + timedelta(hours=24))

    webhook.refresh_from_db()
    assert webhook.disabled == Webhook.Disabled.FAILING
    mail = OutgoingMail.objects.get()
    assert mail.to == asha.email
    assert URL in mail.text
    calls = len(web.heard)
    assert send(web, NOW + timedelta(days=2)) == 0
    assert len(web.heard) == calls


def test_one_that_arrives_ends_the_count(web: Internet, asha: User) -> None:
    webhook, _secret = made(asha)
    keeping.send_test(webhook, now=NOW)
    web.answers = [says(503), says(200)]
    send(web, NOW)
    send(web, NOW + timedelta(minutes=1))

    webhook.refresh_from_db()
    assert webhook.failing_since is None


def test_an_address_that_says_it_is_gone_is_not_asked_again(web: Internet, asha: User) -> None:
    webhook, _secret = made(asha)
    keeping.send_test(webhook, now=NOW)
    web.answers = [says(410)]

    send(web, NOW)

    webhook.refresh_from_db()
    assert webhook.disabled == Webhook.Disabled.GONE


def test_a_slow_address_holds_up_no_other(web: Internet, asha: User, bina: User) -> None:
    slow, _secret = made(asha)
    quick, _secret = made(bina)
    for _each in range(3):
        keeping.send_test(slow, now=NOW)
    keeping.send_test(quick, now=NOW)

    assert send(web, NOW) == 2  # one message of each

    assert WebhookDelivery.objects.filter(webhook=quick, status=Status.DELIVERED).count() == 1


def test_a_private_address_is_never_called(web: Internet, asha: User) -> None:
    webhook, _secret = made(asha)
    sent = keeping.send_test(webhook, now=NOW)
    web.names = [["169.254.169.254"]]

    send(web, NOW)

    sent.refresh_from_db()
    assert (sent.status, sent.answer, sent.error) == (Status.QUEUED, None, "not_public")
    assert web.called == []


def test_the_log_is_kept_for_a_month(web: Internet, asha: User) -> None:
    webhook, _secret = made(asha)
    keeping.send_test(webhook, now=NOW)
    send(web, NOW)

    deliveries.forget_old(now=NOW + timedelta(days=29))
    assert webhook.deliveries.count() == 1

    deliveries.forget_old(now=NOW + timedelta(days=31))
    assert webhook.deliveries.count() == 0
