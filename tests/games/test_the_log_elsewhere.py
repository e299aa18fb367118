"""The same refusals where a test's own transaction cannot stand in: another role, a rebuilt table, real commits."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.elsewhere import Elsewhere, is_postgresql

pytestmark = pytest.mark.django_db

PLAY: Final = """
    from accounts.models import User
    from tests.games.tables import new_game, play_on
    play_on(new_game(User.objects.create_user("asha", "asha@example.com")), decisions=9)
    """
# Tries each statement and prints what became of it.
TRY: Final = """
    import sys
    from django.db import DatabaseError, connection, transaction
    from games.models import Event
    before = list(Event.objects.order_by("pk").values())
    for statement in STATEMENTS:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(statement)
                print("DONE", statement)
        except DatabaseError as error:
            print("REFUSED", statement)
    print("LOG", len(before), "SAME" if before == list(Event.objects.order_by("pk").values()) else "CHANGED")
    """


@pytest.fixture(scope="module")
def elsewhere(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: object
) -> Iterator[Elsewhere]:
    """A database of its own with a game of 9 decisions in it."""
    with django_db_blocker.unblock():  # type: ignore[attr-defined] # pytest-django does not export its type
        site = Elsewhere(tmp_path_factory.mktemp("elsewhere"))
        if is_postgresql():
            site.add_role("callbreak_app")
        site.manage("migrate", "--verbosity=0")
        site.run(PLAY)
        yield site
        site.remove()


def tried(site: Elsewhere, statements: list[str], **environment: str) -> tuple[list[str], str]:
    """Which of the statements were done, and what became of the log."""
    lines = site.run(f"STATEMENTS = {statements!r}\n" + _dedented(TRY), **environment).splitlines()
    done = [line.removeprefix("DONE ") for line in lines if line.startswith("DONE")]
    return done, next(line for line in lines if line.startswith("LOG"))


def _dedented(code: str) -> str:
    return "\n".join(line.removeprefix("    ") for line in code.splitlines())


def test_the_application_role_cannot_touch_the_log(elsewhere: Elsewhere) -> None:
    if not is_postgresql():
        pytest.skip("SQLite knows no roles")
    statements = [
        "UPDATE games_event SET card = '2C'",
        "DELETE FROM games_event",
        "TRUNCATE games_event",
        "TRUNCATE games_game CASCADE",
        "UPDATE games_dealsecret SET sealed = sealed",
        "DELETE FROM games_dealsecret",
        "UPDATE games_sealedbid SET bid = 1",
        "DELETE FROM games_sealedbid",
        "DROP TRIGGER secret_no_update ON games_dealsecret",
        "INSERT INTO games_event SELECT * FROM games_event ON CONFLICT (id) DO UPDATE SET hash = ''",
        "DROP TRIGGER event_no_update ON games_event",
        "ALTER TABLE games_event DISABLE TRIGGER event_no_update",
        "ALTER TABLE games_event DISABLE TRIGGER ALL",
        "ALTER TABLE games_event DROP CONSTRAINT event_seq_once",
        "ALTER TABLE games_event OWNER TO callbreak_app",
        "DROP TABLE games_event CASCADE",
        "CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql"
        " AS 'BEGIN RETURN NULL; END'",
        "DROP FUNCTION append_only() CASCADE",
        "SET session_replication_role = replica",
        "GRANT UPDATE ON games_event TO callbreak_app",  # a warning at best: see below
        "UPDATE games_event SET card = '2C' WHERE seq = 9",
        "SET ROLE postgres",
    ]

    done, log = tried(elsewhere, statements, DATABASE_URL=elsewhere.url("callbreak_app"))

    assert done == ["GRANT UPDATE ON games_event TO callbreak_app"] or done == []
    assert log.endswith("SAME")


def test_the_application_role_plays_all_the_same(elsewhere: Elsewhere) -> None:
    if not is_postgresql():
        pytest.skip("SQLite knows no roles")

    said = elsewhere.run(
        """
        from games.models import Event, Game
        from tests.games.tables import play_on
        before = Event.objects.count()
        play_on(Game.objects.get().id, decisions=5)
        print("ADDED", Event.objects.count() - before)
        """,
        DATABASE_URL=elsewhere.url("callbreak_app"),
    )

    assert "ADDED 5" in said


def test_a_deployment_that_serves_as_the_owner_is_told_so(elsewhere: Elsewhere) -> None:
    if not is_postgresql():
        pytest.skip("SQLite knows no roles")

    asked = ["check", "--deploy", "--database=default", "--tag=database"]
    owner = elsewhere.manage(*asked)
    elsewhere.environment, kept = (
        elsewhere.environment | {"DATABASE_URL": elsewhere.url("callbreak_app")},
        elsewhere.environment,
    )
    application = elsewhere.manage(*asked)
    elsewhere.environment = kept

    assert "games.W001" in owner
    assert "games.W001" not in application


def test_the_owner_is_refused_by_the_triggers(elsewhere: Elsewhere) -> None:
    statements = ["UPDATE games_event SET seq = seq", "DELETE FROM games_event"]
    if is_postgresql():
        statements.append("TRUNCATE games_event CASCADE")

    done, log = tried(elsewhere, statements)

    assert done == []
    assert log.endswith("SAME")


def test_a_lost_trigger_is_reported_and_migrate_brings_it_back(elsewhere: Elsewhere) -> None:
    on_table = " ON games_event" if is_postgresql() else ""
    elsewhere.run(
        f"""
        from django.db import connection
        with connection.cursor() as cursor:
            cursor.execute("DROP TRIGGER event_no_update{on_table}")
        """
    )

    alarm = elsewhere.manage("check", "--database=default", ok=False)
    elsewhere.manage("migrate", "--verbosity=0")
    calm = elsewhere.manage("check", "--database=default")

    assert "games.E001" in alarm
    assert "event_no_update" in alarm
    assert "no issues" in calm


def test_a_migration_that_rebuilds_the_table_gets_its_triggers_back(
    elsewhere: Elsewhere,
) -> None:
    # SQLite alters a column by making the table anew, which drops its triggers without a word.
    rebuild = """
        from django.core.management import call_command
        from django.db import connection, migrations, models
        from django.db.migrations.executor import MigrationExecutor
        from games import guards
        from games.models import Event

        class Migration(migrations.Migration):
            dependencies = [("games", LAST)]
            operations = [migrations.AlterField("event", "hash", models.CharField(max_length=65))]

        def missing():
            return len(guards.check(databases=["default"]))

        executor = MigrationExecutor(connection)
        state = executor.loader.project_state()
        before = list(Event.objects.order_by("pk").values())
        with connection.schema_editor() as editor:
            Migration("9999_rebuild", "games").apply(state, editor)
        print("MISSING", missing())
        call_command("migrate", verbosity=0)
        print("THEN", missing(), "SAME" if before == list(Event.objects.order_by("pk").values()) else "CHANGED")
        """
    last = sorted(Path("games/migrations").glob("0*.py"))[-1].stem

    said = elsewhere.run(
        f"LAST = {last!r}\n"
        + "\n".join(line.removeprefix("        ") for line in rebuild.splitlines())
    )

    lost = 0 if is_postgresql() else 3
    assert f"MISSING {lost}" in said
    assert "THEN 0 SAME" in said
    statements = ["UPDATE games_event SET seq = seq", "DELETE FROM games_event"]
    assert tried(elsewhere, statements)[0] == []
