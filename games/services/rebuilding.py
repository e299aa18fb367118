"""Writing the columns beside a game's log anew, from its log: what a list or a sweep reads was wrong, the log is right."""

from datetime import datetime

from games import projections, store
from games.models import Event, Game, Round
from games.refusals import CannotRule
from games.services import audit, settling
from games.store import Kind


def rebuild(game_id: str, *, now: datetime) -> list[str]:
    """Let rows of game and rounds say what the log comes to. Returns what `verify_game` still finds wrong afterwards.

    `CannotRule` if the log itself does not hold: it is mended by nobody here. The clocks of people stay as they are.
    """
    with store.locked(game_id, now=now) as table:
        log = list(Event.objects.filter(game=table.game).order_by("seq"))
        replay = audit.Replay(table)
        try:
            table.game.head = audit.check_lines(table.game.id, log)
            replay.run(log)
        except audit.Wrong as wrong:
            raise CannotRule(f"The log itself does not hold: {wrong}.") from None
        table.game.seq = len(log)
        _write(table.game, table.rows, replay)
    if Game.objects.get(pk=game_id).status == Game.Status.PLAYING:
        with store.locked(game_id, now=now) as table:
            store.fold(table, *table.rows)
            table.changed.update(table.rounds)
            settling.go_on(table)
            projections.write(table.game, table.seats, table.rows, table.changed, now=now)
    return audit.verify_game(game_id, now=now)


def _write(game: Game, rows: dict[int, Round], replay: audit.Replay) -> None:
    match = replay.match
    Round.objects.filter(game=game).exclude(
        number__in=[each.number for each in match.rounds]
    ).delete()
    for state in match.rounds:
        row = rows.get(state.number) or Round(game=game, number=state.number)
        projections.follow(row, audit.with_sealed_bids(state, replay))
        row.key, row.dealer = replay.key_of(state.number), state.dealer
        row.commitments = replay.commitments[state.number]
        row.totals_before = list(state.totals)
        row.save()
    game.first_dealer = match.first_dealer if Kind.STARTED in replay.seen else None
    game.adjusted = list(match.adjusted)
    game.totals = list(match.standings.totals)
    game.keys_revealed = replay.revealed
    status, game.result = audit.outcome(replay)
    # One that was stopped without a line of its log stays so until it is let go on, with its time.
    stays = game.status == Game.Status.FROZEN and status == Game.Status.PLAYING
    game.status = Game.Status.FROZEN if stays else status
    game.save()
