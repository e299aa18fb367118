"""Lets a bot written for the public Callbreak hackathon protocol play here.

    python bhoos_bridge.py http://127.0.0.1:8000 cbk_YOUR_TOKEN http://127.0.0.1:7000            makes a table
    python bhoos_bridge.py http://127.0.0.1:8000 cbk_YOUR_TOKEN http://127.0.0.1:7000 GAME_ID    takes a seat at one

Such a bot is an HTTP server that answers `GET /hi`, `POST /bid` with `{"value": 3}` and `POST /play` with `{"value": "QS"}`; an
ace is written `1`. It need not change. Should it answer with something that may not be bid or played here, the bridge says so and
bids or plays what is nearest to passing: the lowest that is allowed. Keep `bot_client.py` beside this file: it is the way to the site.
"""

import json
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from bot_client import RANKS, Client, Json, main

PATIENCE_SECONDS = 30
UNLIMITED_MS = 3_600_000  # what a bot is told where no clock runs
PAGE = 200  # the most events that the site gives at once


class HackathonBot:
    """The bot at the other end: decides for our seat, in its own words."""

    def __init__(self, address: str, client: Client) -> None:
        self.address, self.client = address.rstrip("/"), client
        self.events: dict[str, list[Json]] = {}

    def wake(self, seconds: float = PATIENCE_SECONDS) -> None:
        """Return as soon as the bot answers; URLError if it never does."""
        end = time.monotonic() + seconds
        while True:
            try:
                with urlopen(f"{self.address}/hi", timeout=PATIENCE_SECONDS):
                    return
            except URLError:
                if time.monotonic() > end:
                    raise
            time.sleep(0.5)

    def __call__(self, seen: Json, own: Json) -> Json:
        """Answer the decision that waits for `own`."""
        return self.play(seen, own) if own["legal"] else self.bid(seen, own)

    def bid(self, seen: Json, own: Json) -> Json:
        least, most = seen["rules"]["min_bid"], seen["rules"]["max_bid"]
        value = self.ask("/bid", _situation(seen, own))
        if type(value) is int and least <= value <= most:
            return {"bid": value}
        print(f"not a bid here: {value!r}; bidding {least}", file=sys.stderr)
        return {"bid": least}

    def play(self, seen: Json, own: Json) -> Json:
        here = _round_of(seen, own)
        played = [_theirs(each["card"]) for each in here["trick"]]
        history = list(_tricks(self.feed(seen["id"]), here))
        extras = {"timeBudget": _milliseconds_left(own), "played": played, "history": history}
        value = self.ask("/play", _situation(seen, own) | extras)
        card = _ours(value) if isinstance(value, str) else ""
        if card in own["legal"]:
            return {"card": card}
        lowest = min(own["legal"], key=lambda card: RANKS.index(card[0]))
        print(f"not to be played now: {value!r}; playing {lowest}", file=sys.stderr)
        return {"card": lowest}

    def ask(self, path: str, body: Json) -> Any:
        """The `value` of what the bot answers; None if that is nothing like an answer."""
        headers = {"Content-Type": "application/json"}
        request = Request(self.address + path, data=json.dumps(body).encode(), headers=headers)
        with urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            try:
                said = json.load(answer)
            except ValueError:
                return None
        return said.get("value") if isinstance(said, dict) else None

    def feed(self, game: str) -> list[Json]:
        """Every event of the game so far. Only those since the last call are fetched."""
        events = self.events.setdefault(game, [])
        while True:
            after = events[-1]["seq"] if events else 0
            page = self.client.call("GET", f"/games/{game}/events?after={after}&limit={PAGE}")
            events += page["events"]
            if len(page["events"]) < PAGE:
                return events


def _situation(seen: Json, own: Json) -> Json:
    """What the protocol tells with every question. Its players are the seats, named P0 to P3."""
    here = _round_of(seen, own)
    players = {
        f"P{seat}": {
            "totalPoints": seen["totals"][seat] / seen["score_scale"],
            "bid": here["bids"][seat] or 0,
            "won": here["won"][seat],
        }
        for seat in range(4)
    }
    return {
        "playerId": f"P{seen['you']['seat']}",
        "playerIds": list(players),
        "cards": [_theirs(card) for card in own["hand"]],
        "context": {"round": own["round"], "players": players},
    }


def _round_of(seen: Json, own: Json) -> Json:
    found: Json = next(each for each in seen["rounds"] if each["round"] == own["round"])
    return found


def _tricks(events: list[Json], here: Json) -> Iterator[list[Any]]:
    """The finished tricks of the round: `[who led, the four cards in the order played, who won]`."""
    deal = (here["round"], here["attempt"])
    plays = [
        each
        for each in events
        if each["kind"] == "played" and (each["round"], each["attempt"]) == deal
    ]
    for start in range(0, 4 * here["tricks_played"], 4):
        cards = [_theirs(each["card"]) for each in plays[start : start + 4]]
        # Whoever wins a trick leads the next one, which may not have a card yet.
        is_last = start + 4 == 4 * here["tricks_played"]
        winner = here["last_trick"]["winner"] if is_last else plays[start + 4]["seat"]
        yield [plays[start]["seat"], cards, winner]


def _milliseconds_left(own: Json) -> int:
    if own["deadline"] is None:
        return UNLIMITED_MS
    left = datetime.fromisoformat(own["deadline"]) - datetime.now(UTC)
    return max(0, int(left.total_seconds() * 1000))


def _theirs(card: str) -> str:
    return card.replace("A", "1", 1)


def _ours(card: str) -> str:
    return card.replace("1", "A", 1)


def bridge(site: str, token: str, bot: str, game: str | None = None) -> None:
    answer = HackathonBot(bot, Client(site, token))
    answer.wake()
    main(site, token, game, answer=answer)


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    bridge(*sys.argv[1:])
