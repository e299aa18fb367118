"""Leak: whether a plan plays, and by which of its rules, is the same for every hand that public history allows.

The cards of a queue are the player's own choice and are held when the plan is saved. So "every hand" is every one that holds
those cards of the queue which this seat has not played.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import DECK, Card
from games.engine.match import Match
from games.engine.observation import Observation
from games.engine.plan import Ask, Decision, Facts, Plan, Play, Stop, decide
from games.engine.round import RoundState, State
from games.engine.rules import HouseRules
from tests.engine.matches import next_event
from tests.engine.strategies import house_rules
from tests.engine.test_plan_json import plans_as_json


def played_rounds(rules: HouseRules, dice: Random) -> Iterator[RoundState]:
    """The first round of a match at every moment at which a card is to be played."""
    match = Match.start(rules.replace(parallel_rounds=False), dice.randrange(4))
    while not (match.rounds and match.rounds[0].is_over):
        event = next_event(match, dice)
        assert event is not None
        match = match.apply(event)
        if match.rounds[0].state is State.PLAYING:
            yield match.rounds[0]


def cards_played_by(seat: int, seen: Observation) -> set[Card]:
    return {
        card
        for trick in seen.tricks
        for place, card in enumerate(trick.cards)
        if trick.seat_of(place) == seat
    }


def another_hand(seen: Observation, keeps: set[Card], dice: Random) -> tuple[Card, ...]:
    """As many cards that the table has not seen, `keeps` among them: what others may think this seat holds."""
    public = {*seen.trick, *(card for trick in seen.tricks for card in trick.cards)}
    others = [card for card in DECK if card not in public and card not in keeps]
    drawn = dice.sample(others, len(seen.hand) - len(keeps))
    return tuple(sorted({*keeps, *drawn}))


def firing(decision: Decision) -> object:
    """What the table could see of it, the card aside."""
    match decision:
        case Play():
            return "plays", decision.rule
        case Ask() | Stop():
            return decision


@settings(max_examples=25)
@given(house_rules(), plans_as_json, st.randoms(use_true_random=False), st.integers(0, 13))
def test_a_firing_depends_on_public_facts_and_the_own_queue_alone(
    rules: HouseRules, written: dict[str, object], dice: Random, queued: int
) -> None:
    plans: dict[int, Plan] = {}
    for row in played_rounds(rules, dice):
        seat = row.to_act or 0
        if not plans:
            # Saved before the first card: the queue is of cards held.
            plans = {
                each: Plan.from_json(
                    {**written, "cards": [card.text for card in dice.sample(hand, 13)[:queued]]}
                )
                for each, hand in enumerate(row.hands)
            }
        plan, seen = plans[seat], row.observe(seat)
        keeps = set(plan.cards) - cards_played_by(seat, seen)
        twin = replace(seen, hand=another_hand(seen, keeps, dice))

        decision = decide(plan, seen)

        assert firing(decide(plan, twin)) == firing(decision)
        assert Facts.of(twin) == Facts.of(replace(seen, hand=()))
        if isinstance(decision, Play):
            assert decision.card in seen.legal
            assert (decision.rule is None) is not bool(seen.trick)
