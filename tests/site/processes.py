"""Starting the real site for a test, and finding what it left behind."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 90


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Site:
    """`manage.py play` in a folder of its own."""

    def __init__(self, folder: Path, port: int, command: list[str] | None = None) -> None:
        self.folder = folder
        self.port = port
        self.log = folder.with_suffix(".log")
        environment = {
            name: value
            for name, value in os.environ.items()
            # The last three make a make under `make test` talk about its folders.
            if name
            not in {"DATABASE_URL", "CACHE_URL", "LOG_LEVEL"} | {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
        }
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command or [sys.executable, "manage.py", "play"],
                cwd=ROOT,
                env=environment | {"CALLBREAK_VAR": str(folder), "PORT": str(port), "PACE": "0"},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def first_line(self) -> str:
        """What it prints first: the line that scripts wait for, or nothing if it gave up."""
        assert self.process.stdout is not None
        line: str = self.process.stdout.readline()
        return line.strip()

    def get(self, path: str) -> int:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=60) as answer:
            status: int = answer.status
            return status

    def processes(self) -> dict[int, str]:
        """Every process of this site, the supervisor included: they share its session."""
        return {
            pid: (Path("/proc") / str(pid) / "cmdline").read_text().replace("\0", " ")
            for pid in _pids()
            if _stat(pid)[_SESSION] == self.process.pid
        }

    def child(self, word: str) -> int:
        """The process id of the child whose command line holds `word`."""
        mine = self.process.pid
        return next(
            pid
            for pid, command in self.processes().items()
            if word in command and _stat(pid)[_PARENT] == mine
        )

    def stop(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_SECONDS)

    def clean_up(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def wait_until(what: object, *, seconds: float = PATIENCE_SECONDS) -> bool:
    """True as soon as the callable says so; False if it never did."""
    assert callable(what)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if what():
            return True
        time.sleep(0.1)
    return False


# Places in /proc/PID/stat, counted from the field after the name.
_PARENT = 1
_SESSION = 3


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _stat(pid: int) -> list[int]:
    """The numbers of /proc/PID/stat after name and state; zeros if the process is gone or a zombie."""
    try:
        state, *numbers = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return [0, 0, 0, 0]
    return [0, *map(int, numbers)] if state != "Z" else [0, 0, 0, 0]
