"""Tables in the database as tests want them: made, seated and played on by the services, as everybody else would."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from accounts.models import User
from games import store
from games.bots import BOTS
from games.engine.cards import Card
from games.engine.observation import Observation
from games.engine.rules import PRESETS, HouseRules
from games.models import Event, Game
from games.queries import running
from games.services import following, lobby, play
from games.table import Table

NOW: Final = datetime(2026, 11, 29, 19, 29, 31, tzinfo=UTC)
ARCADIA: Final = PRESETS["arcadia"]
ONE_ROUND: Final = ARCADIA.replace(rounds=1)
BOTS_ALONE: Final = ("bot:steady", "bot:beginner", "bot:steady", "bot:beginner")

Choose = Callable[[Observation], Card | int]


def steadily(seen: Observation) -> Card | int:
    """What a person answers here, unless a test says otherwise."""
    policy = BOTS["steady"]
    return policy.play(seen) if seen.state == "playing" else policy.bid(seen)


def new_game(
    creator: User,
    rules: HouseRules = ONE_ROUND,
    seats: Sequence[str] = BOTS_ALONE,
    **options: Any,
) -> str:
    """The id of a table that `creator` made. It has started if no seat is open."""
    wanted = lobby.NewGame(rules=rules, seats=seats, **options)
    return lobby.create_game(creator, wanted, now=NOW).game.id


def seated(people: Sequence[User], rules: HouseRules = ONE_ROUND, **options: Any) -> str:
    """A started game in which the four sit in this order, the first its creator."""
    seats = ["me", *(f"user:{user.username}" for user in people[1:])]
    game = new_game(people[0], rules, seats, **options)
    for user in people[1:]:
        lobby.sit(user, game, now=NOW, contribution=user.username.encode())
    return game


def decisions(table: Table) -> list[tuple[int, int, int]]:
    """`(round, turn, seat)` of every decision that may be made now."""
    return [
        (number, table.rounds[number].turn_of(seat), seat)
        for number in running(table)
        for seat in table.rounds[number].actors
    ]


def loaded(game: str) -> Table:
    table = store.load(game, now=NOW)
    store.fold(table, *table.rows)
    return table


def step(game: str, choose: Choose = steadily, *, pick: int = 0) -> bool:
    """Have one decision made (the `pick`-th of those that may be made, cyclically). False if none is left."""
    table = store.load(game, now=NOW)
    store.fold(table, *running(table))
    due = decisions(table)
    if not due:
        return False
    number, turn, seat = due[pick % len(due)]
    user = table.seats[seat].user
    if user is None:
        return following.follow_up(game, round=number, turn=turn, now=NOW)
    answer = choose(table.observe(number, seat))
    make(user, game, answer, round=number, turn=turn)
    return True


def make(user: User, game: str, answer: Card | int, *, round: int, turn: int) -> play.Move:
    """Give this answer to that decision."""
    if isinstance(answer, Card):
        return play.play_card(user, game, answer, round=round, turn=turn, now=NOW)
    return play.place_bid(user, game, answer, round=round, turn=turn, now=NOW)


def play_on(game: str, *, decisions: int | None = None, choose: Choose = steadily) -> None:
    """Make so many decisions, or all that are left."""
    made = 0
    while made != decisions and step(game, choose, pick=made):
        made += 1


def log_of(game: str) -> list[Event]:
    return list(Event.objects.filter(game=game).order_by("seq"))


def kinds_of(game: str) -> list[str]:
    return [str(event.kind) for event in log_of(game)]


def fingerprint(game: str) -> Mapping[str, Any]:
    """Everything stored about a game, to see that a refusal changed nothing."""
    row = Game.objects.get(pk=game)
    return {
        "game": Game.objects.filter(pk=game).values().get(),
        "seats": list(row.seats.order_by("number").values()),
        "rounds": list(row.rounds.order_by("number").values()),
        "events": list(row.events.order_by("seq").values()),
    }
