"""A hundred second signatures, withdrawals and appeals at the same moment, with real commits: one effect."""

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
    from games.models import Case, CaseStep, Decision, Event, Game, Notice
    from games.refusals import CannotRule, Refusal
    from games.services.audit import verify_game
    from games.services.desk import cases, verdicts
    from tests.games.desk.staff import proposed, reported, reviewer, taken
    from tests.games.tables import ARCADIA, NOW, play_on, seated

    AT_ONCE, TIMES = 10, 10
    names = ("asha", "bina", "chandra", "dipak")
    cast = [User.objects.create_user(name, f"{name}@example.com") for name in names]
    staff = [reviewer(name) for name in ("farida", "gopal", "hari")]
    told = Counter()

    def at_once(acts):
        barrier = Barrier(len(acts))

        def run(act):
            barrier.wait()
            try:
                act()
                told["done"] += 1
            except (CannotRule, Refusal):
                told["refused"] += 1
            finally:
                connections.close_all()

        connections.close_all()
        with ThreadPoolExecutor(len(acts)) as pool:
            list(pool.map(run, acts))

    def sign(decision, by):
        return lambda: verdicts.sign(by, decision.pk, now=NOW)

    def send_back(decision, by):
        return lambda: verdicts.send_back(by, decision.pk, now=NOW)

    # Ten times ten signatures on one proposal: an adjustment that was made twice would be seen in the totals.
    game = seated(cast, ARCADIA)
    play_on(game, decisions=20)
    for _ in range(TIMES):
        decision = proposed(staff[0], taken(cast[0], game, staff[0]), "adjust_score", deltas=(0, 7, 0, 0))
        at_once([sign(decision, staff[1 + place % 2]) for place in range(AT_ONCE)])
    assert told == {"done": TIMES, "refused": TIMES * (AT_ONCE - 1)}, told
    assert Game.objects.get(pk=game).adjusted == [0, 7 * TIMES, 0, 0]
    assert Event.objects.filter(game=game, kind="ruled").count() == TIMES
    assert Notice.objects.filter(kind="ruling").count() == TIMES * 4
    assert CaseStep.objects.filter(kind="decided").count() == TIMES

    # Signed or sent back, never both; and one appeal.
    told.clear()
    decision = proposed(staff[0], taken(cast[1], game, staff[0]), "void_round", round=1)
    at_once([(sign if place % 2 else send_back)(decision, staff[1 + place % 2]) for place in range(AT_ONCE)])
    decision = Decision.objects.get(pk=decision.pk)
    assert told["done"] == 1, told
    assert (decision.made_at is None) != (decision.withdrawn_at is None)
    case = Case.objects.filter(state="decided").first()
    told.clear()
    at_once([lambda user=user: verdicts.appeal(user, case.pk, "Again.", now=NOW) for user in cast])
    assert told == {"done": 1, "refused": 3}, told

    # Reports of three about one round at once are one case; one reviewer takes it.
    told.clear()
    other = seated(cast, ARCADIA)
    at_once([lambda user=user: reported(user, other) for user in cast[1:]])
    assert told == {"done": 3}, told
    case = Case.objects.get(game=other)
    told.clear()
    at_once([lambda by=by: cases.take(by, case.pk, now=NOW) for by in staff])
    assert told == {"done": 1, "refused": 2}, told
    assert verify_game(game, now=NOW) == []
    print("RACED", json.dumps({"decisions": TIMES * AT_ONCE}))
    """


def test_a_hundred_decisions_at_once_have_one_effect_each(
    site: Elsewhere, count: Callable[[str], None]
) -> None:
    raced = site.told(RACE, "RACED")

    count(f"rulings: {raced['decisions']} signatures on ten proposals: ten rulings")
