"""Matches played out at random, as events: what the properties of the fold are tried on."""

from collections.abc import Iterator
from random import Random

from games.engine.cards import DECK
from games.engine.errors import RuleViolation
from games.engine.events import Bid, Dealt, Event, Played, Ruled, Ruling, ThrownIn
from games.engine.match import Match
from games.engine.round import RoundState, State
from games.engine.rules import HouseRules
from games.engine.scoring import LAST_ROUND

Step = tuple[Match, Event, Match]


def random_deal(dice: Random, number: int, attempt: int) -> Dealt:
    deck = list(DECK)
    dice.shuffle(deck)
    return Dealt(number, attempt, tuple(tuple(deck[13 * seat :][:13]) for seat in range(4)))


def random_steps(rules: HouseRules, dice: Random) -> Iterator[Step]:
    """Every step of a match to its end: the match before, the event, the match after."""
    match = Match.start(rules, dice.randrange(4))
    while (event := next_event(match, dice)) is not None:
        after = match.apply(event)
        yield match, event, after
        match = after


def ruled_steps(rules: HouseRules, dice: Random, *, rulings: int) -> Iterator[Step]:
    """The same, with so many rulings in between: also on rounds that are over, and on a match that is."""
    match, made = Match.start(rules, dice.randrange(4)), 0
    while True:
        event = next_event(match, dice)
        if made < rulings and is_settled(match) and (event is None or dice.random() < 0.03):
            event, made = random_ruling(match, dice), made + 1
        if event is None:
            return
        after = match.apply(event)
        yield match, event, after
        match = after


def is_settled(match: Match) -> bool:
    """Whether nothing follows by itself: as every transaction leaves a match, so as every ruling finds it."""
    due = (match.rules.rounds or 1) if match.rules.parallel_rounds else 1
    waits = any(row.awaits_deal or row.throw_in for row in match.rounds)
    runs = not all(row.is_over for row in match.rounds) or match.standings.finished
    return len(match.rounds) >= due and not waits and runs


def random_ruling(match: Match, dice: Random) -> Ruled:
    """Any that may be made now. A cancelled game is let go on."""
    if match.is_cancelled:
        return Ruled(Ruling.DISMISS, lifts=dice.randint(1, 900))
    ruling = dice.choice(list(Ruling))
    round = dice.randint(1, len(match.rounds))
    match ruling:
        case Ruling.VOID_ROUND:
            is_void = match.rounds[round - 1].state is State.VOID
            if match.keys < LAST_ROUND and (is_void or dice.random() < 0.5):
                return Ruled(ruling, round, replay=True)
            return Ruled(ruling, round) if not is_void else Ruled(Ruling.UPHOLD_PLAY, round)
        case Ruling.ADJUST_SCORE:
            return Ruled(ruling, deltas=(dice.randint(-90, 90), 0, dice.randint(1, 90), 0))
        case Ruling.RESTORE_CLOCK | Ruling.REPLACE_SEAT:
            return Ruled(ruling, seat=dice.randrange(4))
        case _:
            return Ruled(ruling, round)


def next_event(match: Match, dice: Random) -> Event | None:
    """Something that may happen next; None when the match is over."""
    if match.standings.finished or match.is_cancelled:
        return None
    open_rounds = [row for row in match.rounds if not row.is_over]
    side_by_side = match.rules.parallel_rounds and len(match.rounds) < (match.rules.rounds or 0)
    if not open_rounds or (side_by_side and dice.random() < 0.5):
        return random_deal(dice, len(match.rounds) + 1, 0)
    return _next_in_round(dice.choice(open_rounds), dice)


def _next_in_round(row: RoundState, dice: Random) -> Event:
    if row.throw_in is not None:
        return ThrownIn(row.number, row.attempt, row.throw_in)
    if row.awaits_deal:
        return random_deal(dice, row.number, row.attempt + 1)
    seat = dice.choice(row.actors)
    if row.state is State.BIDDING:
        return Bid(row.number, seat, dice.randint(row.rules.min_bid, row.rules.max_bid))
    return Played(row.number, seat, dice.choice(row.observe(seat).legal))


def refused(match: Match, event: Event) -> str:
    """The code with which the match refuses the event."""
    try:
        match.apply(event)
    except RuleViolation as violation:
        return str(violation.code)
    raise AssertionError(f"{event} was accepted")
