"""The cast, and what all tests share. asha acts, bina, chandra and dipak are at the table, eli must learn nothing."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone, translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from rest_framework.test import APIClient

from accounts.models import Scope, User
from accounts.tokens import issue_token
from tests.dice import Dice
from tests.second_factor import give_code

# Hashed names need a collected folder; tests read static files where they lie.
settings.STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
# PBKDF2 takes a quarter of a second, on purpose. The cast needs no such walls.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# What an example takes depends on what else the machine does; and what passed here must pass where a change lands.
hypothesis_settings.register_profile(
    "callbreak",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
hypothesis_settings.load_profile("callbreak")

PASSWORD = "seven of spades"


# What starts processes of its own, kills them or drives a browser: beside another suite it would measure that one's load.
ALONE = {"browser", "production", "reliability", "site"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever touches the database belongs to the PostgreSQL run too; what starts processes runs by itself."""
    here = Path(__file__).parent
    for item in items:
        if {"db", "transactional_db"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("postgres")
        if item.path.relative_to(here).parts[0] in ALONE:
            item.add_marker("alone")


@pytest.fixture(autouse=True)
def dice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Dice | None:
    """Each test is dealt the same cards on every day: what passed once passes again. TEST_DICE deals others."""
    if request.node.get_closest_marker("alone") is not None:
        return None
    dice = Dice(monkeypatch)
    dice.throw_again(f"{os.environ.get('TEST_DICE', '')}/{request.node.nodeid}")
    return dice


@pytest.fixture(autouse=True)
def english() -> None:
    """A page in Nepali leaves its thread with that language: the next test must not inherit it."""
    translation.deactivate()


@pytest.fixture
def person(db: None) -> Callable[[str], User]:
    """Makes a person with a password: `person("dev")`."""

    def make(name: str) -> User:
        return User.objects.create_user(name, f"{name}@example.com", PASSWORD)

    return make


@pytest.fixture
def asha(person: Callable[[str], User]) -> User:
    return person("asha")


@pytest.fixture
def bina(person: Callable[[str], User]) -> User:
    return person("bina")


@pytest.fixture
def chandra(person: Callable[[str], User]) -> User:
    return person("chandra")


@pytest.fixture
def dipak(person: Callable[[str], User]) -> User:
    return person("dipak")


@pytest.fixture
def people(asha: User, bina: User, chandra: User, dipak: User) -> list[User]:
    """The four of a full table."""
    return [asha, bina, chandra, dipak]


@pytest.fixture
def eli(person: Callable[[str], User]) -> User:
    return person("eli")


@pytest.fixture
def browser_of() -> Callable[[User], Client]:
    """A browser in which the person is logged in; if they are staff, with their second factor."""

    def make(user: User) -> Client:
        browser = Client()
        browser.force_login(user, backend="accounts.backends.NameOrEmail")
        if user.is_staff:
            give_code(browser, user)
        return browser

    return make


@pytest.fixture
def api_of() -> Callable[[User], APIClient]:
    """An API client with a token of the person that may do everything."""

    def make(user: User) -> APIClient:
        text = issue_token(user, name="tests", scopes=Scope.values, now=timezone.now())[1]
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
        return client

    return make
