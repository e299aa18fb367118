"""What Django refuses by itself: problem+json under /api/, a page elsewhere."""

import pytest
from django.conf import settings
from django.test import Client, RequestFactory

from callbreak_site import errors

pytestmark = pytest.mark.django_db


def test_an_unknown_address_of_the_api_is_a_problem() -> None:
    answer = Client().get("/api/v1/nowhere")

    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("application/problem+json")
    assert answer.json()["code"] == "not_found"
    assert answer.json()["status"] == 404


def test_an_unknown_page_is_a_page() -> None:
    answer = Client().get("/nowhere/")

    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("text/html")
    assert b"<h1" in answer.content


@pytest.mark.parametrize("path", ["/api/v1/games", "/nowhere/"])
def test_a_foreign_host_is_refused(path: str) -> None:
    answer = Client().get(path, headers={"Host": "evil.example"})

    assert answer.status_code == 400
    assert ("problem+json" in answer.headers["Content-Type"]) == path.startswith("/api/")


def test_a_form_without_its_token_is_refused_with_a_way_on() -> None:
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "asha"})

    assert answer.status_code == 403
    assert b"reload" in answer.content


@pytest.mark.parametrize(
    ("path", "media_type"),
    [("/api/v1/games", "application/problem+json"), ("/games/X/", "text/html")],
)
def test_a_fault_of_ours_says_no_more_than_that(
    rf: RequestFactory, path: str, media_type: str
) -> None:
    answer = errors.server_error(rf.get(path))

    assert answer.status_code == 500
    assert answer.headers["Content-Type"].startswith(media_type)


def test_the_staffs_pages_ask_for_the_usual_login() -> None:
    answer = Client().get("/admin/login/")

    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/login/")
    assert not settings.DEBUG
