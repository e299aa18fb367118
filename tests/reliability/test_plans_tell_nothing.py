"""Leak: two hands with the same public history, one forced and one not, and the same plan. Nobody else can tell.

Everything that others can ask for is compared byte by byte, at a frozen clock and with the same dice: the log, the feed, the
export, the game with its ETag, the table, and the mails that are sent.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import transaction
from django.test import Client

from accounts.models import User
from games import store
from games.engine.errors import RuleViolation
from games.engine.plan import Plan
from games.notices import sending
from games.services import play
from tests.dice import Dice
from tests.games.arranged import (
    LOWEST_HEART,
    ONE_HEART,
    THREE_HEARTS,
    answer,
    at_the_first_card,
    dealt,
    follow,
    keep,
    person_at,
    seat_at,
    turn_of,
)
from tests.games.notices.acting import WAITED
from tests.games.tables import NOW, loaded
from tests.reliability.test_twin_worlds import as_it_was

PATHS = ("", "/events", "/export", "/transcript")
ASK = Plan.from_json({"rules": [{"play": "ask"}]})
STOP = Plan.from_json({"rules": [{"play": "lowest"}], "stop_if": ["someone_cannot_make_it"]})
QUEUE = Plan.from_json({"rules": [{"play": "lowest"}], "cards": ["2H", "2S"]})
LOWEST = Plan.from_json({"rules": [{"play": "lowest"}]})


@pytest.fixture
def game(asha: User, bina: User, chandra: User, dipak: User) -> Iterator[str]:
    """The first card is to be led; how the rest lies, the second and the last hand alone know."""
    with time_machine.travel(NOW, tick=False), dealt(ONE_HEART):
        yield at_the_first_card([asha, bina, chandra, dipak])


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Dice:
    return Dice(monkeypatch)


Act = Callable[[str], object]


def seen_by_others(game: str, hands: Sequence[str], act: Act, dice: Dice) -> dict[str, Any]:
    """What everybody but the second and the last can see, after `act`; all mails, too. Then it is as if it had not been."""
    with dealt(hands), as_it_was():
        mail.outbox.clear()
        act(game)
        sent = sending.send_due(now=WAITED)
        seen: dict[str, Any] = {"log": store.public_log(game)}
        for name, browser in others(game):
            for path in PATHS:
                dice.throw_again(name + path)
                answered = browser.get(f"/api/v1/games/{game}{path}")
                seen[f"{name} {path}"] = (
                    answered.status_code,
                    sorted(answered.headers.items()),
                    answered.content,
                )
            for page in (f"/games/{game}/", f"/games/{game}/table"):
                dice.throw_again(name + page)
                answered = browser.get(page)
                seen[f"{name} {page}"] = (answered.status_code, answered.content)
        random.seed("mails")  # their boundaries
        seen["mails"] = [str(each.message()) for each in mail.outbox]
        assert len(seen["mails"]) == sent > 0
    return seen


def others(game: str) -> Iterator[tuple[str, Client]]:
    yield "nobody", Client()
    for place in (0, 2):
        browser = Client()
        browser.force_login(person_at(game, place), backend="accounts.backends.NameOrEmail")
        yield f"the {place + 1}. to play", browser


def with_plan(plan: Plan) -> Act:
    def act(game: str) -> None:
        keep(game, person_at(game, 1), plan)
        answer(game, "AH")
        follow(game)

    return act


def by_hand(game: str) -> None:
    answer(game, "AH")
    follow(game)
    answer(game, "2H")


def without_plan(game: str) -> None:
    answer(game, "AH")
    follow(game)


def late(act: Act) -> Act:
    def acts(game: str) -> None:
        seat = loaded(game).seats[seat_at(game, 1)]
        seat.timeouts_running = 1
        seat.save()
        act(game)

    return acts


@pytest.mark.parametrize("plan", [LOWEST_HEART, LOWEST, QUEUE, ASK, STOP])
def test_a_plan_does_the_same_whether_the_card_is_forced_or_not(
    game: str, dice: Dice, plan: Plan
) -> None:
    forced = seen_by_others(game, ONE_HEART, with_plan(plan), dice)
    free = seen_by_others(game, THREE_HEARTS, with_plan(plan), dice)

    assert forced == free


@pytest.mark.parametrize("wrap", [lambda act: act, late])
def test_a_card_of_a_plan_looks_like_one_of_its_owner(
    game: str, dice: Dice, wrap: Callable[[Act], Act]
) -> None:
    planned = seen_by_others(game, ONE_HEART, wrap(with_plan(LOWEST_HEART)), dice)
    played = seen_by_others(game, ONE_HEART, wrap(by_hand), dice)

    assert planned == played


@pytest.mark.parametrize(
    "plan", [ASK, Plan.from_json({"rules": [{"play": "ask"}], "cards": ["2H"]})]
)
@pytest.mark.parametrize("hands", [ONE_HEART, THREE_HEARTS])
def test_a_plan_that_waits_looks_like_none(
    game: str, dice: Dice, plan: Plan, hands: Sequence[str]
) -> None:
    waiting = seen_by_others(game, hands, with_plan(plan), dice)
    none = seen_by_others(game, hands, without_plan, dice)

    assert waiting == none


def test_what_the_worker_does_without_a_plan_is_nothing_however_forced_a_card_is(
    game: str, dice: Dice
) -> None:
    forced = seen_by_others(game, ONE_HEART, without_plan, dice)
    free = seen_by_others(game, THREE_HEARTS, without_plan, dice)

    assert forced == free


def test_a_claim_refused_looks_like_none(game: str, dice: Dice) -> None:
    def claims(game: str) -> None:
        with pytest.raises(RuleViolation), transaction.atomic():
            play.claim(person_at(game, 0), game, round=1, turn=turn_of(game), now=NOW)

    refused = seen_by_others(game, ONE_HEART, claims, dice)
    none = seen_by_others(game, ONE_HEART, lambda game: None, dice)

    assert refused == none


def test_the_harness_sees_a_difference(game: str, dice: Dice) -> None:
    played = seen_by_others(game, ONE_HEART, with_plan(LOWEST_HEART), dice)
    waiting = seen_by_others(game, ONE_HEART, with_plan(ASK), dice)

    assert played != waiting
