"""What follows by itself at a table after somebody acted: deals thrown in, rounds scored, seeds revealed, the match ended,
clocks opened and closed, workers told.

Called by the services that act, inside the transaction and the lock they hold. Nothing here decides a card.
"""

from dataclasses import replace
from typing import Any, Final

from django.conf import settings

from games import notices, nudges, projections, store
from games.engine.events import ThrownIn
from games.engine.round import State
from games.engine.scoring import Standings
from games.models import Game
from games.services import plans, timing
from games.store import By, Kind
from games.table import Table

# How a match ends that every person has left.
ABANDONED: Final = "abandoned"


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
    else:
        _deal_next(table)


def after_a_ruling(table: Table, *, was_abandoned: bool) -> None:
    """Let everything happen that a ruling made due, of a game in which every round was folded.

    Seeds are revealed, a void round is dealt anew if it is to be replayed; then the match is judged again: one that was over may
    go on, one that went on may be over.
    """
    _reveal(table)
    for number in sorted(table.rounds):
        if table.rounds[number].awaits_deal:
            store.append_deal(table, number)
            _deal_again(table, number)
    _judge_again(table, was_abandoned=was_abandoned)
    table.changed.update(number for number, row in table.rows.items() if row.actors)
    go_on(table)


def _judge_again(table: Table, *, was_abandoned: bool) -> None:
    game = table.game
    if game.started_at is None:
        game.status = Game.Status.OPEN
        return
    standing = standings_of(table)
    if was_abandoned:
        finish(table, replace(standing, winners=()), reason=ABANDONED)
    elif standing.finished:
        finish(table, standing, reason=str(standing.reason))
    else:
        _reopen(table)
        _deal_next(table)


def _reopen(table: Table) -> None:
    """Let a match be played that was over or cancelled; when it is over again, that is news again."""
    game = table.game
    if game.status != Game.Status.PLAYING:
        game.status, game.result, game.finished_at = Game.Status.PLAYING, None, None
        notices.match_goes_on(table)


def cancel(table: Table) -> None:
    """Close a game for good, whatever is being played: its seeds stay sealed, its clocks stop, it has no result."""
    store.append_fact(table, Kind.CANCELLED, by=By.STAFF)
    game = table.game
    game.status, game.result, game.finished_at = Game.Status.CANCELLED, None, table.now
    for row in table.rows.values():
        plans.forget(table, row.number)
        row.clocks, row.alarm_at, row.autopilot = {}, None, []
        table.changed.add(row.number)


def _deal_next(table: Table) -> None:
    """In turn, the next round is dealt when none is running; a replayed one may run beside another."""
    over = all(row.state in (State.SCORED, State.VOID) for row in table.rows.values())
    if over and not table.rules.parallel_rounds:
        number = len(table.rows) + 1
        store.append_deal(table, number)
        _deal_again(table, number)


def standings_of(table: Table) -> Standings:
    """Where the match stands, from the rows of its rounds."""
    return projections.standings(table.game, table.rules, table.rows)


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
    """Reveal the seed of every key below which all rounds are over: a later link would yield the earlier ones."""
    game, rows = table.game, table.rows.values()
    # A round that is to be replayed has done with the key that its row still names.
    held = {row.key: row for row in rows if not table.awaits_key(row.number)}
    for key in range(game.keys_revealed + 1, projections.keys_used(table.rows) + 1):
        row = held.get(key)
        if row is not None and row.state not in (State.SCORED, State.VOID):
            return
        number = store.round_of_key(table, key) if row is None else row.number
        data = {"key": key, "s": table.link(key).hex()}
        store.append_fact(table, Kind.REVEALED, by=By.DICE, round=number, data=data)
        game.keys_revealed = key


def finish(table: Table, standing: Standings, *, reason: str) -> None:
    """End the match as it stands: nobody is among its winners unless the rules say that it is over."""
    game = table.game
    if game.status != Game.Status.FINISHED:
        game.status, game.finished_at = Game.Status.FINISHED, table.now
    game.result = result_of(standing, reason=reason)
    notices.match_over(table)


def result_of(standing: Standings, *, reason: str) -> dict[str, Any]:
    """A match's result as it is stored and answered."""
    return {
        "reason": reason,
        "winners": list(standing.winners),
        "totals": list(standing.totals),
        "ranks": list(standing.ranks),
    }
