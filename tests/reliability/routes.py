"""Every address of the site with what to send there. A new address without an entry fails the suite."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import URLPattern, URLResolver, get_resolver

Body = Mapping[str, Any]

# What the parameters of other people's routes stand for: Django's admin, allauth.
FILLED: Final = {
    "app_label": "accounts",
    "case_id": "1",
    "content_type_id": "1",
    "deed": "verify",
    "delivery": "msg_000000000000000000000000",
    "device": "1",
    "id": "1",
    "invitation": "1",
    "key": "abc",
    "object_id": "1",
    "pk": "1",
    "seat": "2",
    "player": "asha",
    "uidb36": "1",
    "step": "1",
    "token": "nobodys",
    "url": "games/nothing/",
    "webhook": "1",
}
# Addresses of other people's making and our own few that show no game: an empty form is what they are sent.
PLAIN: Final = (
    "admin/",
    "accounts/",
    "settings/",
    "notices/",
    "oauth/",
    ".well-known/",
    "i18n/",
    "healthz",
    "readyz",
    "api/docs/",
)
# Lists that games are in. Every other address without a game in it is asked by turns, since there are many.
LISTS: Final = ("", "home/", "next/", "tables/", "api/v1/games", "api/v1/me/turns")
# Not asked, and why.
LEFT_OUT: Final[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: `form` or `json` is what a POST or DELETE sends."""

    method: str
    path: str
    json: Body | None = None
    form: Body | None = None

    def __str__(self) -> str:
        return f"{self.method} /{self.path} {self.json or self.form or ''}"


@dataclass(frozen=True, slots=True)
class Moment:
    """What a position offers to be asked: the game, the decision of the seat that looks on, answers worth trying."""

    game: str
    round: int
    turn: int
    seq: int
    bids: Sequence[int]
    cards: Sequence[str]
    preset: str = "arcadia"

    @property
    def moves(self) -> list[Body]:
        here = {"round": self.round, "turn": self.turn}
        return [
            *({**here, "bid": bid} for bid in self.bids),
            *({**here, "card": card} for card in self.cards),
            *({**here, "turn": self.turn + 1, "card": card} for card in self.cards[:1]),
        ]


def every_route() -> Iterator[str]:
    yield from _walk(get_resolver().url_patterns, "")


def _walk(patterns: Sequence[URLPattern | URLResolver], before: str) -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            yield route


def is_near(route: str) -> bool:
    """Whether this is an address where a game is shown or played."""
    return route in LISTS or "game>" in route or "game_id>" in route


def asks_of(route: str, now: Moment, filled: Mapping[str, str] = FILLED) -> list[Ask]:
    """What to ask at this route, its parameters `filled` so. LookupError when nothing is known about it."""
    path = _filled(route, now, filled)
    asks = [Ask("HEAD", path), Ask("OPTIONS", path)]
    if route.startswith(PLAIN):
        return [Ask("GET", path), *asks, Ask("POST", path, form={})]
    queries, posts = _known(now)[route]
    asks += [Ask("GET", path + query) for query in queries]
    if route.startswith("api/"):
        asks += [Ask("POST", path, json=post) for post in posts]
    else:
        asks += [Ask("POST", path, form=post) for post in posts]
    asks += [Ask("PUT", path, json=put) for put in _PUTS.get(route, ())]
    if route in _DELETED:
        asks.append(Ask("DELETE", path))
    return asks


_PLAN: Final = "api/v1/games/<api_game:game>/rounds/<int:round>/plan"
_AUTOPILOT: Final = "api/v1/games/<api_game:game>/rounds/<int:round>/autopilot"
_OFFER: Final = "api/v1/games/<api_game:game>/seats/<api_seat:seat>/offer"
_PUTS: Final[Mapping[str, Sequence[Body]]] = {
    _PLAN: [{"rules": [{"when": {"led": "H"}, "play": "lowest"}, {"play": "ask"}]}, {}],
    _AUTOPILOT: [{}],
    _OFFER: [{}, {"to": "eli"}, {"to": 1}],
}
_DELETED: Final = (
    "api/v1/games/<api_game:game>/seats/me",
    "api/v1/tokens/<int:token>",
    "api/v1/webhooks/<int:webhook>",
    _PLAN,
    _AUTOPILOT,
    _OFFER,
)


def _known(now: Moment) -> Mapping[str, tuple[Sequence[str], Sequence[Body]]]:
    """Route -> the query strings to read it with, and the bodies to post to it."""
    cards = [move for move in now.moves if "card" in move]
    bids = [move for move in now.moves if "bid" in move]
    picked: list[Body] = [{**move, "picked": move["card"]} for move in cards[:1]]
    reading: tuple[list[str], list[Body]] = ([""], [])
    nothing: Body = {}
    table = {"preset": now.preset, "seats": ["me", "bot:steady", "bot:steady", "bot:steady"]}
    report: Body = {"seq": now.seq - 2, "category": "play", "text": "That card."}
    seen = [
        f"?round={now.round}",
        f"?round={now.round}&help=1",
        *(f"?pick={card}" for card in now.cards),
    ]
    return {
        "api/v1/openapi.yaml": (["", "?format=json"], []),
        "api/v1/rules": reading,
        "api/v1/me": reading,
        "api/v1/me/turns": reading,
        "api/v1/me/stream": reading,
        "api/v1/tokens": ([""], [{"name": "twin", "scopes": ["games:read"]}, nothing]),
        "api/v1/tokens/<int:token>": reading,
        "api/v1/bots": ([""], [{"name": "twinned", "scopes": ["games:read"]}, nothing]),
        "api/v1/webhooks": ([""], [{"url": "https://twin.example/hook"}, nothing]),
        "api/v1/webhooks/<int:webhook>": reading,
        "api/v1/webhooks/<int:webhook>/secret": ([""], [nothing]),
        "api/v1/webhooks/<int:webhook>/enable": ([""], [nothing]),
        "api/v1/webhooks/<int:webhook>/test": ([""], [nothing]),
        "api/v1/webhooks/<int:webhook>/deliveries": reading,
        "api/v1/webhooks/<int:webhook>/deliveries/<slug:delivery>/redeliver": ([""], [nothing]),
        "api/v1/games": (["", "?status=playing", "?mine=true", "?awaiting=true"], [table, {}, {"preset": "none"}]),
        "api/v1/games/reserve": ([""], [nothing]),
        "api/v1/games/<api_game:game>": (["", "?format=json"], []),
        "api/v1/games/<api_game:game>/seats": ([""], [nothing, {"seat": 2}, {"invite": "guessed"}]),
        "api/v1/games/<api_game:game>/seats/me": ([""], []),
        "api/v1/games/<api_game:game>/seats/me/back": ([""], [nothing]),
        _OFFER: ([""], []),
        "api/v1/games/<api_game:game>/seats/<api_seat:seat>/substitute": ([""], [nothing]),
        "api/v1/games/<api_game:game>/start": ([""], [nothing]),
        "api/v1/games/<api_game:game>/moves": ([""], [*now.moves, nothing]),
        "api/v1/games/<api_game:game>/claims": ([""], [{"round": now.round, "turn": now.turn}, nothing]),
        _PLAN: reading,
        _AUTOPILOT: reading,
        "api/v1/games/<api_game:game>/coach": reading,
        "api/v1/games/<api_game:game>/rounds/<int:round>/coach": ([""], [nothing]),
        "api/v1/games/<api_game:game>/rounds/<int:round>/bid-help": reading,
        "api/v1/games/<api_game:game>/events": (["", f"?after={now.seq - 3}&limit=2"], []),
        "api/v1/games/<api_game:game>/stream": (["", f"?after={now.seq - 3}"], []),
        "api/v1/games/<api_game:game>/export": reading,
        "api/v1/games/<api_game:game>/transcript": reading,
        "": reading,
        "play/": ([""], [nothing]),
        "home/": reading,
        "next/": ([""], [nothing]),
        "tables/": reading,
        "games/new/": (["", f"?preset={now.preset}"], [nothing, {"preset": now.preset}]),
        "rules/": reading,
        "rules/<slug:name>/": reading,
        "fairness/": reading,
        "callbreak_verify.py": reading,
        "push-worker.js": (["", "?lang=ne"], []),
        "learn/": reading,
        "learn/<int:step>/": ([""], [nothing]),
        "games/<slug:game_id>/": (["", "?invite=guessed", *seen], []),
        "games/<slug:game_id>/table": (["", f"?v={now.seq}", *seen[2:3]], []),
        "games/<slug:game_id>/bid": ([""], [*bids, nothing]),
        "games/<slug:game_id>/play": ([""], [*cards, *picked, nothing]),
        "games/<slug:game_id>/back": ([""], [nothing]),
        "games/<slug:game_id>/seats/<int:seat>/offer": ([""], [nothing, {"to": "eli"}, {"on": "no"}]),
        "games/<slug:game_id>/seats/<int:seat>/take-over": ([""], [nothing]),
        "games/<slug:game_id>/sit": ([""], [nothing, {"seat": "2"}, {"invite": "guessed"}]),
        "games/<slug:game_id>/claim": ([""], [{"round": now.round, "turn": now.turn}, nothing]),
        "games/<slug:game_id>/autopilot": ([""], [{"round": now.round, "on": "yes"}, nothing]),
        "games/<slug:game_id>/plan/<int:number>/": ([""], [{"rules": "0", "otherwise": "lowest", "do": "save"}, {"do": "add"}]),
        "games/<slug:game_id>/plan/<int:number>/away": ([""], [nothing]),
        "games/<slug:game_id>/leave": ([""], [nothing]),
        "games/<slug:game_id>/start": ([""], [nothing]),
        "games/<slug:game_id>/replay/": (["", f"?seq={now.seq - 2}", f"?round={now.round}", "?seq=x"], []),
        "games/<slug:game_id>/coach/": (["", f"?round={now.round}"], [{"round": now.round}, nothing]),
        "games/<slug:game_id>/sheet/": reading,
        "games/<slug:game_id>/log/": (["", f"?after={now.seq - 3}"], []),
        "games/<slug:game_id>/verify/": reading,
        "games/<slug:game_id>/proof/": reading,
        "transparency/": (["", "?page=2"], []),
        "api/v1/checkpoints": (["", "?before=2"], []),
        "api/v1/games/<api_game:game>/proof": reading,
        "people/<str:player>/": reading,
        "reports/": reading,
        "cases/<int:case_id>/": reading,
        "cases/<int:case_id>/appeal": ([""], [nothing, {"text": "Again"}]),
        "rulings/": reading,
        "games/<slug:game_id>/report/": (["", f"?seq={now.seq - 2}", f"?round={now.round}", "?seq=x"], [nothing, report]),
        "api/v1/disputes/mine": reading,
        "api/v1/games/<api_game:game>/disputes": ([""], [report, nothing]),
        "games/<slug:game_id>/rematch": ([""], [nothing]),
        "games/<slug:game_id>/invitations/": ([""], [nothing, {"seat": "2"}]),
        "games/<slug:game_id>/invitations/<int:invitation>/revoke": ([""], [nothing]),
    }  # fmt: skip


def _filled(route: str, now: Moment, filled: Mapping[str, str]) -> str:
    """The route with its parameters filled in. KeyError for a parameter that nobody thought of."""
    values = {**filled, "game": now.game, "game_id": now.game, "name": now.preset}
    values |= {"round": str(now.round), "number": str(now.round)}
    if route.startswith("api/v1/tokens/"):  # elsewhere a token is a text
        values["token"] = filled["pk"]
    path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values[found[1]], _without_regex(route))
    return path.removeprefix("^").replace("^", "").replace("$", "").replace("/$", "/")


def _without_regex(route: str) -> str:
    """`(?P<key>[-:\\w]+)` written as `<key>`, as in every other route."""
    return re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", route)
