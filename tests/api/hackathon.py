"""A small bot in the protocol of the public Callbreak hackathon, as its teams wrote them: an HTTP server that knows no API of ours."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

Json = dict[str, Any]
RANKS = "23456789TJQK1"


class HackathonServer(HTTPServer):
    """Answers by the rules of the hackathon, and keeps what it was asked. `answers` overrules it: by path, what to say."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, Json]] = []
        self.answers: dict[str, bytes] = {}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: HackathonServer

    def do_GET(self) -> None:
        self._answer({"value": "hello"})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, asked))
        if self.path in self.server.answers:
            self._say(self.server.answers[self.path])
        elif self.path == "/bid":
            high = sum(card[0] in "1K" for card in asked["cards"])
            self._answer({"value": min(max(high, 1), 8)})
        else:
            self._answer({"value": _card(asked["cards"], asked["played"])})

    def _answer(self, body: Json) -> None:
        self._say(json.dumps(body).encode())

    def _say(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def _card(cards: list[str], played: list[str]) -> str:
    """Follow suit and beat if it can be done; a spade if not; else the first card."""
    if not played:
        return cards[0]
    suit = played[0][1]
    trumped = suit != "S" and any(card[1] == "S" for card in played)
    follow = [card for card in cards if card[1] == suit]
    if follow and trumped:
        return follow[0]
    for able in (follow, [card for card in cards if card[1] == "S"]):
        best = max((_rank(card) for card in played if able and card[1] == able[0][1]), default=-1)
        above = [card for card in able if _rank(card) > best]
        if above or (able and able is follow):
            return (above or able)[0]
    return cards[0]


def _rank(card: str) -> int:
    return RANKS.index(card[0])


@contextmanager
def hackathon_bot() -> Iterator[HackathonServer]:
    server = HackathonServer()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
