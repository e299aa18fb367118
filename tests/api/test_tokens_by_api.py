"""Tokens made and revoked by programs: none of them may make one that may do more."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import ApiToken, Scope, User
from accounts.tokens import issue_token
from tests.api.rest import API, Json, body_of, problem_of

TOKENS = f"{API}/tokens"


def client_with(text: str) -> APIClient:
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return api


@pytest.fixture
def narrow(asha: User) -> tuple[ApiToken, APIClient]:
    """A token that may read and lives for ten days."""
    scopes = [Scope.GAMES_READ, Scope.ACCOUNT_READ]
    token, text = issue_token(
        asha, name="narrow", scopes=scopes, now=timezone.now(), life=timedelta(days=10)
    )
    return token, client_with(text)


def wanted(**more: object) -> Json:
    return {"name": "my bot", "scopes": ["games:read"], **more}


def test_a_new_token_works_and_is_shown_once(asha_api: APIClient) -> None:
    made = body_of(asha_api.post(TOKENS, wanted(scopes=["account:read"]), format="json"), 201)

    assert body_of(client_with(made["token"]).get(f"{API}/me"), 200)["scopes"] == ["account:read"]
    listed = body_of(asha_api.get(TOKENS), 200)["tokens"]
    assert listed[0]["id"] == made["id"]
    assert made["token"].startswith(listed[0]["prefix"])
    assert made["token"] not in str(listed)
    # Nor is it in the database.
    assert not ApiToken.objects.filter(hash__contains=made["token"]).exists()


def test_a_token_makes_none_that_may_do_more(narrow: tuple[ApiToken, APIClient]) -> None:
    refused = narrow[1].post(TOKENS, wanted(scopes=["games:read", "games:play"]), format="json")

    assert problem_of(refused, 403, "scope")["scope"] == "games:play"
    assert ApiToken.objects.count() == 1


def test_nor_one_that_outlives_it(narrow: tuple[ApiToken, APIClient]) -> None:
    made = body_of(narrow[1].post(TOKENS, wanted(days=365), format="json"), 201)

    assert ApiToken.objects.get(pk=made["id"]).expires_at == narrow[0].expires_at


def test_a_revoked_token_opens_nothing_from_the_next_request_on(
    asha_api: APIClient, narrow: tuple[ApiToken, APIClient]
) -> None:
    body_of(narrow[1].get(f"{API}/me"), 200)

    assert asha_api.delete(f"{TOKENS}/{narrow[0].pk}").status_code == 204

    problem_of(narrow[1].get(f"{API}/me"), 401, "not_authenticated")
    assert asha_api.delete(f"{TOKENS}/{narrow[0].pk}").status_code == 204


def test_a_token_revokes_itself_but_none_that_may_do_more(
    asha_api: APIClient, narrow: tuple[ApiToken, APIClient]
) -> None:
    wide = ApiToken.objects.get(name="tests")

    problem_of(narrow[1].delete(f"{TOKENS}/{wide.pk}"), 403, "scope")
    assert narrow[1].delete(f"{TOKENS}/{narrow[0].pk}").status_code == 204

    body_of(asha_api.get(f"{API}/me"), 200)
    problem_of(narrow[1].get(f"{API}/me"), 401, "not_authenticated")


@pytest.mark.parametrize("token", ["mine", "99999999", "9" * 40])
def test_somebody_elses_token_is_not_found(
    bina_api: APIClient, narrow: tuple[ApiToken, APIClient], token: str
) -> None:
    pk = str(narrow[0].pk) if token == "mine" else token

    problem_of(bina_api.delete(f"{TOKENS}/{pk}"), 404, "not_found")

    assert ApiToken.objects.get(pk=narrow[0].pk).revoked_at is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "x" * 61),
        ("name", 7),
        ("scopes", []),
        ("scopes", ["games:everything"]),
        ("scopes", "games:read"),
        ("days", 0),
        ("days", 366),
        ("days", "7"),
        ("user", "bina"),
    ],
)
def test_what_is_no_token(asha_api: APIClient, field: str, value: object) -> None:
    refused = asha_api.post(TOKENS, wanted(**{field: value}), format="json")

    assert problem_of(refused, 400, "malformed")["field"].startswith(field)
    assert ApiToken.objects.count() == 1


def test_the_sites_own_pages_may_make_any(asha: User, browser_of: Callable[[User], Client]) -> None:
    sent = browser_of(asha).post(
        TOKENS, wanted(scopes=Scope.values), content_type="application/json"
    )

    assert body_of(sent, 201)["scopes"] == Scope.values
