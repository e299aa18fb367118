"""The replay page as a value: one step of a round, with its words, cards, reasons, and the addresses of the steps around it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import queries
from games.engine.cards import Card
from games.engine.errors import citation
from games.engine.legal import trick_winner
from games.engine.observation import Observation, Trick
from games.replay import Replay, Step
from games.web.board import PastTrick, past_tricks, sorted_hand
from games.web.company import Company
from games.web.foot import Foot
from games.web.rules import rule_url
from games.wording import card_name, card_sign, explain

_PLACES: Final[Sequence[Promise]] = (
    gettext_lazy("Trick %(trick)d, first card"),
    gettext_lazy("Trick %(trick)d, second card"),
    gettext_lazy("Trick %(trick)d, third card"),
    gettext_lazy("Trick %(trick)d, fourth card"),
)
THROWN_IN: Final = {
    "no_spades": gettext_lazy("somebody held no spade"),
    "no_faces": gettext_lazy("somebody held no jack, queen or king"),
    "low_bids": gettext_lazy("the bids were too low together"),
}
DECISIONS: Final = ("bid", "played")


@dataclass(frozen=True, slots=True)
class Chip:
    """A small card: `style` is how it is drawn, `note` is read out after its name."""

    card: str
    style: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class OpenHand:
    """What is known of a seat's cards: all of them face-up, else those it has played."""

    name: str
    is_bot: bool
    note: str
    chips: tuple[Chip, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reason:
    """Cards that could not be played, and why. `rule` is the citation, `url` where it stands on the rules page."""

    cards: tuple[str, ...]
    sentence: str
    rule: str
    url: str


@dataclass(frozen=True, slots=True)
class Why:
    """Whether the card just played was one that could be, in words."""

    allowed: str
    reasons: tuple[Reason, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Played:
    """A card on the table with who played it, as a sentence's part."""

    sentence: str
    is_now: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPage:
    game: str
    round: int
    heading: str
    label: str
    count: str
    valuetext: str
    at: datetime
    first_seq: int
    last_seq: int
    seq: int
    keeps_round: bool
    links: dict[str, str]
    rounds: tuple[tuple[int, str, bool], ...]
    happened: str
    table_chips: tuple[Chip, ...]
    played: tuple[Played, ...]
    hands: tuple[OpenHand, ...] = field(repr=False)
    is_face_up: bool
    why: Why | None = field(repr=False)
    open_trick: tuple[Chip, ...]
    open_trick_number: int
    open_trick_led: str
    tricks: tuple[PastTrick, ...]
    foot: Foot
    is_seated: bool

    @property
    def report_query(self) -> str:
        """What a report of this step is about."""
        return f"seq={self.seq}"


def replay_page(replay: Replay, viewer: int | None, *, sort: str) -> ReplayPage:
    """The page of a step, as `viewer` (a user's id) may see it."""
    table, seen, step = replay.table, replay.seen, replay.step
    company = Company.of(queries.game_as_seen(table, viewer)).at(step.seq, table.seats)
    label = _label(replay)
    shown = _trick_shown(replay)
    return ReplayPage(
        game=table.game.pk,
        round=replay.round,
        heading=_("Replay of round %(round)d") % {"round": replay.round},
        label=label,
        count=_count(replay),
        valuetext=f"{label}: {_happened(step, company, by_name=True)}",
        at=step.at,
        first_seq=replay.steps[0].seq,
        last_seq=replay.steps[-1].seq,
        seq=step.seq,
        keeps_round=table.rules.parallel_rounds,
        links=_links(replay),
        rounds=tuple(
            (number, _address(replay, round=number), number == replay.round)
            for number in table.rows
        ),
        happened=_happened(step, company),
        table_chips=tuple(_table_chips(shown, step)),
        played=tuple(_played(shown, step, company)),
        hands=tuple(_open_hand(replay, seat, company, sort) for seat in company.in_order()),
        is_face_up=replay.is_face_up,
        why=_why(replay, company),
        open_trick=tuple(_table_chips((seen.leader or 0, seen.trick), step)) if seen.trick else (),
        open_trick_number=len(seen.tricks) + 1,
        open_trick_led=company.say(seen.leader or 0, _("You led"), _("%(name)s led")),
        tricks=past_tricks(seen.tricks, company),
        foot=Foot.of(table),
        is_seated=company.me is not None,
    )


# Words


def _label(replay: Replay) -> str:
    seen, step = replay.seen, replay.step
    if step.kind == "ruled":
        return _("A ruling")
    if step.kind == "played":
        trick = len(seen.tricks) + bool(seen.trick)
        return str(_PLACES[(len(seen.trick) or 4) - 1]) % {"trick": trick}
    if step.kind in ("bid", "sealed"):
        return _("The bids, %(bids)d of 4") % {"bids": _nth_of_its_deal(replay)}
    if seen.attempt > 0:
        return _("Deal %(deal)d") % {"deal": seen.attempt + 1}
    return _("The deal")


def _nth_of_its_deal(replay: Replay) -> int:
    """How many steps of this one's kind there were since the cards were dealt."""
    nth = 0
    for step in replay.steps[: replay.at + 1]:
        nth = 0 if step.kind == "dealt" else nth + (step.kind == replay.step.kind)
    return nth


def _count(replay: Replay) -> str:
    made = sum(step.kind in DECISIONS for step in replay.steps[: replay.at + 1])
    of = sum(step.kind in DECISIONS for step in replay.steps)
    if replay.table.rows[replay.round].scores is None:
        return _("move %(made)d of %(of)d so far") % {"made": made, "of": of}
    return _("move %(made)d of %(of)d") % {"made": made, "of": of}


def _happened(step: Step, company: Company, *, by_name: bool = False) -> str:
    """What the step was, as a sentence. `by_name` writes the card out, for the ear."""
    if step.kind == "thrown_in":
        reason = THROWN_IN.get(step.reason, step.reason)
        return _("The deal was thrown in: %(reason)s.") % {"reason": reason}
    if step.kind == "ruled":
        return _("Staff ruled on this round: the log says what and why.")
    if step.seat is None:
        return _("The cards were dealt.")
    if step.kind == "sealed":
        return company.say(step.seat, _("You sealed a bid."), _("%(name)s sealed a bid."))
    if step.card is None:
        return company.say(
            step.seat, _("You bid %(bid)d."), _("%(name)s bid %(bid)d."), bid=step.bid
        )
    card = card_name(step.card) if by_name else card_sign(step.card)
    return company.say(
        step.seat, _("You played %(card)s."), _("%(name)s played %(card)s."), card=card
    )


# The table

Shown = tuple[int, Sequence[Card]]


def _trick_shown(replay: Replay) -> Shown:
    """Leader and cards of the trick that the step's card belongs to, which may be over by it."""
    seen = replay.seen
    if not seen.trick and replay.step.kind == "played" and seen.tricks:
        return seen.tricks[-1].leader, seen.tricks[-1].cards
    return seen.leader or 0, seen.trick


def _table_chips(shown: Shown, step: Step) -> Iterable[Chip]:
    _leader, cards = shown
    best = trick_winner(cards) if cards else None
    for place, card in enumerate(cards):
        now = "chip--now" if card.text == step.card else ""
        won = "chip--won" if place == best else ""
        yield Chip(card.text, now or won, _("winning") if won else "")


def _played(shown: Shown, step: Step, company: Company) -> Iterable[Played]:
    leader, cards = shown
    for place, card in enumerate(cards):
        seat, facts = (leader + place) % 4, {"card": card_sign(card.text)}
        if place == 0:
            said = company.say(seat, _("You led %(card)s"), _("%(name)s led %(card)s"), **facts)
        else:
            said = _("%(name)s: %(card)s") % {"name": company.name(seat), **facts}
        yield Played(said, card.text == step.card)


# The hands


def _open_hand(replay: Replay, seat: int, company: Company, sort: str) -> OpenHand:
    seen = replay.seen
    if replay.is_face_up:
        held: Sequence[Card] = replay.hands[seat].hand
    else:
        held = seen.hand if seat == seen.seat else ()
    played = _played_by(seen, seat)
    chips = [_hand_chip(card, played, replay.step) for card in sorted_hand([*held, *played], sort)]
    is_known = replay.is_face_up or seat == seen.seat
    return OpenHand(
        name=company.name(seat),
        is_bot=seat in company.bots,
        note=_stand(seen, seat, hidden=0 if is_known else 13 - len(played)),
        chips=tuple(chips),
    )


def _played_by(seen: Observation, seat: int) -> list[Card]:
    """The cards that this seat has played since the deal."""
    tricks = [*seen.tricks, Trick(seen.leader or 0, seen.trick, 0)]
    return [
        card
        for trick in tricks
        for place, card in enumerate(trick.cards)
        if trick.seat_of(place) == seat
    ]


def _hand_chip(card: Card, played: Sequence[Card], step: Step) -> Chip:
    if card not in played:
        return Chip(card.text)
    if card.text == step.card:
        return Chip(card.text, "chip--now", _("played now"))
    return Chip(card.text, "chip--gone", _("played"))


def _stand(seen: Observation, seat: int, *, hidden: int) -> str:
    """How a seat stands: its bid and tricks, and how many cards of its hand are not shown here."""
    bid = seen.bids[seat]
    if bid is None:
        stand = _("has bid") if seen.has_bid[seat] else _("no bid yet")
    elif seen.state == "bidding":
        stand = _("bid %(bid)d") % {"bid": bid}
    else:
        stand = _("won %(won)d of %(bid)d") % {"won": seen.won[seat], "bid": bid}
    if hidden:
        rest = ngettext("%(count)d card in hand", "%(count)d cards in hand", hidden)
        return f"{stand} · {rest % {'count': hidden}}"
    return stand


# Why


def _why(replay: Replay, company: Company) -> Why | None:
    asked, text = replay.asked, replay.step.card
    if asked is None or asked.seat is None or text is None:
        return None
    by_reason: dict[str, Reason] = {}
    for card, refused in asked.why_not.items():
        known = by_reason.get(refused.code)
        cards = (*(known.cards if known else ()), card.text)
        rule = citation(asked.rules.name, refused.code)
        by_reason[refused.code] = Reason(
            cards, explain(refused), rule, rule_url(asked.rules.name, refused.code)
        )
    return Why(_allowed(asked, company), tuple(by_reason.values()))


def _allowed(asked: Observation, company: Company) -> str:
    assert asked.seat is not None
    if not asked.trick:
        return company.say(
            asked.seat,
            _("You led, and any card may be led."),
            _("%(name)s led, and any card may be led."),
        )
    if not asked.why_not:
        return _("Any card of the hand could be played.")
    if len(asked.legal) == 1:
        return _("It was the only card that could be played.")
    cards = ", ".join(card_sign(card.text) for card in asked.legal)
    return _("These cards could be played: %(cards)s.") % {"cards": cards}


# Addresses


def _address(replay: Replay, **query: int) -> str:
    return f"{reverse('replay', args=[replay.table.game.pk])}?{urlencode(query)}"


def _links(replay: Replay) -> dict[str, str]:
    """Where `first`, `prev`, `next` and `last` lead; at its ends a round leads to the one beside it."""
    number, at, steps = replay.round, replay.at, replay.steps
    links: dict[str, str] = {}
    if at > 0:
        links["first"] = _step_address(replay, steps[0])
        links["prev"] = _step_address(replay, steps[at - 1])
    elif number - 1 in replay.table.rows:
        links["prev"] = _address(replay, round=number - 1, seq=replay.table.game.seq)
    if at < len(steps) - 1:
        links["next"] = _step_address(replay, steps[at + 1])
        links["last"] = _step_address(replay, steps[-1])
    elif number + 1 in replay.table.rows:
        links["next"] = _address(replay, round=number + 1)
    return links


def _step_address(replay: Replay, step: Step) -> str:
    if replay.table.rules.parallel_rounds:
        return _address(replay, round=replay.round, seq=step.seq)
    return _address(replay, seq=step.seq)
