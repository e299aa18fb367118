"""Rounds side by side at one look: a small board for each, those that wait for the viewer first and with their cards.

Like the large one, a small board is made of what its viewer may see, and of the engine's word on what may be played.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import queries
from games.engine.legal import trick_winner
from games.engine.observation import Observation
from games.table import Table
from games.web.board import Board, HandCard, board_of
from games.web.company import Company
from games.web.deadlines import Deadline, deadline_of
from games.wording import score_text

Json = Mapping[str, Any]

_NOTHING: Final = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class MiniSeat:
    """A seat in few words: won of bid, and its card of the trick, or `note`: that it is to act, its score, or nothing."""

    name: str
    count: str
    card: str = ""
    is_best: bool = False
    note: str = _NOTHING
    acts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mini:
    """The small board of a round. `board` is the large one if the round waits for the viewer, until `deadline`."""

    round: int
    title: str
    seats: tuple[MiniSeat, ...]
    where: str = ""
    deadline: Deadline | None = None
    board: Board | None = field(default=None, repr=False)

    @property
    def playable(self) -> tuple[HandCard, ...]:
        return () if self.board is None else tuple(c for c in self.board.hand if c.is_playable)

    @property
    def refused(self) -> tuple[HandCard, ...]:
        return () if self.board is None else tuple(c for c in self.board.hand if not c.is_playable)


def side_by_side(
    table: Table, view: Json, company: Company, viewer: int | None, *, sort: str
) -> tuple[Mini, ...]:
    """The rounds of a match that runs: those that wait for the viewer, most urgent first, then the others by number."""
    minis = [
        _mini(table, view, row, company, viewer, sort)
        for row in view["rounds"]
        if row["state"] != "void"
    ]
    return tuple(sorted(minis, key=_urgency))


def waiting_for_me(minis: Sequence[Mini]) -> tuple[Mini, ...]:
    return tuple(mini for mini in minis if mini.board is not None)


def heading_of(minis: Sequence[Mini]) -> str:
    """How many of them wait for the viewer."""
    due = len(waiting_for_me(minis))
    if not due:
        return _("Waiting for others")
    return ngettext("%(boards)d board waits for you", "%(boards)d boards wait for you", due) % {
        "boards": due
    }


def _urgency(mini: Mini) -> tuple[bool, float, int]:
    """A turn without a deadline comes first, as among my games."""
    return mini.board is None, mini.deadline.at.timestamp() if mini.deadline else 0.0, mini.round


def _mini(
    table: Table, view: Json, row: Json, company: Company, viewer: int | None, sort: str
) -> Mini:
    number = row["round"]
    facts = {"round": number}
    if row["scores"] is not None:
        return Mini(
            round=number,
            title=_("Round %(round)d is over") % facts,
            seats=tuple(_scored(view, row, seat, company) for seat in company.by_column()),
        )
    seen = queries.observation(table, number, viewer)
    board = board_of(seen, company, view["totals"], sort=sort, autopilot=row["autopilot"])
    deadline = deadline_of(table, row, seen, company)
    return Mini(
        round=number,
        title=_("Round %(round)d: your turn") % facts
        if seen.acts
        else _("Round %(round)d") % facts,
        where=_where(seen, company, deadline),
        seats=tuple(_seats(seen, board, company)),
        deadline=deadline if seen.acts else None,
        board=board if seen.acts else None,
    )


def _where(seen: Observation, company: Company, deadline: Deadline | None) -> str:
    """How far the round is, and by when who is to act."""
    is_playing = seen.state == "playing"
    where = _("Trick %(trick)d") % {"trick": len(seen.tricks) + 1} if is_playing else _("Bidding")
    if seen.acts:
        more = deadline.left if deadline else ""
    elif seen.to_act is None:
        more = ""
    else:
        facts = {"name": company.names[seen.to_act], "time": deadline.by if deadline else ""}
        if deadline:
            by = _("%(name)s plays by %(time)s") if is_playing else _("%(name)s bids by %(time)s")
        else:
            by = _("%(name)s plays") if is_playing else _("%(name)s bids")
        more = by % facts
    return _("%(where)s, %(more)s") % {"where": where, "more": more} if more else where


def _seats(seen: Observation, board: Board, company: Company) -> Iterable[MiniSeat]:
    """In the order in which they act, as they stand before the trick: whoever leads, or bids first, is the first."""
    plates = dict(zip(company.in_order(), board.plates, strict=True))
    first = (seen.dealer + 1) % 4 if seen.leader is None else seen.leader
    best = trick_winner(seen.trick) if seen.trick else None
    for place in range(4):
        seat = (first + place) % 4
        plate = plates[seat]
        yield MiniSeat(
            name=plate.name,
            count=plate.said or f"{plate.won}/{plate.bid}",
            card=seen.trick[place].text if place < len(seen.trick) else "",
            is_best=place == best,
            note="" if plate.said else _("to act") if plate.acts else _NOTHING,
            acts=plate.acts,
        )


def _scored(view: Json, row: Json, seat: int, company: Company) -> MiniSeat:
    return MiniSeat(
        name=company.name(seat),
        count=f"{row['won'][seat]}/{row['bids'][seat]}",
        note=score_text(row["scores"][seat], view["score_scale"]),
    )
