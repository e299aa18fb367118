"""Production's shape, natively: PostgreSQL, Redis, gunicorn, prefork workers, one clock."""

import json
import shutil
import urllib.request
from collections import Counter
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.production.services import APP, OWNER, Production, postgresql, redis_server
from tests.site.processes import wait_until

pytestmark = [
    pytest.mark.production,
    pytest.mark.skipif(
        shutil.which("redis-server") is None,
        reason="no redis-server on this machine (apt-get install redis-server)",
    ),
]


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    folder = tmp_path_factory.mktemp("production")
    with postgresql(folder / "postgres") as socket_folder, redis_server(folder) as redis_port:
        production = Production(folder, socket_folder, redis_port)
        production.manage(
            "migrate", "--verbosity", "0", DATABASE_URL=production.database_url(OWNER)
        )
        production.manage("collectstatic", "--noinput", "--verbosity", "0")
        try:
            production.serve()
            yield production
        finally:
            production.stop()


@pytest.fixture(scope="module")
def token(production: Production) -> str:
    return production.manage("create_token", "robo", "--create", "--bot").strip()


def ask(
    production: Production, token: str, path: str, body: dict[str, Any] | None = None
) -> dict[str, Any]:
    request = urllib.request.Request(
        f"{production.url}/api/v1{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        read: dict[str, Any] = json.loads(answer.read())
        return read


def test_four_bots_play_a_whole_match_over_rest(production: Production, token: str) -> None:
    seats = ["bot:steady", "bot:beginner", "bot:steady", "bot:beginner"]

    game = ask(production, token, "/games", {"preset": "arcadia", "seats": seats})
    is_over = wait_until(
        lambda: ask(production, token, f"/games/{game['id']}")["status"] == "finished", seconds=180
    )

    assert is_over, production.said()
    export = ask(production, token, f"/games/{game['id']}/export")
    kinds = Counter(event["kind"] for event in export["events"])
    assert kinds["played"] == 5 * 52
    assert [event["seq"] for event in export["events"]] == [*range(1, export["head"]["seq"] + 1)]
    assert export["result"]["reason"] == "rounds"


def test_a_match_is_heard_as_it_is_played(production: Production, token: str) -> None:
    seats = ["bot:steady", "bot:beginner", "bot:steady", "bot:beginner"]
    game = ask(production, token, "/games", {"rules": {"rounds": 1}, "seats": seats})["id"]
    url = f"http://127.0.0.1:{production.streams_port}/api/v1/games/{game}/stream"

    heard = []
    with urllib.request.urlopen(url, timeout=60) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                heard.append(json.loads(line.removeprefix(b"data: ")))
                if heard[-1]["kind"] == "revealed":
                    break

    assert heard == ask(production, token, f"/games/{game}/events")["events"]


def test_the_role_that_serves_cannot_change_the_log(production: Production) -> None:
    attacks = [
        "UPDATE games_event SET card = 'AS'",
        "DELETE FROM games_event",
        "TRUNCATE games_event",
        "ALTER TABLE games_event DISABLE TRIGGER ALL",
        "DROP TABLE games_event",
    ]
    with psycopg.connect(production.database_url(APP), autocommit=True) as connection:
        for attack in attacks:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(attack)


def test_the_deployment_check_is_clean(production: Production) -> None:
    production.manage(
        "check",
        "--deploy",
        "--database",
        "default",
        "--fail-level",
        "WARNING",
        SITE_URL="https://callbreak.example",
    )


def test_pages_and_static_files_are_served(production: Production) -> None:
    with urllib.request.urlopen(production.url + "/", timeout=30) as page:
        html = page.read().decode()
    stylesheet = html.split('rel="stylesheet" href="', 1)[1].split('"', 1)[0]

    with urllib.request.urlopen(production.url + stylesheet, timeout=30) as answer:
        assert answer.status == 200
        assert "immutable" in answer.headers["Cache-Control"]
        assert "Content-Security-Policy" in answer.headers
