"""The translators' catalogues (`.po`), compiled into what Django reads (`.mo`), without GNU gettext.

Compiled files are not in the repository. `manage.py play` and the tests compile what is out of date; an image does it
once, when it is built: `python -m callbreak_site.catalogues`.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1] / "locale"
# The second folder holds what the libraries say to players and do not say in their languages. The first one wins.
FOLDERS: Final = (ROOT, ROOT / "libraries")


def compile_stale(folders: Iterable[Path] = FOLDERS) -> list[Path]:
    """Compile every catalogue that is newer than its compiled file; the files that were written."""
    written = []
    for source in sorted(path for folder in folders for path in folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime_ns < source.stat().st_mtime_ns:
            _compile(source, target)
            written.append(target)
    return written


def _compile(source: Path, target: Path) -> None:
    import polib  # here, since nearly every start finds nothing to compile

    # Beside the target and then in its place: several processes may start at once.
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    polib.pofile(str(source)).save_as_mofile(str(draft))
    draft.replace(target)


if __name__ == "__main__":
    compile_stale()
