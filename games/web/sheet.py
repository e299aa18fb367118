"""Scores on paper: the score sheet, and how a round or the match came out for its viewer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.scoring import rank
from games.web.company import SEATS, Company
from games.wording import score_text, signed_score

Json = Mapping[str, Any]

_PLACES: Final[Sequence[Promise]] = (
    gettext_lazy("first"),
    gettext_lazy("second"),
    gettext_lazy("third"),
    gettext_lazy("fourth"),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A round of one seat: its score (`…` while it runs), `won/bid` beneath."""

    score: str
    beneath: str = ""
    is_mine: bool = False
    is_missed: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """`columns` are names with whether they are the viewer's; each row a round's number and cells.

    `adjusted` is what rulings added to the totals, empty if nothing.
    """

    columns: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[int, tuple[Cell, ...]], ...]
    adjusted: tuple[Cell, ...]
    totals: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Result:
    """One seat's line when a round or the match is over: `score`, and beneath it how it came about."""

    name: str
    score: str
    beneath: str
    is_mine: bool
    is_missed: bool


@dataclass(frozen=True, slots=True)
class News:
    """How it came out for the viewer. `is_good` None: neither, as for a spectator."""

    headline: str
    more: str
    is_good: bool | None


def sheet_of(view: Json, company: Company) -> Sheet:
    """The score sheet of a game as its viewer sees it."""
    order = company.by_column()
    scale = view["score_scale"]
    rows = [
        (row["round"], tuple(_cell(row, seat, company, scale) for seat in order))
        for row in view["rounds"]
    ]
    return Sheet(
        columns=tuple((company.name(seat), seat == company.me) for seat in order),
        rows=tuple(rows),
        adjusted=tuple(
            Cell(signed_score(view["adjusted"][seat], scale), is_mine=seat == company.me)
            for seat in order
            if any(view["adjusted"])
        ),
        totals=tuple(
            (score_text(view["totals"][seat], scale), seat == company.me) for seat in order
        ),
    )


def _cell(row: Json, seat: int, company: Company, scale: int) -> Cell:
    if row["state"] == "void":
        return Cell("–", _("void"), seat == company.me)
    bid = row["bids"][seat]
    beneath = "" if bid is None else f"{row['won'][seat]}/{bid}"
    if row["scores"] is None:
        return Cell("…", beneath, seat == company.me)
    score = row["scores"][seat]
    return Cell(score_text(score, scale), beneath, seat == company.me, row["won"][seat] < bid)


# A round


def results_of_round(view: Json, row: Json, company: Company) -> tuple[Result, ...]:
    """What each seat made of a round, the best first; nothing of one that was not played to its end."""
    if row["scores"] is None:
        return ()
    order = sorted(company.by_column(), key=lambda seat: -row["scores"][seat])
    return tuple(_result_of_round(row, seat, company, view["score_scale"]) for seat in order)


def _result_of_round(row: Json, seat: int, company: Company, scale: int) -> Result:
    won, bid, score = row["won"][seat], row["bids"][seat], row["scores"][seat]
    facts = {"won": won, "bid": bid}
    text = score_text(score, scale)
    return Result(
        name=company.name(seat),
        score=text if score < 0 else f"+{text}",
        beneath=_("won %(won)d, bid %(bid)d: missed") % facts
        if won < bid
        else _("won %(won)d, bid %(bid)d") % facts,
        is_mine=seat == company.me,
        is_missed=won < bid,
    )


def news_of_round(view: Json, row: Json, company: Company) -> News:
    """How a round came out, in a sentence or two."""
    me, scale = company.me, view["score_scale"]
    if row["state"] == "void":
        return News(_("Round %(round)d is void.") % {"round": row["round"]}, "", None)
    if row["scores"] is None:
        facts = {"round": row["round"]}
        return News(_("Round %(round)d was not played to its end.") % facts, "", None)
    if me is None:
        return News(_("Round %(round)d is over.") % {"round": row["round"]}, "", None)
    won, bid, score = row["won"][me], row["bids"][me], row["scores"][me]
    made = won >= bid
    tricks = ngettext("%(won)d trick", "%(won)d tricks", won) % {"won": won}
    facts = {"tricks": tricks, "bid": bid, "score": score_text(score, scale)}
    return News(
        _("You made your bid:") if made else _("You missed your bid:"),
        _("%(tricks)s for a bid of %(bid)d, so %(score)s.") % facts
        + " "
        + _standing(_totals_after(view, row), company, me, scale),
        made,
    )


def _totals_after(view: Json, row: Json) -> list[int]:
    """The totals when this round was the last one, as rulings left them: rounds with a higher number do not count."""
    scored = [
        other["scores"]
        for other in view["rounds"]
        if other["scores"] and other["round"] <= row["round"]
    ]
    return [sum(scores[seat] for scores in [*scored, view["adjusted"]]) for seat in SEATS]


def _standing(totals: Sequence[int], company: Company, me: int, scale: int) -> str:
    place = rank(totals)[me]
    facts: dict[str, object] = {"place": _PLACES[place - 1]}
    if place == 1:
        others = max(total for seat, total in enumerate(totals) if seat != me)
        if others == totals[me]:
            return _("You share the first place.")
        return _("You are first, %(by)s ahead.") % {"by": score_text(totals[me] - others, scale)}
    best = max(totals)
    leader = totals.index(best)
    facts |= {"by": score_text(best - totals[me], scale), "name": company.name(leader)}
    return _("You are %(place)s, %(by)s behind %(name)s.") % facts


# The match


def results_of_match(view: Json, company: Company) -> tuple[Result, ...]:
    """The final totals, winners first; of a match that everybody had left the totals alone, since nobody has a place in it."""
    is_played_out = view["result"]["reason"] != "abandoned"
    ranks = view["result"]["ranks"] if is_played_out else [1] * 4
    order = sorted(company.by_column(), key=lambda seat: (ranks[seat], company.names[seat]))
    return tuple(
        Result(
            name=company.name(seat),
            score=score_text(view["result"]["totals"][seat], view["score_scale"]),
            beneath=str(_PLACES[ranks[seat] - 1]) if is_played_out else "",
            is_mine=seat == company.me,
            is_missed=view["result"]["totals"][seat] < 0,
        )
        for seat in order
    )


def news_of_match(view: Json, company: Company) -> News:
    """Who won, and why the match ended."""
    result = view["result"]
    winners: list[int] = result["winners"]
    return News(
        winners_sentence(winners, company),
        _why_it_ended(result["reason"], view),
        company.me in winners if winners and company.me is not None else None,
    )


def winners_sentence(winners: Sequence[int], company: Company) -> str:
    if not winners:
        return _("Nobody won the match.")
    if len(winners) == 1:
        return company.say(winners[0], _("You won the match."), _("%(name)s won the match."))
    return _("%(names)s share the win.") % {"names": _joined(map(company.name, winners))}


def _joined(names: Iterable[str]) -> str:
    *first, last = names
    return _("%(names)s and %(last)s") % {"names": ", ".join(first), "last": last}


def _why_it_ended(reason: str, view: Json) -> str:
    match reason:
        case "instant_win":
            return _("A high bid was made, and that wins at once.")
        case "target":
            target = score_text(view["rules"]["target"], view["score_scale"])
            return _("The total of %(target)s was reached.") % {"target": target}
        case "round_limit":
            return _("The last round that this match may have was played.")
        case "abandoned":
            return _("Everybody had left the table.")
        case _:
            rounds = sum(row["scores"] is not None for row in view["rounds"])
            return ngettext(
                "%(rounds)d round was played.", "%(rounds)d rounds were played.", rounds
            ) % {"rounds": rounds}
