"""The other world: the same rows and the same public history, with unplayed cards swapped between two seats.

Only the output of the store's one hand-deriving function differs, so seed, anchor, salts and commitments stay as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from games.engine import events
from games.engine.cards import Card
from games.engine.errors import RuleViolation
from games.engine.round import RoundState
from games.models import Event
from games.queries import running
from games.table import Table, derive_hands

TRIES: Final = 200
MOST_SWAPS: Final = 4


@dataclass(frozen=True, slots=True)
class OtherWorld:
    """The hands that are dealt there in `game`, by key index and attempt; `swapped` are the cards that changed hands."""

    game: str
    hands: Mapping[tuple[int, int], events.Hands]
    swapped: tuple[Card, ...]

    def derive(self, round_key: bytes, game: str, key: int, attempt: int) -> events.Hands:
        there = self.hands.get((key, attempt)) if game == self.game else None
        return there or derive_hands(round_key, game, key, attempt)


def other_world(table: Table, first: int, second: int, dice: Random) -> OtherWorld | None:
    """A world in which seats `first` and `second` hold other cards in every running round. None if none was found."""
    hands: dict[tuple[int, int], events.Hands] = {}
    swapped: list[Card] = []
    for number in running(table):
        row = table.rows[number]
        true = derive_hands(table.round_key(row.key), table.game.id, row.key, row.attempt)
        found = _swapped(table, number, true, (first, second), dice)
        if found is None:
            return None
        hands[row.key, row.attempt] = found
        for seat in (first, second):
            swapped += sorted(set(found[seat]) - set(true[seat]))
    return OtherWorld(table.game.id, hands, tuple(swapped))


def _swapped(
    table: Table, number: int, true: events.Hands, seats: tuple[int, int], dice: Random
) -> events.Hands | None:
    held = [list(table.rounds[number].hands[seat]) for seat in seats]
    hands, made = true, 0
    for _ in range(TRIES):
        ours, theirs = dice.choice(held[0]), dice.choice(held[1])
        candidate = tuple(
            tuple(
                theirs if card is ours else ours if card is theirs else card for card in hands[seat]
            )
            for seat in range(4)
        )
        if not _could_have_happened(table, number, candidate):
            continue
        hands, made = candidate, made + 1
        held[0][held[0].index(ours)], held[1][held[1].index(theirs)] = theirs, ours
        if made == MOST_SWAPS:
            break
    return hands if set(hands[seats[0]]) != set(true[seats[0]]) else None


def _could_have_happened(table: Table, number: int, hands: events.Hands) -> bool:
    """Whether the public history of the attempt on the table is legal with these hands."""
    row = table.rows[number]
    state = RoundState(rules=table.rules, number=number, dealer=row.dealer)
    lines = Event.objects.filter(game=table.game, round=number, attempt=row.attempt)
    try:
        state = state.apply(events.Dealt(number, 0, hands))
        if state.throw_in is not None:
            return False
        for line in lines.order_by("seq").values("kind", "round", "attempt", "seat", "bid", "card"):
            if line["kind"] in ("bid", "played") and (event := events.from_record(line)):
                state = state.apply(event)
    except RuleViolation:
        return False
    return True
