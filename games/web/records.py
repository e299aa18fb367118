"""What is written down of a game: its score sheet, to print, and its public log, to check."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy
from django.views.decorators.http import require_safe

from accounts.models import User
from games import queries
from games.engine.rules import HouseRules
from games.models import Game
from games.refusals import GameNotFound
from games.table import Table
from games.web.company import Company
from games.web.foot import Foot
from games.web.replay_page import THROWN_IN
from games.web.sheet import news_of_match, sheet_of
from games.wording import card_sign, ruling_text

Json = Mapping[str, Any]

PER_PAGE: Final = 200
# Who wrote a line, where it was not the person whom it names.
_BY: Final[Mapping[str, Promise]] = {
    "bot": gettext_lazy("bot"),
    "clock": gettext_lazy("clock"),
    "staff": gettext_lazy("staff"),
    "rule": gettext_lazy("rule"),
}


@dataclass(frozen=True, slots=True)
class LogLine:
    """An event in words. `proofs` are what it commits to or reveals, each named; `reason` is why staff ruled so."""

    seq: int
    at: datetime
    words: str
    by: str
    hash: str
    round: int | None
    proofs: tuple[tuple[str, str], ...]
    reason: str = ""
    cites: str = ""


@require_safe
def sheet(request: HttpRequest, game_id: str) -> HttpResponse:
    """The score sheet, on one page of paper."""
    table, viewer = opened(request, game_id)
    view = queries.game_as_seen(table, viewer)
    company = Company.of(view)
    is_over = view["status"] == Game.Status.FINISHED
    context = {
        **_frame(table, company),
        "page": {"sheet": sheet_of(view, company)},
        "news": news_of_match(view, company) if is_over else None,
        "game": table.game,
        "people": [
            (seat.user.username, seat.user.is_bot) for seat in table.seats if seat.user is not None
        ],
    }
    return render(request, "games/sheet.html", context)


@require_safe
def log(request: HttpRequest, game_id: str) -> HttpResponse:
    """The public log after event `?after=`, with every hash: what the export holds, in words."""
    table, viewer = opened(request, game_id)
    view = queries.game_as_seen(table, viewer)
    company = Company.of(view)
    after = request.GET.get("after", "0")
    if not (after.isascii() and after.isdigit() and len(after) < 10):
        raise Http404
    events = queries.public_events(game_id, viewer, after=int(after), limit=PER_PAGE)["events"]
    context = {
        **_frame(table, company),
        "anchor": view["anchor"],
        "lines": [
            log_line(event, company.at(event["seq"], table.seats), table.rules) for event in events
        ],
        "earlier": max(0, int(after) - PER_PAGE) if int(after) else None,
        "later": events[-1]["seq"] if events and events[-1]["seq"] < table.game.seq else None,
    }
    return render(request, "games/log.html", context)


def opened(request: HttpRequest, game_id: str) -> tuple[Table, int | None]:
    viewer = request.user.pk if isinstance(request.user, User) else None
    try:
        return queries.open_table(game_id, viewer, now=timezone.now()), viewer
    except GameNotFound:
        raise Http404 from None


def _frame(table: Table, company: Company) -> dict[str, Any]:
    return {
        "foot": Foot.of(table),
        "has_started": table.game.first_dealer is not None,
        "section": "games" if company.me is not None else "tables",
    }


def log_line(event: Json, company: Company, rules: HouseRules) -> LogLine:
    """An event of the public log in words. The company is as it sat when it was written."""
    at = parse_datetime(event["minute"])
    assert at is not None  # the log's own spelling of a minute
    return LogLine(
        seq=event["seq"],
        at=at,
        words=_of_staff(event, company, rules) or _words(event, company),
        by=str(_BY.get(event["by"], "")),
        hash=event["hash"],
        round=event["round"],
        proofs=tuple(_proofs(event, company)),
        reason=event["data"].get("reason", "") if event["kind"] == "ruled" else "",
        cites=", ".join(map(str, event["data"].get("cites", []))),
    )


def _of_staff(event: Json, company: Company, rules: HouseRules) -> str:
    """What staff did, as a sentence; empty for what is not theirs alone to do."""
    seat, facts = event["seat"], {"round": event["round"]}
    match event["kind"], event["by"]:
        case "ruled", _by:
            return ruling_text(
                event["data"],
                round=event["round"],
                seat=seat,
                names=company.names,
                scale=rules.score_scale,
            )
        case "hands_opened", _by:
            return _("Staff opened the hands of round %(round)d to settle a report.") % facts
        case "frozen", _by:
            return _("The game was stopped, and its clocks with it.")
        case "thawed", _by:
            return _("The game went on.")
        case "cancelled", "staff":
            return _("The game was cancelled.")
        case "returned", "staff":
            return company.say(
                seat,
                _("Staff gave you your seat back."),
                _("Staff gave %(name)s the seat back."),
            )
        case "deadlines_moved", "staff" | "rule":
            return _minutes(
                event,
                ngettext_lazy(
                    "Deadlines moved on by %(minutes)d minute.",
                    "Deadlines moved on by %(minutes)d minutes.",
                    "minutes",
                ),
            )
        case _:
            return ""


def _minutes(event: Json, sentence: Promise) -> str:
    return str(sentence % {"minutes": -(-event["data"]["seconds"] // 60)})


def _words(event: Json, company: Company) -> str:
    """The event as a sentence. Seats change hands before the start, so until then they have numbers for names."""
    seat, number = event["seat"], event["round"]
    match event["kind"]:
        case "created":
            return _("The table was made.")
        case "joined":
            return _("Seat %(seat)d was taken.") % {"seat": seat + 1}
        case "left":
            return _("Seat %(seat)d was given up.") % {"seat": seat + 1}
        case "started":
            return _("The match began.")
        case "cancelled":
            return _("The table was closed.")
        case "dealt":
            return _("Round %(round)d was dealt.") % {"round": number}
        case "thrown_in":
            reason = event["data"]["reason"]
            facts = {"round": number, "reason": THROWN_IN.get(reason, reason)}
            return _("The deal of round %(round)d was thrown in: %(reason)s.") % facts
        case "sealed":
            return company.say(seat, _("You sealed a bid."), _("%(name)s sealed a bid."))
        case "bid":
            mine, others = _("You bid %(bid)d."), _("%(name)s bid %(bid)d.")
            return company.say(seat, mine, others, bid=event["bid"])
        case "played":
            mine, others = _("You played %(card)s."), _("%(name)s played %(card)s.")
            return company.say(seat, mine, others, card=card_sign(event["card"]))
        case "claimed":
            return company.say(seat, _("You claimed the rest."), _("%(name)s claimed the rest."))
        case "revealed":
            return _("The seed of round %(round)d was revealed.") % {"round": number}
        case "stood_in" | "returned" | "substituted" | "deadlines_moved" | "abandoned":
            return _of_time(event, company)
        case kind:
            return str(kind)


def _of_time(event: Json, company: Company) -> str:
    """Events about who answers for a seat, and about clocks, as sentences."""
    seat, facts = event["seat"], {"round": event["round"]}
    match event["kind"], event["by"]:
        case "stood_in", "clock":
            return company.say(
                seat,
                _("Your time ran out: a bot stood in for you."),
                _("The time of %(name)s ran out: a bot stood in."),
            )
        case "stood_in", _by:
            mine = _("You gave the rest of round %(round)d to a bot.")
            others = _("%(name)s gave the rest of round %(round)d to a bot.")
            return company.say(seat, mine, others, **facts)
        case "returned", _by:
            return company.say(seat, _("You play on yourself."), _("%(name)s plays on in person."))
        case "substituted", _by:
            return company.say(seat, _("You took over this seat."), _("%(name)s took over a seat."))
        case "deadlines_moved", _by:
            return _minutes(
                event,
                ngettext_lazy(
                    "The site was down: deadlines moved on by %(minutes)d minute.",
                    "The site was down: deadlines moved on by %(minutes)d minutes.",
                    "minutes",
                ),
            )
        case _:
            return _("The match was closed: everybody had left it.")


def _proofs(event: Json, company: Company) -> list[tuple[str, str]]:
    data = event["data"]
    match event["kind"]:
        case "dealt":
            hands = enumerate(data["commitments"])
            return [
                (_("Hand of %(name)s") % {"name": company.names[seat]}, text)
                for seat, text in hands
            ]
        case "sealed":
            return [(_("The bid"), data["commitment"])]
        case "revealed":
            return [(_("The seed"), data["s"])]
        case "joined" if data["contribution"]:
            return [(_("Share in the shuffle"), data["contribution"])]
        case _:
            return []
