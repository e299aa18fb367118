"""What a worker does about one decision: a bot's answer, a card that plays itself, a plan's, or nothing.

Each in a transaction and an event of its own, never inside somebody else's answer. May run late, twice, or at the same time
as another or as the player: the lock and the turn decide. A bot that searches thinks between two locks, so that nobody waits
for it.
"""

from datetime import datetime

from games import store
from games.engine.claim import publicly_forced
from games.engine.plan import Ask, Plan, Play, Stop, decide
from games.models import Event
from games.services import pace, plans, settling, thinking
from games.services.deciding import append_answer, play_bot
from games.store import By
from games.table import Table

Via = Event.Via


def follow_up(game_id: str, *, round: int, turn: int, now: datetime) -> bool:
    """Answer decision `(round, turn)` if it is for a worker to answer. Whether anything was played.

    The cards of the last trick play themselves, as all the table knows that they must; then a bot answers for its seat; then
    whoever sits there may have left a plan.
    """
    thought = None
    with store.locked(game_id, round, now=now) as table:
        seat = _seat_to_see_to(table, round, turn)
        if seat is None:
            return False
        if publicly_forced(table.observe(round, None)):
            append_answer(table, round, seat, table.observe(round, seat).legal[0], by=By.RULE)
        elif (round, seat) in table.bots_due():
            thought = thinking.begin(table, round, seat)
            if thought is None:
                play_bot(table, round, seat, by=By.BOT)
        elif not _answer_for_a_person(table, round, seat):
            return False
        if thought is None:
            settling.settle(table, round)
            return True
    answer = thinking.finish(thought)
    with store.locked(game_id, round, now=now) as table:
        if _seat_to_see_to(table, round, turn) is None:
            return False  # another worker was quicker
        append_answer(table, round, thought.seat, answer, by=By.BOT)
        thought.choice.save(update_fields=["answered_by"])
        settling.settle(table, round)
    return True


def _seat_to_see_to(table: Table, round: int, turn: int) -> int | None:
    state = table.rounds.get(round)
    if state is None:
        return None
    due = [seat for number, seat in table.answers_due() if number == round]
    return next((seat for seat in due if state.turn_of(seat) == turn), None)


def _answer_for_a_person(table: Table, round: int, seat: int) -> bool:
    """Play the only legal card where the table was made so, or what the plan says; else leave it to the person."""
    seen = table.observe(round, seat)
    if table.game.auto_forced and len(seen.legal) == 1:
        _play_for(table, round, seat, Play(seen.legal[0], None), Via.FORCED)
        return True
    kept = plans.kept_plan(table, round, seat)
    decision = None if kept is None else decide(Plan.from_json(kept.body), seen)
    match decision:
        case Play():
            _play_for(table, round, seat, decision, Via.PLAN)
            return True
        case Ask() | Stop():
            plans.halt(table, round, seat, kept, decision.reason)
        case None:
            plans.halt(table, round, seat, None, "")
    return False


def _play_for(table: Table, round: int, seat: int, play: Play, via: Via) -> None:
    # As when they play themselves, also to a seat that was late: else its staying late would tell of the plan.
    pace.come_back(table, table.seats[seat])
    append_answer(table, round, seat, play.card, by=By.PLAYER, via=via)
