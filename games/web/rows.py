"""A game as a row of a list: who, what is to be done, where it stands. Made from public columns; no hand is opened for it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games import queries
from games.engine.round import State
from games.models import Game, Round, Seat
from games.web.clocks import clock_name, length_words
from games.web.deadlines import Deadline
from games.wording import rules_name, score_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`title` says who, `do` what, `meta` where it stands. `due`: it waits for the reader, until `deadline` if it has one."""

    url: str
    title: str
    do: str = ""
    meta: str = ""
    due: bool = False
    deadline: Deadline | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    url: str
    title: str
    place: int | None
    total: str


def my_row(game: Game, me: User, *, now: datetime) -> Row:
    """A running game of mine. Needs the seats and the running rounds at hand."""
    seat = _seat_of(game, me)
    rounds = sorted(game.rounds.all(), key=lambda row: row.number)
    is_on = game.status == Game.Status.PLAYING
    mine = [row for row in rounds if is_on and seat is not None and seat in row.actors]
    shown = mine or rounds
    return Row(
        url=_url(game),
        title=company(game, besides=seat),
        do=_to_do(mine) if mine else _others_do(game, rounds),
        meta=_standing(game, shown, seat),
        due=bool(mine),
        deadline=_first_deadline(mine, seat, now),
    )


def _first_deadline(mine: Sequence[Round], seat: int | None, now: datetime) -> Deadline | None:
    times = [at for row in mine if (at := queries.deadline_of(row, seat)) is not None]
    return Deadline.of(min(times), now=now) if times else None


def open_row(game: Game, viewer: User | None, *, now: datetime) -> Row:
    """A table that has not begun, for somebody who may want to sit down, or who sits there."""
    seats = list(game.seats.all())
    free = [seat for seat in seats if not seat.is_taken]
    kept = viewer is not None and any(seat.invited_id == viewer.pk for seat in free)
    mine = None if viewer is None else _seat_of(game, viewer)
    count = ngettext("%(free)d seat free", "%(free)d seats free", len(free)) % {"free": len(free)}
    return Row(
        url=_url(game),
        title=company(game, besides=mine) or _("Open table"),
        do=_("A seat is kept for you") if kept else count,
        meta=f"{_terms(game)}. {_length(game, now)}".rstrip(),
        due=kept,
    )


def offered_row(game: Game, viewer: User | None) -> Row:
    """A running match with a seat for a substitute."""
    seats = list(game.seats.all())
    offered = [seat for seat in seats if seat.offered_at is not None]
    kept = viewer is not None and any(seat.invited_id == viewer.pk for seat in offered)
    return Row(
        url=_url(game),
        title=company(game, besides=offered[0].number if offered else None),
        do=_("A seat is kept for you") if kept else _("A seat to take over"),
        meta=_terms(game),
        due=kept,
    )


def result(game: Game, me: User) -> Result | None:
    """A finished game of mine, without a place if everybody had left it; None for one that I only made."""
    seat = _seat_of(game, me)
    if seat is None or game.result is None:
        return None
    total = game.result["totals"][seat]
    return Result(
        url=_url(game),
        title=company(game, besides=seat),
        place=None if game.is_abandoned else game.result["ranks"][seat],
        total=score_text(total, game.rules["score_scale"]),
    )


def company(game: Game, besides: int | None = None) -> str:
    """Who sits at the table: people by name, bot accounts as such, built-in bots by their number."""
    others = [seat for seat in game.seats.all() if seat.is_taken and seat.number != besides]
    names = [_name(seat) for seat in others if not seat.bot]
    if bots := len(others) - len(names):
        names.append(ngettext("%(bots)d bot", "%(bots)d bots", bots) % {"bots": bots})
    return ", ".join(names)


def _name(seat: Seat) -> str:
    assert seat.user is not None
    name = seat.user.username
    return _("%(name)s (bot)") % {"name": name} if seat.user.is_bot else name


def _url(game: Game) -> str:
    return reverse("table", args=[game.pk])


def _seat_of(game: Game, user: User) -> int | None:
    return next((seat.number for seat in game.seats.all() if seat.user_id == user.pk), None)


def _to_do(mine: Sequence[Round]) -> str:
    if len(mine) > 1:
        return ngettext("%(boards)d board", "%(boards)d boards", len(mine)) % {"boards": len(mine)}
    return _("Bid") if mine[0].state == State.BIDDING else _("Play a card")


def _others_do(game: Game, rounds: Sequence[Round]) -> str:
    if game.status == Game.Status.FROZEN:
        return _("Stopped for a decision")
    actors = {seat for row in rounds for seat in row.actors}
    if len(actors) != 1:
        return _("Others are to act")
    shown = queries.seats_of(game)[actors.pop()]
    name = {"name": shown["player"] or _("Nobody")}
    return (
        _("%(name)s bids") % name
        if rounds[0].state == State.BIDDING
        else _("%(name)s plays") % name
    )


def _standing(game: Game, rounds: Sequence[Round], seat: int | None) -> str:
    name = rules_name(game.rules["name"])
    if len(rounds) > 1:
        numbers = get_text_list([str(row.number) for row in rounds], _("and"))
        return _("%(rules)s. Rounds %(numbers)s.") % {"rules": name, "numbers": numbers}
    return " ".join([f"{name}.", *(line for row in rounds for line in _where(game, row, seat))])


def _where(game: Game, row: Round, seat: int | None) -> Iterable[str]:
    at: dict[str, Any] = {
        "round": row.number,
        "rounds": game.rules["rounds"],
        "trick": row.tricks_played + 1,
    }
    is_playing = row.state == State.PLAYING
    if at["rounds"]:
        yield (
            _("Round %(round)d of %(rounds)d, trick %(trick)d.") % at
            if is_playing
            else _("Round %(round)d of %(rounds)d, bidding.") % at
        )
    else:
        yield (
            _("Round %(round)d, trick %(trick)d.") % at
            if is_playing
            else _("Round %(round)d, bidding.") % at
        )
    if seat is not None and row.bids[seat] is not None:
        mine = {"won": row.won[seat], "bid": row.bids[seat]}
        yield _("Won %(won)d of %(bid)d.") % mine if is_playing else _("You bid %(bid)d.") % mine


def _length(game: Game, now: datetime) -> str:
    length = queries.length_of(game, game.seats.all(), now=now)
    return "" if length is None else length_words(length)


def _terms(game: Game) -> str:
    terms = [rules_name(game.rules["name"]), clock_name(game.clock)]
    if game.rules["parallel_rounds"]:
        terms.append(_("rounds side by side"))
    if game.rules["sealed_bids"]:
        terms.append(_("sealed bids"))
    if game.pauses_weekends:
        terms.append(_("weekends do not count"))
    if not game.allows_holidays:
        terms.append(_("holidays count"))
    if game.bots_may_sit:
        terms.append(_("bot accounts may sit"))
    if game.rated:
        terms.append(_("rated"))
    if game.visibility == Game.Visibility.LINK:
        terms.append(_("by invitation"))
    return ", ".join(terms)
