"""A round looked at again, step by step: what its viewer could see then, and face-up once its seed is revealed.

Hidden cards are seen through `Observation` here as everywhere. All four hands are given of a revealed round, and to the staff of a
case of a deal that the case opened in sight of the players; it is this module that refuses them of any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from games import store
from games.engine.observation import Observation
from games.models import Event
from games.refusals import GameNotFound, NotStarted
from games.table import Table

SEATS: Final = range(4)
_STEPS: Final = ("dealt", "thrown_in", "sealed", "bid", "played", "ruled")
_MOVES_ON: Final = (*_STEPS, "claimed")

# The deals, as `(round, attempt)`, that a case has opened.
Opened = frozenset[tuple[int, int]]
NOTHING_OPENED: Final[Opened] = frozenset()


class StillSealed(Exception):
    """All four hands were asked for of a deal whose seed is not public yet."""


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a round's log that changed what lies on the table. `at` is its minute."""

    seq: int
    kind: str
    seat: int | None
    bid: int | None
    card: str | None
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A round after its step number `at` (an index of `steps`), as its viewer knows it.

    Face-up, `hands` are what the four seats know, and `asked` what the one knew that has just played a card.
    """

    table: Table
    round: int
    steps: tuple[Step, ...]
    at: int
    seen: Observation
    hands: tuple[Observation, ...] = field(default=(), repr=False)
    asked: Observation | None = field(default=None, repr=False)

    @property
    def step(self) -> Step:
        return self.steps[self.at]

    @property
    def is_face_up(self) -> bool:
        return bool(self.hands)


def replay(
    game_id: str,
    viewer: int | None,
    *,
    now: datetime,
    seq: int | None = None,
    number: int | None = None,
) -> Replay:
    """Where the game stood after event `seq`: in round `number`, else in the round that this event belongs to.

    Nearest is near enough: before the round its first step, after it its last. Without a `seq`, the round's first step, or
    without a round the latest of the game. `GameNotFound` also for a round that is not there, `NotStarted` before the deal.
    """
    table = store.load(game_id, now=now)
    if not table.is_visible_to(viewer):
        raise GameNotFound
    return _at(table, viewer, seq, number, NOTHING_OPENED)


def reviewed(
    game_id: str,
    opened: Opened,
    *,
    now: datetime,
    seq: int | None = None,
    number: int | None = None,
) -> Replay:
    """The same for the staff of a case, who see what everybody sees, and the hands of the deals that their case has `opened`."""
    return _at(store.load(game_id, now=now), None, seq, number, opened)


def _at(
    table: Table, viewer: int | None, seq: int | None, number: int | None, opened: Opened
) -> Replay:
    if not table.rows:
        raise NotStarted
    if number is None:
        seq = table.game.seq if seq is None else seq
        number = _round_at(table, seq)
    if number not in table.rows:
        raise GameNotFound
    log = store.round_lines(table, number)
    lines = [line for line in log if line["kind"] in _STEPS]
    at = max((place for place, line in enumerate(lines) if line["seq"] <= (seq or 0)), default=0)
    so_far = lines[: at + 1]
    state = store.state_after(table, number, so_far)
    is_open = _is_open(table, number, so_far, opened)
    return Replay(
        table=table,
        round=number,
        steps=tuple(_step(line) for line in lines),
        at=at,
        seen=state.observe(_seat_then(table, viewer, log, lines[at]["seq"])),
        hands=face_up(table, number, so_far, opened) if is_open else (),
        asked=_asked(table, number, so_far, opened) if is_open else None,
    )


def face_up(
    table: Table, number: int, lines: Sequence[store.Line], opened: Opened = NOTHING_OPENED
) -> tuple[Observation, ...]:
    """What each seat knew after `lines` of round `number`. `StillSealed` unless the seed of that deal is revealed, or it is opened."""
    if not _is_open(table, number, lines, opened):
        raise StillSealed
    state = store.state_after(table, number, lines)
    return tuple(state.observe(seat) for seat in SEATS)


def _seat_then(table: Table, viewer: int | None, log: Sequence[store.Line], seq: int) -> int | None:
    """The viewer's seat, if they held it while the round stood as after event `seq`: a substitute sees nothing of before."""
    seat = table.seat_of(viewer)
    since = 0 if seat is None else table.seats[seat].since_seq
    later = [line["seq"] for line in log if line["kind"] in _MOVES_ON and line["seq"] > seq]
    is_running = bool(table.rows[log[0]["round"]].actors)
    until = min(later, default=table.game.seq + 1 if is_running else seq)
    return seat if until > since else None


def _is_open(table: Table, number: int, lines: Sequence[store.Line], opened: Opened) -> bool:
    dealt = [line["attempt"] for line in lines if line["kind"] == Event.Kind.DEALT]
    return _is_revealed(table, lines) or (bool(dealt) and (number, dealt[-1]) in opened)


def _is_revealed(table: Table, lines: Sequence[store.Line]) -> bool:
    """Whether the last deal of these lines may be seen: a replayed round is dealt under a key that is younger."""
    keys = [line["facts"]["key"] for line in lines if line["kind"] == Event.Kind.DEALT]
    return bool(keys) and keys[-1] <= table.game.keys_revealed


def _asked(
    table: Table, number: int, lines: Sequence[store.Line], opened: Opened
) -> Observation | None:
    """What the seat that played the last card knew before it did."""
    if lines[-1]["kind"] != "played":
        return None
    return face_up(table, number, lines[:-1], opened)[lines[-1]["seat"]]


def _round_at(table: Table, seq: int) -> int:
    """The round of the event `seq`, or of the last one before it that belongs to a round; else the first round."""
    of_rounds = Event.objects.filter(game=table.game, round__isnull=False, seq__lte=seq)
    found = of_rounds.order_by("-seq").values_list("round", flat=True).first()
    return found or min(table.rows)


def _step(line: store.Line) -> Step:
    return Step(
        seq=line["seq"],
        kind=line["kind"],
        seat=line["seat"],
        bid=line["bid"],
        card=line["card"],
        reason=(line["facts"] or {}).get("reason", ""),
        at=line["at"].replace(second=0, microsecond=0),
    )
