"""Who waits for the next event hears of it at once, and never so many wait that others do."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.elsewhere import Elsewhere
from tests.reliability.races import Answer, Server

pytestmark = pytest.mark.django_db

# Two processes of eight threads each, of which a quarter may wait.
MAY_WAIT = 4


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: object
) -> Iterator[Server]:
    with django_db_blocker.unblock():  # type: ignore[attr-defined] # pytest-django does not export its type
        site = Elsewhere(tmp_path_factory.mktemp("polls"))
        try:
            site.manage("migrate", "--verbosity=0")
            site.manage("createcachetable")
            server = Server(site)
            server.open(rounds=1)
            yield server
        finally:
            site.remove()


@pytest.fixture
def poll(server: Server) -> Callable[..., tuple[Answer, float]]:
    """Asks for what comes after everything so far; the answer, and how many seconds it took."""

    def ask(person: int, seconds: int, game: str = "open") -> tuple[Answer, float]:
        path = f"games/{server.games[game]}/events"
        last = server.ask("GET", f"{path}?limit=1", 0).body["seq"]
        began = time.monotonic()
        answer = server.ask("GET", f"{path}?after={last}&wait={seconds}", person)
        return answer, time.monotonic() - began

    return ask


def test_news_are_told_as_they_come(
    server: Server, poll: Callable[..., tuple[Answer, float]]
) -> None:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(poll, 1, 25, "to start")
        time.sleep(1)
        sat = server.ask("POST", f"games/{server.games['to start']}/seats", 2, {})
        answer, seconds = waiting.result()

    assert (sat.status, answer.status) == (200, 200), answer.body
    assert [event["kind"] for event in answer.body["events"]] == ["joined"]
    assert answer.body["seq"] == answer.body["events"][-1]["seq"]
    assert seconds < 20


def test_without_news_the_answer_is_empty_in_the_end(
    poll: Callable[..., tuple[Answer, float]],
) -> None:
    answer, seconds = poll(1, 2)

    assert (answer.status, answer.body["events"]) == (200, [])
    assert seconds >= 2


def test_a_quarter_of_the_threads_may_wait_and_nobody_else_does(
    server: Server, poll: Callable[..., tuple[Answer, float]], count: Callable[[str], None]
) -> None:
    with ThreadPoolExecutor(24) as pool:
        waiting = [pool.submit(poll, 1, 25) for _ in range(24)]
        time.sleep(2)
        reads = [server.ask("GET", "me", 0).status for _ in range(20)]
        server.ask("POST", f"games/{server.games['open']}/seats", 1, {})
        polls = [each.result() for each in waiting]

    told = sum(bool(answer.body["events"]) for answer, _ in polls)
    assert {answer.status for answer, _ in polls} == {200}
    assert reads == [200] * 20
    assert 1 <= told <= MAY_WAIT
    count(f"long polls: 24 at once, {told} waited, the others were answered at once")


def test_a_token_that_is_revoked_waits_no_longer(
    server: Server, poll: Callable[..., tuple[Answer, float]]
) -> None:
    made = server.ask("POST", "tokens", 0, {"name": "short", "scopes": ["games:read"]}).body
    server.tokens.append(made["token"])
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(poll, len(server.tokens) - 1, 25)
        time.sleep(1)
        server.ask("DELETE", f"tokens/{made['id']}", 0)
        revoked = time.monotonic()
        answer, _ = waiting.result()

    assert (answer.status, answer.body["code"]) == (401, "not_authenticated")
    assert time.monotonic() - revoked < 1
