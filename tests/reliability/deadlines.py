"""A move received at the last instant of its time, let go together with the sweep and the workers that find the time over.

Runs in a process of its own, with real commits: `race(20)`. Every person's decision is raced, with a
head start now for the one side and now for the other.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any, Final

from django.db import connections

from accounts.models import User
from games import queries, store
from games.engine import clock as clocks
from games.engine.claim import publicly_forced
from games.engine.clock import STANDARD
from games.engine.errors import RuleViolation
from games.engine.observation import Observation
from games.models import Event, Heartbeat, Notice, Round, Seat
from games.refusals import Refusal
from games.services import following, pace, play
from games.services.timing import OpenTurn
from games.table import Table
from tests.games.tables import ARCADIA, NOW, seated, steadily

WORKERS: Final = 2
PLAYERS: Final = 2
HEAD_STARTS: Final = (0.0, 0.005, -0.005, 0.001, -0.001)  # seconds by which the workers are held up
SECOND: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision whose time is up: whose it is, by when it was due, and what its bank held."""

    user: User
    round: int
    turn: int
    seat: int
    deadline: datetime
    bank: int
    answer: Any


def race(decisions: int) -> str:
    """Race so many decisions; as JSON, who made them, what everybody was told, and whatever was not done exactly once."""
    names = ("asha", "bina", "chandra", "dipak")
    cast = [User.objects.create_user(name, f"{name}@example.com") for name in names]
    told: Counter[str] = Counter()
    winners: Counter[str] = Counter()
    wrong: list[str] = []
    raced, game, now = 0, "", NOW
    with ThreadPoolExecutor(1 + WORKERS + PLAYERS) as pool:
        while raced < decisions:
            moment = _next(game, now)
            if moment is None:
                game = seated(cast, ARCADIA, clock=STANDARD.to_json())
                continue
            answers = _at_once(pool, game, moment, HEAD_STARTS[raced % len(HEAD_STARTS)])
            told.update(answers)
            winners["player" if "made" in answers else "stand-in"] += 1
            wrong += [
                f"{moment.round}/{moment.turn}: {each}" for each in _wrong(game, moment, answers)
            ]
            raced, now = raced + 1, moment.deadline + clocks.GRACE
            _come_back(game, cast, now)
    return json.dumps({"won by": winners, "told": told, "wrong": wrong})


def _next(game: str, now: datetime) -> Moment | None:
    """The next decision of a person at this table; None when the match is over. What plays itself is played on the way."""
    while game:
        table = _table(game)
        numbers = queries.running(table)
        if not numbers:
            return None
        number = numbers[0]
        seen = table.observe(number, table.rounds[number].to_act)
        if not publicly_forced(seen):
            return _moment(table, number)
        following.follow_up(game, round=number, turn=seen.turn, now=now)
    return None


def _moment(table: Table, number: int) -> Moment:
    seat = table.rounds[number].to_act
    assert seat is not None
    kept = OpenTurn.of(table.rows[number], seat)
    user = table.seats[seat].user
    assert kept is not None
    assert user is not None
    seen = table.observe(number, seat)
    bank = table.rows[number].banks[seat]
    return Moment(user, number, seen.turn, seat, kept.deadline_at, bank, _unlike_the_stand_in(seen))


def _unlike_the_stand_in(seen: Observation) -> Any:
    """An answer that the rules allow, another than the stand-in's wherever there is one: else it would pass for that one."""
    expected = steadily(seen)
    allowed = seen.legal or range(seen.rules.min_bid, seen.rules.max_bid + 1)
    return next((answer for answer in allowed if answer != expected), expected)


def _at_once(pool: ThreadPoolExecutor, game: str, moment: Moment, held_up: float) -> list[str]:
    late = moment.deadline + clocks.GRACE
    # The sweep before this one, ten seconds ago: without it a silence of hours would be given back.
    Heartbeat.objects.update_or_create(name=pace.SWEEPER, defaults={"at": late - 10 * SECOND})
    barrier = Barrier(1 + WORKERS + PLAYERS)

    def sweep() -> str:
        pace.sweep(now=late)
        return "swept"

    def wake() -> str:
        """What the message of a sweep has a worker do."""
        time.sleep(max(held_up, 0))
        pace.wake(game, round=moment.round, now=late)
        return "woken"

    def move() -> str:
        time.sleep(max(-held_up, 0))
        act = play.place_bid if isinstance(moment.answer, int) else play.play_card
        made = act(
            moment.user,
            game,
            moment.answer,
            round=moment.round,
            turn=moment.turn,
            now=moment.deadline,
        )
        return "made again" if made.repeated else "made"

    def let_go(act: Callable[[], str]) -> str:
        barrier.wait()
        try:
            return act()
        except (RuleViolation, Refusal) as refused:
            return type(refused).__name__
        finally:
            connections.close_all()

    connections.close_all()
    return list(pool.map(let_go, [sweep] + [wake] * WORKERS + [move] * PLAYERS))


def _wrong(game: str, moment: Moment, answers: Iterable[str]) -> list[str]:
    """Everything about this decision that did not happen exactly once, or happened to both sides."""
    made = Counter(answers)["made"]
    here = {"game": game, "round": moment.round}
    decided = list(Event.objects.filter(**here, turn=moment.turn).values_list("seat", "by"))
    stood_in = Event.objects.filter(game=game, kind="stood_in", at=moment.deadline + clocks.GRACE)
    told = Notice.objects.filter(
        **here, turn=moment.turn, kind__in=["time_ran_out", "seat_taken_over"]
    )
    row = Round.objects.get(game=game, number=moment.round)
    by = "player" if made else "bot"
    ran_out = 0 if made else 1
    bank = max(moment.bank - STANDARD.longest_turn, 0) + STANDARD.increment
    checks = {
        f"decided as {decided}": decided == [(moment.seat, by)],
        f"{made} moves were taken": made in (0, 1),
        f"{stood_in.count()} stand-ins": stood_in.count() == ran_out,
        f"{told.count()} notices": told.count() == ran_out,
        f"the bank holds {row.banks[moment.seat]}": row.banks[moment.seat] == bank,
        f"{row.turn} is next": row.turn == moment.turn + 1,
    }
    return [what for what, is_right in checks.items() if not is_right]


def _come_back(game: str, cast: Iterable[User], now: datetime) -> None:
    """Let everybody have their seat back, so that the next decision is a person's again."""
    for user in cast:
        if Seat.objects.filter(game=game, user=user).exclude(stand_in_since=None).exists():
            pace.take_back(user, game, now=now)


def _table(game: str) -> Table:
    table = store.load(game, now=NOW)
    store.fold(table, *queries.running(table))
    return table
