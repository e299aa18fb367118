"""The coach: asked for a round that is over, it judges every decision that its player made in person, and those alone."""

from datetime import timedelta

import pytest

from accounts.models import User
from games import nudges
from games.bots import coach
from games.engine.errors import Code, RuleViolation
from games.engine.observation import Observation
from games.engine.rules import PRESETS
from games.models import Coaching, Event, Game
from games.refusals import GameNotFound, NoHelpHere, NotSeated, RoundNotOver
from games.services import autopilot, coaching, following, lobby
from tests.games.tables import (
    ARCADIA,
    NOW,
    decisions,
    loaded,
    log_of,
    new_game,
    play_on,
    steadily,
    step,
)

ME_AND_BOTS = ("me", "bot:steady", "bot:steady", "bot:steady")
TWO_ROUNDS = ARCADIA.replace(rounds=2)


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "WORLDS", 12)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """The rounds that a worker was told to look at."""
    sent: list[tuple[str, int, int]] = []
    monkeypatch.setattr(nudges, "to_coach", lambda *round_of: sent.append(round_of))
    return sent


def coached(user: User, game: str, round: int = 1) -> Coaching:
    coaching.ask(user, game, round=round, now=NOW)
    coaching.work(game, round=round, owner=user.pk, now=NOW)
    return Coaching.objects.get(game=game, round=round, owner=user)


def made_in_person(game: str) -> list[Event]:
    """What the player in seat 0 decided."""
    return [line for line in log_of(game) if line.turn is not None and line.by == "player"]


def play_first_round(game: str) -> None:
    while Game.objects.get(pk=game).rounds.filter(state="scored").count() == 0:
        step(game)


def test_every_decision_made_in_person_is_judged(asha: User) -> None:
    game = new_game(asha, seats=ME_AND_BOTS)
    play_on(game)

    kept = coached(asha, game)

    mine = made_in_person(game)
    assert kept.is_done
    assert kept.total == len(mine) == 14
    assert kept.bid is not None
    assert (kept.bid["seq"], kept.bid["bid"]) == (mine[0].seq, mine[0].bid)
    assert 0 <= kept.bid["made"] <= 1000
    assert len(kept.bid["tricks"]) == 14
    assert [(card["seq"], card["card"]) for card in kept.cards] == [
        (line.seq, line.card) for line in mine[1:]
    ]
    for card in kept.cards:
        assert card["cost"] >= -card["error"]
        assert card["cost"] == 0 or card["best"] != card["card"]


def test_what_a_bot_decided_for_the_seat_is_not_judged(asha: User) -> None:
    game = new_game(asha, seats=ME_AND_BOTS)
    play_on(game, decisions=20)
    autopilot.switch(asha, game, round=1, on=True, now=NOW)
    while due := decisions(loaded(game)):
        following.follow_up(game, round=1, turn=due[0][1], now=NOW)

    kept = coached(asha, game)

    judged = [*([kept.bid] if kept.bid else []), *kept.cards]
    assert [each["seq"] for each in judged] == [line.seq for line in made_in_person(game)]
    assert 0 < kept.total < 14


def test_of_a_deal_that_was_thrown_in_nothing_is_judged(asha: User) -> None:
    rules = PRESETS["everestbuzz-practice"].replace(
        redeal_bids_below=8, redeal_bids_limit=1, rounds=1
    )
    game = new_game(asha, rules, ("me", "open", "open", "open"))
    for name in ("bina", "chandra", "dipak"):
        lobby.sit(User.objects.create_user(name), game, now=NOW)
    play_on(game, choose=lambda seen: 1 if seen.state == "bidding" else steadily(seen))

    kept = coached(asha, game)

    assert loaded(game).rows[1].attempt > 0
    assert kept.total == 14
    assert kept.bid is not None
    assert Event.objects.get(game=game, seq=kept.bid["seq"]).attempt == loaded(game).rows[1].attempt


def test_a_running_round_is_not_looked_at(asha: User) -> None:
    game = new_game(asha, TWO_ROUNDS, ME_AND_BOTS)
    play_on(game, decisions=30)

    with pytest.raises(RoundNotOver):
        coaching.ask(asha, game, round=1, now=NOW)
    with pytest.raises(RoundNotOver):
        coaching.found(asha, game, round=1, now=NOW)

    assert not Coaching.objects.exists()


def test_while_the_second_round_runs_the_first_is_looked_at_and_the_second_is_not(
    asha: User,
) -> None:
    game = new_game(asha, TWO_ROUNDS, ME_AND_BOTS)
    play_first_round(game)

    assert coached(asha, game).is_done
    with pytest.raises(RoundNotOver):
        coaching.ask(asha, game, round=2, now=NOW)
    with pytest.raises(GameNotFound):
        coaching.ask(asha, game, round=3, now=NOW)


def test_nobody_is_told_about_another_seat(asha: User, eli: User) -> None:
    game = new_game(asha, seats=ME_AND_BOTS)
    play_on(game)
    coached(asha, game)

    with pytest.raises(NotSeated):
        coaching.ask(eli, game, round=1, now=NOW)
    with pytest.raises(NotSeated):
        coaching.found(eli, game, round=1, now=NOW)
    with pytest.raises(NotSeated):
        coaching.summary(eli, game, now=NOW)


def test_a_worker_that_died_is_followed_by_one_that_goes_on_where_it_stopped(
    asha: User, sent: list[tuple[str, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(asha, seats=ME_AND_BOTS)
    play_on(game)
    coaching.ask(asha, game, round=1, now=NOW)
    judged: list[object] = []

    def dies(seen: object, card: object) -> object:
        if len(judged) == 3:
            raise SystemExit
        judged.append(card)
        return coach.judge_card(seen, card)  # type: ignore[arg-type] # handed on as they came

    monkeypatch.setattr(coaching, "judge_card", dies)
    with pytest.raises(SystemExit):
        coaching.work(game, round=1, owner=asha.pk, now=NOW)
    monkeypatch.setattr(coaching, "judge_card", coach.judge_card)
    half_way = coaching.found(asha, game, round=1, now=NOW)
    assert half_way is not None
    assert coaching.status_of(half_way) == {"status": "working", "done": 4, "total": 14}

    assert coaching.sweep(now=NOW) == 0
    assert coaching.sweep(now=NOW + coaching.OVERDUE) == 1
    assert sent == [(game, 1, asha.pk)] * 2
    coaching.work(*sent[-1][:1], round=1, owner=asha.pk, now=NOW)

    done = Coaching.objects.get()
    assert done.is_done
    assert len(done.cards) == 13
    assert coaching.sweep(now=NOW + timedelta(days=1)) == 0


def test_asked_twice_it_works_once(asha: User, sent: list[tuple[str, int, int]]) -> None:
    game = new_game(asha, seats=ME_AND_BOTS)
    play_on(game)

    first = coached(asha, game)
    again = coached(asha, game)

    assert first == again
    assert len(sent) == 1


def test_the_match_is_summed_up(asha: User) -> None:
    game = new_game(asha, TWO_ROUNDS, ME_AND_BOTS)
    play_on(game)
    kept = [coached(asha, game, 1), coached(asha, game, 2)]

    told = coaching.summary(asha, game, now=NOW)

    assert [row["status"] for row in told["rounds"]] == ["done", "done"]
    costs = [each["cost"] for each in told["costliest"]]
    bids = [each.bid for each in kept if each.bid]
    judged = [*bids, *kept[0].cards, *kept[1].cards]
    clear = [each["cost"] for each in judged if each["cost"] > each["error"]]
    won = [loaded(game).rows[number].won[0] for number in (1, 2)]
    made = sum(took >= each["bid"] for took, each in zip(won, bids, strict=True))
    assert costs == sorted(clear, reverse=True)[:3]
    expected = bids[0]["made"] + bids[1]["made"]
    assert told["bids"] == {"count": 2, "made": made, "expected": expected}


def test_help_is_given_before_the_bid_and_not_after(asha: User) -> None:
    game = new_game(asha, seats=ME_AND_BOTS)

    told = coaching.help_to_bid(asha, game, round=1, now=NOW)
    while 0 not in loaded(game).rounds[1].actors:
        step(game)
    step(game)

    assert told.best in range(1, 14)
    assert set(told.scores) == set(range(1, 14))
    with pytest.raises(RuleViolation) as refused:
        coaching.help_to_bid(asha, game, round=1, now=NOW)
    assert refused.value.code == Code.WRONG_PHASE


def test_at_a_rated_table_there_is_no_help(asha: User, eli: User) -> None:
    game = new_game(asha, seats=ME_AND_BOTS)
    Game.objects.filter(pk=game).update(rated=True)

    with pytest.raises(NoHelpHere):
        coaching.help_to_bid(asha, game, round=1, now=NOW)
    with pytest.raises(NotSeated):
        coaching.help_to_bid(eli, game, round=1, now=NOW)


def test_help_depends_on_the_players_own_cards_and_the_bids_alone(
    asha: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Observation] = []

    def looks(each: Observation) -> coach.Foresight:
        seen.append(each)
        return coach.foresee(each)

    monkeypatch.setattr(coaching, "foresee", looks)
    game = new_game(asha, seats=ME_AND_BOTS)

    coaching.help_to_bid(asha, game, round=1, now=NOW)

    assert seen[0].seat == 0
    assert seen[0].hand == loaded(game).rounds[1].hands[0]
