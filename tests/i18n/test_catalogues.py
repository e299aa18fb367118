"""Nothing that a player or a client reads is left in English, half translated, or translated for nothing."""

import gettext
import re
import shutil
from pathlib import Path

import polib
import pytest

from callbreak_site.catalogues import compile_stale
from tests.i18n import extract

CATALOGUES = [
    extract.ROOT / "locale" / folder / language / "LC_MESSAGES" / "django.po"
    for folder in ("", "libraries")
    for language in extract.LANGUAGES
]
_FIELDS = re.compile(r"%\(\w+\)[a-z]|%[ds]|\{\w*\}")
_TAGS = re.compile(r"</?\w+|\bhref=")
_DEVANAGARI_DIGITS = re.compile(r"[०-९]")

needs_xgettext = pytest.mark.skipif(
    shutil.which("xgettext") is None,
    reason="NO XGETTEXT, SO NOBODY LOOKED FOR NEW SENTENCES: install it with `apt-get install gettext`",
)


def name_of(path: Path) -> str:
    return "-".join(path.relative_to(extract.ROOT / "locale").parts[:-2])


def keys_of(path: Path) -> set[tuple[str | None, str, str]]:
    return {(*extract.key(each), each.msgid_plural) for each in polib.pofile(str(path))}


@pytest.fixture(params=CATALOGUES, ids=name_of)
def catalogue(request: pytest.FixtureRequest) -> polib.POFile:
    return polib.pofile(str(request.param))


def forms_of(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def test_every_sentence_is_translated_and_none_is_a_guess(catalogue: polib.POFile) -> None:
    assert [entry.msgid for entry in catalogue.untranslated_entries()] == []
    assert [entry.msgid for entry in catalogue.fuzzy_entries()] == []
    assert [entry.msgid for entry in catalogue.obsolete_entries()] == []


def test_every_plural_has_its_forms(catalogue: polib.POFile) -> None:
    said = re.match(r"nplurals=(\d);", catalogue.metadata["Plural-Forms"])
    assert said is not None

    for entry in catalogue:
        if entry.msgid_plural:
            assert sorted(entry.msgstr_plural) == list(range(int(said[1]))), entry.msgid
            assert all(entry.msgstr_plural.values()), entry.msgid


def test_a_translation_keeps_the_fields_and_the_tags(catalogue: polib.POFile) -> None:
    for entry in catalogue:
        *singular, many = forms_of(entry)
        source = entry.msgid_plural or entry.msgid
        assert set(_FIELDS.findall(many)) == set(_FIELDS.findall(source)), entry.msgid
        for one in singular:  # may leave the number out: "the only one"
            assert set(_FIELDS.findall(one)) <= set(_FIELDS.findall(source)), entry.msgid
        for form in forms_of(entry):
            assert sorted(_TAGS.findall(form)) == sorted(_TAGS.findall(source)), entry.msgid
            assert form.endswith("\n") == entry.msgid.endswith("\n"), entry.msgid
            assert form.startswith("\n") == entry.msgid.startswith("\n"), entry.msgid


def test_digits_are_western_and_nobody_shouts(catalogue: polib.POFile) -> None:
    for entry in catalogue:
        for form in forms_of(entry):
            assert not _DEVANAGARI_DIGITS.search(form), entry.msgid
            assert "!" not in form, entry.msgid


@needs_xgettext
def test_no_sentence_of_ours_is_missing_from_the_catalogues(tmp_path: Path) -> None:
    for name in extract.SOURCES:
        shutil.copytree(extract.ROOT / name, tmp_path / name, ignore=_without_what_is_not_read)
    shutil.copytree(extract.ROOT / "locale", tmp_path / "locale")
    shutil.copy(extract.ROOT / "manage.py", tmp_path)

    extract.own_messages(tmp_path)

    for path in CATALOGUES[: len(extract.LANGUAGES)]:
        found, known = keys_of(tmp_path / path.relative_to(extract.ROOT)), keys_of(path)
        assert found - known == set(), "run `make messages` and translate these"
        assert known - found == set(), "run `make messages`: nobody says these any more"


def test_no_sentence_of_a_library_is_missing_from_the_catalogues() -> None:
    wanted = {(*each, entry.msgid_plural) for each, entry in extract.wanted_of_libraries().items()}

    for path in CATALOGUES[len(extract.LANGUAGES) :]:
        assert wanted == keys_of(path), "run `make messages` and translate what is new"


def test_what_is_out_of_date_is_compiled_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "hi" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    shutil.copy(CATALOGUES[1], folder)

    first, second = compile_stale([tmp_path]), compile_stale([tmp_path])

    assert (first, second) == ([folder / "django.mo"], [])
    hindi = gettext.translation("django", str(tmp_path), ["hi"])
    assert hindi.gettext("My games") == "मेरे खेल"
    assert hindi.ngettext("%(won)d trick", "%(won)d tricks", 2) == "%(won)d हाथ"


def _without_what_is_not_read(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name in ("__pycache__", "static")}
