"""A decision of a person at the table: a bid, a card, or a claim of the rest. This is the one path of a move.

`(round, turn)` names the decision that is answered. The same answer of the same seat again is the same move, not an error;
another answer to a decision already made is stale. Nothing is ever applied twice.
"""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games import receipts, store
from games.engine.cards import Card
from games.engine.clock import in_time
from games.engine.errors import Code, RuleViolation, citation
from games.models import Game
from games.refusals import GameNotFound, NotSeated, StaleTurn, TimeRanOut
from games.services import pace, settling
from games.services.deciding import Answer, append_answer
from games.services.timing import OpenTurn
from games.store import By
from games.table import Table


@dataclass(frozen=True, slots=True)
class Move:
    """An accepted decision: its event's number and hash, and the table after it. `repeated`: it had been made before."""

    table: Table
    seq: int
    hash: str
    repeated: bool

    @property
    def signature(self) -> str:
        return receipts.sign(self.table.game.id, self.seq, self.hash)


def play_card(
    user: User, game_id: str, card: Card, *, round: int, turn: int, now: datetime
) -> Move:
    """Play `card` as the answer to decision `(round, turn)`. Raises what `_decide` says."""
    return _decide(user, game_id, card, round=round, turn=turn, now=now)


def place_bid(user: User, game_id: str, bid: int, *, round: int, turn: int, now: datetime) -> Move:
    """Bid `bid` tricks as the answer to decision `(round, turn)`. Raises what `_decide` says."""
    return _decide(user, game_id, bid, round=round, turn=turn, now=now)


def claim(user: User, game_id: str, *, round: int, turn: int, now: datetime) -> Move:
    """Claim every remaining trick instead of leading to one, as the answer to decision `(round, turn)`.

    Raises what `_decide` says; `claim_not_proven`, which no log knows of, unless hand and history prove it.
    """
    return _decide(user, game_id, None, round=round, turn=turn, now=now)


def _decide(
    user: User, game_id: str, answer: Answer, *, round: int, turn: int, now: datetime
) -> Move:
    """The checks in their order: visibility, seat, turn, ownership, legality; so none tells on a hidden card.

    `GameNotFound`, `NotSeated`, `StaleTurn`, or the RuleViolation of the engine. On any of them nothing has changed.
    """
    with store.locked(game_id, round, now=now) as table:
        if not table.is_visible_to(user.pk):
            raise GameNotFound
        seat = table.seat_of(user.pk)
        if seat is None:
            raise NotSeated
        repeated = _answered(table, round, turn, seat, answer)
        if repeated is not None:
            return Move(table, *repeated, repeated=True)
        table.check_not_frozen()
        try:
            _check_turn(table, round, turn, seat)
            pace.come_back(table, table.seats[seat])
            seq, head = append_answer(table, round, seat, answer, by=By.PLAYER)
        except RuleViolation as refused:
            refused.data |= _help_to_go_on(table, round, seat, refused.code)
            raise
        settling.settle(table, round)
    return Move(table, seq, head, repeated=False)


def _answered(
    table: Table, round: int, turn: int, seat: int, answer: Answer
) -> tuple[int, str] | None:
    """Number and hash of this very answer, if this seat gave it before. `StaleTurn` if the decision was made otherwise."""
    state = table.rounds.get(round)
    if state is not None and seat in state.actors and turn == state.turn_of(seat):
        return None
    made = store.decision(table, round, turn)
    if made is None:
        return None
    given = answer.text if isinstance(answer, Card) else answer
    if made.seat != seat or given != (made.bid if made.card is None else made.card):
        raise StaleTurn(**position(table, round))
    return made.seq, made.hash


def _check_turn(table: Table, round: int, turn: int, seat: int) -> None:
    if table.game.status == Game.Status.FINISHED:
        raise RuleViolation(Code.GAME_OVER)
    state = table.rounds.get(round)
    if table.game.status != Game.Status.PLAYING or state is None:
        raise RuleViolation(Code.WRONG_PHASE)
    if turn != (state.turn_of(seat) if seat in state.actors else state.turn):
        raise StaleTurn(**position(table, round))
    # After an outage this game may still be owed time that the sweep has not brought it yet.
    if _is_late(table, round, seat) and not (
        pace.give_back(table) and not _is_late(table, round, seat)
    ):
        raise TimeRanOut(**position(table, round))


def _is_late(table: Table, round: int, seat: int) -> bool:
    kept = OpenTurn.of(table.rows[round], seat)
    return kept is not None and not in_time(kept.deadline_at, table.now)


def _help_to_go_on(table: Table, round: int, seat: int, code: Code) -> dict[str, object]:
    """What a refusal tells its mover: the rule's citation, where the round is, and what this seat may play if it is to act."""
    known = {"rule": citation(table.rules.name, code), **position(table, round)}
    if round in table.rounds and (legal := table.observe(round, seat).legal):
        known["legal"] = [card.text for card in legal]
    return known


def position(table: Table, round: int) -> dict[str, object]:
    """The `turn` and `to_act` of a round now: what a caller whose view is old needs. Both None for a round not dealt."""
    state = table.rounds.get(round)
    if state is None or state.is_over:
        return {"turn": None, "to_act": None}
    return {"turn": state.turn_of(None), "to_act": state.to_act}
