"""`manage.py play` has one address for pages, API and streams: what asks for a stream is handed over."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import pytest

from tests.site.processes import ROOT, Site, free_port, wait_until

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux ends a child with its parent"
)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path / "var", free_port())
    assert site.first_line().startswith("ready ")
    yield site
    site.clean_up()


def token_of(site: Site) -> str:
    made = subprocess.run(
        [sys.executable, "manage.py", "create_token", "robo", "--create"],
        cwd=ROOT,
        env=os.environ | {"CALLBREAK_VAR": str(site.folder)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return made.stdout.strip()


def post(site: Site, token: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(
        f"http://127.0.0.1:{site.port}/api/v1{path}", json.dumps(body).encode(), headers
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: dict[str, Any] = json.loads(answer.read())
        return found


def test_a_connection_is_handed_over_and_the_web_server_goes_on(site: Site) -> None:
    token = token_of(site)
    table = {"preset": "arcadia", "seats": ["me", "open", "open", "open"]}
    game = post(site, token, "/games", table)["id"]
    links = [HTTPConnection("127.0.0.1", site.port, timeout=60) for _ in range(20)]
    answers = []

    for link in links:
        # The second request on a connection that was kept: it is the connection which is handed over.
        link.request("GET", "/healthz")
        assert link.getresponse().read() == b"ok\n"
        link.request("GET", f"/api/v1/games/{game}/stream?after=2")
        answers.append(link.getresponse())
    assert {answer.status for answer in answers} == {200}
    post(site, token, f"/games/{game}/start", {})

    for answer in answers:
        lines = iter(answer.readline, b"")
        assert next(line for line in lines if line.startswith(b"id: ")) == b"id: 3\n"
    # More than there are threads, and none of them is held.
    assert all(site.get("/healthz") == 200 for _ in range(20))
    for link in links:
        link.close()


def test_without_the_process_for_streams_they_are_refused_until_it_is_back(site: Site) -> None:
    os.kill(site.child("uvicorn"), signal.SIGKILL)

    statuses = []

    def is_served() -> bool:
        link = HTTPConnection("127.0.0.1", site.port, timeout=60)
        try:
            link.request("GET", "/api/v1/games/222222222222/stream")
            statuses.append(link.getresponse().status)
        except (OSError, HTTPException):
            return False  # handed over just as the process died: a client calls again
        finally:
            link.close()
        return statuses[-1] == 404

    assert wait_until(is_served)
    assert set(statuses) <= {404, 503}
