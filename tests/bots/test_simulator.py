"""The engine is the referee: the simulator inside the bots agrees with it on every legal set, winner and score.

`REFEREE_ROUNDS=10000` plays as many rounds of each set of rules as the bots were accepted with.
"""

import os
import random
from collections.abc import Callable

import pytest

from games.bots.boards import BIT, CARD, mask, singles
from games.bots.sight import look
from games.bots.simulator import BEFORE_THE_LEAD, Position, play_out
from games.engine.events import Bid, Dealt, Played, ThrownIn
from games.engine.legal import legal_plays
from games.engine.round import RoundState, State
from games.engine.rules import PRESETS, HouseRules
from games.engine.scoring import round_score
from tests.bots.positions import deal, random_rules

ROUNDS = int(os.environ.get("REFEREE_ROUNDS", "40"))
RULES = {**PRESETS, **{f"knobs-{seed}": random_rules(seed) for seed in range(50)}}

every_rule_set = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)


def ready_to_play(rules: HouseRules, dice: random.Random) -> RoundState:
    """A round dealt and bid at random."""
    row = RoundState(rules=rules, number=1, dealer=dice.randrange(4))
    while row.state is State.BIDDING:
        if row.throw_in is not None:
            row = row.apply(ThrownIn(1, row.attempt, row.throw_in))
        elif row.awaits_deal:
            row = row.apply(Dealt(1, row.attempt + 1, deal(dice.getrandbits(64))))
        else:
            row = row.apply(Bid(1, row.actors[0], dice.randint(rules.min_bid, rules.max_bid)))
    return row


def any_card(dice: random.Random, asked: list[tuple[int, int]]) -> Callable[..., int]:
    """Chooses at random, and notes what might have been played and what was."""

    def choose(may_play: int, *told: int) -> int:
        card = dice.choice(list(singles(may_play)))
        asked.append((may_play, card))
        return card

    return choose


def simulated(row: RoundState, dice: random.Random) -> tuple[list[tuple[int, int]], list[int]]:
    """A random round: every choice that was asked for with its answer, and the tricks by seat."""
    leader = row.actors[0]
    hands = [mask(hand) for hand in row.hands]
    asked: list[tuple[int, int]] = []
    choose = any_card(dice, asked)
    lead = choose(hands[leader])
    start = Position(
        rules=row.rules,
        seat=leader,
        trick=BEFORE_THE_LEAD,
        winner=leader,
        behind=3,
        short=0,
        bids=row.bids_made,
        won=row.won,
    )
    return asked, play_out(start, hands, lead, choose)


@every_rule_set
def test_every_legal_set_winner_and_score_is_the_referees(rules: HouseRules) -> None:
    dice = random.Random(str(rules))
    for _ in range(ROUNDS):
        row = ready_to_play(rules, dice)
        asked, won = simulated(row, dice)

        answers = iter(asked)
        while not row.is_over:
            seat = row.actors[0]
            legal = legal_plays(rules, row.hands[seat], row.trick)
            card = legal[0]
            if len(legal) > 1:
                may_play, chosen = next(answers)
                assert may_play == mask(legal)
                card = CARD[chosen]
            row = row.apply(Played(1, seat, card))

        assert next(answers, None) is None
        assert row.won == tuple(won)
        assert row.scores == tuple(map(round_score, row.bids_made, won))


@every_rule_set
def test_what_a_seat_may_hold_never_leaves_out_a_card_that_it_holds(rules: HouseRules) -> None:
    dice = random.Random(f"masks {rules}")
    for _ in range(ROUNDS):
        row = ready_to_play(rules, dice)
        looks_at = dice.sample(range(row.turn + 4, row.turn + 52), 3)
        while not row.is_over:
            seat = row.actors[0]
            if row.turn in looks_at:
                sight = look(row.observe(seat))
                for other in {0, 1, 2, 3} - {seat}:
                    assert mask(row.hands[other]) & ~sight.may_hold[other] == 0
                    assert len(row.hands[other]) == sight.holds[other]
            legal = legal_plays(rules, row.hands[seat], row.trick)
            row = row.apply(Played(1, seat, dice.choice(legal)))


def test_every_card_has_a_bit_of_its_own() -> None:
    assert sum(BIT) == 2**52 - 1
    assert sorted(card.index for card in CARD.values()) == list(range(52))
