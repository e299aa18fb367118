"""A plan, several workers and the player answer the same decision at the same moment: it is made once, with real commits."""

from collections.abc import Callable
from typing import Final

import pytest

from tests.elsewhere import Elsewhere

pytestmark = pytest.mark.django_db

RACE: Final = """
    import json
    from collections import Counter
    from concurrent.futures import ThreadPoolExecutor
    from threading import Barrier
    from django.db import connections
    from accounts.models import User
    from games.engine.errors import RuleViolation
    from games.engine.plan import Plan
    from games.refusals import Refusal
    from games.services import following, plans, play
    from tests.games.tables import NOW, ONE_ROUND, loaded, seated

    WORKERS, PLAYERS = 3, 2
    names = ("asha", "bina", "chandra", "dipak")
    cast = [User.objects.create_user(name, f"{name}@example.com") for name in names]
    game = seated(cast, ONE_ROUND)
    hands = loaded(game).rounds[1].hands
    for user, hand in zip(cast, hands):
        queue = [card.text for card in hand]
        plan = Plan.from_json({"rules": [{"play": "lowest"}], "cards": queue})
        plans.save(user, game, plan, round=1, seen=None, now=NOW)
    barrier, pool = Barrier(WORKERS + PLAYERS), ThreadPoolExecutor(WORKERS + PLAYERS)
    told = Counter()

    def at_once(act):
        barrier.wait()
        try:
            told[f"{act.__name__}: {act()}"] += 1
        except (RuleViolation, Refusal) as refused:
            told[f"{act.__name__}: {refused}"] += 1
        finally:
            connections.close_all()

    decisions = 0
    while (table := loaded(game)).game.status == "playing":
        state = table.rounds[1]
        seat, turn = state.to_act, state.turn
        user, seen = cast[seat], table.observe(1, seat)

        def worker():
            return following.follow_up(game, round=1, turn=turn, now=NOW)

        def player():
            if seen.legal:
                move = play.play_card(user, game, seen.legal[-1], round=1, turn=turn, now=NOW)
            else:
                move = play.place_bid(user, game, 3, round=1, turn=turn, now=NOW)
            return "again" if move.repeated else "made"

        connections.close_all()
        list(pool.map(at_once, [worker] * WORKERS + [player] * PLAYERS))
        after = loaded(game)
        assert after.rounds[1].turn == turn + 1, (turn, after.rounds[1].turn)
        decisions += 1
    pool.shutdown()
    print("RACED", json.dumps({"decisions": decisions, "told": told}))
    """


def test_every_decision_is_made_once_by_somebody(
    site: Elsewhere, count: Callable[[str], None]
) -> None:
    raced = site.told(RACE, "RACED")

    told = raced["told"]
    assert raced["decisions"] == 56
    assert told.get("worker: True", 0) + told.get("player: made", 0) == 56
    query = "SELECT count(*), count(DISTINCT turn) FROM games_event WHERE turn IS NOT NULL"
    assert site.rows(query) == [(56, 56)]
    count(f"plans: 56 decisions, 3 workers and 2 requests at each ({told}): each made once")
