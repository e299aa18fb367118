"""Tables as clients see them: made, read and played on through HTTP. The built-in bots answer in this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.http import HttpResponseBase
from django.utils import timezone
from rest_framework.test import APIClient

from games import store
from games.models import Event, Game
from games.queries import running
from games.services import following

API: Final = "/api/v1"
THREE_BOTS: Final = ["me", "bot:steady", "bot:beginner", "bot:steady"]
Json = dict[str, Any]


def body_of(response: Any, status: int) -> Json:  # Any: the test client's response has a json()
    """The JSON of an answer that has this status."""
    assert response.status_code == status, response.content
    found: Json = response.json()
    return found


def problem_of(response: Any, status: int, code: str) -> Json:  # Any: as above
    """The problem document of an answer, found to be whole."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    problem: Json = response.json()
    assert problem["code"] == code
    assert problem["status"] == status
    assert problem["type"] == f"/api/docs/errors#{code}"
    assert problem["title"]
    assert problem["detail"]
    return problem


def new_game(api: APIClient, **body: Any) -> Json:
    """A table made with `body`; an Arcadia table against three bots where it says nothing."""
    if "rules" not in body:
        body.setdefault("preset", "arcadia")
    body.setdefault("seats", THREE_BOTS)
    return body_of(api.post(f"{API}/games", body, format="json"), 201)


def see(api: APIClient, game: str) -> Json:
    return body_of(api.get(f"{API}/games/{game}"), 200)


def move(
    api: APIClient, game: str, **answer: Any
) -> Any:  # Any: the test client's response has a json()
    return api.post(f"{API}/games/{game}/moves", answer, format="json")


def let_bots_play(game: str) -> None:
    """Have the built-in bots make every decision that is theirs."""
    while due := _bots_due(game):
        for number, turn in due:
            following.follow_up(game, round=number, turn=turn, now=timezone.now())


def _bots_due(game: str) -> list[tuple[int, int]]:
    table = store.load(game, now=timezone.now())
    store.fold(table, *running(table))
    return [(number, table.rounds[number].turn_of(seat)) for number, seat in table.answers_due()]


def my_turn(api: APIClient, game: str) -> tuple[Json, Json]:
    """The game when it waits for the caller, and the caller's own round that waits."""
    let_bots_play(game)
    seen = see(api, game)
    own = next(row for row in seen["you"]["rounds"] if row["to_act"])
    return seen, own


def answer_to(own: Json, game: Json) -> Json:
    """A legal answer to an own round that waits: the lowest bid or the first legal card."""
    place = {"round": own["round"], "turn": own["turn"]}
    if own["legal"]:
        return {**place, "card": own["legal"][0]}
    return {**place, "bid": game["rules"]["min_bid"]}


def play_until_over(game: str, *players: APIClient) -> Json:
    """Play a game to its end: these players answer when it waits for them. The first one's view of it."""
    while (seen := see(players[0], game))["status"] == "playing":
        let_bots_play(game)
        for api in players:
            _answer_all(api, game)
    return seen


def play_to_the_cards(game: str, api: APIClient) -> tuple[Json, Json]:
    """Bid, and wait for the first card to be asked for."""
    while True:
        seen, own = my_turn(api, game)
        if own["legal"]:
            return seen, own
        body_of(move(api, game, **answer_to(own, seen)), 201)


def _answer_all(api: APIClient, game: str) -> None:
    seen = see(api, game)
    for own in seen["you"]["rounds"]:
        if own["to_act"]:
            body_of(move(api, game, **answer_to(own, seen)), 201)


@contextmanager
def unchanged() -> Iterator[None]:
    """Everything in the block leaves the logs as they are: no game, no event, no other head."""
    before = logs()
    yield
    assert logs() == before


def logs() -> tuple[int, list[tuple[str, int, str, str]]]:
    """How many events there are, and where the log of every game ends."""
    heads = Game.objects.order_by("pk").values_list("pk", "seq", "head", "status")
    return Event.objects.count(), list(heads)


def texts_in(response: HttpResponseBase) -> str:
    """Body and headers of an answer, to look for what must not be there."""
    return bytes(getattr(response, "content", b"")).decode() + str(dict(response.headers))
