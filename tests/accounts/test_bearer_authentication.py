"""`Authorization: Bearer`: who is asking, and that a cookie rescues nobody."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from accounts.authentication import BearerToken
from accounts.models import User
from accounts.tokens import issue_token


def request_with(header: str | None) -> Request:
    headers = {} if header is None else {"Authorization": header}
    return Request(APIRequestFactory().get("/api/v1/me", headers=headers))


def test_the_user_and_the_token_of_a_good_header(asha: User) -> None:
    token, text = issue_token(asha, name="bot", scopes=["games:read"], now=timezone.now())

    authenticated = BearerToken().authenticate(request_with(f"bearer {text}"))

    assert authenticated == (asha, token)
    assert authenticated[1].allows("games:read")
    assert not authenticated[1].allows("games:play")


def test_no_header_leaves_it_to_the_session() -> None:
    assert BearerToken().authenticate(request_with(None)) is None


@pytest.mark.parametrize("header", ["Bearer", "Bearer nonsense", "Basic YXNoYTphc2hh", "cbk_x", ""])
def test_any_other_header_is_refused(db: None, header: str) -> None:
    with pytest.raises(AuthenticationFailed):
        BearerToken().authenticate(request_with(header))


def test_a_bad_token_is_not_rescued_by_a_cookie(
    asha: User, browser_of: Callable[[User], Client]
) -> None:
    browser = browser_of(asha)

    with_cookie = browser.get("/api/v1/me")
    with_bad_token = browser.get("/api/v1/me", headers={"Authorization": "Bearer cbk_bad"})

    assert with_cookie.status_code == 200
    assert with_bad_token.status_code == 401
    assert with_bad_token.headers["WWW-Authenticate"] == 'Bearer realm="callbreak"'


def test_nobody_is_asked_for_credentials_in_the_right_way(db: None) -> None:
    answer = Client().get("/api/v1/me")

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="callbreak"'
    assert answer.headers["Content-Type"].startswith("application/problem+json")
