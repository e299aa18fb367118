"""Everything that reads: a game as its caller sees it, lists, what waits for me, the public log.

A caller's view is made from the `Observation` of their seat (or the spectator's) and from public rows; nothing here looks
into a hand.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Exists, F, FilteredRelation, OuterRef, Prefetch, Q, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from accounts.names import key_of
from games import base64url, invitations, projections, store
from games.engine.clock import clock_from_json
from games.engine.errors import citation
from games.engine.length import Length
from games.engine.observation import Observation
from games.engine.round import State
from games.engine.rules import HouseRules
from games.engine.transcript import Transcript
from games.models import Game, Invitation, Plan, Round, Seat, SeatHolder
from games.refusals import GameNotFound, NotStarted
from games.services.plans import Kept, tag_of
from games.table import Table
from games.wording import explain

Json = dict[str, Any]

# A round and a half: what somebody can want to be told who comes back to a table.
RECAP_EVENTS: Final = 90


def open_table(
    game_id: str, viewer: int | None, *, now: datetime, invitation: Invitation | None = None
) -> Table:
    """The game with its running rounds folded. `GameNotFound` also when the viewer (a user's id) may not see it.

    `invitation` is one that `invitation_of` found: it opens a hidden table.
    """
    table = store.load(game_id, now=now)
    if not table.is_visible_to(viewer) and not _opens(invitation, game_id):
        raise GameNotFound
    store.fold(table, *running(table))
    return table


def invitation_of(
    game_id: str, viewer: int | None, token: str, *, now: datetime
) -> Invitation | None:
    """The invitation behind a link's token; None without one, and for a viewer who needs none. Else `InvitationRefused`."""
    return invitations.check(game_id, viewer, token, now=now) if token else None


def _opens(invitation: Invitation | None, game_id: str) -> bool:
    return invitation is not None and invitation.game_id == game_id


def running(table: Table) -> list[int]:
    """The numbers of the rounds that are being bid or played: none of a game that stands still."""
    if table.game.status != Game.Status.PLAYING:
        return []
    return [
        row.number for row in table.rows.values() if row.state in (State.BIDDING, State.PLAYING)
    ]


def version(game_id: str, viewer: int | None, *, invitation: Invitation | None = None) -> str:
    """What changes with whatever everybody may see of the game: two queries at most, for polls that mostly find nothing new."""
    return _known(game_id, viewer, invitation).version


def last_seq(game_id: str, viewer: int | None) -> int:
    """The number of the game's last event. `GameNotFound` for whoever may not see it."""
    return _known(game_id, viewer).seq


def known_version(game_id: str) -> str | None:
    """The same, for whoever has shown that they may see the game."""
    game = Game.objects.filter(pk=game_id).only("seq", "offers").first()
    return None if game is None else game.version


def _known(game_id: str, viewer: int | None, invitation: Invitation | None = None) -> Game:
    """The game's row, with what its version needs. `GameNotFound` for whoever may not see it."""
    columns = ("seq", "offers", "visibility", "created_by")
    game = Game.objects.filter(pk=game_id).only(*columns).first()
    if game is None:
        raise GameNotFound
    is_known = game.visibility == Game.Visibility.PUBLIC or game.created_by_id == viewer
    if not is_known and not _opens(invitation, game_id):
        own = Q(seats__user=viewer) | Q(seats__invited=viewer) | Q(holders__user=viewer)
        if viewer is None or not Game.objects.filter(own, pk=game_id).exists():
            raise GameNotFound
    return game


def versions(
    game_id: str, viewer: int | None, *, invitation: Invitation | None = None
) -> tuple[str, str]:
    """As `version`, and what changes with whatever the viewer alone knows besides their hand: their plans.

    One query for a public table and for whoever sits there.
    """
    who = viewer or 0  # nobody's
    rows = (
        Game.objects.filter(pk=game_id)
        .annotate(
            held=FilteredRelation("seats", condition=Q(seats__user=who)),
            own=FilteredRelation("plans", condition=Q(plans__owner=who)),
        )
        .order_by("own__round")
        .values_list(
            "seq", "offers", "visibility", "held__number", "own__seat",
            "own__round", "own__pk", "own__version", "own__from_turn",
        )
    )  # fmt: skip
    found = list(rows)
    if not found or (found[0][2] != Game.Visibility.PUBLIC and found[0][3] is None):
        return version(game_id, viewer, invitation=invitation), ""
    seq, offers, *_rest = found[0]
    kept = [plan for _, _, _, held, seat, *plan in found if seat is not None and seat == held]
    own = [f'{number} "{tag_of(pk, edition)}" {turn}' for number, pk, edition, turn in kept]
    return Game(seq=seq, offers=offers).version, " ".join(own)


def own_version_seen(view: Json) -> str:
    """The same, of the game as its viewer sees it (`game_as_seen`)."""
    rounds = view.get("you", {}).get("rounds", [])
    return " ".join(
        f"{own['round']} {own['plan_etag']} {own['plan_from']}" for own in rounds if own["plan"]
    )


def observation(table: Table, number: int, viewer: int | None) -> Observation:
    """What the viewer (a user's id) knows of a round, running or over: their own hand, and everything public."""
    store.fold(table, number)
    return table.observe(number, table.seat_of(viewer))


def game_as_seen(table: Table, viewer: int | None) -> Json:
    """The game for the API and the pages. `viewer` is a user's id, None for somebody without an account."""
    store.fold(table, *running(table))
    seat = table.seat_of(viewer)
    game = table.game
    view: Json = {
        "id": game.id,
        "status": game.status,
        "seq": game.seq,
        "hash": game.head,
        "anchor": game.anchor,
        "rules": game.rules,
        "rules_sha256": game.rules_sha256,
        "clock": game.clock,
        "rated": game.rated,
        "auto_forced": game.auto_forced,
        "pauses_weekends": game.pauses_weekends,
        "allows_holidays": game.allows_holidays,
        "bots_may_sit": game.bots_may_sit,
        "length": _length(game, table.seats, table.now),
        "visibility": game.visibility,
        "created_by": table.creator.username if table.creator else None,
        "seats": _seats(table.seats, game.totals),
        "rounds": [_round(table, row, seat) for row in table.rows.values()],
        "totals": game.totals,
        "adjusted": game.adjusted,
        "score_scale": table.rules.score_scale,
        "result": game.result,
    }
    if seat is not None:
        kept = _own_plans(table, seat)
        view["you"] = {
            "seat": seat,
            "rounds": [
                _own_round(table, number, seat, kept.get(number)) for number in running(table)
            ],
        }
    return view


def deadline_of(row: Round, seat: int | None) -> datetime | None:
    """By when the person of this seat must answer in this round; None while it is nobody's or a bot's turn."""
    kept = row.clocks.get(str(seat))
    return None if kept is None else datetime.fromisoformat(kept["deadline"])


def _seats(seats: Iterable[Seat], totals: list[int]) -> list[Json]:
    """The four seats for everybody. Bots of one level at one table are told apart by a number."""
    shown: list[Json] = []
    levels: Counter[str] = Counter()
    for seat in seats:
        levels[seat.bot] += 1
        shown.append(
            {
                "seat": seat.number,
                "player": _player(seat, levels[seat.bot]),
                "kind": seat.kind,
                "level": seat.bot or None,
                "invited": _invited(seat),
                "total": totals[seat.number],
                "late": seat.timeouts_running > 0,
                "stand_in_since": _minute(seat.stand_in_since),
                "offered": seat.offered_at is not None,
            }
        )
    return shown


def _invited(seat: Seat) -> str | None:
    is_free = not seat.is_taken or seat.offered_at is not None
    return seat.invited.username if is_free and seat.invited is not None else None


def _minute(at: datetime | None) -> datetime | None:
    return None if at is None else at.replace(second=0, microsecond=0)


def _player(seat: Seat, nth_of_level: int) -> str | None:
    if seat.user is not None:
        return seat.user.username
    if not seat.bot:
        return None
    name = seat.bot.capitalize()
    return name if nth_of_level == 1 else f"{name} {nth_of_level}"


def _round(table: Table, row: Round, seat: int | None) -> Json:
    state = table.rounds.get(row.number)
    if state is None or state.state is State.VOID:
        return _finished_round(row)
    shown = _running_round(row, state.observe(seat), deadline_of(row, state.to_act))
    return shown if _goes_on(table.game) else shown | _NOBODY_ACTS


# Of a round that was not played to its end when everybody had left.
_NOBODY_ACTS: Final = {"to_act": None, "action": None, "turn": None, "deadline": None}


def _goes_on(game: Game) -> bool:
    return game.status in (Game.Status.PLAYING, Game.Status.FROZEN)


def _finished_round(row: Round) -> Json:
    return {
        "round": row.number,
        "attempt": row.attempt,
        "state": row.state,
        "dealer": row.dealer,
        "to_act": None,
        "action": None,
        "turn": None,
        "deadline": None,
        "bids": row.bids,
        "has_bid": [bid is not None for bid in row.bids],
        "won": row.won,
        "scores": row.scores,
        "leader": None,
        "trick": [],
        "last_trick": row.last_trick,
        "tricks_played": row.tricks_played,
        "claimed_by": row.claimed_by,
        "autopilot": [],
        "commitments": row.commitments,
    }


def _running_round(row: Round, seen: Observation, deadline: datetime | None) -> Json:
    over = seen.scores is not None
    last = seen.tricks[-1] if seen.tricks else None
    return {
        "round": row.number,
        "attempt": seen.attempt,
        "state": seen.state,
        "dealer": seen.dealer,
        "to_act": seen.to_act,
        "action": seen.action,
        "turn": None if over else row.turn,
        "deadline": deadline,
        "bids": list(seen.bids),
        "has_bid": list(seen.has_bid),
        "won": list(seen.won),
        "scores": list(seen.scores) if seen.scores else None,
        "leader": seen.leader,
        "trick": [
            {"seat": ((seen.leader or 0) + place) % 4, "card": card.text}
            for place, card in enumerate(seen.trick)
        ],
        "last_trick": last
        and {
            "leader": last.leader,
            "cards": [card.text for card in last.cards],
            "winner": last.winner,
        },
        "tricks_played": len(seen.tricks),
        "claimed_by": row.claimed_by,
        "autopilot": [] if over else sorted(row.autopilot),
        "commitments": row.commitments,
    }


def _own_plans(table: Table, seat: int) -> dict[int, Kept]:
    """By round. Asks the database only if there is one."""
    if not any(str(seat) in table.rows[number].planned for number in running(table)):
        return {}
    plans = Plan.objects.filter(game=table.game, seat=seat, owner=table.seats[seat].user_id)
    return {plan.round: Kept.of(plan) for plan in plans}


def _own_round(table: Table, number: int, seat: int, kept: Kept | None) -> Json:
    seen = table.observe(number, seat)
    return {
        "round": number,
        "turn": seen.turn,
        "deadline": deadline_of(table.rows[number], seat),
        "hand": [card.text for card in seen.hand],
        "salt": table.salt(number, seat).hex(),
        "to_act": seen.acts,
        "legal": [card.text for card in seen.legal],
        "why_not": {
            card.text: {
                "code": str(refused.code),
                "rule": citation(table.rules.name, refused.code),
                "detail": explain(refused),
            }
            for card, refused in seen.why_not.items()
        },
        "plan": None if kept is None else kept.plan.to_json(),
        "plan_etag": None if kept is None else kept.etag,
        "plan_from": None if kept is None else kept.from_turn,
        # Why it is waited for: said while it is, and no longer.
        "plan_halted": kept.halted or None
        if kept is not None and seen.acts and kept.from_turn > seen.turn
        else None,
    }


def invitations_at(table: Table, viewer: int | None) -> list[Json]:
    """The links to this table that still hold: its creator sees all, whoever sits there those they made, nobody else any.

    `token` is empty if the site's key has changed since: such a link works, but cannot be shown again.
    """
    if viewer is None or table.game.status != Game.Status.OPEN:
        return []
    links = table.game.invitations.alive(now=table.now).order_by("pk")
    if table.game.created_by_id != viewer:
        links = links.filter(created_by=viewer)
    return [
        {
            "id": link.pk,
            "token": invitations.token_hashed_as(link.nonce, link.hash),
            "seat": link.seat,
            "expires_at": link.expires_at,
        }
        for link in links
    ]


def rematch_of(table: Table, viewer: int | None) -> str | None:
    """The id of the game that follows this one, if there is one and the viewer may see it."""
    made = Game.objects.filter(rematch_of=table.game)
    if viewer is None:
        seen = made.filter(visibility=Game.Visibility.PUBLIC)
    else:
        own = Q(created_by=viewer) | Q(seats__user=viewer) | Q(seats__invited=viewer)
        seen = made.filter(Q(visibility=Game.Visibility.PUBLIC) | own)
    return seen.values_list("pk", flat=True).first()


# The public log


def public_events(game_id: str, viewer: int | None, *, after: int, limit: int) -> Json:
    """The feed: `{events, seq}`, events after `after` as in the export, `seq` the game's last."""
    last = last_seq(game_id, viewer)
    return {"events": store.public_log(game_id, after=after, limit=limit), "seq": last}


def events_since(table: Table, seq: int) -> list[Json]:
    """The records after event `seq`, the last `RECAP_EVENTS` of them at the most."""
    after = max(seq, table.game.seq - RECAP_EVENTS)
    return store.public_log(table.game.pk, after=after, until=table.game.seq)


def export(game_id: str, viewer: int | None, *, now: datetime) -> Json:
    """`callbreak-game/1`: everything public about a game, the input of any verifier."""
    table = open_table(game_id, viewer, now=now)
    game = table.game
    return {
        "format": "callbreak-game/1",
        "game": game.id,
        "status": game.status,
        "anchor": game.anchor,
        "rules": game.rules,
        "rules_sha256": game.rules_sha256,
        "seats": [
            {
                "seat": seat.number,
                "player": shown["player"],
                "kind": seat.kind,
                "contribution": base64url.to_text(bytes(seat.contribution)),
            }
            for seat, shown in zip(table.seats, _seats(table.seats, game.totals), strict=True)
        ],
        "events": store.public_log(game.id, until=game.seq),
        "head": {"seq": game.seq, "hash": game.head},
        "result": game.result,
    }


def transcript(game_id: str, viewer: int | None, *, now: datetime) -> Transcript:
    """The match as far as it is public: hands of rounds that are over, all bids and cards. `NotStarted` before the deal."""
    table = open_table(game_id, viewer, now=now)
    if table.game.first_dealer is None:
        raise NotStarted
    return Transcript.of(table.rules, table.game.first_dealer, store.match_events(table))


# Lists


def visible_games(viewer: User | None) -> QuerySet[Game]:
    """Every game that this user may see, newest first, with its seats."""
    games = Game.objects.order_by("-created_at", "pk").prefetch_related(
        Prefetch("seats", Seat.objects.select_related("user", "invited").order_by("number"))
    )
    if viewer is None:
        return games.filter(visibility=Game.Visibility.PUBLIC)
    own = Seat.objects.filter(Q(user=viewer) | Q(invited=viewer)).values("game")
    held = SeatHolder.objects.filter(user=viewer).values("game")
    mine = Q(created_by=viewer) | Q(pk__in=own) | Q(pk__in=held)
    return games.filter(Q(visibility=Game.Visibility.PUBLIC) | mine)


def games_of(user: User) -> QuerySet[Game]:
    """The games in which this user has a seat, is expected, or which they made."""
    own = Seat.objects.filter(Q(user=user) | Q(invited=user)).values("game")
    return visible_games(user).filter(Q(pk__in=own) | Q(created_by=user))


def open_tables(viewer: User | None) -> QuerySet[Game]:
    """Public tables with a seat that this user (None: nobody in particular) could take, newest first."""
    kept = Q(invited=None) if viewer is None else Q(invited=None) | Q(invited=viewer)
    free = Seat.objects.filter(kept, game=OuterRef("pk"), bot="", user=None)
    public = Game.Visibility.PUBLIC
    return visible_games(viewer).filter(Exists(free), visibility=public, status=Game.Status.OPEN)


def offered_seats(viewer: User | None) -> QuerySet[Game]:
    """Running matches with a seat that this user (None: nobody in particular) could take over, newest first."""
    kept = Q(invited=None) if viewer is None else Q(invited=None) | Q(invited=viewer)
    offered = Seat.objects.filter(kept, game=OuterRef("pk"), offered_at__isnull=False)
    games = visible_games(viewer).filter(Exists(offered), status=Game.Status.PLAYING)
    return games if viewer is None else games.exclude(holders__user=viewer)


def person_named(name: str) -> User | None:
    """Somebody with a page of their own: whoever has an account or plays as a guest, whatever the case of the letters."""
    return User.objects.filter(username_key=key_of(name), is_active=True).first()


def public_matches(user: User) -> QuerySet[Game]:
    """The public games played to their end in which this user held a seat, the last one first. Not those that all had left."""
    games = visible_games(None).filter(status=Game.Status.FINISHED, seats__user=user)
    return games.exclude(result__reason="abandoned").order_by("-finished_at", "pk")


def games_awaiting(user: User) -> QuerySet[Game]:
    """The running games that wait for this user."""
    waiting = {row.game_id for row in running_rounds(user.pk) if waits(row)}
    return visible_games(user).filter(pk__in=waiting)


def decisions_awaiting(user: User) -> list[Json]:
    """The decisions that wait for this user, most urgent first."""
    waiting = [decision(row) for row in running_rounds(user.pk) if waits(row)]
    return sorted(waiting, key=lambda each: str(each["deadline"]))


def running_rounds(user_id: int) -> QuerySet[Round]:
    """The running rounds of a user's games, with the seat they hold there as `own_seat`.

    At most those of 50 games, so that no column is kept for which of them wait.
    """
    return (
        Round.objects.filter(
            state__in=[State.BIDDING, State.PLAYING],
            game__status=Game.Status.PLAYING,
            game__seats__user=user_id,
        )
        .annotate(own_seat=F("game__seats__number"))
        .select_related("game")
        .order_by("game__started_at", "game", "number")
    )


def waits(row: Any) -> bool:  # Any: an annotated row, here and below
    """Whether a row of `running_rounds` waits for the user."""
    return row.own_seat in row.actors and str(row.own_seat) in row.clocks


def decision(row: Any) -> Json:
    """What a row of `running_rounds` asks of the user."""
    return {
        "game": row.game_id,
        "round": row.number,
        "turn": projections.turn_of(row.game, row, row.own_seat),
        "action": "bid" if row.state == State.BIDDING else "play",
        "deadline": deadline_of(row, row.own_seat),
    }


def length_of(game: Game, seats: Iterable[Seat], *, now: datetime) -> Length | None:
    """How long the match takes; None once it is over. Of a table that waits: if it begins today.

    A day is UTC's here, and counts to its end, so that everybody is told the same all day.
    """
    if game.status not in (Game.Status.OPEN, Game.Status.PLAYING, Game.Status.FROZEN):
        return None
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return Length.of(
        HouseRules.from_json(game.rules),
        clock_from_json(game.clock),
        started_at=game.started_at or midnight + timedelta(days=1),
        people=sum(not seat.bot for seat in seats),
        holidays=game.allows_holidays,
        weekends=game.pauses_weekends,
    )


def _length(game: Game, seats: Iterable[Seat], now: datetime) -> Json | None:
    length = length_of(game, seats, now=now)
    if length is None:
        return None
    return {
        "typical_seconds": _seconds(length.by_hand),
        "typical_with_plans_seconds": _seconds(length.with_plans),
        "latest_end": length.latest_end,
    }


def _seconds(time: timedelta | None) -> int | None:
    return None if time is None else int(time.total_seconds())


def seats_of(game: Game) -> list[Json]:
    """The four seats as everybody sees them. Needs the game's seats at hand."""
    return _seats(game.seats.all(), game.totals)


def names_of(game: Game) -> list[str]:
    """What the four seats are called where a sentence names them. Needs the game's seats at hand."""
    return [seat["player"] or gettext("former player") for seat in seats_of(game)]


def summary(game: Game, *, now: datetime) -> Json:
    """A game as a list shows it. Needs the game's seats at hand."""
    return {
        "id": game.id,
        "status": game.status,
        "seq": game.seq,
        "rules": {"name": game.rules["name"]},
        "clock": game.clock,
        "rated": game.rated,
        "bots_may_sit": game.bots_may_sit,
        "visibility": game.visibility,
        "length": _length(game, game.seats.all(), now),
        "created_at": game.created_at,
        "seats": seats_of(game),
        "result": game.result,
    }
