"""The table page as a value: which of its states a game is in for this viewer, and everything the templates then show."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Self

from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import queries
from games.engine.errors import Code
from games.engine.observation import TRICKS, Observation
from games.engine.plan import Plan
from games.models import Game, Invitation
from games.services import inviting, substituting
from games.services.visits import Since
from games.table import Table
from games.web import rules
from games.web.board import NO_PICK, Board, PastTrick, Pick, board_of, past_tricks
from games.web.boards import Mini, heading_of, side_by_side, waiting_for_me
from games.web.clocks import about, clock_name, length_words
from games.web.company import Company
from games.web.deadlines import Deadline, deadline_of
from games.web.display import Display
from games.web.foot import Foot, short_hash
from games.web.plan_words import in_words, why_halted
from games.web.recap import Recap, recap_of
from games.web.sheet import (
    News,
    Result,
    Sheet,
    news_of_match,
    news_of_round,
    results_of_match,
    results_of_round,
    sheet_of,
)
from games.wording import rules_name, score_text

Json = Mapping[str, Any]

RUNNING: Final = ("bidding", "playing")


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat at a table that has not started. `number` names it in the form of whoever may take it."""

    number: int
    name: str
    is_mine: bool
    is_bot: bool
    note: str
    is_free: bool


@dataclass(frozen=True, slots=True)
class Invited:
    """How a viewer came here who was sent a link: its token, who made it, and its seat if it is for one."""

    token: str
    host: str
    seat: int | None

    @classmethod
    def by(cls, invitation: Invitation, token: str) -> Self:
        made_by = invitation.created_by
        return cls(token, made_by.username if made_by else "", invitation.seat)


@dataclass(frozen=True, slots=True)
class OpenLink:
    """An invitation that still holds, for whoever may take it back. `token` is empty when it cannot be shown again."""

    id: int
    token: str
    label: str


@dataclass(frozen=True, slots=True)
class Link:
    """Another round of the game: where to find it, what it is called, and whether it waits for the viewer."""

    url: str
    text: str
    note: str
    is_due: bool
    is_current: bool
    number: int = 0


@dataclass(frozen=True, slots=True)
class Vacancy:
    """A seat that a bot has kept for so long that the table may offer it, or does, to the player `to` alone if it says so.

    `asks` is what the viewer may do about it: `offer`, `withdraw`, `take`, or `account` if they need one to take it.
    """

    number: int
    name: str
    since: datetime
    asks: str
    to: str
    needs_name: bool


@dataclass(frozen=True, slots=True)
class OwnPlan:
    """The viewer's plan for the round shown, in words (none: no plan). `waits` is why it leaves this turn to them."""

    words: tuple[str, ...]
    waits: str
    is_for_next: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """`state` is `open`, `closed`, `stopped` (frozen, or cancelled while it was played), `running` (one round), `rounds` (all of
    them, small) or `over`.

    `round` is the one round whose cards the page shows; `may_help` whether the bid helper may be asked about it. `version` changes with whatever this viewer may see, `seq` is
    the number of the game's last event.
    """

    game: str
    url: str
    version: str
    seq: int
    head: str
    foot: Foot
    state: str
    title: str
    heading: str
    where: str
    rules_name: str
    sheet: Sheet
    round: int | None = None
    is_explicit: bool = False
    board: Board | None = field(default=None, repr=False)
    plan: OwnPlan | None = field(default=None, repr=False)
    is_on_autopilot: bool = False
    may_help: bool = False
    claim: str = ""
    boards: tuple[Link, ...] = ()
    minis: tuple[Mini, ...] = ()
    news: News | None = None
    news_link: str = ""
    results: tuple[Result, ...] = ()
    tricks: tuple[PastTrick, ...] = ()
    recap: Recap | None = None
    onward: Link | None = None
    chairs: tuple[Chair, ...] = ()
    rules_in_short: str = ""
    rules_lines: tuple[str, ...] = ()
    pace: tuple[str, ...] = ()
    anchor: str = ""
    deadline: Deadline | None = None
    is_kept_by_bot: bool = False
    vacancies: tuple[Vacancy, ...] = ()
    is_seated: bool = False
    may_sit: bool = False
    may_start: bool = False
    invited: Invited | None = None
    may_invite: bool = False
    links: tuple[OpenLink, ...] = ()
    may_rematch: bool = False
    rematch: str = ""
    refusal: str = ""
    rule_url: str = ""

    @property
    def poll(self) -> str:
        """Where the script asks for this page's news; the version is appended."""
        if self.invited is not None:
            # Without the key: an invitation can be revoked, and then the page must go at once.
            chosen = f"invite={self.invited.token}"
        else:
            chosen = f"k={poll_key(self.game)}"
            chosen += f"&round={self.round}" if self.is_explicit else ""
        return f"{reverse('table_fragment', args=[self.game])}?{chosen}&v="

    @property
    def heading_parts(self) -> tuple[str, str]:
        """The heading up to its colon, and what a phone leaves to the ear."""
        head, colon, tail = self.heading.partition(":")
        return head, colon + tail

    @property
    def moves_on(self) -> bool:
        """Whether anything can still happen here."""
        return self.state in ("open", "stopped", "running", "rounds") or self.onward is not None

    @property
    def acts(self) -> bool:
        """Whether this page asks something of its viewer."""
        return bool(self.next_board) or (self.board is not None and self.board.acts)

    @property
    def next_board(self) -> Mini | None:
        """Of the rounds side by side the most urgent that waits for the viewer."""
        return next(iter(waiting_for_me(self.minis)), None)

    @property
    def due_boards(self) -> int:
        return len(waiting_for_me(self.minis))

    @property
    def announcement(self) -> str:
        """The page in a breath, for whoever does not see it change: why not, what is asked, what must be minded."""
        parts = [self.heading, *(mini.title for mini in waiting_for_me(self.minis))]
        if self.board is not None:
            parts += [self.board.say, self.board.say_more]
            if self.refusal and not self.board.is_refusing:
                parts.insert(0, self.refusal)
        elif self.refusal:
            parts.insert(0, self.refusal)
        return _sentences(parts)

    @property
    def events(self) -> str:
        """What was played of late, a line each, in order: a script tells those that are new."""
        if self.board is None:
            return self.news.headline if self.news else ""
        return "\n".join(_sentences([line]) for _is_mine, line in self.board.told)


def _sentences(parts: Iterable[str]) -> str:
    return " ".join(
        part if part.endswith((".", "?", "।")) else f"{part}." for part in parts if part
    )


def poll_key(game_id: str) -> str:
    """Shows that somebody was let see this game: with it, a poll that finds nothing new need not ask again who they are."""
    return salted_hmac("games.poll", game_id).hexdigest()[:20]


def page_version(game_id: str, viewer: int | None, *, invitation: Invitation | None = None) -> str:
    """What changes with whatever this viewer (a user's id) may see of the game. `GameNotFound` as in `queries.version`."""
    return _version(*queries.versions(game_id, viewer, invitation=invitation))


def table_page(
    table: Table,
    viewer: int | None,
    display: Display,
    *,
    number: int | None = None,
    pick: Pick = NO_PICK,
    refusal: str = "",
    broken: Code | None = None,
    invited: Invited | None = None,
    since: Since | None = None,
) -> TablePage:
    """The page of a game that `viewer` (a user's id) may see. `number` asks for a round; one that is not there is ignored.

    `refusal` is why a form was refused, `broken` the code of the rule that it broke, if it was a rule.
    """
    view = queries.game_as_seen(table, viewer)
    company = Company.of(view)
    rows = {row["round"]: row for row in view["rounds"] if row["state"] != "void"}
    asked = number if number in rows else None
    # A refused form names its round too; the page it answers with goes on with the match all the same.
    is_explicit = asked is not None and (not refusal or table.rules.parallel_rounds)
    common = _common(table, view, company) | {
        "version": _version(table.game.version, queries.own_version_seen(view)),
        "refusal": refusal,
        "rule_url": rules.rule_url(table.rules.name, broken) if broken else "",
        "is_explicit": is_explicit,
    }
    if view["status"] == Game.Status.OPEN:
        return TablePage(**common, **_open(table, view, company, viewer, invited))
    if asked is None and view["status"] == Game.Status.FINISHED:
        return TablePage(**common, **_match_over(table, view, company, viewer, since))
    if asked is None and view["status"] == Game.Status.CANCELLED:
        return TablePage(**common, **_stopped(view))
    if view["status"] == Game.Status.FROZEN and (asked is None or rows[asked]["state"] in RUNNING):
        return TablePage(**common, **_stopped(view))
    if asked is None and table.rules.parallel_rounds and view["status"] == Game.Status.PLAYING:
        return TablePage(**common, **_rounds(table, view, company, viewer, display, since))
    shown = asked or _most_urgent(view, company)
    if shown is None:
        return TablePage(**common, **_stopped(view))
    if rows[shown]["state"] in RUNNING and view["status"] == Game.Status.PLAYING:
        seen = queries.observation(table, shown, viewer)
        return TablePage(
            **common,
            **_running(table, view, seen, company, display, pick),
            recap=_recap(table, view, seen, company, since),
            vacancies=tuple(_vacancies(table, view, company, viewer)),
        )
    return TablePage(**common, **_round_over(table, view, rows[shown], company, viewer, since))


def _version(version: str, own: str) -> str:
    return f"{version}-{sha256(own.encode()).hexdigest()[:12]}" if own else version


def _common(table: Table, view: Json, company: Company) -> dict[str, Any]:
    return {
        "game": view["id"],
        "url": reverse("table", args=[view["id"]]),
        "seq": view["seq"],
        "head": short_hash(view["hash"]),
        "foot": Foot.of(table),
        "rules_name": rules_name(view["rules"]["name"]),
        "sheet": sheet_of(view, company),
        "is_seated": company.me is not None,
    }


def _most_urgent(view: Json, company: Company) -> int | None:
    """The first round that waits for the viewer, else the first that runs, else the last."""
    running = [row for row in view["rounds"] if row["state"] in RUNNING]
    mine = [row["round"] for row in view.get("you", {}).get("rounds", []) if row["to_act"]]
    if mine:
        return int(mine[0])
    if running:
        return int(running[0]["round"])
    return int(view["rounds"][-1]["round"]) if view["rounds"] else None


# The states


def _open(
    table: Table, view: Json, company: Company, viewer: int | None, invited: Invited | None
) -> dict[str, Any]:
    taken = sum(seat["kind"] != "open" for seat in view["seats"])
    kept_for_others = [
        seat.invited_id is not None and seat.invited_id != viewer for seat in table.seats
    ]
    chairs = tuple(
        Chair(
            number=seat["seat"],
            name=company.name(seat["seat"]),
            is_mine=seat["seat"] == company.me,
            is_bot=seat["seat"] in company.bots,
            note=_("kept for %(name)s") % {"name": seat["invited"]} if seat["invited"] else "",
            is_free=seat["kind"] == "open"
            and not kept_for_others[seat["seat"]]
            and (invited is None or invited.seat in (None, seat["seat"])),
        )
        for seat in view["seats"]
    )
    may_sit = company.me is None and any(chair.is_free for chair in chairs)
    heading = _("Waiting for players")
    if may_sit:
        heading = _("A seat is free for you")
    return {
        "state": "open",
        "title": heading,
        "heading": heading,
        "where": ngettext("%(taken)d of 4 seats is taken", "%(taken)d of 4 seats are taken", taken)
        % {"taken": taken},
        "chairs": chairs,
        "may_sit": may_sit,
        "may_start": viewer is not None and table.game.created_by_id == viewer,
        "rules_in_short": rules.in_short(table.rules),
        "rules_lines": tuple(
            line for section in rules.sections(table.rules) for line in section.lines
        ),
        "pace": tuple(_pace(table)),
        "anchor": view["anchor"],
        "invited": invited,
        "may_invite": inviting.may_invite(table, viewer),
        "links": tuple(
            OpenLink(link["id"], link["token"], _link_label(link))
            for link in queries.invitations_at(table, viewer)
        ),
    }


def _pace(table: Table) -> Iterable[str]:
    """The clock, what stops it, and how long the match takes, a sentence each."""
    game = table.game
    yield " ".join(part for part in (f"{clock_name(game.clock)}.", about(game.clock)) if part)
    if game.pauses_weekends:
        yield _("Weekends do not count.")
    if not game.allows_holidays:
        yield _("Holidays count like other days.")
    if game.bots_may_sit:
        yield _("Bot accounts may sit here.")
    length = queries.length_of(game, table.seats, now=table.now)
    if length is not None:
        yield length_words(length)


def _link_label(link: Json) -> str:
    facts = {"until": date_format(timezone.localtime(link["expires_at"]), "j F")}
    if link["seat"] is None:
        return _("For any free seat, until %(until)s") % facts
    return _("For seat %(seat)d, until %(until)s") % {"seat": link["seat"] + 1, **facts}


def _stopped(view: Json) -> dict[str, Any]:
    """A game that nobody can play on: one that is frozen, or was cancelled before its end or before it began."""
    if view["status"] == Game.Status.FROZEN:
        state, heading = "stopped", _("This game is stopped")
        where = _(
            "Something about it is being looked into. Nobody can move and no time runs; it is given back when the game goes on."
        )
    elif view["rounds"]:
        state, heading = "stopped", _("This game was cancelled")
        where = _("It has no result. The log says why.")
    else:
        state, heading, where = "closed", _("This table was closed"), ""
    return {"state": state, "title": heading, "heading": heading, "where": where}


def _running(
    table: Table, view: Json, seen: Observation, company: Company, display: Display, pick: Pick
) -> dict[str, Any]:
    totals = [int(total) for total in view["totals"]]
    row = next(row for row in view["rounds"] if row["round"] == seen.round)
    heading = _heading(seen, company)
    where = _where(seen)
    before = next((row for row in view["rounds"] if row["round"] == seen.round - 1), None)
    is_news = (
        before is not None
        and before["scores"] is not None
        and not seen.rules.parallel_rounds
        and not seen.tricks
        and not seen.trick
    )
    return {
        "state": "running",
        "title": f"{heading}, {where}" if where else heading,
        "heading": heading,
        "where": where,
        "round": seen.round,
        "board": board_of(
            seen, company, totals, sort=display.sort, pick=pick, autopilot=row["autopilot"]
        ),
        "deadline": deadline_of(table, row, seen, company),
        "is_kept_by_bot": company.me in company.stand_ins,
        "plan": _own_plan(view, seen),
        "is_on_autopilot": seen.seat in row["autopilot"],
        "may_help": seen.acts and seen.action == "bid" and not table.game.rated,
        "boards": tuple(_boards(view, seen.round)),
        "news": news_of_round(view, before, company) if before and is_news else None,
        "news_link": f"?round={seen.round - 1}",
    }


def _rounds(
    table: Table,
    view: Json,
    company: Company,
    viewer: int | None,
    display: Display,
    since: Since | None,
) -> dict[str, Any]:
    minis = side_by_side(table, view, company, viewer, sort=display.sort)
    due = waiting_for_me(minis)
    heading = heading_of(minis)
    return {
        "state": "rounds",
        "title": heading,
        "heading": heading,
        "where": _rounds_played(view),
        "minis": minis,
        "deadline": due[0].deadline if due else None,
        "is_kept_by_bot": company.me in company.stand_ins,
        "vacancies": tuple(_vacancies(table, view, company, viewer)),
        "recap": _recap(table, view, None, company, since),
    }


def _vacancies(table: Table, view: Json, company: Company, viewer: int | None) -> Iterable[Vacancy]:
    """The seats about which this viewer can do something."""
    plays_here = company.me is not None and company.me not in company.stand_ins
    for seat, shown in zip(table.seats, view["seats"], strict=True):
        if not substituting.may_be_offered(seat, now=table.now):
            continue
        if plays_here:
            asks = "withdraw" if seat.offered_at else "offer"
        elif company.me is None and substituting.is_offered_to(table.game, seat, viewer):
            asks = "take" if viewer is not None else "account"
        else:
            continue
        yield Vacancy(
            number=seat.number,
            name=company.names[seat.number],
            since=timezone.localtime(shown["stand_in_since"]),
            asks=asks,
            to=shown["invited"] or "",
            needs_name=table.game.visibility != Game.Visibility.PUBLIC,
        )


def _own_plan(view: Json, seen: Observation) -> OwnPlan | None:
    """None for whoever sits nowhere."""
    if seen.seat is None:
        return None
    own = next(row for row in view["you"]["rounds"] if row["round"] == seen.round)
    if own["plan"] is None:
        return OwnPlan((), "", False)
    words = in_words(Plan.from_json(own["plan"]), seen.hand)
    if own["plan_halted"] is not None:
        return OwnPlan(tuple(words), why_halted(own["plan_halted"]), False)
    return OwnPlan(tuple(words), "", seen.acts and own["plan_from"] > seen.turn)


def _heading(seen: Observation, company: Company) -> str:
    if seen.acts:
        return _("Your turn: bid") if seen.action == "bid" else _("Your turn: play a card")
    if seen.to_act is None:
        return _("Waiting for bids")
    return _("Waiting for %(name)s") % {"name": company.names[seen.to_act]}


def _where(seen: Observation) -> str:
    rules_ = seen.rules
    if rules_.rounds is not None:
        where = _("Round %(round)d of %(rounds)d") % {"round": seen.round, "rounds": rules_.rounds}
    elif rules_.target is not None:
        target = score_text(rules_.target, rules_.score_scale)
        where = _("Round %(round)d, to %(target)s") % {"round": seen.round, "target": target}
    if seen.state == "playing":
        return _("%(where)s, trick %(trick)d") % {"where": where, "trick": len(seen.tricks) + 1}
    if seen.attempt > 0:
        return _("%(where)s, deal %(deal)d") % {"where": where, "deal": seen.attempt + 1}
    return where


def _boards(view: Json, shown: int) -> list[Link]:
    """The rounds that run side by side, when there are several: as the rules have it, or one that is played again."""
    rows = [row for row in view["rounds"] if row["state"] != "void"]
    if not view["rules"]["parallel_rounds"]:
        rows = [row for row in rows if row["state"] in RUNNING]
        if len(rows) < 2:
            return []
    mine = {row["round"] for row in view.get("you", {}).get("rounds", []) if row["to_act"]}
    is_over = view["status"] == Game.Status.FINISHED
    return [
        _board_link(row, row["round"] in mine, row["round"] == shown, is_over=is_over)
        for row in rows
    ]


def _board_link(row: Json, is_due: bool, is_current: bool, *, is_over: bool) -> Link:
    note = _("your turn") if is_due else _("over") if row["scores"] or is_over else _("waiting")
    text = _("Round %(round)d") % {"round": row["round"]}
    return Link(f"?round={row['round']}", text, note, is_due, is_current, row["round"])


def _round_over(
    table: Table,
    view: Json,
    row: Json,
    company: Company,
    viewer: int | None,
    since: Since | None,
) -> dict[str, Any]:
    seen = queries.observation(table, row["round"], viewer)
    heading = _("Round %(round)d is over") % {"round": row["round"]}
    return {
        "state": "over",
        "title": heading,
        "heading": heading,
        "where": _rounds_played(view),
        "round": row["round"],
        "results": results_of_round(view, row, company),
        "claim": _claim(row, company),
        "news": news_of_round(view, row, company),
        "tricks": past_tricks(seen.tricks, company),
        "recap": _recap(table, view, seen, company, since),
        "onward": _onward(view, company),
        "boards": tuple(_boards(view, row["round"])),
    }


def _match_over(
    table: Table, view: Json, company: Company, viewer: int | None, since: Since | None
) -> dict[str, Any]:
    last = view["rounds"][-1]["round"]
    seen = queries.observation(table, last, viewer)
    news = news_of_match(view, company)
    rematch = queries.rematch_of(table, viewer)
    return {
        "state": "over",
        "title": _("The match is over: %(news)s") % {"news": news.headline},
        "heading": _("The match is over"),
        "where": _rounds_played(view),
        "round": last,
        "results": results_of_match(view, company),
        "claim": _claim(view["rounds"][-1], company),
        "news": news,
        "tricks": past_tricks(seen.tricks, company),
        "recap": _recap(table, view, seen, company, since),
        "boards": tuple(_boards(view, last)),
        "may_rematch": company.me is not None and rematch is None,
        "rematch": reverse("table", args=[rematch]) if rematch else "",
    }


def _recap(
    table: Table, view: Json, seen: Observation | None, company: Company, since: Since | None
) -> Recap | None:
    """What happened since the viewer was here before; None when they never were, or nothing did."""
    if since is None or since.seq >= table.game.seq:
        return None
    return recap_of(queries.events_since(table, since.seq), view, seen, company, since.at)


def _claim(row: Json, company: Company) -> str:
    """Who claimed the tricks of a round that were not played, as a sentence; empty if nobody did."""
    if row["claimed_by"] is None:
        return ""
    rest = TRICKS - row["tricks_played"]
    if rest == TRICKS:
        return company.say(
            row["claimed_by"], _("You claimed every trick."), _("%(name)s claimed every trick.")
        )
    return company.say(
        row["claimed_by"],
        ngettext("You claimed the last trick.", "You claimed the last %(rest)d tricks.", rest),
        ngettext(
            "%(name)s claimed the last trick.", "%(name)s claimed the last %(rest)d tricks.", rest
        ),
        rest=rest,
    )


def _rounds_played(view: Json) -> str:
    played = sum(row["scores"] is not None for row in view["rounds"])
    total = view["rules"]["rounds"]
    if total is None:
        return ngettext("%(played)d round played", "%(played)d rounds played", played) % {
            "played": played
        }
    return _("%(played)d of %(total)d rounds played") % {"played": played, "total": total}


def _onward(view: Json, company: Company) -> Link | None:
    """From a round that is over to the one that is being played."""
    number = _most_urgent(view, company)
    if view["status"] != Game.Status.PLAYING or number is None:
        return None
    row = next(row for row in view["rounds"] if row["round"] == number)
    mine = number in {
        own["round"] for own in view.get("you", {}).get("rounds", []) if own["to_act"]
    }
    facts = {"round": number}
    if mine and row["state"] == "bidding":
        text = _("Bid in round %(round)d") % facts
    elif mine:
        text = _("Play in round %(round)d") % facts
    else:
        text = _("To round %(round)d") % facts
    note = _("%(name)s deals.") % {"name": company.name(row["dealer"])}
    if company.me == row["dealer"]:
        note = _("You deal.")
    return Link(reverse("table", args=[view["id"]]), text, note, mine, False)
