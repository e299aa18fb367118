"""Each suite here counts what it tried, and the run ends with these counts."""

from collections.abc import Callable

import pytest

_COUNTS = pytest.StashKey[list[str]]()


@pytest.fixture
def count(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Says a count at the end of the run: `count("60 decisions, 1,080 posts: 60 events")`."""
    return request.config.stash.setdefault(_COUNTS, []).append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if counts := terminalreporter.config.stash.get(_COUNTS, []):
        terminalreporter.section("reliability")
        for line in sorted(counts):
            terminalreporter.line(line)
