"""A standing plan in words its owner reads. Every word is made from the plan that is stored, and from nothing else."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.cards import Card
from games.engine.plan import AskReason, Choice, Plan, Rule, StopReason, When
from games.wording import SUIT_NAMES, card_sign

CHOICES: Final[Mapping[Choice, Promise]] = {
    Choice.LOWEST_THAT_BEATS: gettext_lazy("lowest that beats, else lowest"),
    Choice.LOWEST: gettext_lazy("lowest"),
    Choice.HIGHEST: gettext_lazy("highest"),
    Choice.LOWEST_SPADE: gettext_lazy("lowest spade, else lowest"),
    Choice.ASK: gettext_lazy("ask me"),
}
STOPS: Final[Mapping[StopReason, Promise]] = {
    StopReason.BID_MADE: gettext_lazy("my bid is made"),
    StopReason.BID_LOST: gettext_lazy("my bid can no longer be made"),
    StopReason.SPADE_PLAYED: gettext_lazy("a spade is played before me"),
    StopReason.SOMEONE_CANNOT: gettext_lazy("somebody can no longer make their bid"),
}
ASKS: Final[Mapping[AskReason, Promise]] = {
    AskReason.RULE: gettext_lazy("your plan says so"),
    AskReason.QUEUE_EMPTY: gettext_lazy("you lead, and no card to lead is left in it"),
    AskReason.NO_PLAY: gettext_lazy("there is nothing to play"),
}
POSITIONS: Final[Mapping[int, Promise]] = {
    2: gettext_lazy("second"),
    3: gettext_lazy("third"),
    4: gettext_lazy("last"),
}
_WHY_STOPPED: Final[Mapping[StopReason, Promise]] = {
    StopReason.BID_MADE: gettext_lazy("your bid is made"),
    StopReason.BID_LOST: gettext_lazy("your bid can no longer be made"),
    StopReason.SPADE_PLAYED: gettext_lazy("a spade was played before you"),
    StopReason.SOMEONE_CANNOT: gettext_lazy("somebody can no longer make their bid"),
}


def in_words(plan: Plan, hand: Collection[Card]) -> list[str]:
    """What the plan does, line by line: following, leading, stopping. Cards of its queue that were played are left out."""
    lines = [_rule(rule, is_only=len(plan.rules) == 1) for rule in plan.rules]
    lines.append(_leading([card for card in plan.cards if card in hand]))
    if plan.stop_if:
        reasons = _any_of([str(STOPS[reason]) for reason in plan.stop_if])
        lines.append(_("It stops and asks when %(reasons)s.") % {"reasons": reasons})
    return lines


def why_halted(reason: str) -> str:
    """Why a plan left a decision to its owner."""
    stopped = {each.value: words for each, words in _WHY_STOPPED.items()}
    asks = {each.value: words for each, words in ASKS.items()}
    why = {**stopped, **asks}[reason]
    return _("Your plan waits for you: %(why)s.") % {"why": why}


def _rule(rule: Rule, *, is_only: bool) -> str:
    facts = {"choice": CHOICES[rule.play]}
    if rule.when is None:
        if is_only:
            return _("Whatever is led: %(choice)s.") % facts
        return _("Otherwise: %(choice)s.") % facts
    return _("If %(when)s: %(choice)s.") % {**facts, "when": _conditions(rule.when)}


def _conditions(when: When) -> str:
    parts: list[str] = []
    if when.led is not None:
        suits = _any_of([str(SUIT_NAMES[suit]) for suit in when.led])
        parts.append(_("%(suits)s are led") % {"suits": suits})
    if when.trumped is not None:
        parts.append(_("a spade has trumped it") if when.trumped else _("no spade has trumped it"))
    if when.position is not None:
        places = _any_of([str(POSITIONS[place]) for place in when.position])
        parts.append(_("I play %(places)s") % {"places": places})
    if when.bid_made is not None:
        parts.append(_("my bid is made") if when.bid_made else _("my bid is not made yet"))
    if when.tricks_left_at_most is not None:
        left = when.tricks_left_at_most
        parts.append(
            ngettext("one trick is left", "%(left)d tricks or fewer are left", left)
            % {"left": left}
        )
    return _joined(parts, _("%(parts)s and %(last)s"))


def _leading(queue: Sequence[Card]) -> str:
    if not queue:
        return _("When I lead: ask me.")
    cards = _(", then ").join(card_sign(card.text) for card in queue)
    return _("When I lead: %(cards)s, then ask me.") % {"cards": cards}


def _any_of(parts: Sequence[str]) -> str:
    return _joined(parts, _("%(parts)s or %(last)s"))


def _joined(parts: Sequence[str], last_two: str) -> str:
    *first, last = parts
    return last_two % {"parts": ", ".join(first), "last": last} if first else last
