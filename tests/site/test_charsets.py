"""What is written in another character set than ours is refused with 400, before anything of it is decoded."""

from http import HTTPStatus
from io import BytesIO
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.test import Client

from callbreak_site.wsgi import application

pytestmark = pytest.mark.django_db

# Python knows all of them: some give halves of characters, some only fail.
OTHERS = [
    "raw_unicode_escape",
    "utf-7",
    "utf-16",
    "base64",
    "rot13",
    "idna",
    "undefined",
    "latin-1",
]


def served(query: str, content_type: str) -> tuple[str, dict[str, str]]:
    """Status and headers of a page, as the server would ask for it."""
    environ: dict[str, Any] = {"QUERY_STRING": query, "CONTENT_TYPE": content_type}
    environ |= {"PATH_INFO": "/rules/", "HTTP_HOST": "127.0.0.1", "wsgi.input": BytesIO()}
    setup_testing_defaults(environ)
    told: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Any:
        told.extend((status, dict(headers)))

    b"".join(application(environ, start_response))
    return told[0], told[1]


@pytest.mark.parametrize("path", ["/api/v1/games", "/play/"])
@pytest.mark.parametrize("charset", OTHERS)
def test_a_form_in_another_character_set_is_refused(path: str, charset: str) -> None:
    form = b'--X\r\nContent-Disposition: form-data; name="preset"\r\n\r\n\\ud800\r\n--X--\r\n'
    media_type = f"multipart/form-data; boundary=X; charset={charset}"

    answer = Client().generic("POST", path, form, content_type=media_type)

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert ("problem+json" in answer.headers["Content-Type"]) == path.startswith("/api/")


@pytest.mark.parametrize("charset", ["", "; charset=utf-8", '; charset="UTF-8"'])
def test_a_form_in_ours_is_read(charset: str) -> None:
    media_type = f"application/x-www-form-urlencoded{charset}"

    answer = Client().generic("POST", "/play/", b"preset=arcadia", content_type=media_type)

    assert answer.status_code == HTTPStatus.FOUND


@pytest.mark.parametrize("charset", OTHERS)
def test_a_query_in_another_is_refused_with_all_our_headers(charset: str) -> None:
    status, headers = served("page=%ff", f"text/plain; charset={charset}")

    assert status == "400 Bad Request"
    assert headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "private, no-store"


def test_a_parameter_that_cannot_be_decoded_is_refused_too() -> None:
    assert served("", "text/plain; name*=undefined''%ff")[0] == "400 Bad Request"
    assert served("page=%ff", "text/plain; charset=utf-8")[0] == "200 OK"
    assert served("page=%ff", "")[0] == "200 OK"
