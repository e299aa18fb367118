"""Cards and refusals in words that people read, in the language of the moment. Decides nothing."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.engine.errors import RuleViolation
from games.models import Decision

SUIT_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_NAMES: Final[Mapping[str, Promise]] = {
    "C": _("clubs"),
    "D": _("diamonds"),
    "H": _("hearts"),
    "S": _("spades"),
}
RANK_SIGNS: Final = {"T": "10"}
RANK_NAMES: Final[Mapping[str, Promise]] = {
    "J": _("jack"),
    "Q": _("queen"),
    "K": _("king"),
    "A": _("ace"),
}
RULES_NAMES: Final[Mapping[str, Promise]] = {
    "arcadia": _("Arcadia"),
    "everestbuzz-friends": _("EverestBuzz, friends"),
    "everestbuzz-practice": _("EverestBuzz, practice"),
    "yeeqia": _("Yeeqia"),
    "custom": _("House rules"),
}
MINUS: Final = "\u2212"
# Fields of a refusal that hold one card's text.
_CARD_FIELDS: Final = ("card", "best")


def card_sign(text: str) -> str:
    """`"TH"` as `10♥`."""
    return RANK_SIGNS.get(text[0], text[0]) + SUIT_SIGNS[text[1]]


def card_name(text: str) -> str:
    """`"KH"` as `king of hearts`."""
    rank = RANK_NAMES.get(text[0], RANK_SIGNS.get(text[0], text[0]))
    return gettext("%(rank)s of %(suit)s") % {"rank": rank, "suit": SUIT_NAMES[text[1]]}


def rules_name(name: str) -> str:
    """What people call a set of rules: a preset's name, or "House rules" for a table's own."""
    return str(RULES_NAMES[name])


def score_text(units: int, scale: int) -> str:
    """Units as a table with this `score_scale` shows them: `4.2`, `\u22123.0`, or whole numbers with a scale of 1."""
    sign, size = (MINUS if units < 0 else ""), abs(units)
    return f"{sign}{size}" if scale == 1 else f"{sign}{size // scale}.{size % scale}"


def fine_score_text(hundredths: int, scale: int) -> str:
    """Hundredths of a unit as a table with this `score_scale` shows an average: one digit more than a score has."""
    sign, size = (MINUS if hundredths < 0 else ""), abs(hundredths)
    tenths = (size + 5) // 10
    return (
        f"{sign}{tenths // 10}.{tenths % 10}"
        if scale == 1
        else f"{sign}{tenths // 100}.{tenths % 100:02}"
    )


def explain(refused: RuleViolation) -> str:
    """The sentence of a refusal, translated, its cards readable."""
    data = {
        name: card_sign(str(value)) if name in _CARD_FIELDS else value
        for name, value in refused.data.items()
    }
    return gettext(refused.sentence) % data


def signed_score(units: int, scale: int) -> str:
    """Units that are added to a total: `+0.5`, `\u22123.0`."""
    return score_text(units, scale) if units < 0 else f"+{score_text(units, scale)}"


def ruling_text(
    data: Mapping[str, Any],  # Any: the data of a `ruled` event
    *,
    round: int | None,
    seat: int | None,
    names: Sequence[str],
    scale: int,
) -> str:
    """What a ruling did, as a sentence. Seats that change hands by it have numbers for names."""
    did = _what_was_ruled(data, round, seat, names, scale)
    if data.get("lifts") is None:
        return did
    return gettext("Staff let the cancelled game go on.") + " " + did


def decision_text(decision: Decision, *, names: Sequence[str], scale: int) -> str:
    """What a decision of staff does, as a sentence, also while it is only proposed."""
    place = 1 + (decision.seat or 0)
    match decision.ruling:
        case "warning":
            return gettext("Staff warned the player of seat %(seat)d.") % {"seat": place}
        case "suspension":
            days = int(decision.facts["days"])
            text = ngettext(
                "Staff suspended the account of the player of seat %(seat)d for %(days)d day.",
                "Staff suspended the account of the player of seat %(seat)d for %(days)d days.",
                days,
            )
            return text % {"seat": place, "days": days}
        case "ban":
            text = gettext("Staff closed the account of the player of seat %(seat)d.")
            return text % {"seat": place}
        case "lift":
            text = gettext("Staff gave the player of seat %(seat)d the account back.")
            return text % {"seat": place}
    to = "player" if decision.facts.get("to_player") else "bot"
    data = {**decision.facts, "ruling": decision.ruling, "to": to}
    return ruling_text(data, round=decision.round, seat=decision.seat, names=names, scale=scale)


def _what_was_ruled(
    data: Mapping[str, Any], round: int | None, seat: int | None, names: Sequence[str], scale: int
) -> str:
    place = 1 + (seat or 0)
    match data["ruling"]:
        case "void_round" if data["replay"]:
            return gettext("Staff made round %(round)d void: it is played again.") % {
                "round": round
            }
        case "void_round":
            text = gettext("Staff made round %(round)d void: its scores do not count.")
            return text % {"round": round}
        case "adjust_score":
            changes = [
                f"{names[place]} {signed_score(units, scale)}"
                for place, units in enumerate(data["deltas"])
                if units
            ]
            return gettext("Staff adjusted the scores: %(changes)s.") % {
                "changes": ", ".join(changes)
            }
        case "restore_clock":
            minutes = -(-int(data["seconds"]) // 60)
            text = ngettext(
                "Staff gave %(name)s %(minutes)d minute back.",
                "Staff gave %(name)s %(minutes)d minutes back.",
                minutes,
            )
            return text % {"name": names[seat or 0], "minutes": minutes}
        case "replace_seat" if data["to"] == "bot":
            return gettext("Staff gave seat %(seat)d to a bot.") % {"seat": place}
        case "replace_seat":
            return gettext("Staff gave seat %(seat)d back to its player.") % {"seat": place}
        case "cancel_game":
            return gettext("Staff cancelled the game.")
        case "uphold_play":
            return gettext("Staff looked into a report: what was played stands.")
        case _:
            return gettext("Staff looked into a report and changed nothing.")
