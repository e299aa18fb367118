"""A move costs as many queries at the end of a match as at its beginning."""

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from tests.api.rest import answer_to, let_bots_play, move, new_game, see

MOST = 12


def test_a_move_costs_the_same_all_match_long(asha_api: APIClient) -> None:
    game = str(new_game(asha_api, rules={"rounds": 2})["id"])
    # A visit is written down once a minute: not while this counts.
    User.objects.update(last_visit_at=timezone.now() + timedelta(hours=1))
    costs: dict[str, set[int]] = {"bid": set(), "card": set()}
    while (seen := see(asha_api, game))["status"] == "playing":
        let_bots_play(game)
        seen = see(asha_api, game)
        for own in seen["you"]["rounds"]:
            if own["to_act"]:
                answer = answer_to(own, seen)
                with CaptureQueriesContext(connection) as captured:
                    sent = move(asha_api, game, **answer)
                assert sent.status_code == 201
                # The last card of a round also scores it, reveals its seed and deals the next.
                if len(own["hand"]) > 1:
                    costs["card" if "card" in answer else "bid"].add(_queries(captured))

    assert max(costs["bid"] | costs["card"]) <= MOST
    # One more when a card opens the mover's own next turn, a line in the ledger of notices.
    assert max(costs["card"]) - min(costs["card"]) <= 1


def test_a_retry_and_a_refusal_cost_no_more(asha_api: APIClient) -> None:
    game = str(new_game(asha_api)["id"])
    let_bots_play(game)
    [own] = see(asha_api, game)["you"]["rounds"]
    answer = {"round": 1, "turn": own["turn"], "bid": 3}

    for status in (201, 200):
        with CaptureQueriesContext(connection) as captured:
            assert move(asha_api, game, **answer).status_code == status
        assert _queries(captured) <= MOST
    with CaptureQueriesContext(connection) as captured:
        assert move(asha_api, game, round=1, turn=0, bid=99).status_code == 409
    assert _queries(captured) <= MOST


def _queries(captured: CaptureQueriesContext) -> int:
    """Without the savepoints, which stand for the transaction of a real request."""
    statements = [query["sql"] for query in captured.captured_queries]
    return sum(not sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK")) for sql in statements)
