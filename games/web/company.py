"""The four at a table, as one viewer calls them and sees them sit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.models import Seat

SEATS: Final = range(4)
# Where the next seats are drawn, the viewer's own last: e, n, w, s are corners of the board, never words for a reader.
_PLACES: Final = {"right": "enws", "left": "wnes"}


@dataclass(frozen=True, slots=True)
class Company:
    """`names` by seat; `me` is the viewer's seat, None for a spectator; `bots` are the seats that a program plays.

    `stand_ins` are people's seats that a bot keeps, `late` those whose last decision ran out of time. In `others_then` sat
    somebody else at the time that is told of: nobody is told by another's name.
    """

    names: tuple[str, ...]
    me: int | None
    bots: frozenset[int]
    direction: str
    stand_ins: frozenset[int] = frozenset()
    late: frozenset[int] = frozenset()
    others_then: frozenset[int] = frozenset()

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Self:
        """From a game as its viewer sees it (`queries.game_as_seen`)."""
        seats: Sequence[Mapping[str, Any]] = view["seats"]
        return cls(
            names=tuple(_name(seat) for seat in seats),
            me=view["you"]["seat"] if "you" in view else None,
            bots=frozenset(
                seat["seat"] for seat in seats if seat["kind"] in ("bot", "bot_account")
            ),
            direction=view["rules"]["direction"],
            stand_ins=frozenset(seat["seat"] for seat in seats if seat["kind"] == "stand_in"),
            late=frozenset(seat["seat"] for seat in seats if seat["late"]),
        )

    def at(self, seq: int, seats: Iterable[Seat]) -> Self:
        """The four as they sat when event `seq` was written."""
        others = frozenset(seat.number for seat in seats if seq < seat.since_seq)
        if not others:
            return self
        names = tuple(
            _("Seat %(seat)d") % {"seat": seat + 1} if seat in others else name
            for seat, name in enumerate(self.names)
        )
        return replace(self, names=names, others_then=others)

    def is_mine(self, seat: int) -> bool:
        return seat == self.me and seat not in self.others_then

    def name(self, seat: int) -> str:
        return _("You") if self.is_mine(seat) else self.names[seat]

    def say(self, seat: int, mine: str, others: str, **facts: object) -> str:
        """`mine` if the seat is the viewer's, else `others`, filled with the seat's `%(name)s` and the facts."""
        sentence = mine if self.is_mine(seat) else others
        return sentence % {"name": self.names[seat], **facts}

    def in_order(self) -> list[int]:
        """The seats in order of play, the viewer's own (a spectator's: seat 0) last."""
        last = self.me or 0
        return [(last + step) % 4 for step in (1, 2, 3, 4)]

    def by_column(self) -> list[int]:
        """The seats as a score sheet lists them: the viewer's own first, then in order of play."""
        order = self.in_order()
        return [order[3], *order[:3]]

    def place(self, seat: int) -> str:
        return _PLACES[self.direction][self.in_order().index(seat)]


def _name(seat: Mapping[str, Any]) -> str:
    if seat["player"]:
        return str(seat["player"])
    return pgettext("seat", "open seat") if seat["kind"] == "open" else _("former player")
