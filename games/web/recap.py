"""What happened at a table since its viewer was there before, in a few lines with their minutes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.engine.observation import Observation
from games.web.company import Company
from games.wording import card_sign, score_text

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """`is_mine`: it was the viewer's doing. `at` None: it took longer than a minute."""

    text: str
    is_mine: bool = False
    at: datetime | None = None
    time: str = ""


@dataclass(frozen=True, slots=True)
class Recap:
    """`since` is when the viewer was here before, in words."""

    since: str
    lines: tuple[Line, ...]


def recap_of(
    events: Sequence[Json],
    view: Json,
    seen: Observation | None,
    company: Company,
    since: datetime,
) -> Recap | None:
    """The recap for a page that shows the round of `seen`, or all rounds; None if nothing of it can be told."""
    shown = seen.round if seen else None
    lines = [*_substitutes(events, company), *_other_rounds(events, view, shown, company)]
    if seen is not None:
        lines += [*_bids(events, seen, company), *_tricks(events, seen, company)]
    return Recap(_when(since), tuple(lines)) if lines else None


def _substitutes(events: Sequence[Json], company: Company) -> Iterable[Line]:
    for event in events:
        if event["kind"] == "substituted":
            mine, others = _("You took over this seat"), _("%(name)s took over a seat")
            text = company.say(event["seat"], mine, others)
            yield _line(text, company.is_mine(event["seat"]), event["minute"])


def _other_rounds(
    events: Sequence[Json], view: Json, shown: int | None, company: Company
) -> Iterable[Line]:
    """Each other round in which something happened, in one line."""
    touched = {event["round"] for event in events} - {shown, None}
    for row in view["rounds"]:
        if row["round"] not in touched:
            continue
        if row["scores"] is None:
            yield Line(_("Round %(round)d went on") % {"round": row["round"]})
            continue
        at = max(event["minute"] for event in events if event["round"] == row["round"])
        me, facts = company.me, {"round": row["round"]}
        if me is None:
            yield _line(_("Round %(round)d is over") % facts, False, at)
            continue
        score = score_text(row["scores"][me], view["score_scale"])
        yield _line(
            _("Round %(round)d is over: %(score)s for you") % {**facts, "score": score}, False, at
        )


def _bids(events: Sequence[Json], seen: Observation, company: Company) -> Iterable[Line]:
    """The deal and the bids, until a card has been played: then they are old news."""
    if seen.tricks or seen.trick:
        return
    for event in events:
        if (event["round"], event["attempt"]) != (seen.round, seen.attempt):
            continue
        seat = event["seat"]
        if event["kind"] == "dealt":
            text = _("Round %(round)d was dealt") % {"round": seen.round}
        elif event["kind"] == "bid":
            text = company.say(
                seat, _("You bid %(bid)d"), _("%(name)s bid %(bid)d"), bid=event["bid"]
            )
        elif event["kind"] == "sealed":
            text = company.say(seat, _("You sealed a bid"), _("%(name)s sealed a bid"))
        else:
            continue
        yield _line(text, seat is not None and seat == company.me, event["minute"])


def _tricks(events: Sequence[Json], seen: Observation, company: Company) -> Iterable[Line]:
    """The cards of the last trick and of the one on the table; what was played before them in one line."""
    deal = (seen.round, seen.attempt, "played")
    plays = [event for event in events if (event["round"], event["attempt"], event["kind"]) == deal]
    first = 4 * len(seen.tricks) + len(seen.trick) - len(plays)
    told_from = 4 * (len(seen.tricks) - 1)
    earlier = range(first // 4 + 1, max(told_from // 4, first // 4) + 1)
    if len(earlier) == 1:
        yield Line(_("Trick %(trick)d was played") % {"trick": earlier[0]})
    elif earlier:
        facts = {"first": earlier[0], "last": earlier[-1]}
        yield Line(_("Tricks %(first)d to %(last)d were played") % facts)
    for place, event in enumerate(plays, start=first):
        if place < told_from:
            continue
        yield _play(event, place, company)
        if place % 4 == 3:
            yield _taken(seen, place // 4, company, event["minute"])


def _play(event: Json, place: int, company: Company) -> Line:
    seat, card = event["seat"], card_sign(event["card"])
    if place % 4 == 0:
        text = company.say(seat, _("You led %(card)s"), _("%(name)s led %(card)s"), card=card)
    else:
        mine, others = _("You played %(card)s"), _("%(name)s played %(card)s")
        text = company.say(seat, mine, others, card=card)
    return _line(text, seat == company.me, event["minute"])


def _taken(seen: Observation, number: int, company: Company, minute: str) -> Line:
    trick = seen.tricks[number]
    best = trick.cards[(trick.winner - trick.leader) % 4]
    text = company.say(
        trick.winner,
        _("You took trick %(trick)d with %(card)s"),
        _("%(name)s took trick %(trick)d with %(card)s"),
        trick=number + 1,
        card=card_sign(best.text),
    )
    return _line(text, trick.winner == company.me, minute)


def _line(text: str, is_mine: bool, minute: str) -> Line:
    at = parse_datetime(minute)
    assert at is not None  # the log's own spelling of a minute
    return Line(text, is_mine, at, _when(at))


def _when(at: datetime) -> str:
    """The time of day in the reader's zone, with the day unless it is today."""
    there, today = timezone.localtime(at), timezone.localdate()
    return date_format(there, "H:i" if there.date() == today else "j M, H:i")
