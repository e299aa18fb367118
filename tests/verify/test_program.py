"""The stand-alone verifier as the program that people run, and what it is made of."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.verify.forging import rechained
from tests.verify.matches import RULES, played

PROGRAM: Final = Path(__file__).parent.parent.parent / "callbreak_verify.py"


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", str(PROGRAM), *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_clean_game_is_told_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(played(RULES["arcadia"], 1)))

    done = run(str(file))

    assert done.returncode == 0
    names = [line.split()[1] for line in done.stdout.splitlines()]
    assert names == [
        f"{each}:"
        for each in (
            *("chain", "rules", "anchor"),
            *("seats", "deals", "redeals", "bids", "plays", "result"),
        )
    ]
    assert all(line.startswith("ok   ") for line in done.stdout.splitlines())


def test_a_forged_game_is_read_from_a_pipe_and_fails() -> None:
    export = played(RULES["arcadia"], 1)
    export["events"][-3]["card"] = "2C"

    done = run("-", stdin=json.dumps(rechained(export)))

    assert done.returncode == 1
    assert done.stdout.count("FAIL ") == 1
    assert not done.stderr


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "1", '{"format": "callbreak-game/2"}', "[" * 100_000, '"\\ud800"']
)
def test_what_is_no_export_is_told_in_a_sentence(text: str) -> None:
    done = run("-", stdin=text)

    assert done.returncode == 2
    assert not done.stdout
    assert done.stderr.startswith("This cannot be checked: ")
    assert done.stderr.count("\n") == 1


def test_a_missing_file_or_argument_is_told_in_a_sentence() -> None:
    for done in (run("no-such.json"), run(), run("a", "b")):
        assert done.returncode == 2
        assert done.stderr.startswith("This cannot be checked: ")


def test_it_is_one_short_file_of_the_standard_library() -> None:
    source = PROGRAM.read_text()
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [a.name for a in node.names]
        )
    }

    assert imported <= set(sys.stdlib_module_names)
    assert len(source.splitlines()) < 300
