"""What the database itself refuses about what is written once: changing, deleting, replacing or emptying it.

That is the log, every game's sealed seed, the bids that wait sealed, and the trail of every case. The triggers are installed after every `migrate` (a
rebuilt table loses them without a word) and a system check refuses to serve without them. On PostgreSQL the owner of a table
can get past its triggers, so the application connects as another role, which is granted no UPDATE, DELETE or TRUNCATE here.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from django.core.checks import CheckMessage, Error, Warning
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

APP_ROLE: Final = "callbreak_app"


@dataclass(frozen=True, slots=True)
class Guarded:
    """A table whose rows are written once. `noun` begins the names of its triggers.

    `INSERT OR REPLACE` deletes the row in its way without asking the DELETE trigger, so `unique_keys` (each by its constraint's
    name) are tested before every insert. Keep them in step with the model's: tests/games/test_the_database_refuses.py tries each.
    """

    table: str
    noun: str
    unique_keys: Mapping[str, str]

    def triggers(self, vendor: str) -> dict[str, str]:
        """Name -> what stands behind it in its definition."""
        if vendor == "postgresql":
            return {
                f"{self.noun}_no_{what.lower()}": (
                    f"BEFORE {what} ON {self.table} FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
                )
                for what in ("UPDATE", "DELETE", "TRUNCATE")
            }
        tests = " ".join(
            f"SELECT RAISE(ABORT, 'UNIQUE constraint failed: {name}')"
            f" WHERE EXISTS (SELECT 1 FROM {self.table} WHERE {key});"
            for name, key in self.unique_keys.items()
        )
        refusals = {
            f"{self.noun}_no_{what.lower()}": (
                f"BEFORE {what} ON {self.table} BEGIN"
                f" SELECT RAISE(ABORT, '{self.noun}_no_{what.lower()}: {self.table} is append-only'); END"
            )
            for what in ("UPDATE", "DELETE")
        }
        return refusals | {
            f"{self.noun}_no_replace": f"BEFORE INSERT ON {self.table} BEGIN {tests} END"
        }


# Before an insert with an automatic id (or rowid), NEW's is -1.
LOG: Final = Guarded(
    table="games_event",
    noun="event",
    unique_keys={
        "event_id_once": "NEW.id <> -1 AND id = NEW.id",
        "event_seq_once": "game_id = NEW.game_id AND seq = NEW.seq",
        "event_turn_once": "NEW.turn IS NOT NULL AND game_id = NEW.game_id AND round = NEW.round AND turn = NEW.turn",
        "event_one_bid_per_seat": (
            "NEW.kind = 'bid' AND kind = 'bid' AND game_id = NEW.game_id AND round = NEW.round"
            " AND attempt = NEW.attempt AND seat = NEW.seat"
        ),
        "event_card_once": (
            "NEW.kind = 'played' AND kind = 'played' AND game_id = NEW.game_id AND round = NEW.round"
            " AND attempt = NEW.attempt AND card = NEW.card"
        ),
    },
)
SEEDS: Final = Guarded(
    table="games_dealsecret",
    noun="secret",
    unique_keys={
        "secret_one_per_game": "game_id = NEW.game_id",
        "secret_rowid_once": "NEW.rowid <> -1 AND rowid = NEW.rowid",
    },
)
SEALED_BIDS: Final = Guarded(
    table="games_sealedbid",
    noun="sealed_bid",
    unique_keys={
        "sealed_bid_id_once": "NEW.id <> -1 AND id = NEW.id",
        "sealed_bid_one_per_seat": (
            "game_id = NEW.game_id AND round = NEW.round AND attempt = NEW.attempt AND seat = NEW.seat"
        ),
    },
)
TRAIL: Final = Guarded(
    table="games_casestep",
    noun="case_step",
    unique_keys={
        "case_step_id_once": "NEW.id <> -1 AND id = NEW.id",
        "case_step_number_once": "case_id = NEW.case_id AND number = NEW.number",
    },
)
GUARDED: Final = (LOG, SEEDS, SEALED_BIDS, TRAIL)

_POSTGRESQL_REFUSAL: Final = """
BEGIN RAISE EXCEPTION '%: % is append-only', TG_NAME, TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation'; END
"""
_POSTGRESQL_FUNCTION: Final = f"""
CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $${_POSTGRESQL_REFUSAL}$$
"""


def install(*, using: str = DEFAULT_DB_ALIAS, **_: Any) -> None:
    """Install the triggers anew and, where the application has a role of its own, its rights. (`post_migrate` receiver)"""
    connection = connections[using]
    tables = connection.introspection.table_names()
    guarded = [each for each in GUARDED if each.table in tables]
    with connection.cursor() as cursor:
        if guarded and connection.vendor == "postgresql":
            cursor.execute(_POSTGRESQL_FUNCTION)
        for each in guarded:
            _install(connection, cursor, each)
        if guarded and connection.vendor == "postgresql":
            _grant(cursor, guarded)


@contextmanager
def lifted(guarded: Guarded, *, using: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """A transaction in which the rows of this table can be changed, for the owner of the tables alone. Nobody else sees them unguarded."""
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        _remove(connection, cursor, guarded)
        yield
        _install(connection, cursor, guarded)


def check(
    *, databases: Sequence[str] | None = None, app_configs: object = None, **_: Any
) -> list[CheckMessage]:
    """System check: every trigger is there, switched on, and says what it should."""
    return [message for alias in databases or () for message in _missing(connections[alias])]


def check_role(
    *, databases: Sequence[str] | None = None, app_configs: object = None, **_: Any
) -> list[CheckMessage]:
    """System check of a deployment: nobody serves as a role that could get past the triggers."""
    return [
        Warning(
            "The database role of this process may change the log, the seeds or the sealed bids.",
            hint=f"Migrate as the owner of the tables, and serve as {APP_ROLE}.",
            id="games.W001",
        )
        for alias in databases or ()
        if _may_change_them(connections[alias])
    ]


def _install(connection: BaseDatabaseWrapper, cursor: Any, guarded: Guarded) -> None:
    _remove(connection, cursor, guarded)
    for name, body in guarded.triggers(connection.vendor).items():
        cursor.execute(f"CREATE TRIGGER {name} {body}")
        if connection.vendor == "postgresql":
            # Else `SET session_replication_role = replica` would switch it off for a session.
            cursor.execute(f"ALTER TABLE {guarded.table} ENABLE ALWAYS TRIGGER {name}")


def _remove(connection: BaseDatabaseWrapper, cursor: Any, guarded: Guarded) -> None:
    on_table = f" ON {guarded.table}" if connection.vendor == "postgresql" else ""
    if connection.vendor == "postgresql":
        # It alters no table of which a foreign key is still to be checked.
        connection.check_constraints()
    for name in guarded.triggers(connection.vendor):
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on_table}")


def _missing(connection: BaseDatabaseWrapper) -> list[CheckMessage]:
    tables = connection.introspection.table_names()
    return [
        Error(
            f"The trigger {name} is missing, off or not ours: {guarded.table} could be rewritten.",
            hint="Run `manage.py migrate`: it installs the triggers.",
            id="games.E001",
        )
        for guarded in GUARDED
        if guarded.table in tables
        for name, body in guarded.triggers(connection.vendor).items()
        if f"CREATE TRIGGER {name} {body}" not in _present(connection, guarded.table)
    ]


def _present(connection: BaseDatabaseWrapper, table: str) -> set[str]:
    """The triggers of a table that fire, as they are defined."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT pg_get_triggerdef(t.oid, true) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid"
                " WHERE t.tgrelid = %s::regclass AND t.tgenabled = 'A' AND p.prosrc = %s",
                [table, _POSTGRESQL_REFUSAL],
            )
        else:
            cursor.execute(
                "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table]
            )
        return {definition for (definition,) in cursor.fetchall()}


def _may_change_them(connection: BaseDatabaseWrapper) -> bool:
    if connection.vendor != "postgresql":
        return False
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        for guarded in GUARDED:
            if guarded.table not in tables:
                continue
            # Of a table's owner and of a superuser this is true, whatever was granted.
            cursor.execute(
                "SELECT has_table_privilege(%s, 'UPDATE, DELETE, TRUNCATE')", [guarded.table]
            )
            if cursor.fetchone()[0]:
                return True
    return False


def _grant(cursor: Any, guarded: Sequence[Guarded]) -> None:
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [APP_ROLE])
    if cursor.fetchone() is None:
        return
    cursor.execute(f"GRANT USAGE ON SCHEMA public TO {APP_ROLE}")
    cursor.execute(
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {APP_ROLE}"
    )
    cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {APP_ROLE}")
    for each in guarded:
        cursor.execute(f"REVOKE UPDATE, DELETE, TRUNCATE ON {each.table} FROM {APP_ROLE}")
