"""The rules in words, made from a `HouseRules` value and the engine's own answers, so that they cannot contradict the table.

A section's `topic` is the end of the citation ids of refusals (`arcadia/beat` is `/rules/arcadia/#beat`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe
from django_stubs_ext import StrPromise

from games.engine.cards import Card, parse_cards
from games.engine.legal import refusals, trick_winner
from games.engine.rules import CUSTOM, FIELDS, PRESETS, READINGS, TABLE_OPTIONS, HouseRules
from games.engine.scoring import round_scores
from games.wording import card_name, explain, rules_name, score_text

# What a rule is called in forms and lists.
LABELS: Final[Mapping[str, StrPromise]] = {
    "min_bid": gettext_lazy("Lowest bid"),
    "max_bid": gettext_lazy("Highest bid"),
    "rounds": gettext_lazy("Number of rounds"),
    "target": gettext_lazy("Play to a total of"),
    "max_rounds": gettext_lazy("Last round of a match to a total"),
    "score_scale": gettext_lazy("Scores"),
    "must_beat": gettext_lazy("Must beat"),
    "must_beat_after_trump": gettext_lazy("Must beat, even after a spade"),
    "must_trump": gettext_lazy("Must trump"),
    "must_trump_low": gettext_lazy("Must trump, even when it cannot win"),
    "redeal_no_spades": gettext_lazy("Deal again without spades"),
    "redeal_no_faces": gettext_lazy("Deal again without face cards"),
    "redeal_bids_below": gettext_lazy("Deal again when the bids total less than"),
    "redeal_bids_limit": gettext_lazy("Such redeals in one round, at most"),
    "instant_win_bid": gettext_lazy("A made bid that wins at once, from"),
    "direction": gettext_lazy("Play goes to the"),
    "sealed_bids": gettext_lazy("Sealed bids"),
    "parallel_rounds": gettext_lazy("Rounds side by side"),
}
_VALUES: Final[Mapping[object, StrPromise]] = {
    True: gettext_lazy("on"),
    False: gettext_lazy("off"),
    None: gettext_lazy("none"),
    "right": gettext_lazy("right"),
    "left": gettext_lazy("left"),
}


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card of an example. `refused` is the engine's sentence, empty for a card that may be played."""

    text: str
    refused: str = ""

    @property
    def rank(self) -> str:
        return self.text[0]

    @property
    def suit(self) -> str:
        return self.text[1]

    @property
    def name(self) -> str:
        return card_name(self.text)


@dataclass(frozen=True, slots=True)
class Example:
    """A trick on the table, and what every card of a hand would be answered. No hand: who takes the trick.

    `when` names the choice under which this is so, where a table has one.
    """

    trick: list[ShownCard]
    hand: list[ShownCard] = field(default_factory=list)
    winner: ShownCard | None = None
    when: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    topic: str
    title: str
    lines: list[str]
    examples: list[Example] = field(default_factory=list)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All presets, one beside the other."""
    presets = [
        {"name": name, "title": rules_name(name), "about": in_short(rules)}
        for name, rules in PRESETS.items()
    ]
    context = {"presets": presets, "table": _comparison(), "section": "rules"}
    return render(request, "games/rules.html", context)


@require_safe
def preset(request: HttpRequest, name: str) -> HttpResponse:
    """One preset from the deal to the end of a match, or what tables with rules of their own choose from."""
    if name not in (*PRESETS, CUSTOM):
        raise Http404
    rules = PRESETS.get(name, HouseRules())
    context = {
        "name": name,
        "title": rules_name(name),
        "about": in_short(rules) if name != CUSTOM else "",
        "sections": sections(rules),
        "scores": _score_example(rules),
        "options": _options(name),
        "readings": _readings(name),
        "others": [(other, rules_name(other)) for other in (*PRESETS, CUSTOM) if other != name],
        "section": "rules",
    }
    return render(request, "games/rules_preset.html", context)


def in_short(rules: HouseRules) -> str:
    """The rules in two or three short sentences: what tells them from others."""
    lines = [_length(rules), _bids(rules)]
    if rules.must_beat and rules.must_trump:
        lines.append(_("You must beat, and trump when you cannot follow."))
    elif rules.must_beat:
        lines.append(_("You must beat if you can."))
    elif rules.must_trump:
        lines.append(_("You must trump when you cannot follow."))
    else:
        lines.append(_("Follow suit, nothing more."))
    if rules.redeal_no_spades:
        lines.append(_("A hand without a spade: dealt again."))
    return " ".join(lines)


def sections(rules: HouseRules) -> list[Section]:
    """Every rule that a refusal can cite, and the others, in the order in which a round meets them."""
    return [
        Section("order", _("Seats and turns"), _order(rules)),
        Section("hand", _("Cards"), _cards()),
        Section("deal", _("Deals that do not count"), _deals(rules)),
        Section("bid", _("Bidding"), [_bids(rules), _("A bid stands once it is made.")]),
        Section(
            "follow",
            _("Following suit"),
            [
                _("Any card may be led, a spade too."),
                _("While you hold a card of the suit that was led, you play one of that suit."),
            ],
            [position(rules, "9H 4H", "KH TH AS 7D")],
        ),
        Section(
            "beat",
            _("Beating"),
            _either(rules, "must_beat", _beat),
            _examples(rules, "must_beat", ("9H TH", "KH JH 5H AS"), ("9H 2S", "KH 5H AS 7D")),
        ),
        Section(
            "trump",
            _("Trumping"),
            _either(rules, "must_trump", _trump),
            _examples(rules, "must_trump", ("9H 4S", "TS 3S QD 2C"), ("9H KS", "TS 3S QD 2C")),
        ),
        Section(
            "trick",
            _("Who takes a trick"),
            [
                _("The highest spade takes it; without one, the highest card of the suit led."),
                _("Whoever takes a trick leads the next."),
            ],
            [taken("9H KH 2S AH"), taken("9H KH AD QH")],
        ),
        Section(
            "claim",
            _("Claiming the rest"),
            [
                _(
                    "Whoever is to lead may claim every trick that is left, if their own cards and what was played prove it"
                    " whatever the others hold."
                ),
                _("A claim that is not proven is refused, and nobody is told."),
                _("The last trick plays itself."),
            ],
        ),
        Section("score", _("Scores"), _score(rules)),
        Section("end", _("The end of a match"), _end(rules)),
    ]


def position(rules: HouseRules, trick: str, hand: str, when: str = "") -> Example:
    """What the engine answers to every card of `hand` under these rules."""
    down, held = parse_cards(trick), parse_cards(hand)
    refused = refusals(rules, held, down)
    return Example(
        trick=_shown(down),
        hand=[
            ShownCard(card.text, explain(refused[card]) if card in refused else "") for card in held
        ],
        when=when,
    )


def taken(trick: str) -> Example:
    cards = parse_cards(trick)
    return Example(trick=_shown(cards), winner=ShownCard(cards[trick_winner(cards)].text))


def _shown(cards: Iterable[Card]) -> list[ShownCard]:
    return [ShownCard(card.text) for card in cards]


# Sentences, each a function of the rules


def _either(rules: HouseRules, name: str, lines: Callable[[HouseRules], list[str]]) -> list[str]:
    """The sentences; where a table chooses, those of either choice of the rule `name`."""
    if rules.name != CUSTOM:
        return lines(rules)
    return [
        f"{_choice(name, value)} {' '.join(lines(rules.replace(**{name: value})))}"
        for value in (True, False)
    ]


def _examples(rules: HouseRules, name: str, *positions: tuple[str, str]) -> list[Example]:
    """The positions under these rules; where a table chooses, with the rule `name` on."""
    if rules.name != CUSTOM:
        return [position(rules, trick, hand) for trick, hand in positions]
    strict = rules.replace(**{name: True})
    return [position(strict, trick, hand, _choice(name, True)) for trick, hand in positions]


def _choice(name: str, value: bool) -> str:
    return _("“%(rule)s” %(value)s:") % {"rule": LABELS[name], "value": _VALUES[value]}


def _order(rules: HouseRules) -> list[str]:
    to_the_right = rules.direction == "right"
    return [
        _("Four players sit in the order of play, and turns go to the right.")
        if to_the_right
        else _("Four players sit in the order of play, and turns go to the left."),
        _("The player after the dealer bids first and leads to the first trick."),
        _("After every round that counts, the next player deals."),
    ]


def _cards() -> list[str]:
    return [
        _("Everybody is dealt 13 of 52 cards. In each suit the ace is highest and the two lowest."),
        _("Spades are always trump: the lowest of them beats every card of another suit."),
        _("Only a card in your own hand can be played, and only when it is your turn."),
    ]


def _bids(rules: HouseRules) -> str:
    if rules.name == CUSTOM:
        return _("A table chooses the lowest and the highest bid.")
    return _("Bids from %(low)d to %(high)d.") % {"low": rules.min_bid, "high": rules.max_bid}


def _deals(rules: HouseRules) -> list[str]:
    """When a deal is thrown in; where a table chooses, every rule that it may choose."""
    if rules.name != CUSTOM:
        return _thrown_in(rules) or [_("Every deal is played.")]
    return [
        _("A table chooses any of these, or none:"),
        *_thrown_in(rules.replace(redeal_no_spades=True, redeal_no_faces=True)),
        _(
            "When the four bids total less than a number of the table's choice, the deal is thrown in."
        ),
    ]


def _thrown_in(rules: HouseRules) -> list[str]:
    lines = []
    if rules.redeal_no_spades:
        lines.append(_("A deal that leaves any hand without a spade is thrown in."))
    if rules.redeal_no_faces:
        lines.append(_("A deal that leaves any hand without a jack, queen or king is thrown in."))
    if rules.redeal_bids_below is not None:
        lines.append(
            _("When the four bids total less than %(below)d, the deal is thrown in.")
            % {"below": rules.redeal_bids_below}
        )
    return lines


def _beat(rules: HouseRules) -> list[str]:
    if not rules.must_beat:
        return [_("Following suit is enough: a lower card will do, even if you could play higher.")]
    lines = [
        _("Following suit, you play higher than the best card of the suit led, if you can."),
        _("Any card that is high enough will do. If none is, any card of the suit will."),
    ]
    if rules.must_beat_after_trump:
        lines.append(_("This binds even after a spade was played to the trick."))
    else:
        lines.append(_("It no longer binds once the trick was trumped with a spade."))
    return lines


def _trump(rules: HouseRules) -> list[str]:
    if not rules.must_trump:
        return [_("Without a card of the suit led you may play any card; no spade is asked for.")]
    lines = [_("Without a card of the suit led, you play a spade that would win, if you hold one.")]
    if rules.must_trump_low:
        lines.append(_("If no spade of yours would win, you play a spade all the same."))
    else:
        lines.append(_("If no spade of yours would win, you may play any card."))
    return lines


def _score(rules: HouseRules) -> list[str]:
    each, further = score_text(10, rules.score_scale), score_text(1, rules.score_scale)
    return [
        _(
            "A bid that is made brings %(each)s for each trick bid and %(further)s for each trick more."
        )
        % {"each": each, "further": further},
        _("A bid that is missed costs %(each)s for each trick bid, however many were won.")
        % {"each": each},
    ]


def _length(rules: HouseRules) -> str:
    if rules.target is None:
        rounds = rules.rounds or 0
        return ngettext("%(rounds)d round.", "%(rounds)d rounds.", rounds) % {"rounds": rounds}
    target = score_text(rules.target, rules.score_scale)
    if rules.rounds is None:
        return _("Played to %(target)s.") % {"target": target}
    return _("Played to %(target)s, %(rounds)d rounds at most.") % {
        "target": target,
        "rounds": rules.rounds,
    }


def _end(rules: HouseRules) -> list[str]:
    lines = []
    if rules.name == CUSTOM:
        lines.append(_("A table chooses a number of rounds, a total to reach, or both."))
    elif rules.rounds is not None:
        lines.append(
            ngettext(
                "The match ends after %(rounds)d round.",
                "The match ends after %(rounds)d rounds.",
                rules.rounds,
            )
            % {"rounds": rules.rounds}
        )
    if rules.target is not None:
        lines.append(
            _("The match ends with the round after which somebody has %(target)s or more.")
            % {"target": score_text(rules.target, rules.score_scale)}
        )
    if rules.instant_win_bid is not None:
        lines.append(
            _("A bid of %(bid)d or more that is made wins the match at the end of that round.")
            % {"bid": rules.instant_win_bid}
        )
    lines.append(_("The highest total wins. Players who are level at the top share the win."))
    return lines


# Tables


def _score_example(rules: HouseRules) -> list[dict[str, object]]:
    """A finished round, scored by the engine, with bids that these rules allow."""
    won = [6, 5, 2, 0]
    bids = [min(max(bid, rules.min_bid), rules.max_bid) for bid in (4, 5, 3, 1)]
    units = round_scores(rules, bids, won)
    return [
        {
            "bid": bid,
            "won": count,
            "score": score_text(score, rules.score_scale),
            "made": score >= 0,
        }
        for bid, count, score in zip(bids, won, units, strict=True)
    ]


def _comparison() -> list[dict[str, object]]:
    """A row for each rule that tells the presets apart."""
    rows = []
    for name in FIELDS:
        values = [getattr(rules, name) for rules in PRESETS.values()]
        if name != "name" and len(set(values)) > 1:
            shown = [_cell(rules, name) for rules in PRESETS.values()]
            rows.append({"label": LABELS[name], "values": shown})
    return rows


def _cell(rules: HouseRules, name: str) -> str:
    value = getattr(rules, name)
    if name == "score_scale":
        return score_text(42, value)
    if name == "target" and value is not None:
        return score_text(value, rules.score_scale)
    return shown_value(value)


def shown_value(value: object) -> str:
    """What a rule is set to, in a word."""
    return str(_VALUES[value]) if value is None or isinstance(value, bool | str) else str(value)


def _options(name: str) -> list[dict[str, object]]:
    """What a table may set while the rules keep this name."""
    shown = []
    for option, values in TABLE_OPTIONS.get(name, {}).items():
        if len(values) > 3:  # a range of numbers
            numbers = [value for value in values if isinstance(value, int)]
            between = {"low": min(numbers), "high": max(numbers)}
            words = [shown_value(None), _("%(low)d to %(high)d") % between]
        else:
            words = [shown_value(value) for value in values]
        shown.append({"label": LABELS[option], "values": words})
    return shown


def _readings(name: str) -> list[dict[str, str]]:
    return [
        {"id": reading.id, "sentence": _(reading.sentence)}
        for reading in READINGS
        if name in reading.presets
    ]
