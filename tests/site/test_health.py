"""/healthz and /readyz."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from time_machine import TimeMachineFixture

from callbreak_site import health
from callbreak_site.celery import heartbeat


def test_alive_asks_nobody_else() -> None:
    answer = Client().get("/healthz")  # this test may not touch the database, and does not

    assert answer.status_code == 200
    assert answer.content == b"ok\n"


@pytest.mark.django_db
def test_ready_names_every_part() -> None:
    heartbeat()

    answer = Client().get("/readyz")

    assert answer.status_code == 200
    assert set(answer.json().values()) == {"ok"}
    assert set(answer.json()) == {"database", "migrations", "broker", "clock"}


@pytest.mark.django_db
def test_a_clock_that_stopped_is_noticed_after_a_minute(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(datetime(2026, 11, 29, 12, 0, tzinfo=UTC), tick=False)
    heartbeat()

    time_machine.shift(59)
    assert Client().get("/readyz").json()["clock"] == "ok"
    time_machine.shift(2)
    assert Client().get("/readyz").json()["clock"] == "failed"


@pytest.mark.django_db
def test_a_part_that_fails_is_named_without_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> bool:
        raise ConnectionError("postgres://owner:secret@db/")

    monkeypatch.setitem(health.CHECKS, "broker", fails)

    answer = Client().get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["broker"] == "failed"
    assert b"secret" not in answer.content
