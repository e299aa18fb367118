"""What every answer carries, errors included."""

import pytest
from django.test import Client

POLICY = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
    "font-src 'self'", "connect-src 'self'", "manifest-src 'self'", "form-action 'self'",
    "base-uri 'none'", "frame-ancestors 'none'",
}  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/healthz", "/accounts/login/", "/nowhere/", "/api/v1/nowhere", "/admin/", "/api/docs/"],
)
def test_every_answer_is_private_and_strict(path: str) -> None:
    headers = Client().get(path).headers

    assert set(headers["Content-Security-Policy"].split("; ")) == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "no-store" in headers["Cache-Control"]
    assert "private" in headers["Cache-Control"]


@pytest.mark.django_db
def test_cookies_are_kept_from_scripts_and_other_sites() -> None:
    browser = Client()
    browser.get("/accounts/login/")

    cookie = browser.cookies["csrftoken"]

    assert cookie["samesite"] == "Lax"


def test_a_body_that_is_too_big_is_refused(db: None) -> None:
    answer = Client().post("/accounts/login/", {"login": "a" * 70_000, "password": "x"})

    assert answer.status_code == 400
