"""A site full of running games, made in bulk: copies of tables that were really played, since what is sought is in rows."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection
from django.db.models import Model

from accounts.models import User
from games.models import Game, Outage, Round, Seat
from games.services import pace
from tests.games.tables import ARCADIA, BOTS_ALONE, NOW, new_game, play_on, seated

_GAME: Final = "'copy' || n"
# Of the small tables, one row each, nothing is to be said.
_READS_ALL: Final = re.compile(r"(?:Seq Scan on|SCAN) games_(?:game|seat|round)\b|game_by_status")
A_SHARE: Final = 1000  # games that get their alarm at the same moment
FAR: Final = timedelta(days=3)
OUTAGE: Final = timedelta(minutes=30)
NUMBERS: Final = (
    "WITH RECURSIVE numbers(n) AS (SELECT %s UNION ALL SELECT n + 1 FROM numbers WHERE n < %s)"
)


class Crowd:
    """Two tables that others are copied from: one in its second round that waits for a person, one for a bot."""

    def __init__(self, people: Sequence[User]) -> None:
        self.for_people = seated(people, ARCADIA)
        play_on(self.for_people, decisions=80)
        self.for_bots = new_game(people[0], ARCADIA, BOTS_ALONE)
        Game.objects.filter(pk=self.for_bots).update(next_attempt_at=None)
        Round.objects.filter(game=self.for_people).update(alarm_at=None)
        # A site that runs so much has been down before, and given it back.
        outage = Outage.objects.create(began_at=NOW, ended_at=NOW + OUTAGE, seconds=OUTAGE.seconds)
        Game.objects.update(given_back=outage.pk)
        self.copies = 0

    def waits(self, games: int, *, now: datetime) -> None:
        """So many games that have an alarm within three days, none within the next hour."""
        for first in range(0, games, A_SHARE):
            share = min(A_SHARE, games - first)
            later = timedelta(hours=1) + (FAR - timedelta(hours=1)) * first / games
            self._copy(self.for_people, share, alarm_at=now + later)

    def is_due(self, games: int, *, now: datetime) -> None:
        """So many games whose time ran out, and so many whose bot nobody told."""
        self._copy(self.for_people, games, alarm_at=now)
        self._copy(self.for_bots, games, next_attempt_at=now)

    def _copy(
        self,
        game: str,
        count: int,
        *,
        alarm_at: datetime | None = None,
        next_attempt_at: datetime | None = None,
    ) -> None:
        self._copy_rows(Game, {"id": game}, count, {"next_attempt_at": next_attempt_at})
        self._copy_rows(Seat, {"game_id": game}, count, {})
        running = max(Round.objects.filter(game=game).values_list("number", flat=True))
        for row in Round.objects.filter(game=game):
            alarm = alarm_at if row.number == running else None
            self._copy_rows(Round, {"id": row.pk}, count, {"alarm_at": alarm})
        self.copies += count

    def _copy_rows(
        self, model: type[Model], which: Mapping[str, Any], count: int, given: Mapping[str, Any]
    ) -> None:
        """Rows like the one that `which` names, in so many games: each with the number of its game, and what is `given`."""
        of_game = "id" if model is Game else "game_id"
        fields = {field.column or "": field for field in model._meta.concrete_fields}
        same = [column for column in fields if column not in {"id", of_game, *given}]
        values = [fields[name].get_db_prep_save(given[name], connection) for name in given]
        condition = " AND ".join(f"{name} = %s" for name in which)
        table = model._meta.db_table
        with connection.cursor() as cursor:
            cursor.execute(
                f"{NUMBERS} INSERT INTO {table} ({', '.join([of_game, *given, *same])})"
                f" SELECT {', '.join([_GAME, *('%s' for _ in given), *same])}"
                f" FROM {table}, numbers WHERE {condition}",
                [self.copies + 1, self.copies + count, *values, *which.values()],
            )


def steps_of_a_sweep(now: datetime) -> list[str]:
    """Every step of the statements of a sweep at `now`, as the database explains them."""
    statements: list[tuple[str, Any]] = []

    def keep(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(keep):
        pace.sweep(now=now)
    return [
        step
        for sql, params in statements
        if sql.startswith(("SELECT", "UPDATE"))
        for step in _explained(sql, params)
    ]


def whole_tables(steps: Sequence[str]) -> list[str]:
    """The steps that read a table from end to end, or everything that runs."""
    return [step for step in steps if _READS_ALL.search(step)]


def _explained(sql: str, params: Any) -> list[str]:
    # With its parameters as they were: what SQLite can tell from a literal, it may not be able to tell from a parameter.
    how = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        cursor.execute(f"{how} {sql}", params)
        return [str(row[-1]) for row in cursor.fetchall()]
