"""What follows by itself at a table after somebody acted: deals thrown in, rounds scored, seeds revealed, the match ended,
clocks opened and closed, workers told.

Called by the services that act, inside the transaction and the lock they hold. Nothing here decides a card.
"""

from django.conf import settings

from games import notices, nudges, store
from games.engine.events import ThrownIn
from games.engine.round import State
from games.engine.scoring import Standings, standings
from games.models import Game
from games.services import plans, timing
from games.store import By, Kind
from games.table import Table


def begin(table: Table, first_dealer: int) -> None:
    """Deal the first round, or with rounds side by side all of them, and let the first decisions wait for their seats."""
    table.game.first_dealer = first_dealer
    rounds = (table.rules.rounds or 1) if table.rules.parallel_rounds else 1
    for number in range(1, rounds + 1):
        store.append_deal(table, number)
        _deal_again(table, number)
    go_on(table)


def settle(table: Table, number: int) -> None:
    """Let everything happen that the last event of round `number` made due."""
    _follow(table, number)
    go_on(table)


def go_on(table: Table) -> None:
    """Let the clocks agree with whose turn it is now, and tell the workers which decisions are theirs to see to."""
    timing.keep_time(table)
    nudge(table)


def _follow(table: Table, number: int) -> None:
    _deal_again(table, number)
    if not table.rounds[number].is_over:
        return
    plans.forget(table, number)
    _reveal(table)
    notices.round_over(table, round=number)
    standing = standings_of(table)
    if standing.finished:
        finish(table, standing, reason=str(standing.reason))
    elif not table.rules.parallel_rounds:
        store.append_deal(table, number + 1)
        _deal_again(table, number + 1)


def standings_of(table: Table) -> Standings:
    """Where the match stands, from the rounds that are scored."""
    scored = [row for row in table.rows.values() if row.state == State.SCORED]
    return standings(table.rules, [(_whole(row.bids), row.won) for row in scored])


def nudge(table: Table, *, at_once: bool = False) -> None:
    """Tell the workers which decisions to see to. Only of the rounds that were folded: the others did not move."""
    pace = 0.0 if at_once else bot_pace(table)
    for number, seat in table.answers_due():
        state = table.rounds.get(number)
        if state is not None:
            nudges.to_answer(table.game.id, number, state.turn_of(seat), after_seconds=pace)


def bot_pace(table: Table) -> float:
    """Seconds a bot or a plan lets pass before it answers. None at a table where nobody but its one player would notice."""
    people = sum(seat.user_id is not None for seat in table.seats)
    return settings.CALLBREAK_BOT_PACE if people > 1 else 0.0


def _deal_again(table: Table, number: int) -> None:
    # Ends by itself: a deal without spades or faces in some hand is rare, and low-bid redeals come after bids.
    while (reason := table.rounds[number].throw_in) is not None:
        attempt = table.rounds[number].attempt
        store.append(table, ThrownIn(number, attempt, reason), by=By.RULE)
        # Its queue named cards of the hand that is gone.
        plans.forget(table, number)
        store.append_deal(table, number)


def _reveal(table: Table) -> None:
    """Reveal the seeds of every key below which all rounds are over: a later link would yield the earlier ones."""
    for row in sorted(table.rows.values(), key=lambda row: row.key):
        if row.state not in (State.SCORED, State.VOID):
            return
        if not row.is_revealed:
            data = {"key": row.key, "s": table.link(row.key).hex()}
            store.append_fact(table, Kind.REVEALED, by=By.DICE, round=row.number, data=data)
            row.is_revealed = True
            table.changed.add(row.number)


def finish(table: Table, standing: Standings, *, reason: str) -> None:
    """End the match as it stands: nobody is among its winners unless the rules say that it is over."""
    game = table.game
    game.status = Game.Status.FINISHED
    game.finished_at = table.now
    game.result = {
        "reason": reason,
        "winners": list(standing.winners),
        "totals": list(standing.totals),
        "ranks": list(standing.ranks),
    }
    notices.match_over(table)


def _whole(bids: list[int | None]) -> list[int]:
    return [bid for bid in bids if bid is not None]
