"""Two worlds with the same rows, names, clock and public history, in which two seats hold other cards.

To everybody else every address of the site must answer with the same bytes, and send the same tasks and write the same
lines. Nothing is normalised: the dice are thrown again for each request, so that even the CSRF tokens are equal.
`TWIN_PAIRS=100 python -m pytest tests/reliability/test_twin_worlds.py` takes so many pairs; with TWIN_WHOLE=1 each pair is
asked everything, and nothing is shared out.
"""

import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any, Final

import pytest
import time_machine
from celery import current_app
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from accounts.models import Scope, User
from accounts.tokens import issue_token
from games.bots import BOTS
from games.engine.cards import Card
from games.engine.observation import Observation
from games.engine.rules import PRESETS, HouseRules
from games.services import deciding, lobby
from games.services.desk import cases
from games.table import dealing_with
from tests.dice import Dice
from tests.games.desk.staff import reviewer
from tests.games.tables import NOW, decisions, loaded, new_game, seated, step
from tests.reliability.routes import LEFT_OUT, Ask, Moment, asks_of, every_route, is_near
from tests.reliability.swaps import OtherWorld, other_world
from tests.second_factor import give_code

PAIRS: Final = int(os.environ.get("TWIN_PAIRS", "0"))
IS_WHOLE: Final = bool(os.environ.get("TWIN_WHOLE"))
LAST_SEQUENCES: Final = "SELECT schemaname || '.' || sequencename, last_value FROM pg_sequences"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of position: rules on top of a preset's, and how many decisions were made."""

    name: str
    made: int
    rules: dict[str, Any] = field(default_factory=dict)


KINDS: Final = (
    Kind("bidding, after a finished round", 56 + 2, {"rounds": 2}),
    Kind("sealed bids half in", 2, {"rounds": 1, "sealed_bids": True}),
    Kind("an early trick", 4 + 6, {"rounds": 1}),
    Kind("rounds side by side", 53, {"rounds": 2, "parallel_rounds": True}),
    Kind("a late trick", 4 + 37, {"rounds": 1}),
)
SCRIPTS: Final = ("the seat's token", "an outsider's token")
BROWSERS: Final = ("the seat", "an outsider")
NAMES: Final = ("arcadia", "everestbuzz-friends", "everestbuzz-practice", "arcadia")


@dataclass
class Viewer:
    """Somebody who looks on: with a session, a token, or nothing."""

    name: str
    cookies: str = ""
    token: str = ""


@dataclass
class Answer:
    """Everything that a request made come out of the site."""

    status: int
    headers: list[tuple[str, str]]
    cookies: str
    body: bytes
    tasks: list[Any]
    lines: list[str]
    mails: list[str]

    def unlike(self, other: "Answer") -> str:
        """Where the two first differ."""
        for each in fields(self):
            ours, theirs = (repr(getattr(answer, each.name)) for answer in (self, other))
            if ours != theirs:
                pairs = enumerate(zip(ours, theirs, strict=False))
                place = next((place for place, (a, b) in pairs if a != b), 0)
                start = max(place - 60, 0)
                return f"{each.name}: {ours[start : place + 60]} / {theirs[start : place + 60]}"
        return ""


@dataclass
class World:
    """Asks the site, and takes back what each request did."""

    dice: Dice
    tasks: list[Any]
    asked: int = 0

    def ask(self, viewer: Viewer, ask: Ask) -> Answer:
        self.asked += 1
        self.dice.throw_again(str(ask))
        self.tasks.clear()
        mail.outbox.clear()
        browser = Client(raise_request_exception=False)
        if viewer.cookies:
            browser.cookies["sessionid"] = viewer.cookies
        headers = {"Authorization": f"Bearer {viewer.token}"} if viewer.token else {}
        content: dict[str, Any] = {"data": dict(ask.form)} if ask.form is not None else {}
        if ask.json is not None:
            content = {"data": json.dumps(ask.json), "content_type": "application/json"}
        with as_it_was(), logged() as lines:
            # `generic` would not encode a form.
            send = getattr(browser, ask.method.lower())
            answer = send(f"/{ask.path}", headers=headers, **content)
            after_commit()
            return Answer(
                answer.status_code,
                list(answer.headers.items()),
                answer.cookies.output(),
                b"".join(answer) if answer.streaming else answer.content,
                [*self.tasks],
                [*lines],
                [str(each.message()) for each in mail.outbox],
            )


def after_commit() -> None:
    """Run what waits for the commit that never comes."""
    waiting, connection.run_on_commit = connection.run_on_commit, []
    for each in waiting:
        each[1]()


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    sent: list[Any] = []
    monkeypatch.setattr(
        current_app, "send_task", lambda task, **options: sent.append((task, options))
    )
    return sent


@contextmanager
def as_it_was() -> Iterator[None]:
    """Takes back every row and every number that was drawn for one."""
    with connection.cursor() as cursor:
        before = []
        if connection.vendor == "postgresql":
            cursor.execute(LAST_SEQUENCES)
            before = cursor.fetchall()
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
        if before:
            cursor.execute(
                ";".join(
                    f"SELECT setval('{name}', {last or 1}, {'true' if last else 'false'})"
                    for name, last in before
                )
            )


@contextmanager
def logged() -> Iterator[list[str]]:
    """The lines that everything logs meanwhile, from INFO on."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{record.name} {record.levelname} {record.getMessage()}")

    root = logging.getLogger()
    level, handlers = root.level, root.handlers
    root.handlers = [Keep()]
    root.setLevel(logging.INFO)
    try:
        yield lines
    finally:
        root.setLevel(level)
        root.handlers = handlers


@pytest.fixture(autouse=True)
def frozen() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tasks: list[Any]) -> World:
    return World(Dice(monkeypatch), tasks)


@dataclass(frozen=True, slots=True)
class Position:
    """A game, the seat that looks on and is to act, another that looks on, and the two that hold other cards there."""

    game: str
    seat: int
    bystander: int
    hidden: tuple[int, int]
    there: OtherWorld
    moment: Moment


def people(person: Callable[[str], User]) -> list[User]:
    return [person(name) for name in ("asha", "bina", "chandra", "dipak")]


def randomly(dice: Random) -> Callable[[Observation], Card | int]:
    def choose(seen: Observation) -> Card | int:
        if seen.state == "playing":
            return dice.choice(seen.legal)
        return dice.randint(seen.rules.min_bid, seen.rules.min_bid + 3)

    return choose


def position(cast: list[User], pair: int, world: World) -> Position:
    """The position of this pair: the first game of its dice in which cards can be swapped."""
    kind = KINDS[pair % len(KINDS)]
    rules = PRESETS[NAMES[pair // len(KINDS) % len(NAMES)]].replace(**kind.rules)
    for attempt in range(50):
        dice = Random(f"{pair}/{attempt}")
        world.dice.throw_again(f"{pair}/{attempt}")
        # Every other pair has bots at the table, whose turns make tasks, unless their bids leave nothing to swap.
        game = seated(cast, rules) if (pair + attempt) % 2 else among_bots(cast, rules)
        for made in range(kind.made):
            step(game, randomly(dice), pick=made)
        found = looked_on(game, dice, actor_is_hidden=is_hidden(pair))
        if found is not None:
            return found
    raise AssertionError(f"no cards can be swapped in any game of {kind}")


def among_bots(cast: list[User], rules: HouseRules) -> str:
    game = new_game(cast[0], rules, ("me", "bot:steady", "user:bina", "bot:beginner"))
    lobby.sit(cast[1], game, now=NOW)
    return game


def is_hidden(pair: int) -> bool:
    """Whether the seat to act is one of those with other cards: else nobody else's turn was ever looked at."""
    return (pair + pair // len(KINDS)) % len(KINDS) == 2


def looked_on(game: str, dice: Random, *, actor_is_hidden: bool) -> Position | None:
    table = loaded(game)
    persons = {seat.number for seat in table.seats if seat.user_id is not None}
    number, turn, actor = dice.choice(decisions(table))
    others = sorted(persons - {actor})
    if len(others) + (not actor_is_hidden and actor in persons) < 2:
        return None
    seat, bystander = dice.sample(others, 2) if actor_is_hidden else (actor, dice.choice(others))
    if seat not in persons:
        return None
    first, second = (other for other in range(4) if other not in (seat, bystander))
    there = other_world(table, first, second, dice)
    if there is None:
        return None
    seen = table.observe(number, seat)
    held = [card for card in seen.hand if card not in seen.legal]
    answers = [*seen.legal[:1], *held[:2], *there.swapped[:1], *there.swapped[-1:]]
    return Position(
        game,
        seat,
        bystander,
        (first, second),
        there,
        Moment(
            game,
            number,
            turn,
            table.game.seq,
            bids=[seen.rules.min_bid, 14],
            cards=[card.text for card in answers],
            preset=table.rules.name if table.rules.name in PRESETS else "arcadia",
        ),
    )


def viewers(at: Position, person: Callable[[str], User]) -> list[Viewer]:
    """Everybody who must not see the difference."""
    seats = loaded(at.game).seats
    asha, bina = seats[at.seat].user, seats[at.bystander].user
    assert asha is not None
    assert bina is not None
    eli = person("eli")
    staff = User.objects.create_superuser("farida", "farida@example.com", "seven of spades")
    return [
        Viewer("the seat", cookies=session_of(asha)),
        Viewer("the seat's token", token=token_of(asha)),
        Viewer("another seat", cookies=session_of(bina)),
        Viewer("an outsider's token", token=token_of(eli)),
        Viewer("nobody"),
        Viewer("an outsider", cookies=session_of(eli)),
        Viewer("staff without a case", cookies=session_of(staff)),
    ]


def session_of(user: User) -> str:
    browser = Client()
    browser.force_login(user, backend="accounts.backends.NameOrEmail")
    if user.is_staff:
        give_code(browser, user)
    return browser.cookies["sessionid"].value


def token_of(user: User) -> str:
    return issue_token(user, name="twins", scopes=Scope.values, now=timezone.now())[1]


def asked(at: Position, pair: int, viewers: list[Viewer]) -> Iterator[tuple[Viewer, Ask]]:
    """Every request of this pair. By default the many that cannot know a card are shared out among the pairs."""
    for place, route in enumerate(every_route()):
        if route in LEFT_OUT:
            continue
        for ask in asks_of(route, at.moment):
            for nth, viewer in enumerate(viewers):
                if is_near(route):
                    is_due = ask.method not in ("HEAD", "OPTIONS") or (place + nth + pair) % 5 == 0
                    # A page takes no token, and a script needs no session: these look alike.
                    is_due &= viewer.name not in (
                        SCRIPTS if not route.startswith("api/") else BROWSERS
                    )
                else:
                    is_due = place % 5 == pair % 5 and nth % 3 == place % 3
                if is_due or IS_WHOLE:
                    yield viewer, ask


def default_pairs() -> int:
    # The second database sees a part of them: what is compared hardly depends on it.
    return PAIRS or (2 if "DATABASE_URL" in os.environ else 5)


@pytest.mark.parametrize("pair", range(default_pairs()))
@pytest.mark.django_db
def test_nobody_else_can_tell_two_worlds_apart(
    pair: int,
    person: Callable[[str], User],
    world: World,
    count: Callable[[str], None],
) -> None:
    at = position(people(person), pair, world)
    everybody = viewers(at, person)
    after_commit()
    size, moved = 0, set()

    for viewer, ask in [*asked(at, pair, everybody)]:  # an unknown address fails at once
        here = world.ask(viewer, ask)
        with dealing_with(at.there.derive):
            there = world.ask(viewer, ask)
        assert here == there, f"{viewer.name}: {ask}: {here.unlike(there)}"
        assert here.status != 500, f"{viewer.name}: {ask} {here.lines}"
        size += len(here.body)
        if ask.path.endswith("/moves") and ask.method == "POST":
            moved.add((viewer.name, here.status))

    # Both what is accepted and what is refused was looked at.
    if not is_hidden(pair):
        assert {("the seat's token", 201), ("the seat's token", 422)} <= moved
    assert ("an outsider's token", 403) in moved
    bots = bots_agree(at)
    kind = KINDS[pair % len(KINDS)].name
    count(
        f"twin worlds: pair {pair} ({kind}; {len(at.there.swapped)} cards elsewhere): {world.asked:,} answers,"
        f" {size:,} bytes twice, {bots} bot decisions: 0 bytes differ"
    )


def bots_agree(at: Position) -> int:
    """Every bot whose own hand is the same decides the same. How many decisions were compared."""
    compared = 0
    for seat in (at.seat, at.bystander):
        here = loaded(at.game)
        with dealing_with(at.there.derive):
            there = loaded(at.game)
        for number, _, acting in decisions(here):
            if acting != seat:
                continue
            for level in BOTS:
                first = deciding.ask_bot(here, here.observe(number, seat), level=level)
                second = deciding.ask_bot(there, there.observe(number, seat), level=level)
                assert first == second
                compared += 1
        for number in here.rounds:
            assert here.observe(number, seat) == there.observe(number, seat)
            assert here.observe(number, None) == there.observe(number, None)
    return compared


@pytest.mark.django_db
def test_the_two_seats_themselves_see_their_other_cards(
    person: Callable[[str], User], world: World
) -> None:
    """Else the harness would prove nothing."""
    cast = people(person)
    at = position(cast, 1, world)
    table = loaded(at.game)
    for seat in at.hidden:
        user = table.seats[seat].user
        assert user is not None
        viewer = Viewer("a seat with other cards", cookies=session_of(user))
        for path in (f"api/v1/games/{at.game}", f"games/{at.game}/"):
            here = world.ask(viewer, Ask("GET", path))
            with dealing_with(at.there.derive):
                there = world.ask(viewer, Ask("GET", path))
            assert (here.status, there.status) == (200, 200)
            assert here.body != there.body


@pytest.mark.parametrize("pair", range(2))
@pytest.mark.django_db
def test_not_even_the_staff_of_a_case_can_tell_them_apart_before_it_opens_the_hands(
    pair: int, person: Callable[[str], User], world: World
) -> None:
    at = position(people(person), pair, world)
    farida, game = reviewer("farida"), at.game
    case = cases.open_case(farida, game, round=at.moment.round, now=NOW)
    cases.take(farida, case.pk, now=NOW)
    after_commit()
    staff = Viewer("the staff of the case", cookies=session_of(farida))
    here = f"admin/desk/{case.pk}/"
    ruling = {"ruling": "void_round", "reason": "x" * 30, "cites": "1", "round": at.moment.round}
    asks = [
        *(
            Ask("GET", f"{here}?round={at.moment.round}&seq={at.moment.seq - back}")
            for back in range(6)
        ),
        *(Ask("GET", path) for path in (here, f"{here}?verify=1", "admin/desk/")),
        *(Ask("POST", f"{here}do", form={"do": what}) for what in ("let_go", "freeze", "take")),
        Ask("POST", f"{here}propose", form=ruling),
    ]

    for ask in asks:
        first = world.ask(staff, ask)
        with dealing_with(at.there.derive):
            second = world.ask(staff, ask)
        assert first == second, f"{ask}: {first.unlike(second)}"
        assert first.status in (200, 302), ask

    # Else the harness would prove nothing.
    cases.open_hands(farida, case.pk, round=at.moment.round, now=NOW)
    position_asked = Ask("GET", f"{here}?round={at.moment.round}&seq={at.moment.seq}")
    opened = world.ask(staff, position_asked)
    with dealing_with(at.there.derive):
        otherwise = world.ask(staff, position_asked)
    assert (opened.status, otherwise.status) == (200, 200)
    assert opened.body != otherwise.body


def test_every_route_has_a_fixture() -> None:
    somewhere = Moment("K7QX2M9RTV4B", 1, 0, 9, bids=[1], cards=["AS"])
    missing = []
    for route in every_route():
        if route in LEFT_OUT:
            continue
        try:
            asks = asks_of(route, somewhere)
        except LookupError:
            missing.append(route)
            continue
        assert {ask.method for ask in asks} >= {"GET", "HEAD", "OPTIONS"}
        path = "/" + asks[0].path.partition("?")[0]
        assert resolve(path).route == route.replace("^", ""), path

    assert missing == []
