"""Nobody enters the staff's pages by a password alone: a code first, given in this session and lately, and no code twice."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from tests.conftest import PASSWORD
from tests.second_factor import code, connect_app, give_code, key_of

NOW = datetime(2026, 11, 29, 19, 29, 31, tzinfo=UTC)
LOGIN, CODE = "/accounts/login/", "/accounts/2fa/authenticate/"
PASSWORD_AGAIN = "/accounts/reauthenticate/"
AGAIN, SET_UP = "/accounts/2fa/reauthenticate/", "/accounts/2fa/totp/activate/"


@pytest.fixture(autouse=True)
def clock(db: None) -> object:
    cache.clear()
    with time_machine.travel(NOW) as traveller:
        yield traveller


@pytest.fixture
def chief(db: None) -> User:
    return User.objects.create_superuser("chief", "chief@example.com", PASSWORD)


def by_password(user: User) -> Client:
    browser = Client()
    browser.post(LOGIN, {"login": user.username, "password": PASSWORD})
    return browser


def lets_in(browser: Client) -> bool:
    return browser.get("/admin/").status_code == 200


def test_staff_without_one_are_led_to_set_it_up(chief: User) -> None:
    browser = by_password(chief)

    answer = browser.get("/admin/accounts/user/")

    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(SET_UP)
    assert "need a second factor" in browser.get("/admin/", follow=True).content.decode()


def test_the_whole_way_from_a_password_to_the_staffs_pages(chief: User) -> None:
    browser = by_password(chief)
    browser.post(PASSWORD_AGAIN, {"password": PASSWORD})
    form = browser.get(SET_UP).context["form"]

    done = browser.post(SET_UP, {"code": code(form.secret)}, follow=True)

    assert done.status_code == 200
    assert len(RecoveryCodes(_kept(chief, "recovery_codes")).get_unused_codes()) == 10
    asked = browser.get("/admin/games/")
    assert asked.headers["Location"].startswith(AGAIN)
    back = browser.post(asked.headers["Location"], {"code": code(form.secret)})
    assert back.headers["Location"] == "/admin/games/"
    assert lets_in(browser)


def test_the_codes_for_lost_phones_are_shown_when_they_are_made(chief: User) -> None:
    browser = by_password(chief)
    browser.post(PASSWORD_AGAIN, {"password": PASSWORD})
    secret = browser.get(SET_UP).context["form"].secret

    page = browser.post(SET_UP, {"code": code(secret)}, follow=True).content.decode()

    for each in RecoveryCodes(_kept(chief, "recovery_codes")).get_unused_codes():
        assert each in page


def test_a_login_with_the_right_code_lets_in(chief: User) -> None:
    secret = connect_app(chief)
    browser = by_password(chief)
    assert not lets_in(browser)

    browser.post(CODE, {"code": code(secret)})

    assert lets_in(browser)


@pytest.mark.parametrize("periods", [-9, 9])
def test_a_wrong_or_an_old_code_does_not(chief: User, periods: int) -> None:
    secret = connect_app(chief)
    for wrong in ("", "000000", "abc", code(secret, periods=periods)):
        browser = by_password(chief)
        browser.post(CODE, {"code": wrong})
        assert not lets_in(browser)
        assert "_auth_user_id" not in browser.session


def test_no_code_is_taken_twice(chief: User) -> None:
    secret = connect_app(chief)
    first, second = by_password(chief), by_password(chief)
    seen = code(secret)

    first.post(CODE, {"code": seen})
    second.post(CODE, {"code": seen})

    assert lets_in(first)
    assert not lets_in(second)


def test_codes_cannot_be_guessed_for_ever(chief: User) -> None:
    secret = connect_app(chief)
    browser = by_password(chief)
    for guess in range(12):
        browser.post(CODE, {"code": f"{guess:06}"})

    browser.post(CODE, {"code": code(secret)})

    assert not lets_in(browser)


def test_a_recovery_code_lets_in_once(chief: User) -> None:
    connect_app(chief)
    lost = RecoveryCodes.activate(chief).get_unused_codes()[0]
    first, second = by_password(chief), by_password(chief)

    first.post(CODE, {"code": lost})
    second.post(CODE, {"code": lost})

    assert lets_in(first)
    assert not lets_in(second)


def test_a_session_from_before_the_code_app_is_asked_for_a_code(chief: User) -> None:
    old = by_password(chief)
    connect_app(chief)

    answer = old.get("/admin/")

    assert answer.headers["Location"].startswith(AGAIN)


def test_a_code_lasts_half_a_day(
    chief: User, browser_of: Callable[[User], Client], clock: time_machine.Traveller
) -> None:
    browser = browser_of(chief)
    assert lets_in(browser)

    clock.shift(timedelta(hours=12, minutes=1))

    assert browser.get("/admin/").headers["Location"].startswith(AGAIN)


def test_another_persons_code_is_none(chief: User, person: Callable[[str], User]) -> None:
    other = person("other")
    browser = by_password(chief)
    connect_app(chief)
    give_code(browser, other)

    assert not lets_in(browser)


def test_not_one_page_of_the_admin_opens_by_a_password_alone(chief: User) -> None:
    browser = by_password(chief)
    paths = [path for path in _admin_paths() if path not in ("/admin/logout/",)]
    assert len(paths) > 20

    for path in paths:
        for answer in (browser.get(path), browser.post(path, {})):
            assert answer.status_code == 302, path
            assert answer.headers["Location"].startswith(SET_UP), path


def test_players_are_asked_for_nothing_and_kept_out(asha: User) -> None:
    browser = by_password(asha)

    assert browser.get("/home/").status_code == 200
    assert not lets_in(browser)


def test_what_codes_are_made_from_is_stored_sealed_and_shown_nowhere(
    chief: User, browser_of: Callable[[User], Client], settings: LazySettings
) -> None:
    secret = connect_app(chief)
    RecoveryCodes.activate(chief)
    browser = browser_of(chief)

    for kept in Authenticator.objects.all():
        sealed = next(value for name, value in kept.data.items() if name in ("secret", "seed"))
        assert secret not in sealed
        page = browser.get(f"/admin/mfa/authenticator/{kept.pk}/change/")
        assert page.status_code == 200
        assert sealed not in page.content.decode()
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another one, after the first was replaced"
    assert key_of(chief) == secret


def _kept(user: User, kind: str) -> Authenticator:
    return Authenticator.objects.get(user=user, type=kind)


def _admin_paths() -> list[str]:
    resolver = next(each for each in get_resolver().url_patterns if str(each.pattern) == "admin/")
    assert isinstance(resolver, URLResolver)
    return ["/admin/" + path for path in _walk(resolver)]


def _walk(resolver: URLResolver, before: str = "") -> list[str]:
    found = []
    for each in resolver.url_patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            found += _walk(each, route)
        elif isinstance(each, URLPattern) and "(" not in route:
            found.append(_filled(route))
    return found


def _filled(route: str) -> str:
    for name in ("<path:object_id>", "<id>", "<int:content_type_id>"):
        route = route.replace(name, "1")
    return route
