"""Games in every state a ruling can find them in, and whether everything that is told of a game is one story."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.test import Client

from accounts.models import User
from callbreak_verify import verify
from games import queries, store
from games.engine import events
from games.engine.events import Ruled, Ruling
from games.engine.match import Match, replay
from games.engine.rules import PRESETS, HouseRules
from games.models import Event, Game
from games.services import following, freezing, pace, rulings
from games.services.audit import verify_game
from games.services.rulings import Order
from games.store import By
from games.wording import score_text
from tests.games.tables import ARCADIA, NOW, loaded, new_game, play_on, seated

WHY: Final = "The reason that everybody may read."
RULES: Final[dict[str, HouseRules]] = {
    **PRESETS,
    "yeeqia": PRESETS["yeeqia"].replace(max_rounds=2),
    "side by side": ARCADIA.replace(rounds=3, parallel_rounds=True),
    "sealed": ARCADIA.replace(rounds=2, sealed_bids=True),
    "instant win": PRESETS["everestbuzz-practice"].replace(rounds=2, instant_win_bid=8),
}


def order(ruling: str, **fields: Any) -> Order:
    """A ruling as a reviewer gives it: the engine's fields, and `seconds` or `to_player` beside them."""
    extra = {name: fields.pop(name) for name in ("seconds", "to_player") if name in fields}
    return Order(
        ruled=Ruled(Ruling(ruling), **fields), reason=WHY, cites=["arcadia/beat", 7], **extra
    )


def ruled(game: str, ruling: str, *, now: datetime = NOW, **fields: Any) -> Event:
    """Have it ruled of the game, as a second signature would."""
    with store.locked(game, now=now) as table:
        return rulings.rule(table, order(ruling, **fields))


# States


def open_table(people: Sequence[User], rules: HouseRules) -> str:
    return new_game(people[0], rules, ("me", "open", "open", "bot:steady"))


def bidding(people: Sequence[User], rules: HouseRules) -> str:
    game = seated(people, rules)
    play_on(game, decisions=2)
    return game


def mid_trick(people: Sequence[User], rules: HouseRules) -> str:
    game = seated(people, rules)
    play_on(game, decisions=30)
    return game


def second_round(people: Sequence[User], rules: HouseRules) -> str:
    game = seated(people, rules)
    played = 0
    while not any(row.scores for row in Game.objects.get(pk=game).rounds.all()):
        play_on(game, decisions=1 + played % 3)
        played += 1
    play_on(game, decisions=9)
    return game


def finished(people: Sequence[User], rules: HouseRules) -> str:
    game = seated(people, rules)
    play_on(game)
    return game


def frozen(people: Sequence[User], rules: HouseRules) -> str:
    game = mid_trick(people, rules)
    with store.locked(game, now=NOW) as table:
        freezing.freeze(table, by=By.STAFF)
    return game


def abandoned(people: Sequence[User], rules: HouseRules) -> str:
    game, later = mid_trick(people, rules), NOW
    while Game.objects.get(pk=game).status == Game.Status.PLAYING:
        later += timedelta(days=9)
        pace.wake(game, round=queries.running(loaded(game))[0], now=later)
        while _bots_play(game, later):
            pass
    return game


def cancelled(people: Sequence[User], rules: HouseRules) -> str:
    game = mid_trick(people, rules)
    ruled(game, "cancel_game")
    return game


def _bots_play(game: str, now: datetime) -> bool:
    table = loaded(game)
    return any(
        following.follow_up(game, round=number, turn=table.rounds[number].turn_of(seat), now=now)
        for number, seat in table.bots_due()
    )


STATES: Final[dict[str, Callable[[Sequence[User], HouseRules], str]]] = {
    each.__name__: each
    for each in (
        *(open_table, bidding, mid_trick, second_round),
        *(finished, frozen, abandoned, cancelled),
    )
}


# One story


def assert_one_story(game: str, *, page: bool = False) -> Match | None:
    """Replay from zero, the columns, the export, the API's answer and the pages say the same. The match, once it began."""
    assert verify_game(game, now=NOW) == []
    export: Any = queries.export(game, None, now=NOW)
    assert [line for is_well, line in verify(export) if not is_well] == []
    table = store.load(game, now=NOW)
    browser = Client()
    seen = browser.get(f"/api/v1/games/{game}").json()
    if page:
        for address in ("", "log/", "sheet/"):
            assert browser.get(f"/games/{game}/{address}").status_code == 200
    if table.game.first_dealer is None:
        return None
    match = folded(game)
    assert seen["totals"] == list(match.standings.totals) == table.game.totals
    assert seen["adjusted"] == list(match.adjusted)
    for row, state in zip(seen["rounds"], match.rounds, strict=True):
        told = (row["round"], row["state"], row["attempt"], row["dealer"], row["won"])
        due = (state.number, str(state.state), state.attempt, state.dealer, list(state.won))
        assert told == due
        assert row["scores"] == (None if state.scores is None else list(state.scores))
    if page:
        sheet = browser.get(f"/games/{game}/sheet/").content.decode()
        foot = sheet.split("<tfoot>")[1].split("</tfoot>")[0]
        for total in match.standings.totals:
            assert f">{score_text(total, table.rules.score_scale)}</td>" in foot
    return match


def folded(game: str) -> Match:
    """The match as the log makes it from nothing, with the hands that the seed deals."""
    table = store.load(game, now=NOW)
    facts = []
    for event in Event.objects.filter(game=game).order_by("seq"):
        line = {**store.record_of(event)}
        hands = (
            table.hands(event.data["key"], event.attempt or 0) if event.kind == "dealt" else None
        )
        fact = events.from_record(line, hands)
        if fact is not None:
            facts.append(fact)
    return replay(table.rules, table.game.first_dealer or 0, facts)
