"""A running round as one viewer sees it, ready for a template: seats, trick, hand, reasons, tricks so far.

Everything comes from an `Observation`, so nothing here can show a card that its viewer may not see. No rule is decided here:
what may be played and why not is the engine's word, put into sentences.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine.cards import Card
from games.engine.errors import Code, RuleViolation
from games.engine.legal import trick_winner
from games.engine.observation import Observation, Trick
from games.web.company import Company
from games.web.rules import rule_url
from games.wording import SUIT_NAMES, SUIT_SIGNS, card_name, card_sign, explain, score_text

# Black and red suits in turn, so that two of a colour never touch.
_SUIT_ORDER: Final = "SHCD"


@dataclass(frozen=True, slots=True)
class Pick:
    """A card chosen and not played yet, at the decision it was chosen for; `turn` None: at any."""

    card: str
    turn: int | None = None


NO_PICK: Final = Pick("")


@dataclass(frozen=True, slots=True)
class Tag:
    text: str
    style: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plate:
    """A seat on the board. While bids are made `said` tells of them; afterwards `won`, `bid` and `tally` do."""

    place: str
    name: str
    tags: tuple[Tag, ...]
    total: str
    acts: bool
    said: str = ""
    bid: int | None = None
    won: int = 0
    tally: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OnTable:
    """A card of the trick, or (without `card`) the empty place of the seat that is to play."""

    place: str
    card: str = ""
    label: str
    caption: str = ""
    is_best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTrick:
    """A trick that is over; `cards` in the order played, each with whether it won."""

    number: int
    cards: tuple[tuple[str, bool], ...]
    winner: str
    led: str
    taken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCard:
    """A card in my hand. `why` is a word or two under a card that may not be played, `label` the whole of it for the ear."""

    card: str
    label: str
    why: str = ""
    is_playable: bool = True
    is_picked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """`acts`: it is my turn. `picked` is a card I chose and may play; `is_refusing`: `say` is about one I may not."""

    round: int
    turn: int
    plates: tuple[Plate, ...]
    on_table: tuple[OnTable, ...]
    last_trick: PastTrick | None
    tricks: tuple[PastTrick, ...]
    bids_so_far: str
    bid_total: int | None
    acts: bool
    action: str | None
    hand: tuple[HandCard, ...] = field(repr=False)
    bids: tuple[int, ...]
    picked: str
    picked_sign: str
    say: str
    say_more: str
    is_refusing: bool
    rule_url: str
    told: tuple[tuple[bool, str], ...]

    @property
    def feed(self) -> tuple[tuple[bool, str], ...]:
        """What was played since my last card, each with whether it was mine; nothing before I have played one."""
        return self.told if self.told and self.told[0][0] else ()

    @property
    def is_quiet(self) -> bool:
        """Nothing stands under any card of the hand."""
        return not any(held.why for held in self.hand)

    @property
    def may_claim(self) -> bool:
        """Whether I am to lead to an empty trick."""
        return self.acts and self.action == "play" and not any(each.card for each in self.on_table)

    @property
    def is_bidding(self) -> bool:
        return self.bids_so_far != ""


def board_of(
    seen: Observation,
    company: Company,
    totals: Sequence[int],
    *,
    sort: str,
    pick: Pick = NO_PICK,
    autopilot: Collection[int] = (),
) -> Board:
    """The board of a round that is being bid or played. A `pick` for an earlier decision is let go.

    `autopilot` are the seats whose person gave the rest of this round to a bot.
    """
    is_mine_to_pick = seen.acts and pick.turn in (None, seen.turn)
    picked = next((card for card in seen.hand if is_mine_to_pick and card.text == pick.card), None)
    say, more = _say(seen, company, picked)
    tricks = past_tricks(seen.tricks, company)
    playable = picked is not None and picked in seen.legal
    return Board(
        round=seen.round,
        turn=seen.turn,
        plates=tuple(
            _plate(seen, company, seat, totals[seat], autopilot) for seat in company.in_order()
        ),
        on_table=tuple(_on_table(seen, company)),
        last_trick=tricks[0] if tricks else None,
        tricks=tricks,
        bids_so_far=_bids_so_far(seen),
        bid_total=None if seen.rules.sealed_bids else sum(bid or 0 for bid in seen.bids),
        acts=seen.acts,
        action=seen.action,
        hand=tuple(_hand_card(seen, card, card is picked) for card in sorted_hand(seen.hand, sort)),
        bids=tuple(range(seen.rules.min_bid, seen.rules.max_bid + 1))
        if seen.acts and seen.action == "bid"
        else (),
        picked=picked.text if picked is not None and playable else "",
        picked_sign=card_sign(picked.text) if picked is not None and playable else "",
        say=say,
        say_more=more,
        is_refusing=picked is not None and not playable,
        rule_url=_rule_url(seen, picked),
        told=tuple(_since_my_card(seen, company)),
    )


def past_tricks(tricks: Sequence[Trick], company: Company) -> tuple[PastTrick, ...]:
    """The finished tricks of a round, the last one first."""
    shown = [_past_trick(number, trick, company) for number, trick in enumerate(tricks, start=1)]
    return tuple(reversed(shown))


def _past_trick(number: int, trick: Trick, company: Company) -> PastTrick:
    return PastTrick(
        number=number,
        cards=tuple(
            (card.text, trick.seat_of(place) == trick.winner)
            for place, card in enumerate(trick.cards)
        ),
        winner=company.name(trick.winner),
        led=company.say(trick.leader, _("You led"), _("%(name)s led")),
        taken=company.say(trick.winner, _("You took it"), _("%(name)s took it")),
    )


# Seats


def _plate(
    seen: Observation, company: Company, seat: int, total: int, autopilot: Collection[int]
) -> Plate:
    bid = seen.bids[seat]
    is_bidding = seen.state == "bidding"
    return Plate(
        place=company.place(seat),
        name=company.name(seat),
        tags=tuple(_tags(seen, company, seat, autopilot)),
        total=score_text(total, seen.rules.score_scale),
        acts=seat == seen.to_act or (seat == company.me and seen.acts),
        said=_said(seen, seat) if is_bidding else "",
        bid=bid,
        won=seen.won[seat],
        tally=() if is_bidding or bid is None else _tally(seen.won[seat], bid),
    )


def _tags(
    seen: Observation, company: Company, seat: int, autopilot: Collection[int]
) -> Iterable[Tag]:
    if seat in company.bots:
        yield Tag(_("bot"))
    if seat in company.stand_ins:
        yield Tag(_("stand-in bot"), "tag--warm")
    elif seat in company.late:
        yield Tag(_("late"), "tag--red")
    if seat in autopilot:
        yield Tag(_("autopilot"), "tag--warm")
    if seat == seen.dealer:
        yield Tag(_("dealer"))


def _said(seen: Observation, seat: int) -> str:
    bid = seen.bids[seat]
    if bid is not None:
        return _("bid %(bid)d") % {"bid": bid}
    if seen.has_bid[seat]:
        return _("has bid")
    if seat == seen.dealer and not seen.rules.sealed_bids and seat != seen.to_act:
        return _("bids last")
    return _("to bid")


def _tally(won: int, bid: int) -> tuple[str, ...]:
    return ("got",) * min(won, bid) + ("",) * max(0, bid - won) + ("extra",) * max(0, won - bid)


def _bids_so_far(seen: Observation) -> str:
    if seen.state != "bidding":
        return ""
    if seen.rules.sealed_bids:
        return _("Bids are shown together when the fourth is in.")
    return _("of 13 tricks bid so far")


# The trick


def _on_table(seen: Observation, company: Company) -> Iterable[OnTable]:
    if seen.state != "playing" or seen.leader is None:
        return
    best = trick_winner(seen.trick) if seen.trick else None
    for at, card in enumerate(seen.trick):
        seat = (seen.leader + at) % 4
        name = card_name(card.text)
        yield OnTable(
            place=company.place(seat),
            card=card.text,
            label=_("%(name)s: %(card)s") % {"name": company.name(seat), "card": name},
            caption=_caption(company, seat, is_led=at == 0, is_best=at == best),
            is_best=at == best,
        )
    if seen.to_act is not None:
        mine = seen.to_act == company.me
        yield OnTable(
            place=company.place(seen.to_act), label=_("your card") if mine else _("to play")
        )


def _caption(company: Company, seat: int, *, is_led: bool, is_best: bool) -> str:
    if is_led:
        return _("you led") if seat == company.me else pgettext("this card", "led")
    return _("winning") if is_best else ""


# My hand


def sorted_hand(hand: Sequence[Card], sort: str) -> list[Card]:
    """The cards in the order that the viewer wants them: `high`, `low`, `rank` or `dealt`."""
    match sort:
        case "low":
            return sorted(hand, key=lambda card: (_SUIT_ORDER.index(card.suit), card.rank))
        case "rank":
            return sorted(hand, key=lambda card: (-card.rank, _SUIT_ORDER.index(card.suit)))
        case "dealt":
            return list(hand)
        case _:
            return sorted(hand, key=lambda card: (_SUIT_ORDER.index(card.suit), -card.rank))


def _hand_card(seen: Observation, card: Card, is_picked: bool) -> HandCard:
    name = card_name(card.text)
    refused = seen.why_not.get(card)
    if refused is not None:
        return HandCard(
            card=card.text,
            label=_("%(card)s, cannot be played: %(reason)s")
            % {"card": name, "reason": reason(refused)},
            why=short_reason(card, refused),
            is_playable=False,
        )
    if seen.legal:
        label = _("%(card)s, can be played") % {"card": name}
        if is_picked:
            label = _("%(card)s, can be played, chosen") % {"card": name}
        return HandCard(
            card=card.text, label=label, why=_("chosen") if is_picked else "", is_picked=is_picked
        )
    return HandCard(card=card.text, label=name)


def short_reason(card: Card, refused: RuleViolation) -> str:
    """The same in a word or two, to stand under the card."""
    if refused.code == Code.MUST_FOLLOW_SUIT:
        return _("not %(suit)s") % {"suit": SUIT_SIGNS[str(refused.data["led"])]}
    if refused.code == Code.MUST_TRUMP and not card.is_spade:
        return _("trump")
    return _("too low")


def reason(refused: RuleViolation) -> str:
    """Why a card of mine may not be played, as the end of a sentence, cards and suits by name."""
    if refused.code == Code.MUST_BEAT:
        return _("too low, must beat %(card)s") % {"card": card_name(str(refused.data["best"]))}
    if refused.code == Code.MUST_FOLLOW_SUIT:
        suit = SUIT_NAMES[str(refused.data["led"])]
        return _("%(suit)s were led, you hold %(suit)s") % {"suit": suit}
    return explain(refused)


# The line above the hand


def _say(seen: Observation, company: Company, picked: Card | None) -> tuple[str, str]:
    """What the viewer should know now: the main sentence, and one more."""
    if company.me is None:
        return "", ""
    if seen.acts and seen.action == "bid":
        return _("How many tricks will you win?"), ""
    if seen.acts:
        refused = None if picked is None else seen.why_not.get(picked)
        return _refused(picked, refused) if picked and refused else _duty(seen)
    if seen.state == "bidding":
        bid = seen.bids[company.me]
        return ("", "") if bid is None else (_("Your bid is %(bid)d.") % {"bid": bid}, "")
    return _waiting(seen, company)


def _refused(card: Card, refused: RuleViolation) -> tuple[str, str]:
    say = _("%(card)s cannot be played.") % {"card": card_sign(card.text)}
    return say, explain(refused)


def _rule_url(seen: Observation, picked: Card | None) -> str:
    refused = None if picked is None else seen.why_not.get(picked)
    return "" if refused is None else rule_url(seen.rules.name, refused.code)


def _duty(seen: Observation) -> tuple[str, str]:
    """What the engine's refusals say I must do, in one sentence, and how many of my cards do it."""
    if not seen.trick:
        return _("You lead: any card may be played."), ""
    codes = {refused.code: refused for refused in seen.why_not.values()}
    count = len(seen.legal)
    can = ngettext("One of your cards can.", "%(count)d of your cards can.", count)
    more = can % {"count": count}
    if (refused := codes.get(Code.MUST_BEAT)) is not None:
        best = card_sign(str(refused.data["best"]))
        return _("You must beat %(card)s.") % {"card": best}, more
    if (refused := codes.get(Code.MUST_FOLLOW_SUIT)) is not None:
        suit = SUIT_SIGNS[str(refused.data["led"])]
        return _("You must follow %(suit)s.") % {"suit": suit}, more
    if (refused := codes.get(Code.MUST_TRUMP)) is not None:
        return explain(refused), ""
    return _("Any of your cards may be played."), ""


def _waiting(seen: Observation, company: Company) -> tuple[str, str]:
    assert company.me is not None
    at = None if seen.leader is None else (company.me - seen.leader) % 4
    if at is not None and at < len(seen.trick):
        return _("Your %(card)s is on the table.") % {"card": card_sign(seen.trick[at].text)}, ""
    if not seen.trick and seen.leader is not None and seen.tricks:
        return company.say(seen.leader, "", _("%(name)s took the trick and leads the next.")), ""
    return "", ""


# What happened since I last played a card


def _since_my_card(seen: Observation, company: Company) -> list[tuple[bool, str]]:
    """Sentences about the cards played since the viewer's last one, that one first; each with whether it is the viewer's.

    Who has played none hears of the tricks before this one and of this one.
    """
    lines: list[tuple[int, str]] = []
    for trick in seen.tricks[-2:]:
        lines += _plays(trick.leader, trick.cards, company)
        taken = company.say(trick.winner, _("You took the trick"), _("%(name)s took the trick"))
        lines.append((-1, taken))
    if seen.leader is not None:
        lines += _plays(seen.leader, seen.trick, company)
    mine = [index for index, (seat, _line) in enumerate(lines) if seat == company.me]
    return [(seat == company.me, line) for seat, line in lines[mine[-1] if mine else 0 :]]


def _plays(leader: int, cards: Sequence[Card], company: Company) -> list[tuple[int, str]]:
    lines = []
    for place, card in enumerate(cards):
        seat, sign = (leader + place) % 4, card_sign(card.text)
        if place == 0:
            line = company.say(seat, _("You led %(card)s"), _("%(name)s led %(card)s"), card=sign)
        else:
            line = company.say(
                seat, _("You played %(card)s"), _("%(name)s played %(card)s"), card=sign
            )
        lines.append((seat, line))
    return lines
