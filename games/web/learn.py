"""Learning with a hand: press a card and hear what the engine says to it. No rule is told here, only asked."""

from dataclasses import dataclass
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.engine.cards import Card, parse_cards
from games.engine.errors import RuleViolation
from games.engine.legal import refusals
from games.engine.rules import PRESETS
from games.web.board import reason, short_reason
from games.web.rules import rule_url
from games.wording import card_name, card_sign, explain

RULES: Final = PRESETS["arcadia"]
# One hand on its way through a round: the trick that lies on the table, and what is still held.
STEPS: Final = (
    ("", "AH JH 5H KS TS 3S QD 9D 4D AC 8C 7C 2C"),
    ("9H TH", "AH JH 5H KS TS 3S QD 9D 4D AC 8C 7C 2C"),
    ("8H KH QH", "AH 5H KS TS 3S QD 9D 4D AC 8C 7C 2C"),
    ("2H 6H", "KS TS 3S QD 9D 4D AC 8C 7C 2C"),
    ("4H 7S", "KS TS QD 9D 4D AC 8C 7C 2C"),
    ("6D 5S", "KS QD 9D 4D AC 8C 7C 2C"),
    ("3H AS", "KS QD 9D AC 8C 7C 2C"),
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was pressed, and why not (empty if it may be played); `rule` is where that rule stands."""

    sign: str
    refused: str
    rule: str


@dataclass(frozen=True, slots=True)
class Held:
    """A card of the hand: its name for the ear and, once a card was pressed, a word or two why it may not be played."""

    card: str
    label: str
    why: str = ""


@require_safe
def learn(request: HttpRequest, step: int = 1) -> HttpResponse:
    if not 1 <= step <= len(STEPS):
        raise Http404
    trick, hand = (parse_cards(text) for text in STEPS[step - 1])
    why_not = refusals(RULES, hand, trick)
    pressed = next((card for card in hand if card.text == request.GET.get("card")), None)
    context = {
        "step": step,
        "steps": len(STEPS),
        "following": step + 1 if step < len(STEPS) else None,
        "trick": [card.text for card in trick],
        "hand": [_held(card, None if pressed is None else why_not.get(card)) for card in hand],
        "answer": None if pressed is None else _answer(pressed, why_not.get(pressed)),
        "playable": len(hand) - len(why_not),
        "section": "rules",
    }
    return render(request, "games/learn.html", context)


def _held(card: Card, refused: RuleViolation | None) -> Held:
    name = card_name(card.text)
    if refused is None:
        return Held(card.text, name)
    label = _("%(card)s, cannot be played: %(reason)s") % {"card": name, "reason": reason(refused)}
    return Held(card.text, label, short_reason(card, refused))


def _answer(card: Card, refused: RuleViolation | None) -> Answer:
    if refused is None:
        return Answer(card_sign(card.text), "", "")
    return Answer(
        card_sign(card.text),
        explain(refused),
        rule_url(RULES.name, refused.code),
    )
