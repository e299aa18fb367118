"""Streams tell everything once, however often they are cut off, and nothing to whoever may not listen any more."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from textwrap import dedent
from threading import Thread
from typing import Any, Final

import pytest

from games.api.live import MOST_OF_ONE
from tests.elsewhere import Elsewhere
from tests.reliability.listening import Line, Listener, Streams
from tests.reliability.races import Server
from tests.site.processes import wait_until

GAMES: Final = 50
# Of each game: all bids and a trick.
DECISIONS: Final = 8
CAST: Final = ("asha", "bina", "chandra", "dipak", "eli")
ELI: Final = 4
ELIS_SEAT: Final = 3
SEATED: Final = """
    import json
    from django.utils import timezone
    from accounts.models import User
    from games.services import lobby
    from tests.games import tables
    from tests.games.tables import ARCADIA, seated
    tables.NOW = timezone.now()  # streams go by the clock on the wall
    lobby.MAX_RUNNING_GAMES = 500  # of which other tests have left some
    cast = [User.objects.get(username=name) for name in ("asha", "bina", "chandra", "eli")]
    print("SEATED", json.dumps([seated(cast, ARCADIA.replace(rounds=1)) for _ in range(GAMES)]))
    """
PLAYED: Final = """
    from django.utils import timezone
    from tests.games import tables
    for _ in range(DECISIONS):
        for game in GAMES:
            tables.NOW = timezone.now()
            tables.step(game)
    """

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def streams(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: object
) -> Iterator[Streams]:
    with django_db_blocker.unblock():  # type: ignore[attr-defined] # pytest-django does not export its type
        site = Elsewhere(tmp_path_factory.mktemp("streams"))
        try:
            site.manage("migrate", "--verbosity=0")
            site.manage("createcachetable")
            server = Server(site)
            server.open(rounds=1)
            streams = Streams(server)
            streams.start()
            yield streams
        finally:
            site.remove()


def feed(server: Server, game: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    while more := server.ask("GET", f"games/{game}/events?after={len(events)}", 0).body["events"]:
        events += more
    return events


def play_on(server: Server, game: str, decisions: int) -> None:
    """Have so many decisions made, each by its person."""
    for _ in range(decisions):
        view = server.ask("GET", f"games/{game}", 0).body
        row = next((row for row in view["rounds"] if row["turn"] is not None), None)
        if row is None:
            return
        person = CAST.index(view["seats"][row["to_act"]]["player"])
        answer: dict[str, Any] = {"bid": 3}
        if row["action"] == "play":
            own = server.ask("GET", f"games/{game}", person).body["you"]["rounds"][0]
            answer = {"card": own["legal"][0]}
        here = {"round": row["round"], "turn": row["turn"]}
        assert server.ask("POST", f"games/{game}/moves", person, here | answer).status == 201


def seat_games(server: Server, number: int) -> list[str]:
    games: list[str] = server.site.told(f"GAMES = {number}\n" + dedent(SEATED), "SEATED")
    return games


def listening(listener: Listener, until: int) -> Thread:
    thread = Thread(target=listener.hear, args=(until,), daemon=True)
    thread.start()
    return thread


def is_silent(streams: Streams, listener: Listener) -> bool:
    """Whether nothing more is told to whoever heard all this."""
    with Line(streams, listener.path, listener.person, listener.last) as line:
        line.wait_at_most(1.0)
        try:
            return next(line.told(), None) is None
        except TimeoutError:
            return True


def test_a_match_is_told_whole_though_the_stream_is_cut_at_every_event(
    streams: Streams, count: Callable[[str], None]
) -> None:
    server, game = streams.server, streams.server.games["playing"]
    listener = Listener(streams, f"games/{game}/stream")
    thread = listening(listener, 50)

    for played in range(56):
        play_on(server, game, 1)
        if played in (7, 20, 41):
            streams.kill()
            streams.start()
    thread.join(60)
    log = feed(server, game)
    listener.hear(len(log))

    assert [int(told.id) for told in listener.heard] == [*range(1, len(log) + 1)]
    assert [told.data for told in listener.heard] == log
    assert listener.calls >= len(log)
    assert is_silent(streams, listener)
    count(f"streams: a match of {len(log)} events, cut at each and killed 3 times: 0 lost, 0 twice")


def test_an_account_hears_of_fifty_games_though_it_is_cut_at_every_event(
    streams: Streams, count: Callable[[str], None]
) -> None:
    server = streams.server
    listener = Listener(streams, "me/stream", ELI, last=f"{int(time.time()):08x};")
    # A start, a bid and a card in each game at least.
    thread = listening(listener, 3 * GAMES)

    games = seat_games(server, GAMES)
    server.site.run(f"GAMES = {games}\nDECISIONS = {DECISIONS}\n" + dedent(PLAYED))
    thread.join(60)
    waiting = {
        (turn["game"], turn["round"], turn["turn"])
        for turn in server.ask("GET", "me/turns", ELI).body["turns"]
        if turn["game"] in games
    }
    made = {
        (game, told["round"], told["turn"])
        for game in games
        for told in feed(server, game)
        if told["seat"] == ELIS_SEAT and told["turn"] is not None
    }
    # An id made up of a time alone may bring turns of a game that another test has just played, too.
    while len(own := [each for each in listener.heard if each.data["game"] in games]) < (
        GAMES + len(made | waiting)
    ):
        listener.hear(len(listener.heard) + 1)

    told = Counter(
        (each.kind, each.data["game"], each.data.get("round"), each.data.get("turn"))
        for each in own
    )
    assert set(told.values()) == {1}
    assert {key[1:] for key in told if key[0] == "turn_opened"} == made | waiting
    assert {key[1] for key in told if key[0] == "game_started"} == set(games)
    assert len(made) >= 2 * GAMES
    assert is_silent(streams, listener)
    count(
        f"streams: {GAMES} games on one account stream, cut {listener.calls} times:"
        f" {len(own)} told, 0 lost, 0 twice"
    )


def test_a_game_that_ends_is_told_once(streams: Streams) -> None:
    server = streams.server
    [game] = seat_games(server, 1)
    listener = Listener(streams, "me/stream", ELI, last=f"{int(time.time()):08x};")
    play_on(server, game, 56)

    listener.hear(1)
    while listener.heard[-1].kind != "game_finished":
        listener.hear(len(listener.heard) + 1)

    assert listener.heard[-1].data["game"] == game
    assert listener.heard[-1].data["result"]["reason"] == "rounds"
    assert is_silent(streams, listener)


def test_a_new_account_stream_begins_with_what_waits(streams: Streams) -> None:
    server = streams.server
    [game] = seat_games(server, 1)
    while not (turns := server.ask("GET", "me/turns", ELI).body["turns"]):
        play_on(server, game, 1)
    waiting = {(turn["game"], turn["turn"]) for turn in turns}
    listener = Listener(streams, "me/stream", ELI)

    listener.hear(len(waiting))

    assert {each.kind for each in listener.heard} == {"turn_opened"}
    assert {(each.data["game"], each.data["turn"]) for each in listener.heard} == waiting
    assert is_silent(streams, listener)


@pytest.mark.parametrize("path", ["me/stream", "games/{game}/stream"])
def test_a_revoked_token_ends_its_streams_at_once(streams: Streams, path: str) -> None:
    server = streams.server
    made = server.ask("POST", "tokens", 0, {"name": "short", "scopes": ["games:read"]}).body
    server.tokens.append(made["token"])
    path = path.format(game=server.games["playing"])
    with Line(streams, path, len(server.tokens) - 1, "1" if "games/" in path else None) as line:
        assert line.status == 200
        assert server.ask("DELETE", f"tokens/{made['id']}", 0).status == 204
        revoked = time.monotonic()
        [*line.told()]  # to its end

    # Half a second here; a machine that does much else at once takes longer.
    assert time.monotonic() - revoked < 5
    with Line(streams, path, len(server.tokens) - 1) as again:
        assert (again.status, again.problem()) == (401, "not_authenticated")


def test_who_leaves_a_table_that_is_not_public_hears_no_more_of_it(streams: Streams) -> None:
    server = streams.server
    wanted = {
        "preset": "arcadia",
        "visibility": "link",
        "seats": ["me", "user:bina", "open", "open"],
    }
    game = server.ask("POST", "games", CAST.index("dipak"), wanted).body["id"]
    server.site.run(f"""
        from games.models import Seat
        from accounts.models import User
        Seat.objects.filter(game="{game}", number=1).update(user=User.objects.get(username="bina"), invited=None)
        """)
    with Line(streams, f"games/{game}/stream?after=99", 1) as line:
        assert line.status == 200
        assert server.ask("DELETE", f"games/{game}/seats/me", 1).status == 204
        assert [*line.told()] == []

    with Line(streams, f"games/{game}/stream", 1) as again:
        assert (again.status, again.problem()) == (404, "not_found")


def test_everybody_may_listen_to_a_public_game_and_nobody_to_what_is_not_there(
    streams: Streams,
) -> None:
    game = streams.server.games["playing"]
    with Line(streams, f"games/{game}/stream?after=3") as line:
        assert next(line.told()).id == "4"
    with Line(streams, "games/222222222222/stream") as line:
        assert (line.status, line.problem()) == (404, "not_found")
    with Line(streams, "me/stream") as line:
        assert (line.status, line.problem()) == (401, "not_authenticated")
    with Line(streams, "me") as line:
        assert (line.status, line.problem()) == (404, "not_found")


@pytest.mark.parametrize("last", ["x", "-1", "1.5", "9" * 12, "00000000;x", "0" * 5000])
@pytest.mark.parametrize("path", ["me/stream", "games/{game}/stream"])
def test_an_id_of_another_stream_is_refused(streams: Streams, path: str, last: str) -> None:
    with Line(streams, path.format(game=streams.server.games["playing"]), 0, last) as line:
        assert (line.status, line.problem()) == (400, "malformed")


def test_one_caller_may_have_so_many_streams(streams: Streams) -> None:
    lines = [Line(streams, "me/stream", 2) for _ in range(MOST_OF_ONE)]
    try:
        assert {line.status for line in lines} == {200}
        with Line(streams, "me/stream", 2) as refused:
            assert (refused.status, refused.problem()) == (429, "throttled")
            assert refused.response.headers["Retry-After"] == "15"
    finally:
        for line in lines:
            line.__exit__()

    # Who has hung up makes room.
    assert wait_until(lambda: _status(streams, "me/stream", 2) == 200, seconds=10)


def test_a_stream_has_the_headers_of_every_answer(streams: Streams) -> None:
    with Line(streams, "me/stream", 0) as line:
        headers = line.response.headers

    assert headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert headers["Cache-Control"] == "private, no-store"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Length"] is None


def _status(streams: Streams, path: str, person: int) -> int:
    with Line(streams, path, person) as line:
        return line.status
