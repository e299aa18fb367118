"""Whatever is asked, right or wrong, with a token or without: the answer is one that the committed schema describes.

1,000 requests a run; SCHEMA_REQUESTS=20000 asks more, and others each time.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from rest_framework.test import APIClient
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks

from accounts.models import Scope, User
from accounts.tokens import issue_token
from tests.api.rest import logs, my_turn, new_game, play_to_the_cards, play_until_over
from tests.games.tables import NOW

WANTED = int(os.environ.get("SCHEMA_REQUESTS", "1000"))
SCHEMA: Any = schemathesis.openapi.from_path(Path(settings.BASE_DIR) / "games/api/openapi.yaml")
OPERATIONS = [
    found.ok()
    for found in SCHEMA.get_all_operations()
    # A stream never ends by itself, and is another process's.
    if not found.ok().path.endswith("/stream")
]
SHARE = -(-WANTED // (2 * len(OPERATIONS)))
HOLDS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
CARDS = [rank + suit for rank in "2JA" for suit in "CDHS"]
VISIBLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=20)
LANGUAGES = ["en", "ne", "hi", "xx", "ne-NP;q=0.5,*;q=0.1", "", ";;"]

Case = Any  # schemathesis makes a class of them for each operation
Place = tuple[str, int]  # a game, and the number of its next decision
APPLICATION = WSGIHandler()


@pytest.fixture
def places(asha_api: APIClient, bina_api: APIClient) -> list[Place]:
    """Tables to ask about: open, bid at, played at, over, somebody else's, and one that does not exist."""
    waiting = new_game(asha_api, seats=["me", "open", "open", "open"])["id"]
    bidding = new_game(asha_api)["id"]
    turn = my_turn(asha_api, bidding)[1]["turn"]
    playing = new_game(asha_api)["id"]
    own = play_to_the_cards(playing, asha_api)[1]
    over = new_game(asha_api, rules={"rounds": 1})["id"]
    play_until_over(over, asha_api)
    hidden = new_game(bina_api, visibility="link")["id"]
    known = [(bidding, turn), (playing, own["turn"])]
    return known * 2 + [(waiting, 0), (over, 0), (hidden, 0), ("222222222222", 0)]


@pytest.mark.parametrize("caller", ["asha", "nobody"])
def test_every_answer_is_as_the_schema_says(
    caller: str, asha: User, places: list[Place], capsys: pytest.CaptureFixture[str]
) -> None:
    text = issue_token(asha, name="fuzz", scopes=Scope.values, now=NOW)[1]
    credentials = {"Authorization": f"Bearer {text}"} if caller == "asha" else {}
    tally: Counter[int] = Counter()

    for operation in OPERATIONS:
        _hold(operation, credentials, places, tally)

    with capsys.disabled():
        statuses = ", ".join(f"{status}: {count}" for status, count in sorted(tally.items()))
        sys.stdout.write(f"\n{caller}: {tally.total()} requests as the schema says ({statuses})\n")
    assert tally.total() >= WANTED // 2


def _hold(
    operation: Any, credentials: dict[str, str], places: list[Place], tally: Counter[int]
) -> None:
    """Ask this operation its share of questions, well-formed and not."""
    ways = st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE])

    @hypothesis_settings(
        max_examples=SHARE,
        deadline=None,
        database=None,
        derandomize="SCHEMA_REQUESTS" not in os.environ,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=ways.flatmap(lambda way: operation.as_strategy(generation_mode=way)),
        place=st.none() | st.sampled_from(places),
        card=st.none() | st.sampled_from(CARDS),
        headers=st.fixed_dictionaries(
            {}, optional={"Accept-Language": st.sampled_from(LANGUAGES), "X-Any": VISIBLE}
        ),
    )
    def ask(case: Case, place: Place | None, card: str | None, headers: dict[str, str]) -> None:
        if place is not None:
            _lead_to(case, *place, card)
        case.query.pop("wait", None)  # tests have no time to wait
        # Nothing that one request does is there for the next.
        with transaction.atomic():
            before = logs()
            with one_connection():
                answer = case.call(app=APPLICATION, headers=credentials | headers)
            if answer.status_code >= 400:
                assert logs() == before
            transaction.set_rollback(True)
        tally[answer.status_code] += 1
        case.validate_response(answer, checks=HOLDS)

    ask()


@contextmanager
def one_connection() -> Iterator[None]:
    """Keep the connection, and the transaction with it, over a request, as Django's own test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


def _lead_to(case: Case, game: str, turn: int, card: str | None) -> None:
    """Send the case to a decision that exists: made-up names never get past the door."""
    if "game" in case.path_parameters:
        case.path_parameters["game"] = game
    if "round" in case.path_parameters:
        case.path_parameters["round"] = 1
    if isinstance(case.body, dict) and {"turn", "round"} <= set(case.body):
        case.body = case.body | {"round": 1, "turn": turn}
        if card is not None and {"card", "bid"} & set(case.body):
            case.body.pop("bid", None)
            case.body["card"] = card
