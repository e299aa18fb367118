"""A throw-away site of its own, in processes of its own: where a test needs real commits, or kills.

The suite's own database is never flushed: the triggers of the log would rightly refuse.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

import psycopg
from django.db import connection

ROOT: Final = Path(__file__).resolve().parents[1]
_SETUP: Final = "import django; django.setup()\n"


class Elsewhere:
    """An empty database, migrated, beside the tests' own and of the same vendor."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[subprocess.Popen[bytes]] = []
        self.name = f"elsewhere_{uuid.uuid4().hex[:12]}"
        self.environment = os.environ | {
            "CALLBREAK_VAR": str(folder),
            "STATIC_ROOT": str(folder / "static"),
            "DJANGO_SETTINGS_MODULE": "callbreak_site.settings",
        }
        if is_postgresql():
            # Beside the suite's transaction, since a database is not created inside one.
            with connection._nodb_cursor() as cursor:
                cursor.execute(f'CREATE DATABASE "{self.name}"')
            self.environment["DATABASE_URL"] = self.url()
        (folder / "static").mkdir(parents=True, exist_ok=True)

    def url(self, user: str | None = None) -> str:
        """Where its PostgreSQL database is, for the owner or for another role."""
        server, _, query = os.environ["DATABASE_URL"].partition("?")
        scheme, _, address = server.partition("://")
        owner, at, place = address.partition("@")
        host = place.rpartition("/")[0]
        login = f"{user}:" if user else owner
        return f"{scheme}://{login}{at}{host}/{self.name}?{query}"

    def add_role(self, name: str) -> None:
        """A role that may log in, in the whole cluster. Whoever had it before shares it."""
        with connection._nodb_cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
            if cursor.fetchone() is None:
                cursor.execute(f'CREATE ROLE "{name}" LOGIN')

    def manage(self, *arguments: str, ok: bool = True) -> str:
        """Run a command of `manage.py`; what it said."""
        return self._run(["manage.py", *arguments], ok=ok)

    def run(self, code: str, **environment: str) -> str:
        """Run Python code with Django set up; what it printed."""
        return self._run(["-c", _SETUP + dedent(code)], environment=environment)

    def told(self, code: str, word: str, **environment: str) -> Any:
        """Run code as `run` does; the JSON that it printed behind `word`."""
        said = self.run(code, **environment).splitlines()
        return json.loads(next(line for line in said if line.startswith(word)).removeprefix(word))

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the database answers, asked beside Django and at once."""
        if is_postgresql():
            with psycopg.connect(self.url()) as link:
                return link.execute(query.encode()).fetchall()
        with closing(sqlite3.connect(self.folder / "callbreak.sqlite3", timeout=20)) as file:
            return file.execute(query).fetchall()

    def start(self, *command: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start a Python program of the site, in a process group of its own. It ends with `remove`."""
        with (self.folder / "processes.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *command],
                cwd=ROOT,
                env=self.environment | environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.started.append(process)
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """SIGKILL for this process, which we started, and for its children."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def remove(self) -> None:
        for process in self.started:
            self.kill(process)
        if is_postgresql():
            with connection._nodb_cursor() as cursor:
                cursor.execute(f'DROP DATABASE "{self.name}" WITH (FORCE)')

    def _run(
        self, command: list[str], *, ok: bool = True, environment: Mapping[str, str] | None = None
    ) -> str:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=self.environment | dict(environment or {}),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        said = done.stdout + done.stderr
        assert not ok or done.returncode == 0, said
        return said


def is_postgresql() -> bool:
    return connection.vendor == "postgresql"
