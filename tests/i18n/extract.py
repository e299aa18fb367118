"""Collect what is to be translated: `python -m tests.i18n.extract` (`make messages`; needs GNU gettext's xgettext).

The site's own sentences are found in its source by Django's `makemessages`. What Django, allauth and the REST framework
say to players is taken from their English catalogues, as far as they lack Nepali or Hindi, into `locale/libraries`.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import allauth
import django
import polib
import rest_framework

ROOT: Final = Path(__file__).resolve().parents[2]
LANGUAGES: Final = ("ne", "hi")
# What holds sentences of ours. Everything else in the checkout is for people who build the site.
SOURCES: Final = ("accounts", "callbreak_site", "games", "templates")

_ALLAUTH: Final = Path(allauth.__file__).parent / "locale"
_DJANGO: Final = Path(django.__file__).parent / "conf" / "locale"
_DJANGO_AUTH: Final = Path(django.__file__).parent / "contrib" / "auth" / "locale"
_REST: Final = Path(rest_framework.__file__).parent / "locale"
_ALLAUTH_PLACES: Final = (
    "account/",
    "mfa/",
    "templates/account/",
    "templates/mfa/",
    "templates/allauth/",
)
_DJANGO_PLACES: Final = (
    "contrib/auth/password_validation.py",
    "core/validators.py",
    "forms/fields.py",
    "forms/models.py",
    "utils/timesince.py",
)
# Django's Nepali and Hindi misspell half of the months.
_DJANGO_BETTER_SAID_HERE: Final = ("utils/dates.py",)
_FOR_STAFF: Final = re.compile(r"/(admin|apps|models)\.py$")
# The REST framework ships no places: these are the answers that a client of this API can get.
_REST_SENTENCES: Final = re.compile(
    r"^(Authentication cred|Could not satisfy|Ensure this (field|value)|Expected a list|Incorrect authent"
    r"|Invalid (data|input|token|value)\b|Malformed|Method |Not (a valid|found)|Request was|This (field|list) (is|may)"
    r"|This value does|Unsupported media|User inactive|You do not have|A valid|Must be a valid|\"\{input\}\" is not a valid c)"
)

Key = tuple[str | None, str]  # context and English


def key(entry: polib.POEntry | polib.MOEntry) -> Key:
    return entry.msgctxt, entry.msgid


def wanted_of_libraries() -> dict[Key, polib.POEntry]:
    """What the libraries can say to a player or a client and do not say in all our languages."""
    wanted: dict[Key, polib.POEntry] = {}
    for entry in _of_libraries():
        wanted.setdefault(key(entry), entry)
    return wanted


def own_messages(root: Path) -> None:
    """Bring the catalogues under `root`/locale up to date with the sources under `root`."""
    command = [sys.executable, str(root / "manage.py"), "makemessages", "--verbosity", "0"]
    command += ["--add-location", "file", "--no-wrap", "--no-obsolete"]
    command += [word for language in LANGUAGES for word in ("--locale", language)]
    others = (path.name for path in root.iterdir() if path.is_dir())
    command += [word for name in others if name not in SOURCES for word in ("--ignore", name)]
    subprocess.run(command, cwd=root, check=True)


def messages_of_libraries(root: Path) -> None:
    """Bring `root`/locale/libraries up to date with the libraries that are installed."""
    wanted = wanted_of_libraries()
    for language in LANGUAGES:
        path = root / "locale" / "libraries" / language / "LC_MESSAGES" / "django.po"
        catalogue = polib.pofile(str(path), wrapwidth=0)
        known = {key(entry): entry for entry in catalogue}
        catalogue.clear()
        catalogue.extend(known.get(each, entry) for each, entry in wanted.items())
        catalogue.save()


def _of_libraries() -> Iterator[polib.POEntry]:
    for entry in polib.pofile(str(_po(_ALLAUTH, "en"))):
        places = [place for place, _line in entry.occurrences]
        if any(p.startswith(_ALLAUTH_PLACES) and not _FOR_STAFF.search(p) for p in places):
            yield _blank(entry, "allauth")
    for folder in (_DJANGO, _DJANGO_AUTH):
        said = [_translated(_po(folder, language)) for language in LANGUAGES]
        for entry in polib.pofile(str(_po(folder, "en"))):
            places = [place for place, _line in entry.occurrences]
            is_lacking = not all(key(entry) in each for each in said)
            if any(
                (is_lacking and p.startswith(_DJANGO_PLACES))
                or p.startswith(_DJANGO_BETTER_SAID_HERE)
                for p in places
            ):
                yield _blank(entry, "django")
    for compiled in polib.mofile(str(_po(_REST, "en").with_suffix(".mo"))):
        if _REST_SENTENCES.match(compiled.msgid):
            yield _blank(compiled, "rest_framework")


def _po(folder: Path, language: str) -> Path:
    return folder / language / "LC_MESSAGES" / "django.po"


def _translated(path: Path) -> set[Key]:
    return {key(entry) for entry in polib.pofile(str(path)) if entry.translated()}


def _blank(entry: polib.POEntry | polib.MOEntry, library: str) -> polib.POEntry:
    """The English of `entry`, to be translated."""
    flags = [flag for flag in getattr(entry, "flags", []) if flag.endswith("-format")]
    blank = polib.POEntry(
        msgid=entry.msgid, msgctxt=entry.msgctxt, flags=flags, occurrences=[(library, "")]
    )
    if entry.msgid_plural:
        blank.msgid_plural = entry.msgid_plural
        blank.msgstr_plural = {0: "", 1: ""}
    return blank


if __name__ == "__main__":
    if shutil.which("xgettext") is None:
        sys.exit("xgettext is missing: apt-get install gettext")
    own_messages(ROOT)
    messages_of_libraries(ROOT)
