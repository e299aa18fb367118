"""Publishing to a broker that does not answer fails within seconds, so a move never hangs on it."""

import os
import socket
import subprocess
import sys

from tests.site.processes import ROOT

PUBLISH = """
import sys, time
import django
django.setup()
from celery import current_app
started = time.monotonic()
try:
    current_app.send_task("games.tasks.sweep", ignore_result=True)
except Exception as error:
    print(type(error).__name__, time.monotonic() - started)
"""


def publish_to(url: str) -> tuple[str, float]:
    """Name of the exception and the seconds that it took."""
    run = subprocess.run(
        [sys.executable, "-c", PUBLISH],
        cwd=ROOT,
        env=os.environ | {"BROKER_URL": url, "DJANGO_SETTINGS_MODULE": "callbreak_site.settings"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    name, seconds = run.stdout.split()
    return name, float(seconds)


def test_a_broker_that_refuses() -> None:
    name, seconds = publish_to("redis://127.0.0.1:1/0")

    assert name == "OperationalError"
    assert seconds < 10


def test_a_broker_that_is_silent() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(1)

        name, seconds = publish_to(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")

    assert name == "OperationalError"
    assert seconds < 10
