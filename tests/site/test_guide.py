"""The guide is done as a newcomer would: every command of the page, in its order, in one shell."""

import html
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site.processes import ROOT, Site, free_port

PAGE = "/api/docs/start"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path / "var", free_port())
    assert site.first_line().startswith("ready ")
    yield site
    site.clean_up()


def _commands(page: str) -> list[str]:
    found = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page, re.DOTALL)
    return [html.unescape(each) for each in found]


def _in_a_checkout(folder: Path) -> Path:
    """What the commands need of the project's folder, so that what they write is left in none of ours."""
    folder.mkdir()
    for each in (
        "manage.py",
        "examples",
        "accounts",
        "callbreak_site",
        "games",
        "locale",
        "templates",
    ):
        (folder / each).symlink_to(ROOT / each)
    (folder / ".venv" / "bin").mkdir(parents=True)
    # The tests' own interpreter, wherever they run.
    python = folder / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return folder


def test_every_command_of_the_guide_works_as_printed(site: Site, tmp_path: Path) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{site.port}{PAGE}", timeout=60) as answer:
        start, *commands = _commands(answer.read().decode())
    folder = _in_a_checkout(tmp_path / "checkout")
    environment = os.environ | {"CALLBREAK_VAR": str(site.folder), "LOG_LEVEL": "ERROR"}

    done = subprocess.run(
        ["bash", "-euxc", "\n".join(command + "; echo" for command in commands)],
        cwd=folder,
        env=environment | {"PORT": str(site.port)},
        capture_output=True,
        text=True,
        timeout=570,
        check=False,
    )

    assert start == "make run"
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"player":"my-bot"' in done.stdout
    assert done.stdout.count("the game is finished") == 2
    assert '"turns":[' in done.stdout
    assert "openapi: 3" in (folder / "openapi.yaml").read_text()


def test_the_readme_has_the_same_commands(site: Site) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{site.port}{PAGE}", timeout=60) as answer:
        page = answer.read().decode().replace(f":{site.port}", ":8000")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("## Write a client in ten minutes")[1].split("\n## ")[0]

    for line in "\n".join(
        re.findall(r"```\n((?:make|TOKEN).*?)```", section, re.DOTALL)
    ).splitlines():
        assert not line or line in _commands(page)
