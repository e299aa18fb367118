"""The embedded edition's own secrets; production's that must be given."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from callbreak_site.keys import new_fernet_key, stored_key
from tests.site.processes import ROOT


def test_a_key_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "deal_keys"

    first = stored_key(path, new_fernet_key)

    assert stored_key(path, new_fernet_key) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == ["deal_keys"]
    Fernet(first.encode())


def test_processes_that_start_together_agree(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from callbreak_site import keys;"
        "print(keys.stored_key(Path(sys.argv[1]), keys.new_secret_key))"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "secret_key")],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]

    keys = {process.communicate()[0] for process in started}

    assert len(keys) == 1
    assert len(keys.pop().strip()) > 40


def test_production_stops_with_a_sentence_when_a_secret_is_missing(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "CALLBREAK_VAR": str(tmp_path),
        "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
        "SECRET_KEY": "given",
    }

    run = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode != 0
    assert "DEAL_KEYS is not set" in run.stderr
    assert not (tmp_path / "keys").exists()


@pytest.mark.parametrize("key", ["short", "AAAA", "!" * 43])
def test_a_key_for_messages_that_is_none_stops_the_site_with_a_sentence(
    tmp_path: Path, key: str
) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "CALLBREAK_VAR": str(tmp_path),
        "VAPID_PRIVATE_KEY": key,
    }

    run = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode != 0
    assert "VAPID_PRIVATE_KEY is no 32 bytes" in run.stderr
    assert key not in run.stderr
