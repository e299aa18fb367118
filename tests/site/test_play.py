"""`manage.py play`: starts everything, keeps it alive, leaves nothing behind."""

import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.site.processes import Site, free_port, wait_until

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux ends a child with its parent"
)


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    sites: list[Site] = []

    def start(port: int = 0, command: list[str] | None = None) -> Site:
        sites.append(Site(tmp_path / f"var{len(sites)}", port or free_port(), command))
        return sites[-1]

    yield start
    for site in sites:
        site.clean_up()


def test_it_says_when_it_serves_and_stops_without_a_trace(play: Callable[..., Site]) -> None:
    site = play()

    assert site.first_line() == f"ready http://127.0.0.1:{site.port}/"
    assert site.get("/healthz") == 200
    # The clock is the last to start.
    assert wait_until(lambda: len(site.processes()) >= 7), site.processes()

    assert site.stop(signal.SIGINT) == 0
    assert site.processes() == {}


def test_it_starts_again_what_died_and_leaves_no_orphan_when_killed(
    play: Callable[..., Site],
) -> None:
    site = play()
    assert site.first_line().startswith("ready ")
    killed = {site.child(each) for each in ("gunicorn", "uvicorn", "worker", "beat")}

    for each in killed:
        os.kill(each, signal.SIGKILL)

    assert wait_until(lambda: killed.isdisjoint(site.processes()))
    assert site.get("/healthz") == 200  # waits in the socket until the new web server takes it
    assert wait_until(lambda: len(site.processes()) >= 7), site.processes()

    assert site.stop(signal.SIGKILL) == -signal.SIGKILL
    assert wait_until(lambda: site.processes() == {}, seconds=20), site.processes()


def test_a_port_that_is_taken_is_a_sentence(play: Callable[..., Site]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        site = play(taken.getsockname()[1])

        assert site.process.wait(60) == 1

    assert f"Port {site.port} is in use already" in site.log.read_text()
    assert "Traceback" not in site.log.read_text()


def test_stopped_while_it_still_prepares_it_stops(play: Callable[..., Site]) -> None:
    site = play()
    assert wait_until(lambda: (site.folder / "keys").exists())

    assert site.stop(signal.SIGTERM) in {0, -signal.SIGTERM}
    assert wait_until(lambda: site.processes() == {}, seconds=20)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_it_stops_with_the_make_that_started_it(
    play: Callable[..., Site], tmp_path: Path, number: signal.Signals
) -> None:
    makefile = tmp_path / "Makefile"
    makefile.write_text(f"run:\n\t@{sys.executable} manage.py play --with-parent\n")
    site = play(command=["make", "-f", str(makefile), "run"])
    assert site.first_line().startswith("ready ")

    site.stop(number)  # make's own exit status after a signal is make's business

    assert wait_until(lambda: site.processes() == {}, seconds=20), site.processes()
