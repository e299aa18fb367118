"""Tokens and their scopes, the site's own session, and nobody."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import ApiToken, Scope, User
from accounts.tokens import issue_token, revoke_token
from tests.api.rest import API, body_of, new_game, problem_of, unchanged

NEEDS = {
    ("GET", "me"): Scope.ACCOUNT_READ,
    ("GET", "me/turns"): Scope.GAMES_READ,
    ("GET", "games"): Scope.GAMES_READ,
    ("POST", "games"): Scope.TABLES_WRITE,
    ("POST", "games/reserve"): Scope.TABLES_WRITE,
    ("GET", "games/{game}"): Scope.GAMES_READ,
    ("GET", "games/{game}/events"): Scope.GAMES_READ,
    ("GET", "games/{game}/export"): Scope.GAMES_READ,
    ("GET", "games/{game}/transcript"): Scope.GAMES_READ,
    ("POST", "games/{game}/seats"): Scope.TABLES_WRITE,
    ("DELETE", "games/{game}/seats/me"): Scope.TABLES_WRITE,
    ("POST", "games/{game}/start"): Scope.TABLES_WRITE,
    ("POST", "games/{game}/moves"): Scope.GAMES_PLAY,
}


@pytest.fixture
def token_of() -> Callable[..., tuple[ApiToken, APIClient]]:
    """A token of the user with these scopes, and a client that carries it."""

    def make(user: User, *scopes: Scope) -> tuple[ApiToken, APIClient]:
        token, text = issue_token(user, name="narrow", scopes=scopes, now=timezone.now())
        api = APIClient()
        api.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
        return token, api

    return make


@pytest.mark.parametrize(("method", "path"), NEEDS)
def test_a_token_needs_the_scope_and_no_other(
    asha: User,
    asha_api: APIClient,
    token_of: Callable[..., tuple[ApiToken, APIClient]],
    method: str,
    path: str,
) -> None:
    needed = NEEDS[method, path]
    url = f"{API}/{path.format(game=new_game(asha_api)['id'])}"
    without = token_of(asha, *(scope for scope in Scope if scope != needed))[1]
    with_it = token_of(asha, needed)[1]

    with unchanged():
        refused = without.generic(method, url, '{"nonsense": 1}', content_type="application/json")
        let_in = with_it.generic(method, url, '{"nonsense": 1}', content_type="application/json")

    # Scope comes before syntax: the answer is not about the body.
    assert problem_of(refused, 403, "scope")["scope"] == needed.value
    assert let_in.status_code != 403


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer x", "Bearer cbk_" + "x" * 43, "Basic YTpi", "é"]
)
@pytest.mark.parametrize("path", ["rules", "games", "me"])
def test_a_token_that_is_none_opens_nothing(nobody: APIClient, header: str, path: str) -> None:
    refused = nobody.get(
        f"{API}/{path}", headers={"authorization": header.encode().decode("latin-1")}
    )

    problem_of(refused, 401, "not_authenticated")
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_revoked_or_expired_token_opens_nothing(
    asha: User, token_of: Callable[..., tuple[ApiToken, APIClient]]
) -> None:
    token, api = token_of(asha, Scope.ACCOUNT_READ)
    body_of(api.get(f"{API}/me"), 200)

    revoke_token(token, now=timezone.now())

    problem_of(api.get(f"{API}/me"), 401, "not_authenticated")


def test_a_session_may_read_without_and_write_with_its_csrf_token(asha: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(asha, backend="accounts.backends.NameOrEmail")
    body_of(browser.get(f"{API}/me"), 200)

    with unchanged():
        refused = browser.post(
            f"{API}/games", {"preset": "arcadia"}, content_type="application/json"
        )

    problem_of(refused, 403, "csrf")
    browser.cookies["csrftoken"] = "a" * 32
    sent = browser.post(
        f"{API}/games",
        {"preset": "arcadia"},
        content_type="application/json",
        headers={"x-csrftoken": "a" * 32},
    )
    body_of(sent, 201)


def test_a_token_needs_no_csrf_and_hides_the_cookie(asha: User, eli: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(eli, backend="accounts.backends.NameOrEmail")
    text = issue_token(asha, name="all", scopes=Scope.values, now=timezone.now())[1]
    header = {"authorization": f"Bearer {text}"}

    game = body_of(
        browser.post(
            f"{API}/games", {"preset": "arcadia"}, content_type="application/json", headers=header
        ),
        201,
    )

    assert game["created_by"] == "asha"


@pytest.mark.parametrize(
    ("method", "path"), [key for key in NEEDS if key[0] != "GET" or key[1].startswith("me")]
)
def test_nobody_changes_anything(
    asha_api: APIClient, nobody: APIClient, method: str, path: str
) -> None:
    url = f"{API}/{path.format(game=new_game(asha_api)['id'])}"

    with unchanged():
        refused = nobody.generic(method, url, "[", content_type="application/json")

    problem_of(refused, 401, "not_authenticated")


@pytest.mark.parametrize(
    "path",
    [
        "rules",
        "games",
        "games/{game}",
        "games/{game}/events",
        "games/{game}/export",
        "games/{game}/transcript",
    ],
)
def test_everybody_reads_what_is_public(asha_api: APIClient, nobody: APIClient, path: str) -> None:
    url = f"{API}/{path.format(game=new_game(asha_api)['id'])}"

    assert nobody.get(url).status_code == 200
