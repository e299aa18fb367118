"""Each suite here counts what it tried, and the run ends with these counts."""

from collections.abc import Callable, Iterator

import pytest

from tests.elsewhere import Elsewhere

_COUNTS = pytest.StashKey[list[str]]()


@pytest.fixture
def count(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Says a count at the end of the run: `count("60 decisions, 1,080 posts: 60 events")`."""
    return request.config.stash.setdefault(_COUNTS, []).append


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory, db: None) -> Iterator[Elsewhere]:
    """A migrated site of its own, whose processes may race."""
    site = Elsewhere(tmp_path_factory.mktemp("elsewhere"))
    try:
        site.manage("migrate", "--verbosity=0")
        site.manage("createcachetable")
        yield site
    finally:
        site.remove()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if counts := terminalreporter.config.stash.get(_COUNTS, []):
        terminalreporter.section("reliability")
        for line in sorted(counts):
            terminalreporter.line(line)
