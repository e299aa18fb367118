"""Observations written as card text, and rounds played to some point, for the tests of the bots."""

import hashlib
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.bots import BOTS, Policy
from games.bots.expert import Expert
from games.engine.cards import DECK, Card, parse_cards
from games.engine.events import Bid, Dealt, Hands, Played, ThrownIn
from games.engine.observation import Observation, Trick
from games.engine.round import RoundState, State
from games.engine.rules import PRESETS, HouseRules

ARCADIA = PRESETS["arcadia"]
BASIC = PRESETS["everestbuzz-friends"]

# Set BOTS_IN_FULL to repeat what the bots were accepted with: all its worlds for the expert, and a thousand decisions each.
IN_FULL = bool(os.environ.get("BOTS_IN_FULL"))
QUICK_EXPERT = BOTS["expert"] if IN_FULL else Expert(bid_worlds=12, play_worlds=4)
LEVELS = {**BOTS, "expert": QUICK_EXPERT}
STEADY = BOTS["steady"]
BEGINNER = BOTS["beginner"]


def to_bid(
    hand: str,
    *,
    rules: HouseRules = ARCADIA,
    bids: tuple[int | None, ...] = (None, None, None, None),
    attempt: int = 0,
) -> Observation:
    """Seat 3, the dealer, is to bid."""
    return Observation(
        rules=rules,
        round=1,
        attempt=attempt,
        dealer=3,
        state="bidding",
        seat=3,
        to_act=3,
        acts=True,
        turn=3,
        hand=tuple(sorted(parse_cards(hand))),
        bids=bids,
        has_bid=tuple(bid is not None for bid in bids),
        won=(0, 0, 0, 0),
        scores=None,
        tricks=(),
        leader=None,
        trick=(),
        totals=(0, 0, 0, 0),
        is_last_round=False,
    )


def to_play(
    hand: str,
    trick: str = "",
    *,
    out: str | None = None,
    rules: HouseRules = ARCADIA,
    tricks: Sequence[tuple[int, str, int]] = (),
    bids: tuple[int, ...] = (2, 2, 2, 2),
    won: tuple[int, ...] = (0, 0, 0, 0),
    totals: tuple[int, ...] = (0, 0, 0, 0),
) -> Observation:
    """Seat 0 is to play to `trick`.

    `tricks`, as (leader, cards, winner), is the end of the story; how the round came to it is left out. `out` are the cards
    that the other seats still hold: a mixture of all that is left when a test does not care.
    """
    down, held = parse_cards(trick), tuple(sorted(parse_cards(hand)))
    told = [Trick(leader, parse_cards(cards), winner) for leader, cards, winner in tricks]
    known = {*held, *down, *(card for each in told for card in each.cards)}
    rest = [card for card in DECK if card not in known]
    count = 3 * len(held) - len(down)
    unseen = parse_cards(out) if out else _mixture(rest, count)
    assert len(unseen) == count
    assert set(unseen) <= set(rest)
    return Observation(
        rules=rules,
        round=1,
        attempt=0,
        dealer=3,
        state="playing",
        seat=0,
        to_act=0,
        acts=True,
        turn=4 + 4 * (13 - len(held)) + len(down),
        hand=held,
        bids=bids,
        has_bid=(True,) * 4,
        won=won,
        scores=None,
        tricks=(*_untold(13 - len(held) - len(told), set(rest) - set(unseen)), *told),
        leader=-len(down) % 4,
        trick=down,
        totals=totals,
        is_last_round=False,
    )


def _mixture(cards: Sequence[Card], count: int) -> list[Card]:
    return [cards[place * len(cards) // count] for place in range(count)]


def _untold(count: int, gone: set[Card]) -> list[Trick]:
    """So many tricks that have seen the cards that are `gone`, and prove nothing about anybody: runs of one suit upwards."""
    runs = [tuple(sorted(card for card in gone if card.suit == suit)) for suit in "CDHS"]
    told = [Trick(1, run, 1) for run in runs if run]
    assert len(told) <= count
    return [*told, *[Trick(1, (), 1)] * (count - len(told))]


def deal(number: int) -> Hands:
    cards = list(DECK)
    random.Random(number).shuffle(cards)
    return tuple(tuple(sorted(cards[seat::4])) for seat in range(4))


def random_rules(seed: int) -> HouseRules:
    """Some valid set of knobs."""
    dice = random.Random(seed)

    def on() -> bool:
        return dice.random() < 0.5

    low = dice.randint(0, 8)
    high = dice.randint(max(low, 1), 13)
    must_beat, must_trump = on(), on()
    return HouseRules(
        min_bid=low,
        max_bid=high,
        must_beat=must_beat,
        must_beat_after_trump=must_beat and on(),
        must_trump=must_trump,
        must_trump_low=must_trump and on(),
        redeal_no_spades=on(),
        redeal_no_faces=on(),
        redeal_bids_below=dice.randint(1, min(12, 4 * high)) if on() else None,
        redeal_bids_limit=dice.randint(0, 3),
        instant_win_bid=dice.randint(7, high) if high >= 7 and on() else None,
        score_scale=dice.choice((10, 1)),
        sealed_bids=on(),
    )


def decisions(
    rules: HouseRules, policies: Sequence[Policy], numbers: range
) -> Iterator[tuple[RoundState, int, Observation]]:
    """Every decision of these deals, before it is made: the round, the seat and what it sees."""
    for number in numbers:
        row = RoundState(rules=rules, number=1, dealer=number % 4)
        while not row.is_over:
            if row.throw_in is not None:
                row = row.apply(ThrownIn(1, row.attempt, row.throw_in))
            elif row.awaits_deal:
                row = row.apply(Dealt(1, row.attempt + 1, deal(1000 * number + row.attempt)))
            else:
                seat = row.actors[0]
                seen = replace(
                    row.observe(seat), tie_break=1_000_003 * number + 4 * row.turn + seat
                )
                yield row, seat, seen
                policy = policies[seat]
                if row.state is State.BIDDING:
                    row = row.apply(Bid(1, seat, policy.bid(seen)))
                else:
                    row = row.apply(Played(1, seat, policy.play(seen)))


def answer(policy: Policy, seen: Observation) -> object:
    return policy.bid(seen) if seen.state == "bidding" else policy.play(seen)


def digest() -> tuple[int, str]:
    """How many decisions were made, and the hash of all of them: every level in every seat, under every preset."""
    made, lines = 0, hashlib.sha256()
    for rules in PRESETS.values():
        for turned in range(4):
            levels = [*LEVELS.values(), LEVELS["expert"]]
            table = levels[turned:] + levels[:turned]
            for _, seat, seen in decisions(rules, table, range(2)):
                lines.update(f"{answer(table[seat], seen)} ".encode())
                made += 1
    return made, lines.hexdigest()
