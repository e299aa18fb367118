"""The rules and the bots need nothing but Python. (The other directions: `make contracts`.)"""

import ast
import sys
from pathlib import Path

import pytest

from tests.site.processes import ROOT

PURE = sorted([*ROOT.glob("games/engine/**/*.py"), *ROOT.glob("games/bots/**/*.py")])
ALLOWED = sys.stdlib_module_names | {"games.engine", "games.bots"}


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(ROOT)))
def test_rules_and_bots_import_the_standard_library_and_each_other(path: Path) -> None:
    strangers = {name for name in imports_of(path) if not is_allowed(name)}

    assert strangers == set()


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def is_allowed(name: str) -> bool:
    return any(name == allowed or name.startswith(f"{allowed}.") for allowed in ALLOWED)
