"""Standing plans: saved for the next decision, played in an answer of their own, asked about, and dead with their round."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from celery import current_app

from accounts.models import User
from games import nudges, store
from games.engine.cards import card
from games.engine.errors import RuleViolation
from games.engine.plan import Plan
from games.models import Game, Round
from games.models import Plan as Row
from games.queries import game_as_seen
from games.refusals import NoPlan, NotSeated, PlanChanged, PlanUnseen, StaleTurn
from games.services import following, pace, plans, play
from tests.games.arranged import (
    LOWEST_HEART,
    ONE_HEART,
    RULES,
    answer,
    at_the_first_card,
    dealt,
    follow,
    keep,
    person_at,
    seat_at,
    turn_of,
)
from tests.games.tables import NOW, fingerprint, loaded, log_of, seated

OnCommit = Callable[..., AbstractContextManager[list[Callable[[], Any]]]]
ASK = Plan.from_json({"rules": [{"play": "ask"}]})


@pytest.fixture
def game(people: list[User]) -> Any:
    """The first card is to be led, with one heart in the second hand."""
    with dealt(ONE_HEART):
        yield at_the_first_card(people)


def own(game: str, user: User) -> dict[str, Any]:
    [row] = game_as_seen(store.load(game, now=NOW), user.pk)["you"]["rounds"]
    return dict(row)


def test_a_plan_plays_for_its_owner_in_an_event_of_its_own(game: str) -> None:
    keep(game, person_at(game, 1))
    answer(game, "AH")

    assert follow(game)

    line = log_of(game)[-1]
    assert (line.kind, line.card, line.by, line.via) == ("played", "2H", "player", "plan")
    assert line.seat == seat_at(game, 1)
    assert "via" not in store.record_of(line)


def test_saving_and_throwing_away_leave_no_trace_for_others(game: str) -> None:
    before = store.public_log(game)
    user = person_at(game, 1)

    kept = keep(game, user)
    plans.throw_away(user, game, round=1, seen=[kept.tag], now=NOW)

    assert store.public_log(game) == before
    assert not Row.objects.exists()
    assert Round.objects.get(game=game).planned == {}


def test_a_plan_saved_while_it_is_my_turn_waits_for_the_next(game: str) -> None:
    leader = person_at(game, 0)
    wanted = Plan.from_json({"rules": [{"play": "ask"}], "cards": ["AS", "KS", "QS"]})

    kept = keep(game, leader, wanted)

    assert kept.from_turn == turn_of(game) + 1
    assert not follow(game)
    for text in ("AS", "2S", "8S", "5S"):
        answer(game, text)
    assert follow(game)
    # The ace is no longer held: the queue goes on behind it.
    assert (log_of(game)[-1].card, log_of(game)[-1].via) == ("KS", "plan")


def test_a_card_of_the_queue_must_be_held(game: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        keep(
            game, person_at(game, 1), Plan.from_json({"rules": [{"play": "ask"}], "cards": ["AS"]})
        )

    assert refused.value.code == "card_not_held"
    assert refused.value.data["card"] == "AS"


def test_a_plan_that_asks_waits_stored_and_says_why_to_its_owner_alone(game: str) -> None:
    user = person_at(game, 1)
    kept = keep(game, user, ASK)
    answer(game, "AH")
    before = fingerprint(game)["events"]

    assert not follow(game)
    assert not follow(game)

    assert fingerprint(game)["events"] == before
    assert own(game, user)["plan"] == ASK.to_json()
    assert own(game, user)["plan_halted"] == "rule"
    assert plans.plan_of(user, game, round=1, now=NOW).tag == kept.tag
    assert Game.objects.get(pk=game).next_attempt_at is None
    answer(game, "2H")
    assert own(game, user)["plan_halted"] is None


def test_a_stopped_plan_goes_on_when_the_reason_is_gone(game: str) -> None:
    third = person_at(game, 2)
    wanted = {"rules": [{"play": "lowest"}], "stop_if": ["spade_played_before_me"]}
    keep(game, third, Plan.from_json(wanted))
    for text in ("AS", "2S"):
        answer(game, text)

    assert not follow(game)
    assert own(game, third)["plan_halted"] == "spade_played_before_me"

    for text in ("8S", "5S", "AH", "2H"):
        answer(game, text)
    assert follow(game)
    assert log_of(game)[-1].via == "plan"


def test_the_player_may_answer_before_the_plan(game: str) -> None:
    keep(game, person_at(game, 1))
    answer(game, "AH")
    turn = turn_of(game)
    answer(game, "2H")

    assert not following.follow_up(game, round=1, turn=turn, now=NOW)
    assert log_of(game)[-1].via == ""


def test_the_plan_may_answer_before_the_player(game: str) -> None:
    user = person_at(game, 1)
    keep(game, user)
    answer(game, "AH")
    turn = turn_of(game)
    follow(game)

    # The same card again is the same answer, whoever gave it.
    again = play.play_card(user, game, card("2H"), round=1, turn=turn, now=NOW)
    assert again.repeated
    with pytest.raises(StaleTurn):
        play.play_card(user, game, card("2S"), round=1, turn=turn, now=NOW)


def test_a_late_player_whose_plan_plays_is_late_no_longer(game: str) -> None:
    keep(game, person_at(game, 1))
    seat = loaded(game).seats[seat_at(game, 1)]
    seat.timeouts_running = 1
    seat.save()
    answer(game, "AH")

    follow(game)

    assert loaded(game).seats[seat.number].timeouts_running == 0


def test_a_bot_that_keeps_the_seat_plays_instead_of_the_plan(game: str) -> None:
    keep(game, person_at(game, 1))
    seat = loaded(game).seats[seat_at(game, 1)]
    seat.stand_in_since, seat.timeouts_running = NOW, 2
    seat.save()
    answer(game, "AH")

    assert follow(game)

    assert (log_of(game)[-1].by, log_of(game)[-1].via) == ("bot", "")
    assert Row.objects.count() == 1


def test_whoever_gets_the_seat_has_no_plan(game: str, eli: User) -> None:
    before = person_at(game, 1)
    keep(game, before)
    seat = loaded(game).seats[seat_at(game, 1)]
    seat.user = eli
    seat.save()
    answer(game, "AH")

    assert not follow(game)
    with pytest.raises(NoPlan):
        plans.plan_of(eli, game, round=1, now=NOW)
    with pytest.raises(NotSeated):
        plans.plan_of(before, game, round=1, now=NOW)
    assert own(game, eli)["plan"] is None

    keep(game, eli, ASK)
    assert Row.objects.get().owner == eli


def test_a_plan_dies_with_its_round(people: list[User]) -> None:
    spades = "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
    suits = [" ".join(f"{rank}{suit}" for rank in "AKQJT98765432") for suit in "HDC"]

    with dealt([spades, *suits]):
        game = at_the_first_card(people)
        keep(game, person_at(game, 2), ASK)
        play.claim(person_at(game, 0), game, round=1, turn=4, now=NOW)

        assert not Row.objects.exists()
        with pytest.raises(NoPlan):
            plans.plan_of(person_at(game, 2), game, round=1, now=NOW)
        with pytest.raises(RuleViolation, match="phase"):
            keep(game, person_at(game, 2), ASK)


def test_a_plan_dies_with_a_deal_that_is_thrown_in(people: list[User]) -> None:
    game = seated(people, RULES.replace(redeal_bids_below=10, redeal_bids_limit=3))
    keep(game, people[0], ASK)

    for _ in range(4):
        answer(game, 1)

    assert loaded(game).rounds[1].attempt == 1
    assert not Row.objects.exists()
    assert Round.objects.get(game=game).planned == {}


def test_what_is_replaced_must_have_been_seen(game: str) -> None:
    user = person_at(game, 1)

    def save(plan: Plan, seen: list[str] | None) -> tuple[str, bool]:
        kept, is_first = plans.save(user, game, plan, round=1, seen=seen, now=NOW)
        return kept.tag, is_first

    def throw_away(seen: list[str] | None) -> None:
        plans.throw_away(user, game, round=1, seen=seen, now=NOW)

    with pytest.raises(PlanChanged):
        save(ASK, ["none"])
    first, is_first = save(ASK, None)
    assert is_first
    with pytest.raises(PlanUnseen):
        save(LOWEST_HEART, None)
    second, is_first = save(LOWEST_HEART, [first])
    assert not is_first
    with pytest.raises(PlanChanged):
        throw_away([first])
    with pytest.raises(PlanUnseen):
        throw_away(None)
    throw_away([second])
    with pytest.raises(NoPlan):
        throw_away([second])
    # A plan made anew is not taken for the one thrown away.
    assert len({first, second, save(ASK, None)[0]}) == 3


def test_a_move_nudges_the_plan_that_is_next_and_the_sweep_finds_it(
    game: str,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: OnCommit,
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(
        current_app, "send_task", lambda task, **options: sent.append((task, options["args"]))
    )
    keep(game, person_at(game, 1))

    with django_capture_on_commit_callbacks(execute=True):
        answer(game, "AH")
    due = Game.objects.get(pk=game).next_attempt_at
    assert due is not None
    with django_capture_on_commit_callbacks(execute=True):
        assert pace.sweep(now=due) == 1

    assert sent == [(nudges.FOLLOW_UP, [game, 1, turn_of(game)])] * 2
    follow(game)
    assert Game.objects.get(pk=game).next_attempt_at is None
