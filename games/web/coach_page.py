"""What the coach says, as pages show it: about one decision, about a round, about the match so far."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Coaching
from games.wording import card_sign, fine_score_text

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision: what was answered and what the expert says, as sentences. `is_costly` where the cost is beyond its error."""

    url: str
    where: str
    did: str
    advice: str
    is_costly: bool


@dataclass(frozen=True, slots=True)
class TrickChance:
    tricks: int
    percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAdvice:
    """A round as far as the coach is with it: `status` is `not_asked`, `working` or `done`."""

    round: int
    status: str
    done: int = 0
    total: int = 0
    bid: Verdict | None = None
    made: str = ""
    chances: tuple[TrickChance, ...] = ()
    cards: tuple[Verdict, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class MatchAdvice:
    costliest: tuple[Verdict, ...]
    bids: str


def round_advice(game: str, number: int, kept: Coaching | None, scale: int) -> RoundAdvice:
    """The advice on round `number`; `scale` is how the table shows its scores."""
    if kept is None:
        return RoundAdvice(round=number, status="not_asked")
    if not kept.is_done:
        return RoundAdvice(round=number, status="working", done=kept.done, total=kept.total)
    bid = kept.bid
    return RoundAdvice(
        round=number,
        status="done",
        done=kept.done,
        total=kept.total,
        bid=verdict(game, number, bid, scale) if bid else None,
        made=_made(bid) if bid else "",
        chances=tuple(_chances(bid["tricks"])) if bid else (),
        cards=tuple(verdict(game, number, card, scale) for card in kept.cards),
    )


def match_advice(game: str, told: Json, scale: int) -> MatchAdvice:
    """From `coaching.summary`."""
    bids = told["bids"]
    sentence = ngettext(
        "Of %(count)d bid %(made)d was made; %(expected)s could be expected.",
        "Of %(count)d bids %(made)d were made; %(expected)s could be expected.",
        bids["count"],
    ) % {
        "count": bids["count"],
        "made": bids["made"],
        "expected": f"{(bids['expected'] + 50) // 1000}.{(bids['expected'] + 50) % 1000 // 100}",
    }
    return MatchAdvice(
        costliest=tuple(verdict(game, each["round"], each, scale) for each in told["costliest"]),
        bids=sentence if bids["count"] else "",
    )


def verdict(game: str, number: int, judged: Json, scale: int) -> Verdict:
    """A judged bid or card, in words."""
    if "bid" in judged:
        did = _("You bid %(bid)d.") % {"bid": judged["bid"]}
    else:
        did = _("You played %(card)s.") % {"card": card_sign(judged["card"])}
    return Verdict(
        url=f"{reverse('replay', args=[game])}?round={number}&seq={judged['seq']}",
        where=_("Round %(round)d") % {"round": number},
        did=did,
        advice=advice_on(judged, scale),
        is_costly=judged["cost"] > judged["error"],
    )


def advice_at(kept: Coaching | None, seq: int, scale: int) -> str:
    """What the coach says about the decision of event `seq`; nothing if it is none that was judged."""
    if kept is None:
        return ""
    for judged in (*([kept.bid] if kept.bid else []), *kept.cards):
        if judged["seq"] == seq:
            return advice_on(judged, scale)
    return ""


def advice_on(judged: Json, scale: int) -> str:
    """What the expert would have done, and what another choice cost."""
    if judged.get("choices") == 1:
        return _("No other card would have made a difference.")
    if judged.get("card", judged.get("bid")) == judged["best"]:
        return _("The expert would have done the same.")
    if "bid" in judged:
        better = _("The expert would have bid %(bid)d.") % {"bid": judged["best"]}
    else:
        better = _("The expert would have played %(card)s.") % {"card": card_sign(judged["best"])}
    return f"{better} {_cost(judged, scale)}"


def _cost(judged: Json, scale: int) -> str:
    if judged["cost"] <= judged["error"]:
        return _("That makes no clear difference.")
    return _("Your choice cost %(cost)s points on average, give or take %(error)s.") % {
        "cost": fine_score_text(judged["cost"], scale),
        "error": fine_score_text(judged["error"], scale),
    }


def _made(bid: Json) -> str:
    return _("Your bid of %(bid)d is made in %(made)d of 100 imagined deals.") % {
        "bid": bid["bid"],
        "made": (bid["made"] + 5) // 10,
    }


def _chances(tricks: Iterable[int]) -> Iterable[TrickChance]:
    """The numbers of tricks that come up at least once in a hundred deals."""
    for count, chance in enumerate(tricks):
        if chance >= 10:
            yield TrickChance(count, (chance + 5) // 10)
