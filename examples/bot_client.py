"""A first bot for Callbreak: it makes a table against three bots (or joins yours) and plays to the end.

    python bot_client.py http://127.0.0.1:8000 cbk_YOUR_TOKEN            makes a table
    python bot_client.py http://127.0.0.1:8000 cbk_YOUR_TOKEN GAME_ID    takes a seat at one

The token comes from your account page, or from `manage.py create_token NAME --scopes games:read,games:play,tables:write`.
Nothing but the standard library is needed. To make it your own bot, change `choose_bid` and `choose_card`: the site says which
cards are legal, so you need not know the rules to begin with.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

RANKS = "23456789TJQKA"
Json = dict[str, Any]


def choose_bid(hand: list[str], rules: Json) -> int:
    """How many tricks to bid: an ace or a king is worth one, and so is every spade beyond the third."""
    high = sum(card[0] in "AK" for card in hand)
    long = max(0, sum(card[1] == "S" for card in hand) - 3)
    return int(min(max(high + long, rules["min_bid"]), rules["max_bid"]))


def choose_card(legal: list[str], trick: list[Json]) -> str:
    """Lead high; otherwise get rid of the lowest card that is legal."""
    by_rank = sorted(legal, key=lambda card: RANKS.index(card[0]))
    return by_rank[0] if trick else by_rank[-1]


class Client:
    """The few calls a bot needs."""

    def __init__(self, site: str, token: str) -> None:
        self.api, self.token = site.rstrip("/") + "/api/v1", token

    def call(self, method: str, path: str, body: Json | None = None) -> Any:
        """The JSON that the site answers with. A refusal is an HTTPError, its body a problem document.

        The site says when it is asked too often (429), and how many seconds to wait.
        """
        while True:
            try:
                return self.ask(method, path, body)
            except HTTPError as refused:
                if refused.code != 429:
                    raise
                with refused:
                    seconds = int(refused.headers["Retry-After"])
                time.sleep(seconds)

    def ask(self, method: str, path: str, body: Json | None) -> Any:
        request = Request(
            self.api + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def new_table(self) -> str:
        seats = ["me", "bot:steady", "bot:steady", "bot:steady"]
        return str(self.call("POST", "/games", {"preset": "arcadia", "seats": seats})["id"])

    def sit_down(self, game: str) -> str:
        return str(self.call("POST", f"/games/{game}/seats", {})["id"])

    def look(self, game: str) -> Json:
        found: Json = self.call("GET", f"/games/{game}")
        return found

    def waiting(self) -> list[str]:
        """Our games in which a decision waits for us, the most urgent first."""
        turns = self.call("GET", "/me/turns")["turns"]
        return list(dict.fromkeys(turn["game"] for turn in turns))

    def running(self) -> set[str]:
        """Our games that are not over."""
        page = self.call("GET", "/games?mine=true&status=playing&limit=100")
        return {game["id"] for game in page["games"]}

    def move(self, game: str, own: Json, answer: Json) -> None:
        """Answer a decision. Sending it twice does no harm, so a lost answer may simply be sent again."""
        body = {"round": own["round"], "turn": own["turn"], **answer}
        try:
            self.call("POST", f"/games/{game}/moves", body)
        except HTTPError as refused:
            with refused:
                problem = json.load(refused)
            print(f"refused ({problem['code']}): {problem['detail']}", file=sys.stderr)
            if refused.code != 409:  # 409: the table has moved on, so look again
                raise


def choose(seen: Json, own: Json) -> Json:
    """The answer to the decision that waits for `own`, one of the caller's rounds in the game as `seen`."""
    if not own["legal"]:
        return {"bid": choose_bid(own["hand"], seen["rules"])}
    trick = next(row["trick"] for row in seen["rounds"] if row["round"] == own["round"])
    return {"card": choose_card(own["legal"], trick)}


def play(
    client: Client,
    game: str,
    answer: Callable[[Json, Json], Json] = choose,
    wait: Callable[[float], None] = time.sleep,
) -> Json:
    """Play until the match is over; its last view. `wait` is called when others are to act."""
    while True:
        seen = client.look(game)
        if seen["status"] not in ("open", "playing"):
            return seen
        mine = [own for own in seen["you"]["rounds"] if own["to_act"]]
        for own in mine:
            client.move(game, own, answer(seen, own))
        if not mine:
            wait(0.5)


def play_all(
    client: Client,
    games: list[str],
    answer: Callable[[Json, Json], Json] = choose,
    wait: Callable[[float], None] = time.sleep,
) -> list[Json]:
    """Play many games side by side until all are over; their last views.

    Nothing is asked of a game that does not wait for us: the site lists the decisions that do, most urgent first.
    """
    over: dict[str, Json] = {}
    while len(over) < len(games):
        waiting = [game for game in client.waiting() if game in games]
        for game in waiting:
            seen = client.look(game)
            for own in seen["you"]["rounds"]:
                if own["to_act"]:
                    client.move(game, own, answer(seen, own))
        if not waiting:
            wait(0.5)
            for seen in map(client.look, set(games) - client.running() - set(over)):
                if seen["status"] != "open":
                    over[seen["id"]] = seen
    return [over[game] for game in games]


def main(
    site: str,
    token: str,
    game: str | None = None,
    *,
    answer: Callable[[Json, Json], Json] = choose,
) -> None:
    client = Client(site, token)
    game = client.sit_down(game) if game else client.new_table()
    print(f"playing {site.rstrip('/')}/games/{game}")
    seen = play(client, game, answer)
    print(f"the game is {seen['status']}")
    if seen["result"]:
        for seat, total in zip(seen["seats"], seen["totals"], strict=True):
            won = "  won" if seat["seat"] in seen["result"]["winners"] else ""
            print(f"  {seat['player']:<20} {total / seen['score_scale']:>6.1f}{won}")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
