"""Which names are refused, and when two names are one."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from accounts.models import User
from accounts.names import check_name, check_not_reserved, key_of, normalised


@pytest.mark.parametrize(
    "name",
    [
        "asha",
        "Asha-2",
        "आशा_राई",
        "bina.k",
        "Ørsted",
        "अर्जुन",
        "李小龙",
        "Ёлка",
        "ड़ैंजी",
        "Nguyễn",
        "שָׁלוֹם",
    ],
)
def test_names_of_every_script_are_welcome(name: str) -> None:
    check_name(normalised(name))
    check_not_reserved(normalised(name))


@pytest.mark.parametrize(
    "name",
    [
        "as",
        "a" * 31,
        "as ha",
        "as\u200bha",  # zero width space
        "as\u200dha",  # zero width joiner
        "asha\u202e",  # right-to-left override
        "as\u0007ha",
        "asha\n",
        "-asha",
        "asha.",
        "asha@home",
        "<b>asha",
        "ａｓｈａ",  # full width: NFKC has another form for it
        "аshа",  # Cyrillic and Latin in one word
        "aꓢha",  # Lisu and Latin
        "asha\ufe00",  # a variation selector: to the eye, another person's name
        "as\u034fha",  # combining grapheme joiner
        "as\u17b4ha",  # a vowel that is not written
        "\u1160\u1160\u1160",  # Hangul fillers: no name at all
        "a\u0301" + "\u0302" * 4 + "sha",  # a tower of marks
    ],
)
def test_names_that_hide_something_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "ADMIN",
        "Adm1n",
        "admin2",
        "a-d-m-i-n",
        "ádmin",
        "ѕtаff",
        "rnoderator",
        "ꓢꓔꓮꓝꓝ",
        "ꜱᴛᴀꜰꜰ",
        "ađmin",
        "Callbreak",
        "guest-7k2m",
    ],
)
def test_names_that_speak_for_the_site_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        check_not_reserved(name)


@pytest.mark.parametrize("name", ["sta\ufe00ff", "\u3164\u3164\u3164", "\uffa0\uffa0\uffa0"])
def test_no_form_lets_in_what_cannot_be_seen(name: str) -> None:
    with pytest.raises(ValidationError):
        check_name(normalised(name))


def test_case_and_encoding_do_not_make_another_name() -> None:
    assert key_of("Straße") == key_of("STRASSE")
    assert key_of("Ａsha") == key_of("asha")
    assert key_of("e\u0301lan") == key_of("Élan")


@pytest.mark.django_db
def test_the_database_refuses_a_name_that_is_taken_in_another_case() -> None:
    User.objects.create_user("Asha")

    with pytest.raises(IntegrityError, match=r"user_name_key_unique|username_key"):
        User.objects.create_user("aSHA")


@pytest.mark.django_db
def test_a_renamed_user_is_found_by_the_new_name_alone() -> None:
    user = User.objects.create_user("asha")

    user.username = "Usha"
    user.save()

    assert User.objects.get_by_natural_key("USHA") == user
    assert not User.objects.filter(username_key="asha").exists()


@pytest.mark.django_db
def test_the_database_refuses_a_guest_on_the_staff() -> None:
    with pytest.raises(IntegrityError, match="user_guest_is_not_staff"):
        User.objects.create_user("asha", is_guest=True, is_staff=True)
