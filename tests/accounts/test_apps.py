"""Apps of other people: asked for on a page, let in with PKCE alone, and ended in a moment."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken

from accounts.models import User
from accounts.oauth.granted import MOST_APPS, connected, disconnect, recognise_app_token, register
from accounts.tasks import forget_app_tokens
from tests.accounts.app import BACK, App, registered

BrowserOf = Callable[[User], Client]


@pytest.fixture
def app(eli: User) -> App:
    return registered(eli)


@pytest.fixture
def browser(asha: User, browser_of: BrowserOf) -> Client:
    return browser_of(asha)


def opens(text: str) -> bool:
    return recognise_app_token(text, now=timezone.now()) is not None


def test_a_person_is_asked_and_the_app_gets_what_they_gave(
    asha: User, app: App, browser: Client
) -> None:
    page = browser.get(app.question()).content.decode()
    assert "Card Table" in page
    assert "made by eli" in page
    assert BACK in page

    back = app.ask(browser)
    given = app.exchange(back["code"]).json()

    assert back["state"] == "xyz"
    assert (given["token_type"], given["expires_in"]) == ("Bearer", 3600)
    token = recognise_app_token(given["access_token"], now=timezone.now())
    assert token is not None
    assert (token.user, token.scopes) == (asha, ["games:read", "games:play"])


def test_the_page_that_asks_lets_the_browser_go_back_to_the_app_and_nowhere_else(
    app: App, browser: Client
) -> None:
    policy = browser.get(app.question()).headers["Content-Security-Policy"]

    directives = dict(each.strip().partition(" ")[::2] for each in policy.split(";"))
    assert directives["form-action"].split() == ["'self'", "https://app.example"]


def test_whoever_says_no_gives_nothing(app: App, browser: Client) -> None:
    back = app.ask(browser, answer="")

    assert back["error"] == "access_denied"
    assert not Grant.objects.exists()


def test_somebody_without_a_session_logs_in_first_and_a_guest_keeps_their_games(
    app: App, client: Client, browser_of: BrowserOf
) -> None:
    guest = User.objects.create(username="guest-2345", is_guest=True)

    assert client.get(app.question()).headers["Location"].startswith("/accounts/login/")
    assert browser_of(guest).get(app.question()).headers["Location"] == "/accounts/keep/"


def test_a_person_is_asked_every_time(app: App, browser: Client) -> None:
    app.let_in(browser)

    for question in (app.question(), app.question(approval_prompt="auto")):
        again = browser.get(question)
        assert again.status_code == 200
        assert "form" in again.context


@pytest.mark.parametrize(
    "wrong",
    [
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": None},
        {"response_type": "token"},
        {"scope": "games:read everything"},
    ],
)
def test_a_question_without_pkce_or_for_what_is_not_there_is_sent_back(
    app: App, browser: Client, wrong: dict[str, str | None]
) -> None:
    answer = browser.get(app.question(**wrong))  # type: ignore[arg-type] # scope is one of them

    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(BACK)
    assert "error=" in answer.headers["Location"]


@pytest.mark.parametrize(
    "wrong", [{"client_id": "nobodys"}, {"redirect_uri": "https://evil.example/"}, {"state": "\0"}]
)
def test_nobody_is_sent_to_where_the_app_is_not(
    app: App, browser: Client, wrong: dict[str, str]
) -> None:
    answer = browser.get(app.question(**wrong))

    assert answer.status_code == 400
    assert "Location" not in answer.headers


@pytest.mark.parametrize(
    "wrong",
    [
        {"client_id": "nobodys"},
        {"redirect_uri": "https://evil.example/"},
        {"code_challenge": "", "code_challenge_method": ""},
        {"code_challenge_method": "plain"},
        {"scope": "games:read everything"},
        {"scope": ""},
        {"response_type": "token"},
    ],
)
def test_a_form_that_was_changed_on_its_way_gives_nothing(
    app: App, browser: Client, wrong: dict[str, str]
) -> None:
    url = app.question()
    form = browser.get(url).context["form"]
    sent = {name: value for name, value in form.initial.items() if value is not None}

    answer = browser.post("/oauth/authorize", {**sent, "allow": "true", **wrong})

    assert answer.status_code in (302, 400)
    assert answer.headers.get("Location", BACK).startswith(BACK)
    assert "code=" not in answer.headers.get("Location", "")
    assert not Grant.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"code_verifier": "w" * 64},
        {"code_verifier": ""},
        {"client_id": "another"},
        {"redirect_uri": "https://evil.example/"},
        {"code": "guessed"},
        {"code": "\0"},
        {"grant_type": "password", "username": "asha", "password": "seven of spades"},
        {"grant_type": "client_credentials"},
        {"grant_type": "urn:ietf:params:oauth:grant-type:device_code"},
    ],
)
def test_a_code_is_worth_nothing_to_whoever_did_not_ask(
    app: App, browser: Client, wrong: dict[str, str]
) -> None:
    fields = {"code": app.ask(browser)["code"], **wrong}

    refused = app.exchange(**fields)

    assert refused.status_code in (400, 401)
    assert refused.json()["error"]
    assert not AccessToken.objects.exists()


def test_a_code_is_good_once(app: App, browser: Client) -> None:
    code = app.ask(browser)["code"]
    assert app.exchange(code).status_code == 200

    assert app.exchange(code).json()["error"] == "invalid_grant"


def test_a_refresh_token_changes_with_every_use(app: App, browser: Client) -> None:
    first = app.let_in(browser)

    second = app.refresh(first["refresh_token"]).json()

    assert second["refresh_token"] != first["refresh_token"]
    assert second["scope"] == first["scope"]
    assert not opens(first["access_token"])
    assert opens(second["access_token"])


def test_a_refresh_token_used_twice_ends_everything_that_came_of_it(
    app: App, browser: Client
) -> None:
    first = app.let_in(browser)
    second = app.refresh(first["refresh_token"]).json()

    refused = app.refresh(first["refresh_token"])

    assert refused.json()["error"] == "invalid_grant"
    assert not opens(second["access_token"])
    assert app.refresh(second["refresh_token"]).status_code == 400


def test_an_access_token_lives_an_hour_and_a_refresh_token_ninety_days(
    app: App, browser: Client
) -> None:
    given = app.let_in(browser)

    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        assert not opens(given["access_token"])
    with time_machine.travel(timezone.now() + timedelta(days=91)):
        assert app.refresh(given["refresh_token"]).status_code == 400


def test_the_database_holds_no_token_that_opens_anything(app: App, browser: Client) -> None:
    given = app.let_in(browser)

    kept = [*AccessToken.objects.values_list(), *RefreshToken.objects.values_list()]

    assert given["access_token"] not in str(kept)
    assert given["refresh_token"] not in str(kept)


def test_its_person_ends_it_on_the_page_of_tokens(asha: User, app: App, browser: Client) -> None:
    given = app.let_in(browser)
    page = browser.get("/settings/tokens/")
    assert [(each.app.name, each.scopes) for each in page.context["connected"]] == [
        ("Card Table", ["games:read", "games:play"])
    ]

    browser.post(f"/settings/apps/{Application.objects.get().pk}/end/")

    assert not opens(given["access_token"])
    assert app.refresh(given["refresh_token"]).status_code == 400
    assert connected(asha, now=timezone.now()) == []


def test_a_code_that_waits_ends_too(asha: User, app: App, browser: Client) -> None:
    code = app.ask(browser)["code"]

    disconnect(asha, Application.objects.get(), now=timezone.now())

    assert app.exchange(code).status_code == 400


def test_one_person_ends_nothing_of_another(
    app: App, browser: Client, bina: User, browser_of: BrowserOf
) -> None:
    given = app.let_in(browser)

    browser_of(bina).post(f"/settings/apps/{Application.objects.get().pk}/end/")

    assert opens(given["access_token"])


def test_an_app_gives_up_its_own_tokens(app: App, browser: Client, client: Client) -> None:
    given = app.let_in(browser)

    answer = client.post(
        "/oauth/revoke", {"token": given["refresh_token"], "client_id": app.client_id}
    )

    assert answer.status_code == 200
    assert not opens(given["access_token"])
    assert app.refresh(given["refresh_token"]).status_code == 400


def test_whoever_is_shut_out_is_so_with_an_app_too(asha: User, app: App, browser: Client) -> None:
    given = app.let_in(browser)

    User.objects.filter(pk=asha.pk).update(is_active=False)

    assert not opens(given["access_token"])


def test_what_has_run_out_is_forgotten_and_what_may_be_reused_is_not(
    app: App, browser: Client
) -> None:
    first = app.let_in(browser)
    app.refresh(first["refresh_token"])
    forget_app_tokens()
    assert RefreshToken.objects.count() == 2

    with time_machine.travel(timezone.now() + timedelta(days=200)):
        forget_app_tokens()

    assert not RefreshToken.objects.exists()
    assert not AccessToken.objects.exists()


def test_its_maker_registers_an_app_and_deletes_it(
    eli: User, browser_of: BrowserOf, browser: Client
) -> None:
    maker = browser_of(eli)
    fields = {"name": "Card Table", "addresses": f"{BACK}\nhttp://127.0.0.1:7000/back"}
    maker.post("/settings/apps/", fields)
    made = Application.objects.get()
    assert made.redirect_uris == f"{BACK} http://127.0.0.1:7000/back"
    assert (made.client_type, made.client_secret) == ("public", "")
    given = App(made.client_id).let_in(browser)

    assert browser.post(f"/settings/apps/{made.pk}/delete/").status_code == 404
    maker.post(f"/settings/apps/{made.pk}/delete/")

    assert not opens(given["access_token"])


@pytest.mark.parametrize(
    "address",
    [
        "http://app.example/back",
        "https://",
        "javascript:alert(1)",
        "https://asha@app.example/",
        "https://app.example/#top",
        "https://*.example/",
        "https://app.example;default-src/",
        "https://app.example:no/",
        "not an address",
        " ".join(f"https://app.example/{number}" for number in range(6)),
    ],
)
def test_people_are_sent_to_no_other_address(
    eli: User, browser_of: BrowserOf, address: str
) -> None:
    page = browser_of(eli).post("/settings/apps/", {"name": "x", "addresses": address})

    assert page.context["form"].errors["addresses"]
    assert not Application.objects.exists()


def test_ten_apps_are_the_most_and_a_guest_makes_none(eli: User, browser_of: BrowserOf) -> None:
    guest = User.objects.create(username="guest-2345", is_guest=True)
    for number in range(MOST_APPS):
        register(eli, f"app {number}", [BACK])

    for user in (eli, guest):
        page = browser_of(user).post("/settings/apps/", {"name": "x", "addresses": BACK})
        assert page.context["form"].non_field_errors()
    assert Application.objects.count() == MOST_APPS


def test_clients_find_out_where_everything_is(client: Client, db: None) -> None:
    found = client.get("/.well-known/oauth-authorization-server").json()

    assert found["code_challenge_methods_supported"] == ["S256"]
    assert found["token_endpoint"].endswith("/oauth/token")


def test_the_settings_are_as_the_toolkit_advises(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check", "--deploy", "--tag", "security")

    said = "".join(capsys.readouterr())
    # http is for apps on one's own machine, and the form sees to that.
    assert set(re.findall(r"oauth2_provider\.\w+", said)) <= {"oauth2_provider.W008"}
