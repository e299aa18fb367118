"""What an account's stream tells: a decision waits for me, a game of mine began, a game of mine is over.

Nothing is stored for it. A `Place` says how far each game was told; from there on, what is told next follows from the log and from
what waits now. So a stream that was cut off goes on without a gap and tells nothing twice, in whichever process. A turn that the
user took before it could be told is told all the same; one that a bot took for them is not.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any, Final, Self

from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery

from games import queries
from games.models import Event, Game, Round

Json = dict[str, Any]

STARTED: Final = "game_started"
OPENED: Final = "turn_opened"
FINISHED: Final = "game_finished"

# An event that ended a match is stamped before it is committed, perhaps on another machine.
_MARGIN: Final = timedelta(minutes=1)
_OPENING: Final = (Event.Kind.DEALT, Event.Kind.BID, Event.Kind.PLAYED)
_DECISIONS: Final = (Event.Kind.BID, Event.Kind.PLAYED, Event.Kind.CLAIMED)
_ENDING: Final = (Event.Kind.REVEALED, Event.Kind.ABANDONED)
# Beside a seq: a start is told before the turns that it opened, these by the number of their round, and an end at last.
_FIRST: Final = 0
_TURNS: Final = 998
_LAST: Final = 999
_AT: Final = re.compile("[0-9a-f]{8}")
_TOLD: Final = re.compile(r"([2-9A-HJKMNP-TV-Z]{12})([0-9]{1,9})(?:\.([0-9]{1,3}))?")
# Whoever was away for longer is told of no end that is older.
_LONGEST_AWAY: Final = timedelta(days=7)

Told = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Place:
    """How far a stream has told: of each game the seq up to which, and beside it what of that seq; and when that was.

    `is_new`: nothing was told yet, so what began or ended before is no news, but what waits is.
    """

    at: datetime
    told: Mapping[str, Told] = field(default_factory=dict)
    is_new: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """The place that `str` wrote. ValueError for anything else."""
        at, _, rest = text.partition(";")
        parts = [_TOLD.fullmatch(part) for part in rest.split(",")] if rest else []
        if not _AT.fullmatch(at) or not all(parts):
            raise ValueError("not a place in an account's stream")
        told = {part[1]: (int(part[2]), int(part[3] or _LAST)) for part in parts if part}
        return cls(datetime.fromtimestamp(int(at, 16), UTC), told)

    def __str__(self) -> str:
        parts = (
            f"{game}{seq}" if beside == _LAST else f"{game}{seq}.{beside}"
            for game, (seq, beside) in self.told.items()
        )
        return f"{int(self.at.timestamp()):08x};{','.join(parts)}"


@dataclass(frozen=True, slots=True)
class News:
    """Something to tell, `at` a place of its game's log."""

    kind: str
    game: str
    at: Told
    data: Json


def since(user_id: int, place: Place, *, now: datetime) -> tuple[list[tuple[News, Place]], Place]:
    """What there is to tell after `place`, each with the place behind it; and the place behind all of it."""
    # Rounds first: what opens while the rest is read lies behind all that is told, and is told the next time.
    rounds = list(_rounds(user_id))
    games = {game.pk: game for game in _games(user_id, place, now)}
    told = {pk: at for pk, at in place.told.items() if pk in games}
    begun = _starts(pk for pk in games if pk not in place.told)
    ends = [
        *(News(STARTED, pk, (seq, _FIRST), {"game": pk}) for pk, seq in begun),
        *_ended(games, place.told),
    ]
    waiting = [row for row in rounds if queries.waits(row)]
    last = {row.game_id: row.game.seq for row in rounds}
    if place.is_new:
        told |= {each.game: each.at for each in sorted(ends, key=lambda each: each.at)}
        told |= _all_but(waiting, last)
        ends = []
    found = [*_opened(waiting, place.told), *_taken(user_id, games, last, place), *ends]
    news = []
    for each in sorted(found, key=lambda each: (each.at, each.game)):
        told = told | {each.game: each.at}
        # Whoever is cut off here has still to hear the rest, so no time has passed for them yet.
        news.append((each, Place(place.at, _kept(told, games, place.at))))
    behind = Place(now, _kept(told, games, now))
    if news:
        news[-1] = (news[-1][0], behind)
    return news, behind


def _rounds(user_id: int) -> QuerySet[Round]:
    """The running rounds of a user with the seq that opened their present turn, all as they were at one moment."""
    opening = Event.objects.filter(
        game=OuterRef("game"), round=OuterRef("number"), kind__in=_OPENING
    )
    last = Subquery(opening.order_by("-seq").values("seq")[:1])
    return queries.running_rounds(user_id).annotate(opened_at=last)


def _games(user_id: int, place: Place, now: datetime) -> QuerySet[Game]:
    """The games that may have news: those that are played, those that ended since, and those that were told of."""
    after = max(place.at - _MARGIN, now - _LONGEST_AWAY)
    ended = Q(status=Game.Status.FINISHED, finished_at__gt=after)
    return (
        Game.objects.filter(seats__user=user_id)
        .filter(Q(status=Game.Status.PLAYING) | ended | Q(pk__in=place.told))
        .only("status", "seq", "finished_at", "result")
    )


def _kept(told: Mapping[str, Told], games: Mapping[str, Game], at: datetime) -> dict[str, Told]:
    """What a place of this time must say was told. A game that was over well before is not looked at any more."""
    over = {
        pk
        for pk, game in games.items()
        if game.finished_at and game.finished_at <= at - 2 * _MARGIN
    }
    return {pk: seq for pk, seq in told.items() if pk not in over}


def _all_but(waiting: Iterable[Any], last: Mapping[str, int]) -> dict[str, Told]:
    """Places in the played games, up to the events `last`, behind which there are no decisions but those that wait."""
    told = {pk: (seq, _TURNS) for pk, seq in last.items()}
    for row in waiting:
        told[row.game_id] = min(told[row.game_id], (row.opened_at - 1, _TURNS))
    return told


def _starts(games: Iterable[str]) -> QuerySet[Event, tuple[str, int]]:
    lines = Event.objects.filter(game__in=list(games), kind=Event.Kind.STARTED)
    return lines.values_list("game_id", "seq")


def _opened(
    turns: Iterable[Any], told: Mapping[str, Told]
) -> Iterator[News]:  # Any: annotated rows
    told_of = []
    for row in turns:
        at = (row.opened_at, row.number)
        if at > told.get(row.game_id, (0, 0)):
            yield News(OPENED, row.game_id, at, queries.decision(row))
        else:
            told_of.append(row)
    returns = _returns(told_of, told)
    for row in told_of:
        seqs = [returns.get((row.game_id, number), 0) for number in (None, row.number)]
        if (at := (max(seqs), row.number)) > told[row.game_id]:
            yield News(OPENED, row.game_id, at, queries.decision(row))


def _taken(
    user_id: int, games: Mapping[str, Game], last: Mapping[str, int], place: Place
) -> Iterator[News]:
    """The turns that the user has taken since, up to the events `last` of the games that are played."""
    after = [
        Q(game=pk, seq__gt=place.told.get(pk, (0, 0))[0], seq__lte=last.get(pk, game.seq))
        for pk, game in games.items()
        if pk in last or game.status == Game.Status.FINISHED
    ]
    if place.is_new or not after:
        return
    lines = Event.objects.filter(
        reduce(or_, after),
        kind__in=_DECISIONS,
        by=Event.By.PLAYER,
        at__gt=place.at - _MARGIN,
        game__seats__user=user_id,
        game__seats__number=F("seat"),
    )
    before = Event.objects.filter(
        game=OuterRef("game"), round=OuterRef("round"), seq__lt=OuterRef("seq")
    ).order_by("-seq")
    seqs = before.values("seq")
    opened = Subquery(seqs.filter(kind__in=_OPENING)[:1])
    dealt = Subquery(seqs.filter(kind=Event.Kind.DEALT)[:1])
    for line in lines.annotate(opened_at=opened, dealt_at=dealt).select_related("game"):
        is_bid = line.kind == Event.Kind.BID
        # Sealed bids are asked of all four at once, and come into the log together.
        seq = line.dealt_at if is_bid and line.game.rules["sealed_bids"] else line.opened_at
        at, number = (seq, line.round or 0), line.round
        if at > place.told.get(line.game_id, (0, 0)):
            action = "bid" if is_bid else "play"
            data = {"round": number, "turn": line.turn, "action": action, "deadline": None}
            yield News(OPENED, line.game_id, at, {"game": line.game_id, **data})


def _returns(
    rows: Iterable[Any], told: Mapping[str, Told]
) -> dict[tuple[str, int | None], int]:  # Any: as above
    """When a user had their seat back from a bot since: what waited for the bot waits for them, without another event."""
    since = [Q(game=row.game_id, seat=row.own_seat, seq__gt=told[row.game_id][0]) for row in rows]
    if not since:
        return {}
    lines = Event.objects.filter(reduce(or_, since), kind=Event.Kind.RETURNED)
    last = lines.order_by().values_list("game_id", "round").annotate(Max("seq"))
    return {(game, number): seq for game, number, seq in last}


def _ended(games: Mapping[str, Game], told: Mapping[str, Told]) -> Iterator[News]:
    over = [
        game.pk
        for game in games.values()
        if game.status == Game.Status.FINISHED and told.get(game.pk, (0, 0))[1] != _LAST
    ]
    if not over:
        return
    lines = Event.objects.filter(game__in=over, kind__in=_ENDING).order_by()
    for pk, seq in lines.values_list("game_id").annotate(Max("seq")):
        data = {"game": pk, "result": games[pk].result}
        yield News(FINISHED, pk, (seq, _LAST), data)
