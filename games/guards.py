"""What the database itself refuses about the log: changing, deleting, replacing or emptying it.

The triggers are installed after every `migrate` (a rebuilt table loses them without a word) and a system check refuses to
serve without them. On PostgreSQL the owner of a table can get past its triggers, so the application connects as another
role, which is granted no UPDATE, DELETE or TRUNCATE here.
"""

from collections.abc import Sequence
from typing import Any, Final

from django.core.checks import CheckMessage, Error, Warning
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

TABLE: Final = "games_event"
APP_ROLE: Final = "callbreak_app"

# `INSERT OR REPLACE` deletes the row in its way without asking the DELETE trigger, so every unique key is tested before the
# insert. Keep in step with the unique constraints of `Event`: tests/games/test_the_database_refuses.py tries each.
_UNIQUE_KEYS: Final = {
    # Before an insert with an automatic id, NEW.id is -1.
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
}

_SQLITE: Final = {
    "event_no_update": (
        f"BEFORE UPDATE ON {TABLE} BEGIN SELECT RAISE(ABORT, 'event_no_update: the log is append-only'); END"
    ),
    "event_no_delete": (
        f"BEFORE DELETE ON {TABLE} BEGIN SELECT RAISE(ABORT, 'event_no_delete: the log is append-only'); END"
    ),
    "event_no_replace": (
        f"BEFORE INSERT ON {TABLE} BEGIN "
        + " ".join(
            f"SELECT RAISE(ABORT, 'UNIQUE constraint failed: {name}')"
            f" WHERE EXISTS (SELECT 1 FROM {TABLE} WHERE {key});"
            for name, key in _UNIQUE_KEYS.items()
        )
        + " END"
    ),
}

_POSTGRESQL_REFUSAL: Final = """
BEGIN RAISE EXCEPTION '%: the log is append-only', TG_NAME USING ERRCODE = 'integrity_constraint_violation'; END
"""
_POSTGRESQL_FUNCTION: Final = f"""
CREATE OR REPLACE FUNCTION event_refuse() RETURNS trigger LANGUAGE plpgsql AS $${_POSTGRESQL_REFUSAL}$$
"""
_POSTGRESQL: Final = {
    "event_no_update": f"BEFORE UPDATE ON {TABLE} FOR EACH STATEMENT EXECUTE FUNCTION event_refuse()",
    "event_no_delete": f"BEFORE DELETE ON {TABLE} FOR EACH STATEMENT EXECUTE FUNCTION event_refuse()",
    "event_no_truncate": f"BEFORE TRUNCATE ON {TABLE} FOR EACH STATEMENT EXECUTE FUNCTION event_refuse()",
}


def install(*, using: str = DEFAULT_DB_ALIAS, **_: Any) -> None:
    """Install the triggers anew and, where the application has a role of its own, its rights. (`post_migrate` receiver)"""
    connection = connections[using]
    if TABLE not in connection.introspection.table_names():
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRESQL_FUNCTION)
        for name, body in _wanted(connection).items():
            on_table = f" ON {TABLE}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on_table}")
            cursor.execute(f"CREATE TRIGGER {name} {body}")
            if connection.vendor == "postgresql":
                # Else `SET session_replication_role = replica` would switch it off for a session.
                cursor.execute(f"ALTER TABLE {TABLE} ENABLE ALWAYS TRIGGER {name}")
        if connection.vendor == "postgresql":
            _grant(cursor)


def check(
    *, databases: Sequence[str] | None = None, app_configs: object = None, **_: Any
) -> list[CheckMessage]:
    """System check: the log's triggers are there, switched on, and say what they should."""
    return [message for alias in databases or () for message in _missing(connections[alias])]


def check_role(
    *, databases: Sequence[str] | None = None, app_configs: object = None, **_: Any
) -> list[CheckMessage]:
    """System check of a deployment: nobody serves as a role that could get past the triggers."""
    return [
        Warning(
            "The database role of this process may change the log.",
            hint=f"Migrate as the owner of the tables, and serve as {APP_ROLE}.",
            id="games.W001",
        )
        for alias in databases or ()
        if _may_change_the_log(connections[alias])
    ]


def _missing(connection: BaseDatabaseWrapper) -> list[CheckMessage]:
    if TABLE not in connection.introspection.table_names():
        return []
    present = _present(connection)
    return [
        Error(
            f"The trigger {name} is missing, off or not ours: the log could be rewritten.",
            hint="Run `manage.py migrate`: it installs the triggers of the log.",
            id="games.E001",
        )
        for name, body in _wanted(connection).items()
        if f"CREATE TRIGGER {name} {body}" not in present
    ]


def _present(connection: BaseDatabaseWrapper) -> set[str]:
    """The triggers of the log that fire, as they are defined."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT pg_get_triggerdef(t.oid, true) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid"
                " WHERE t.tgrelid = %s::regclass AND t.tgenabled = 'A' AND p.prosrc = %s",
                [TABLE, _POSTGRESQL_REFUSAL],
            )
        else:
            cursor.execute(
                "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [TABLE]
            )
        return {definition for (definition,) in cursor.fetchall()}


def _may_change_the_log(connection: BaseDatabaseWrapper) -> bool:
    if connection.vendor != "postgresql" or TABLE not in connection.introspection.table_names():
        return False
    with connection.cursor() as cursor:
        # Of a table's owner and of a superuser this is true, whatever was granted.
        cursor.execute("SELECT has_table_privilege(%s, 'UPDATE, DELETE, TRUNCATE')", [TABLE])
        return bool(cursor.fetchone()[0])


def _wanted(connection: BaseDatabaseWrapper) -> dict[str, str]:
    return _POSTGRESQL if connection.vendor == "postgresql" else _SQLITE


def _grant(cursor: Any) -> None:
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [APP_ROLE])
    if cursor.fetchone() is None:
        return
    cursor.execute(f"GRANT USAGE ON SCHEMA public TO {APP_ROLE}")
    cursor.execute(
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {APP_ROLE}"
    )
    cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {APP_ROLE}")
    cursor.execute(f"REVOKE UPDATE, DELETE, TRUNCATE ON {TABLE} FROM {APP_ROLE}")
