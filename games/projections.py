"""The columns that lists, sweeps and results need: what follows from the log, kept beside it.

Every value here can be made again from the events. `follow` keeps a round's row in step with its state in memory; `write`
puts a table's rows into the database, once per transaction.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from games.engine.observation import TRICKS
from games.engine.round import RoundState, State, sealed_turn
from games.engine.rules import HouseRules
from games.engine.scoring import LAST_ROUND, Standings, judge
from games.models import Game, Round, Seat

# How long a bot's turn may be overdue before the sweep believes that its task was lost.
GRACE: Final = timedelta(seconds=5)


def follow(row: Round, state: RoundState) -> None:
    """Let the row of a round say what its state says, as far as everybody may know it."""
    seen = state.observe(None)
    row.attempt = state.attempt
    row.state = state.state.value
    row.turn = seen.turn
    row.actors = list(state.actors)
    row.bids = list(seen.bids)
    row.won = list(state.won)
    row.tricks_played = len(state.tricks)
    row.claimed_by = state.claimed_by
    row.scores = None if state.scores is None else list(state.scores)
    row.last_trick = None
    if state.tricks and state.scores is not None:
        last = state.tricks[-1]
        row.last_trick = {
            "leader": last.leader,
            "cards": [card.text for card in last.cards],
            "winner": last.winner,
        }


def write(
    game: Game,
    seats: Sequence[Seat],
    rows: Mapping[int, Round],
    changed: Iterable[int],
    *,
    now: datetime,
) -> None:
    """Write the rounds that changed (their numbers) and the game."""
    for number in changed:
        row = rows[number]
        row.save(update_fields=None if row.pk is None else ROUND_FIELDS)
    game.totals = totals(game, rows)
    game.next_attempt_at = now + GRACE if answers_due(game, seats, rows) else None
    game.save(update_fields=GAME_FIELDS)


ROUND_FIELDS: Final = [
    "attempt",
    "key",
    "state",
    "turn",
    "actors",
    "bids",
    "won",
    "scores",
    "commitments",
    "last_trick",
    "tricks_played",
    "claimed_by",
    "clocks",
    "banks",
    "alarm_at",
    "autopilot",
    "planned",
]
GAME_FIELDS: Final = [
    "status",
    "seq",
    "head",
    "first_dealer",
    "totals",
    "adjusted",
    "keys_revealed",
    "started_at",
    "finished_at",
    "result",
    "given_back",
    "frozen_at",
    "next_attempt_at",
]


def totals(game: Game, rows: Mapping[int, Round]) -> list[int]:
    """The match totals by seat, in units: the rounds that are scored, and what rulings adjusted."""
    scored = [row.scores for row in rows.values() if row.scores]
    return [sum(scores[seat] for scores in [*scored, game.adjusted]) for seat in range(4)]


def standings(game: Game, rules: HouseRules, rows: Mapping[int, Round]) -> Standings:
    """Where the match stands by its rows: what `Match.standings` says of the whole fold."""
    scored = [row for row in rows.values() if row.state == State.SCORED]
    return judge(
        rules,
        [([bid for bid in row.bids if bid is not None], row.won) for row in scored],
        void=sum(row.state == State.VOID for row in rows.values()),
        adjusted=game.adjusted,
        running=any(row.state in (State.BIDDING, State.PLAYING) for row in rows.values()),
        last_key=keys_used(rows) >= LAST_ROUND,
    )


def keys_used(rows: Mapping[int, Round]) -> int:
    """How many deals took a key of their own. The newest key is that of some round, whatever was replayed."""
    return max((row.key for row in rows.values()), default=0)


def bots_due(game: Game, seats: Sequence[Seat], rows: Mapping[int, Round]) -> list[tuple[int, int]]:
    """Every `(round, seat)` where a bot is to act: a built-in one, a stand-in, or the autopilot of a round."""
    if game.status != Game.Status.PLAYING:
        return []
    return [
        (row.number, seat)
        for row in rows.values()
        for seat in row.actors
        if _is_bots(row, seats[seat])
    ]


def answers_due(
    game: Game, seats: Sequence[Seat], rows: Mapping[int, Round]
) -> list[tuple[int, int]]:
    """Every `(round, seat)` whose decision a worker is to see to.

    A bot's; a card of the last trick, which plays itself; and a card that a plan, or where the table was made so the lack of
    any other, may answer. Which of them it is, nobody outside may learn.
    """
    if game.status != Game.Status.PLAYING:
        return []
    return [
        (row.number, seat)
        for row in rows.values()
        for seat in row.actors
        if _is_bots(row, seats[seat]) or _may_play_itself(game, row, seat)
    ]


def turn_of(game: Game, row: Round, seat: int) -> int:
    """The number of the decision that this seat, which is to act, has before it: what its folded round says, from the row."""
    if game.rules["sealed_bids"] and row.state == State.BIDDING:
        return sealed_turn(row.turn, row.dealer, seat)
    return row.turn


def _is_bots(row: Round, seat: Seat) -> bool:
    return not seat.is_person or seat.number in row.autopilot


def _may_play_itself(game: Game, row: Round, seat: int) -> bool:
    if row.state != State.PLAYING:
        return False
    if row.tricks_played == TRICKS - 1:
        return True
    return (game.auto_forced or str(seat) in row.planned) and row.turn >= row.planned.get(
        str(seat), 0
    )
