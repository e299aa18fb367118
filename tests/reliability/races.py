"""Many hands on one table at once: real requests to a real server, let go at the same moment."""

import http.client
import json
import socket
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Barrier
from typing import Any, Final

from tests.elsewhere import Elsewhere

SERVER: Final = ("-m", "gunicorn", "-c", "python:callbreak_site.gunicorn_conf")
PATIENCE_SECONDS: Final = 60
SEAT: Final = """
    import json
    from django.utils import timezone
    from accounts.models import Scope, User
    from accounts.tokens import issue_token
    from tests.games.tables import ARCADIA, new_game, seated
    cast = [User.objects.create_user(name, f"{name}@example.com") for name in ("asha", "bina", "chandra", "dipak", "eli")]
    tokens = [issue_token(user, name="races", scopes=Scope.values, now=timezone.now())[1] for user in cast]
    games = {"playing": seated(cast[:4], ARCADIA.replace(rounds=ROUNDS))}
    side_by_side = ARCADIA.replace(parallel_rounds=True, sealed_bids=True)
    games["side by side"] = seated(cast[:4], side_by_side)
    games["open"] = new_game(cast[0], seats=("me", "open", "bot:steady", "bot:steady"))
    games["to start"] = new_game(cast[0], seats=("me", "open", "open", "open"))
    print("SEATED", json.dumps({"tokens": tokens, "games": games}))
    """
VERIFY: Final = """
    from games.models import Event, Game
    from games.queries import export
    from games.store import load
    from django.utils import timezone
    from games.engine.chain import hashes
    for game in Game.objects.all():
        lines = export(game.id, None, now=timezone.now())["events"]
        records = [{name: value for name, value in line.items() if name != "hash"} for line in lines]
        assert [each.hex() for each in hashes(game.id, records)] == [line["hash"] for line in lines]
        load(game.id, *game.rounds.values_list("number", flat=True), now=timezone.now())
    print("VERIFIED")
    """


@dataclass
class Answer:
    status: int
    body: dict[str, Any]


@dataclass
class Server:
    """A web server of two processes on a site of its own, with people at its tables."""

    site: Elsewhere
    port: int = 0
    tokens: list[str] = field(default_factory=list)
    games: dict[str, str] = field(default_factory=dict)

    def open(self, *, rounds: int) -> None:
        seated = self.site.told(f"ROUNDS = {rounds}\n" + _flat(SEAT), "SEATED")
        self.tokens, self.games = seated["tokens"], seated["games"]
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.site.start(
            *SERVER, "--bind", f"127.0.0.1:{self.port}", "callbreak_site.wsgi", WEB_WORKERS="2"
        )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._is_up():
            assert time.monotonic() < deadline, (self.site.folder / "processes.log").read_text()
            time.sleep(0.1)

    def ask(
        self,
        method: str,
        path: str,
        person: int,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            link.request(
                method,
                f"/api/v1/{path}",
                body=None if body is None else json.dumps(body),
                headers={
                    "Authorization": f"Bearer {self.tokens[person]}",
                    "Content-Type": "application/json",
                    **(headers or {}),
                },
            )
            got = link.getresponse()
            return Answer(got.status, json.loads(got.read() or b"{}"))
        finally:
            link.close()

    def at_once(
        self, posts: Sequence[tuple[str, int, object]], headers: Mapping[str, str] | None = None
    ) -> list[Answer]:
        """Send these `(path, person, body)` at the same moment; the answers in their order."""
        barrier = Barrier(len(posts))

        def send(post: tuple[str, int, object]) -> Answer:
            barrier.wait()
            return self.ask("POST", *post, headers)

        with ThreadPoolExecutor(len(posts)) as pool:
            return list(pool.map(send, posts))

    def verify(self) -> None:
        """Every log of the site is whole and replays."""
        assert "VERIFIED" in self.site.run(_flat(VERIFY))

    def _is_up(self) -> bool:
        try:
            return self.ask("GET", "me", 0).status == 200
        except OSError:
            return False


@dataclass
class Raced:
    """What came of a race at one table."""

    decisions: int = 0
    posts: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        told = ", ".join(f"{count} x {status}" for status, count in sorted(self.statuses.items()))
        return f"{self.decisions} decisions, {self.posts:,} posts at once ({told}): {self.decisions} events"


def race(server: Server, *, decisions: int, alike: int, unlike: int) -> Raced:
    """Answer so many decisions with `alike` equal posts and `unlike` different ones, all at once."""
    game, raced = server.games["playing"], Raced()
    view = server.ask("GET", f"games/{game}", 0).body
    seats = {seat["player"]: seat["seat"] for seat in view["seats"]}
    assert [*seats] == ["asha", "bina", "chandra", "dipak"]
    while raced.decisions < decisions:
        row = next(each for each in view["rounds"] if each["turn"] is not None)
        seat, here = row["to_act"], {"round": row["round"], "turn": row["turn"]}
        answers = _answers(server, game, seat, row)
        bodies = [answers[0]] * alike + [
            answers[1 + nth % (len(answers) - 1)] for nth in range(unlike)
        ]
        got = server.at_once([(f"games/{game}/moves", seat, here | body) for body in bodies])
        before, view = view["seq"], server.ask("GET", f"games/{game}", 0).body
        _judge(raced, bodies, got, here, follows=view["seq"] - before)
        raced.decisions += 1
        raced.posts += len(bodies)
    return raced


def race_across(server: Server, *, steps: int) -> Raced:
    """Answer on every board of a table at once, twice each, so many times; the first time all sealed bids of all boards."""
    game, raced = server.games["side by side"], Raced()
    for _ in range(steps):
        due = [
            (person, row)
            for person in range(4)
            for row in server.ask("GET", f"games/{game}", person).body["you"]["rounds"]
            if row["to_act"]
        ]
        posts = [
            (
                f"games/{game}/moves",
                person,
                {"round": row["round"], "turn": row["turn"]}
                | ({"card": row["legal"][0]} if row["legal"] else {"bid": 3}),
            )
            for person, row in due
        ]
        got = server.at_once(posts + posts)
        raced.statuses.update(answer.status for answer in got)
        for place, post in enumerate(posts):
            first, second = got[place], got[place + len(posts)]
            if sorted((first.status, second.status)) != [200, 201]:
                raced.wrong.append(f"{post[2]}: {first.status} and {second.status}")
            elif first.body["hash"] != second.body["hash"]:
                raced.wrong.append(f"{post[2]}: two answers to one decision")
        raced.decisions += len(posts)
        raced.posts += len(got)
    return raced


def _answers(server: Server, game: str, seat: int, row: dict[str, Any]) -> list[dict[str, Any]]:
    """One answer that the rules allow and six others, allowed as far as there are such."""
    if row["action"] == "bid":
        return [{"bid": bid} for bid in (3, 1, 2, 4, 5, 6, 7)]
    own = server.ask("GET", f"games/{game}", seat).body["you"]["rounds"][0]
    others = [card for card in own["hand"] if card not in own["legal"]]
    cards = [
        *own["legal"],
        *others,
        *(card for card in ("2C", "AD", "TH", "7S", "KS", "9C") if card not in own["hand"]),
    ]
    return [{"card": card} for card in cards[:7]]


def _judge(
    raced: Raced, bodies: list[Any], got: list[Answer], here: object, *, follows: int
) -> None:
    raced.statuses.update(answer.status for answer in got)
    made = [place for place, answer in enumerate(got) if answer.status == 201]
    again = [place for place, answer in enumerate(got) if answer.status == 200]
    if len(made) != 1 or {answer.status for answer in got} - {200, 201, 409, 422}:
        raced.wrong.append(f"{here}: {[answer.status for answer in got]}")
        return
    winner = got[made[0]].body
    for place in again:
        if bodies[place] != bodies[made[0]] or got[place].body["hash"] != winner["hash"]:
            raced.wrong.append(f"{here}: another answer was taken for the same")
    if sum(body == bodies[made[0]] for body in bodies) != len(made) + len(again):
        raced.wrong.append(f"{here}: the same answer was not answered alike")
    # A round's end brings the seed and the next deal with it.
    if follows not in (1, 2, 3):
        raced.wrong.append(f"{here}: {follows} events")


def winners(answers: Sequence[Answer], wins: Callable[[Answer], bool]) -> int:
    return sum(wins(answer) for answer in answers)


def _flat(code: str) -> str:
    return "\n".join(line.removeprefix("    ") for line in code.splitlines())
