"""What an app may do with the API: what its scopes say, as long as its person lets it, and nothing that would outlast that."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory
from django.utils import timezone
from oauth2_provider.models import Application
from rest_framework.test import APIClient

from accounts.access import Access, closed
from accounts.authentication import bearer_of
from accounts.models import User
from accounts.oauth.granted import disconnect, recognise_app_token
from tests.accounts.app import App, registered
from tests.api.rest import API, body_of, new_game, problem_of, unchanged


@pytest.fixture
def app(eli: User) -> App:
    return registered(eli)


@pytest.fixture
def given(app: App, asha: User, browser_of: Callable[[User], Client]) -> Callable[[str], str]:
    """An access token for asha, with these scopes."""

    def let_in(scope: str) -> str:
        return str(app.let_in(browser_of(asha), scope)["access_token"])

    return let_in


def with_token(text: str) -> APIClient:
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return api


def test_it_is_who_let_it_in_and_may_what_it_was_given(given: Callable[[str], str]) -> None:
    api = with_token(given("account:read games:read"))

    me = body_of(api.get(f"{API}/me"), 200)

    assert (me["player"], me["scopes"]) == ("asha", ["games:read", "account:read"])
    assert problem_of(api.post(f"{API}/games", {}, format="json"), 403, "scope")["scope"] == (
        "tables:write"
    )


def test_it_plays(given: Callable[[str], str]) -> None:
    api = with_token(given("games:read games:play tables:write"))

    assert new_game(api)["created_by"] == "asha"


def test_it_makes_and_revokes_nothing_that_outlasts_it(
    given: Callable[[str], str], asha: User, asha_api: APIClient
) -> None:
    api = with_token(given("games:read games:play tables:write account:read webhooks:write"))
    token = asha.api_tokens.get()

    with unchanged():
        made = api.post(f"{API}/tokens", {"name": "x", "scopes": ["games:read"]}, format="json")
        bot = api.post(f"{API}/bots", {"name": "robin"}, format="json")
        ended = api.delete(f"{API}/tokens/{token.pk}")

    for refused in (made, bot, ended):
        problem_of(refused, 403, "permission")
    assert asha.api_tokens.alive(now=timezone.now()).get() == token
    assert not asha.bots.exists()
    assert body_of(api.get(f"{API}/tokens"), 200)["tokens"]


def test_ended_it_opens_nothing_from_the_next_request_on(
    given: Callable[[str], str], asha: User
) -> None:
    text = given("account:read")
    api = with_token(text)
    body_of(api.get(f"{API}/me"), 200)
    token = recognise_app_token(text, now=timezone.now())
    access = Access.of(RequestFactory().get("/"), asha, token)
    assert closed({access}, now=timezone.now()) == set()

    disconnect(asha, Application.objects.get(), now=timezone.now())

    problem_of(api.get(f"{API}/me"), 401, "not_authenticated")
    # What goes on for hours ends, too: streams and long polls ask this twice a second or so.
    assert closed({access}, now=timezone.now()) == {access}


def test_its_access_says_no_more_than_its_token(given: Callable[[str], str], asha: User) -> None:
    token = recognise_app_token(given("games:read"), now=timezone.now())
    assert token is not None

    access = Access.of(RequestFactory().get("/"), asha, token)

    assert access == Access(app_token=token.pk)


def test_what_lets_somebody_in_one_day_is_not_taken_for_our_own_session() -> None:
    assert bearer_of(None) is None
    with pytest.raises(AssertionError):
        bearer_of("something new")
    assert Access.of(RequestFactory().get("/"), AnonymousUser(), None) == Access()


@pytest.mark.parametrize("text", ["cbo_" + "x" * 43, "cbr_" + "x" * 43, "cbo_é" + "x" * 42])
def test_what_only_looks_like_a_token_opens_nothing(db: None, text: str) -> None:
    header = f"Bearer {text}".encode().decode("latin-1")

    problem_of(
        APIClient().get(f"{API}/me", headers={"authorization": header}), 401, "not_authenticated"
    )


def test_a_refresh_token_is_no_access_token(
    app: App, asha: User, browser_of: Callable[[User], Client]
) -> None:
    text = app.let_in(browser_of(asha))["refresh_token"]

    problem_of(with_token(text).get(f"{API}/me"), 401, "not_authenticated")
