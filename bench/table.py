"""Four people with tokens who play whole matches through the API, as fast as it answers."""

import re
from dataclasses import dataclass, field
from html import unescape
from time import perf_counter

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Scope, User
from accounts.tokens import issue_token
from games import queries
from games.engine.rules import PRESETS
from games.services import lobby


@dataclass
class Run:
    """One match: seconds and queries of each of its moves, in order."""

    seconds: list[float] = field(default_factory=list)
    queries: list[int] = field(default_factory=list)


class FourPeople:
    def __init__(self) -> None:
        settings.ROOT_URLCONF = "bench.bare"
        self.users = [
            User.objects.create_user(name) for name in ("asha", "bina", "chandra", "dipak")
        ]
        now = timezone.now()
        self.tokens = {
            user.pk: issue_token(user, name="bench", scopes=Scope.values, now=now)[1]
            for user in self.users
        }
        self.client = Client()

    def new_game(self) -> str:
        now = timezone.now()
        table = lobby.create_game(self.users[0], lobby.NewGame(rules=PRESETS["arcadia"]), now=now)
        for user in self.users[1:]:
            lobby.sit(user, table.game.id, now=now)
        return table.game.id

    def play(
        self, game: str, *, beside: list[float] | None = None, count_queries: bool = False
    ) -> Run:
        """Play the match out. Into `beside` go the seconds of a bare view, called after every move."""
        run = Run()
        while (move := self._next_move(game)) is not None:
            user, body = move
            if count_queries:
                with CaptureQueriesContext(connection) as captured:
                    self._post(f"/api/v1/games/{game}/moves", user, body)
                run.queries.append(len(captured))
                continue
            run.seconds.append(self._post(f"/api/v1/games/{game}/moves", user, body))
            if beside is not None:
                beside.append(self._post(f"/bench/bare/{game}", user, {}))
        return run

    def play_some(self, game: str, moves: int) -> User:
        """Make so many moves. Who is to act then."""
        for _ in range(moves):
            move = self._next_move(game)
            assert move is not None
            self._post(f"/api/v1/games/{game}/moves", *move)
        move = self._next_move(game)
        assert move is not None
        return move[0]

    def page_queries(self) -> tuple[int, int]:
        """Queries of the table page, and of a poll that finds nothing new, in the middle of a round.

        The page is the dearest there is: a first look after a time away, which is written down twice.
        """
        game = self.new_game()
        self.play_some(game, 30)
        User.objects.update(last_visit_at=None)
        browser = Client()
        browser.force_login(self.users[0], backend="accounts.backends.NameOrEmail")
        with CaptureQueriesContext(connection) as page:
            shown = browser.get(f"/games/{game}/")
        assert shown.status_code == 200
        page_text = shown.content.decode()
        poll_address = unescape(re.findall(r'data-poll="([^"]*)"', page_text)[0])
        version = re.findall(r'data-v="([^"]*)"', page_text)[0]
        with CaptureQueriesContext(connection) as poll:
            unchanged = browser.get(f"{poll_address}{version}", headers={"X-Poll": "1"})
        assert unchanged.status_code == 204
        return len(page), len(poll)

    def _next_move(self, game: str) -> tuple[User, dict[str, object]] | None:
        table = queries.open_table(game, None, now=timezone.now())
        rounds = queries.running(table)
        if not rounds:
            return None
        state = table.rounds[rounds[0]]
        assert state.to_act is not None
        seen = state.observe(state.to_act)
        answer: dict[str, object] = (
            {"card": seen.legal[0].text} if seen.legal else {"bid": seen.rules.min_bid}
        )
        user = table.seats[state.to_act].user
        assert user is not None
        return user, {"round": seen.round, "turn": seen.turn, **answer}

    def _post(self, path: str, user: User, body: dict[str, object]) -> float:
        """Seconds that the answer took. AssertionError unless it was a success."""
        token = self.tokens[user.pk]
        start = perf_counter()
        answer = self.client.post(
            path, body, content_type="application/json", HTTP_AUTHORIZATION=f"Bearer {token}"
        )
        seconds = perf_counter() - start
        assert answer.status_code in (200, 201), answer.content
        return seconds
