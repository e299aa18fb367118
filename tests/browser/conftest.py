"""One site for all browser tests, one Chromium for each file of them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.driving import CHROMIUM, WITHOUT_CHROMIUM, chromium, running_site

NewPage = Callable[..., Page]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason=WITHOUT_CHROMIUM))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the site keeps its database."""
    return tmp_path_factory.mktemp("site") / "var"


@pytest.fixture(scope="session")
def site(folder: Path) -> Iterator[str]:
    with running_site(folder) as address:
        yield address


# For each file and not for the session: while Playwright runs, Django refuses its database to this thread.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Makes a page of a fresh visitor. Whatever its scripts or the policy complain of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def make(*, width: int = 1280, height: int = 800, scripted: bool = True) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=scripted
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda line: (
                complaints.append(line.text)
                if line.type == "error" and "status of 4" not in line.text
                else None
            ),
        )
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []
