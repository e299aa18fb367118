"""What a name may be, and when two names are the same one.

Names are shown beside cards, in any script, so what matters is that no two
people can look alike on purpose and that nobody looks like the staff.
"""

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SHORTEST = 3
LONGEST = 30
GUEST_PREFIX = "guest-"

RESERVED = frozenset(
    [
        "abuse",
        "admin",
        "administrator",
        "anonymous",
        "api",
        "arbiter",
        "bot",
        "callbreak",
        "dealer",
        "everyone",
        "formerplayer",
        "guest",
        "help",
        "host",
        "me",
        "mod",
        "moderator",
        "nobody",
        "null",
        "official",
        "open",
        "operator",
        "owner",
        "postmaster",
        "referee",
        "reviewer",
        "root",
        "security",
        "staff",
        "superuser",
        "support",
        "system",
        "sysop",
        "team",
        "undefined",
        "webmaster",
    ]
)

# What passes at a glance for a Latin letter: digits, small capitals, and letters of other alphabets.
_LOOKALIKES = {
    "a": "4аαɑᴀꓮ", "b": "8вβʙꓐ", "c": "сᴄꓚ", "d": "ԁđðᴅꓓ", "e": "3еεᴇꓰ", "f": "ꜰꓝ", "g": "9ɡɢꓖ", "h": "һнʜꓧ",
    "i": "1lіιıӏɪʟꓲꓡ", "j": "јᴊꓙ", "k": "кκᴋꓗ", "m": "мᴍꓟ", "n": "νηɴꓠ", "o": "0оοᴏꓳ", "p": "рρᴘꓑ", "r": "ʀꓣ",
    "s": "5ѕꜱꓢ", "t": "7тτᴛꓔ", "u": "υᴜꓴ", "v": "ᴠꓦ", "w": "ωᴡꓪ", "x": "хχꓫ", "y": "уʏꓬ", "z": "ᴢꓜ",
}  # fmt: skip
_TO_LATIN = str.maketrans(
    {other: latin for latin, others in _LOOKALIKES.items() for other in others}
)
_OF_ONE_SHAPE = {"LATIN", "GREEK", "CYRILLIC", "COPTIC", "CHEROKEE", "ARMENIAN", "LISU"}
_SEPARATORS = re.compile(r"[-_.]+")
# Letters and marks by their category, and nothing at all to the eye: fillers, joiners, variation selectors.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_MOST_MARKS = 4  # on one letter; more than any script writes, and a tower is read by nobody


def normalised(name: str) -> str:
    """The name as it is stored: NFKC, without spaces around it."""
    return unicodedata.normalize("NFKC", name).strip()


def key_of(name: str) -> str:
    """What must be unique: equal for names that differ only in case or in form of encoding."""
    return unicodedata.normalize("NFKC", normalised(name).casefold())


def check_name(name: str) -> None:
    """Refuse a name that could not be told apart, read or written; ValidationError says why."""
    if not SHORTEST <= len(name) <= LONGEST:
        raise ValidationError(
            _("A name has %(shortest)d to %(longest)d characters."),
            code="name_length",
            params={"shortest": SHORTEST, "longest": LONGEST},
        )
    if (
        normalised(name) != name
        or not all(_is_name_character(character) for character in name)
        or _INVISIBLE.search(name)
        or _has_a_tower(name)
    ):
        # Categories C (control, bidi, zero-width) and Z (spaces) end here.
        raise ValidationError(
            _("A name is made of letters, digits, and - _ . between them."), code="name_characters"
        )
    if not name[0].isalnum() or _SEPARATORS.search(name[-1]):
        raise ValidationError(
            _("A name begins with a letter or digit and does not end with - _ or ."),
            code="name_ends",
        )
    if _has_mixed_scripts(name):
        raise ValidationError(_("A name keeps to one alphabet."), code="name_scripts")


def check_not_reserved(name: str) -> None:
    """Refuse, to people who choose a name, one that speaks for the site."""
    if {_skeleton(name), _skeleton(name.rstrip("0123456789"))} & _RESERVED_SKELETONS:
        raise ValidationError(_("This name is kept for the site itself."), code="name_reserved")
    if key_of(name).startswith(GUEST_PREFIX):
        raise ValidationError(_("Names like this one are given to guests."), code="name_reserved")


def _skeleton(name: str) -> str:
    """What is left of a name at a glance: no accents, no separators, one letter for each shape."""
    decomposed = unicodedata.normalize("NFKD", key_of(name))
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _SEPARATORS.sub("", bare.translate(_TO_LATIN)).replace("rn", "m")


_RESERVED_SKELETONS = frozenset(_skeleton(name) for name in RESERVED)


def _is_name_character(character: str) -> bool:
    return character in "-_." or unicodedata.category(character) in {
        "Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Mn", "Nd",
    }  # fmt: skip


def _has_a_tower(name: str) -> bool:
    """True if more marks are heaped on a letter than any script writes."""
    marks = "".join("m" if unicodedata.category(char)[0] == "M" else " " for char in name)
    return "m" * (_MOST_MARKS + 1) in marks


def _has_mixed_scripts(name: str) -> bool:
    """True if letters of alphabets that share shapes stand together."""
    alphabets = {
        unicodedata.name(character, "").split(" ")[0] for character in name if character.isalpha()
    }
    return len(alphabets & _OF_ONE_SHAPE) > 1
