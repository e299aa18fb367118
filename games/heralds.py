"""Which games have moved, told as it happens: what wakes streams. It may tell too often; what is told is a hint, the log is the truth.

On PostgreSQL a trigger of the log notifies whoever listens, when the transaction is in. The embedded edition has one writer, so the
numbers of its events grow in the order of their commits, and one look at the newest, five times a second, finds all that came.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections

from games.models import Event

CHANNEL: Final = "games_moved"
LOOK_EVERY_SECONDS: Final = 0.2
STILL_THERE_EVERY_SECONDS: Final = 30.0
_TABLE: Final = Event._meta.db_table

_FUNCTION: Final = f"""
CREATE OR REPLACE FUNCTION event_herald() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('{CHANNEL}', game_id) FROM (SELECT DISTINCT game_id FROM added) AS moved;
    RETURN NULL;
END $$
"""
_TRIGGER: Final = f"""
CREATE OR REPLACE TRIGGER event_herald AFTER INSERT ON {_TABLE}
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION event_herald()
"""

T = TypeVar("T")
Ask = Callable[
    ..., Awaitable[Any]
]  # runs a function that asks the database, elsewhere than in the loop


def install(*, using: str = DEFAULT_DB_ALIAS, **_: Any) -> None:
    """Install the trigger anew where there can be one. (`post_migrate` receiver)"""
    wanted = connections[using]
    if wanted.vendor != "postgresql" or _TABLE not in wanted.introspection.table_names():
        return
    with wanted.cursor() as cursor:
        cursor.execute(_FUNCTION)
        cursor.execute(_TRIGGER)


def moved(ask: Ask) -> AsyncIterator[set[str] | None]:
    """The ids of games that have moved, again and again; None: any may have. Raises what the database does."""
    return _notified() if connection.vendor == "postgresql" else _looked_up(ask)


async def _notified() -> AsyncIterator[set[str] | None]:
    link = await psycopg.AsyncConnection.connect(**_address(), autocommit=True)
    async with link:
        await link.execute(f"LISTEN {CHANNEL}".encode())
        yield None  # whatever moved before we listened
        while True:
            async for note in link.notifies(timeout=STILL_THERE_EVERY_SECONDS):
                yield {note.payload}
            await link.execute(
                "SELECT 1"
            )  # a server that went away without a word would be waited for for ever


async def _looked_up(ask: Ask) -> AsyncIterator[set[str] | None]:
    last = await ask(_newest)
    yield None
    while True:
        await asyncio.sleep(LOOK_EVERY_SECONDS)
        found: list[tuple[int, str]] = await ask(_after, last)
        if found:
            last = found[-1][0]
            yield {game for _, game in found}


def _newest() -> int:
    return Event.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def _after(last: int) -> list[tuple[int, str]]:
    return list(Event.objects.filter(pk__gt=last).order_by("pk").values_list("pk", "game_id"))


def _address() -> dict[str, Any]:
    """Where the database is, as psycopg takes it: what Django connects with, without what is Django's own."""
    parameters: dict[str, Any] = connection.get_connection_params()
    ours = (
        "dbname",
        "host",
        "port",
        "user",
        "password",
        "options",
        "service",
        "sslmode",
        "sslrootcert",
    )
    return {name: parameters[name] for name in ours if parameters.get(name)}
