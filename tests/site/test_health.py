"""/healthz and /readyz."""

import pytest
from django.test import Client

from callbreak_site import health


def test_alive_asks_nobody_else() -> None:
    answer = Client().get("/healthz")  # this test may not touch the database, and does not

    assert answer.status_code == 200
    assert answer.content == b"ok\n"


@pytest.mark.django_db
def test_ready_names_every_part() -> None:
    answer = Client().get("/readyz")

    assert answer.status_code == 200
    assert set(answer.json().values()) == {"ok"}
    assert {"database", "migrations", "broker"} <= set(answer.json())


@pytest.mark.django_db
def test_a_part_that_fails_is_named_without_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> bool:
        raise ConnectionError("postgres://owner:secret@db/")

    monkeypatch.setitem(health.CHECKS, "broker", fails)

    answer = Client().get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["broker"] == "failed"
    assert b"secret" not in answer.content
