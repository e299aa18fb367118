"""Who gets what answer at every address of the site: the tables in `tests/api/access`, which somebody has read.

A new address fails until it is in them: `ACCESS_MATRIX=write python -m pytest tests/api/test_access_matrix.py` writes them
anew, and what changed in them is to be reviewed as the change that it is.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
import time_machine
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import resolve
from oauth2_provider.models import Application

from accounts.bots import make_bot
from accounts.models import Scope, User
from accounts.tokens import issue_token
from accounts.webhooks import keeping
from games.api.streams import SERVED
from games.services import lobby
from games.services.inviting import invite
from tests.accounts.app import registered
from tests.games.tables import NOW, ONE_ROUND, loaded, new_game, step
from tests.reliability.routes import FILLED, Ask, Moment, asks_of, every_route
from tests.second_factor import give_code

TABLES: Final = Path(__file__).parent / "access"
IS_WRITTEN: Final = os.environ.get("ACCESS_MATRIX") == "write"
LEGEND: Final = """\
# The status of each answer; `login`: sent to log in; `scope`: 403, the token lacks it; `-`: a page takes no token.
# owner: made the table, sits and is to act. other: sits beside. outsider: does not. staff: no case is theirs.
# bot: a token of a bot account that may do everything. token: one of the owner's that may. app: one of an app that acts for
# the owner and may. Then one of the owner's for each scope.
# What a row's method is for nobody (405) is left out.
"""
IS_OF_A_GAME: Final = ("game>", "game_id>")
# Said by the machine's state, not by who asks.
NOT_ABOUT_THE_CALLER: Final = ("readyz",)
METHODS: Final = ("GET", "POST", "PUT", "DELETE")


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with a session, a token, or nothing."""

    name: str
    cookie: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to ask: the position, and what the parameters of the routes stand for."""

    moment: Moment
    filled: Mapping[str, str]


@pytest.fixture(autouse=True)
def frozen() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def callers(asha: User, bina: User, eli: User, person: Callable[[str], User]) -> list[Caller]:
    staff = User.objects.create_superuser("farida", "farida@example.com", "seven of spades")
    bot = make_bot(person("farid"), "robot", now=NOW)
    return [
        Caller("owner", cookie=_session(asha)),
        Caller("other", cookie=_session(bina)),
        Caller("outsider", cookie=_session(eli)),
        Caller("nobody"),
        Caller("staff", cookie=_session(staff)),
        Caller("bot", token=_token(bot, *Scope.values)),
        Caller("token", token=_token(asha, *Scope.values)),
        Caller("app", token=_app_token(asha, eli)),
        *(Caller(scope.value, token=_token(asha, scope)) for scope in Scope),
        Caller("no scope", token=_token(asha)),
    ]


def _open_table(asha: User, bina: User) -> str:
    game = new_game(asha, seats=["me", "open", "open", "open"])
    lobby.sit(bina, game, now=NOW)
    return game


def _running_table(visibility: str) -> Callable[[User, User], str]:
    def make(asha: User, bina: User) -> str:
        seats = ["me", f"user:{bina.username}", "bot:steady", "bot:beginner"]
        while True:
            game = new_game(asha, ONE_ROUND, seats, visibility=visibility)
            lobby.sit(bina, game, now=NOW)
            while step(game):
                if _leads(game):
                    return game

    return make


def _leads(game: str) -> bool:
    """Whether the owner is to lead a trick: whatever the cards, the answers are the same there."""
    seen = loaded(game).observe(1, 0)
    return seen.state == "playing" and seen.acts and not seen.trick


WHERE: Final[Mapping[str, tuple[Callable[[User, User], str], bool]]] = {
    "away-from-tables": (_open_table, False),
    "open-table": (_open_table, True),
    "public-table": (_running_table("public"), True),
    "link-table": (_running_table("link"), True),
}


@pytest.mark.parametrize("where", WHERE)
def test_everybody_gets_at_every_address_what_the_table_says(
    where: str, asha: User, bina: User, callers: list[Caller]
) -> None:
    make, is_of_a_game = WHERE[where]
    place = _place(make(asha, bina), asha)
    routes = [
        route
        for route in every_route()
        if any(name in route for name in IS_OF_A_GAME) == is_of_a_game
    ]

    found = _matrix(routes, place, callers)

    table = TABLES / f"{where}.txt"
    if IS_WRITTEN:
        table.write_text(found)
    assert found.splitlines() == table.read_text().splitlines()


def test_the_scope_that_is_missing_is_named(asha: User, bina: User, callers: list[Caller]) -> None:
    place = _place(_open_table(asha, bina), asha)
    without = callers[-1]
    named = 0

    for route in every_route():
        for method, scope in _scopes(route, place).items():
            if scope is None:
                continue
            answer = _asked(without, _ask(route, method, place))
            assert answer.status_code == 403, (route, method)
            assert json.loads(_body(answer))["scope"] == scope
            named += 1

    assert named > 30


def _place(game: str, asha: User) -> Place:
    """The game as its owner stands there, and things of the owner's to ask for."""
    table = loaded(game)
    token = issue_token(asha, name="to be revoked", scopes=[Scope.GAMES_READ], now=NOW)[0]
    webhook = keeping.make(asha, "https://ours.example/hook", ["turn_opened"], now=NOW)[0]
    delivery = keeping.send_test(webhook, now=NOW)
    link = 0
    if table.game.status == "open":
        invite(asha, game, now=NOW, seat=2)
        link = table.game.invitations.get().pk
    moment = Moment(game, 1, 0, table.game.seq, bids=[], cards=[])
    if 1 in table.rounds:
        seen = table.observe(1, 0)
        card = seen.legal[0].text
        moment = Moment(game, 1, table.rounds[1].turn_of(0), table.game.seq, bids=[], cards=[card])
    filled = {
        **FILLED,
        "app": str(Application.objects.get().pk),
        "bot": str(make_bot(asha, "ours", now=NOW).pk),
        "content_type_id": "0",
        "delivery": delivery.pk,
        "id": str(asha.pk),
        "invitation": str(link),
        "object_id": str(asha.pk),
        "pk": str(token.pk),
        "webhook": str(webhook.pk),
    }
    return Place(moment, filled)


def _matrix(routes: list[str], place: Place, callers: list[Caller]) -> str:
    """The table as text: a row for each method of each route, a column for each caller."""
    rows = []
    for route in routes:
        if route in NOT_ABOUT_THE_CALLER:
            continue
        for method in _methods(route, place):
            ask = _ask(route, method, place)
            answers = [
                "-"
                if caller.token and caller.name != "token" and not route.startswith("api/")
                else _shown(_asked(caller, ask))
                for caller in callers
            ]
            if set(answers) - {"405", "-"}:
                rows.append([f"{method} /{route}", *answers])
    heads = ["", *(caller.name for caller in callers)]
    widths = [max(len(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in [heads, *rows]
    ]
    return LEGEND + "\n".join(lines) + "\n"


def _methods(route: str, place: Place) -> list[str]:
    """Those of an API view that declares them, else those that there is something to ask with."""
    asked = {ask.method for ask in asks_of(route, place.moment, place.filled)}
    wanted = asked | set(_scopes(route, place))
    return [method for method in METHODS if method in wanted]


def _scopes(route: str, place: Place) -> Mapping[str, Scope | None]:
    """What the view at this route wants of a token, by method; nothing where it is no view of the API."""
    path = asks_of(route, place.moment, place.filled)[0].path
    view: Any = resolve("/" + path.partition("?")[0]).func
    scopes: Mapping[str, Scope | None] = getattr(getattr(view, "cls", None), "scopes", {})
    return scopes


def _ask(route: str, method: str, place: Place) -> Ask:
    """The first thing to ask there with this method. StopIteration: `routes` knows of none."""
    filled = dict(place.filled)
    if route.startswith("settings/webhooks/"):
        filled["pk"] = filled["delivery"] if "slug:pk" in route else filled["webhook"]
    if route.startswith("settings/apps/"):
        filled["pk"] = filled["app"]
    if route.startswith("settings/bots/"):
        filled["pk"] = filled["bot"]
    if route.startswith("admin/accounts/apitoken/"):
        filled["object_id"] = filled["pk"]
    elif route.startswith("admin/") and "accounts/user/" not in route:
        filled["object_id"] = "0"
    asks = asks_of(route, place.moment, filled)
    return next(ask for ask in asks if ask.method == method)


def _asked(caller: Caller, ask: Ask) -> HttpResponseBase:
    """The answer, everything that it did taken back. A process that serves streams is asked."""
    browser = Client(raise_request_exception=False)
    if caller.cookie:
        browser.cookies["sessionid"] = caller.cookie
    headers = {"Authorization": f"Bearer {caller.token}"} if caller.token else {}
    content: dict[str, Any] = {"data": dict(ask.form)} if ask.form is not None else {}
    if ask.json is not None:
        content = {"data": json.dumps(ask.json), "content_type": "application/json"}
    with transaction.atomic():
        send = getattr(browser, ask.method.lower())
        answer: HttpResponseBase = send(
            f"/{ask.path}", headers=headers, **content, **{SERVED: True}
        )
        transaction.set_rollback(True)
    assert answer.status_code != 500, f"{caller.name}: {ask}"
    return answer


def _shown(answer: HttpResponseBase) -> str:
    if answer.headers.get("Location", "").startswith("/accounts/login/"):
        return "login"
    if answer.status_code == 403 and json.loads(_body(answer)).get("code") == "scope":
        return "scope"
    return str(answer.status_code)


def _body(answer: HttpResponseBase) -> bytes:
    """The JSON of an answer, nothing for a page."""
    is_json = answer.headers["Content-Type"].endswith("json")
    return bytes(getattr(answer, "content", b"{}")) if is_json else b"{}"


def _session(user: User) -> str:
    browser = Client()
    browser.force_login(user, backend="accounts.backends.NameOrEmail")
    if user.is_staff:
        give_code(browser, user)
    return browser.cookies["sessionid"].value


def _app_token(user: User, maker: User) -> str:
    browser = Client()
    browser.force_login(user, backend="accounts.backends.NameOrEmail")
    return str(registered(maker).let_in(browser, " ".join(Scope.values))["access_token"])


def _token(user: User, *scopes: str) -> str:
    return issue_token(user, name="matrix", scopes=scopes, now=NOW)[1]
