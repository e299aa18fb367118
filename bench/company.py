"""Four simulated people and one match between them, played through the real services with a clock of our own."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from heapq import heappop, heappush
from random import Random

from django.conf import settings
from django.core import mail
from django.db.models import Min

from accounts.models import User
from bench.pace import CAREFUL, Mode, Played
from games import queries, store
from games.bots import BOTS
from games.engine.cards import Card
from games.engine.claim import claim_proven, unseen_cards
from games.engine.clock import CLOCKS, PerTurn, clock_from_json, latest_end
from games.engine.observation import Observation
from games.engine.plan import Facts, Plan, StopReason
from games.engine.rules import with_options
from games.models import Event, Game, Notice, Round
from games.notices import sending
from games.services import following, lobby, pace, plans, play
from games.table import Table

POLICY = BOTS["steady"]
START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
LONGEST = timedelta(days=400)
ZONES = (
    ("Asia/Kathmandu", 345),
    ("Asia/Kolkata", 330),
    ("Europe/Berlin", 60),
    ("America/New_York", -300),
)
AWAKE = (7, 23)
MINUTES_A_DAY = 24 * 60


class Company:
    """`Company(mode, dice).play()` is one match."""

    def __init__(self, mode: Mode, dice: Random) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        mail.outbox = []
        self.mode = mode
        self.now = START
        self.people = [self._person(dice, zone) for zone, _ in ZONES]
        self.diary = Diary(dice, mode.visits)
        self.visits = [0] * len(self.people)
        self.game = self._start()
        self._work()

    def play(self) -> Played:
        while self.is_running and self.now < START + LONGEST:
            at, who = self.diary.next_visit()
            self._let_time_pass(at)
            if not self.is_running:
                break
            self.visits[who] += 1
            self._look_in(who)
        # What is told about the end goes out.
        self._let_time_pass(self.now + timedelta(days=1))
        game = Game.objects.get(pk=self.game)
        mails = Counter(message.to[0] for message in mail.outbox)
        return Played(
            started_at=START,
            ended_at=game.finished_at or self.now,
            last_day=self._last_day(game),
            reason=(game.result or {}).get("reason", "unfinished"),
            visits=self.visits,
            mails=[mails[user.email] for user in self.people],
            timeouts=self._lines_by_seat(kind="stood_in"),
            by_hand=self._lines_by_seat(by="player", via="", kind__in=["bid", "played", "claimed"]),
            by_bot=self._lines_by_seat(by="bot", kind__in=["bid", "played"]),
        )

    def _look_around(self) -> None:
        """See how the table stands. Nobody else moves anything, so it need not be asked again before we have acted."""
        game = Game.objects.get(pk=self.game)
        self.is_running = game.status == Game.Status.PLAYING
        self.is_for_workers = game.next_attempt_at is not None
        self.kept_by_bots = set(
            game.seats.exclude(stand_in_since=None).values_list("number", flat=True)
        )
        rows = Round.objects.filter(game=game).order_by("number")
        self.waiting = [(row.number, seat) for row in rows for seat in row.actors]
        self.next_alarm = self._next_alarm()

    def _lines_by_seat(self, **which: object) -> list[int]:
        seats = Event.objects.filter(game=self.game, **which).values_list("seat", flat=True)
        counted = Counter(seats)
        return [counted[seat] for seat in range(4)]

    # Time

    def _let_time_pass(self, until: datetime) -> None:
        """Do everything that workers and the sweep would have done by then, in order of time."""
        while self.next_alarm is not None and self.next_alarm <= until:
            self.now = max(self.now, self.next_alarm)
            for game, number in Round.objects.filter(alarm_at__lte=self.now).values_list(
                "game_id", "number"
            ):
                pace.wake(game, round=number, now=self.now)
            sending.send_due(now=self.now)
            self._work()
        self.now = max(self.now, until)

    def _next_alarm(self) -> datetime | None:
        alarm = Round.objects.aggregate(at=Min("alarm_at"))["at"]
        queued = Notice.objects.filter(status=Notice.Status.QUEUED)
        letter = queued.aggregate(at=Min("next_attempt_at"))["at"]
        return min((at for at in (alarm, letter) if at is not None), default=None)

    def _work(self) -> None:
        """Play every decision that a worker is to see to: forced cards, plans, stand-ins. After everything that is done."""
        self._look_around()
        # As the sweep does: a table that nobody is to see to is not even loaded.
        while self.is_for_workers and (due := self._due()):
            for number, turn in due:
                following.follow_up(self.game, round=number, turn=turn, now=self.now)
            self._look_around()

    def _due(self) -> list[tuple[int, int]]:
        table = self._table()
        return [
            (number, table.rounds[number].turn_of(seat)) for number, seat in table.answers_due()
        ]

    # People: the one at a place holds the seat of that number

    def _look_in(self, who: int) -> None:
        user = self.people[who]
        User.objects.filter(pk=user.pk).update(last_visit_at=self.now)
        if who in self.kept_by_bots:
            pace.take_back(user, self.game, now=self.now)
            self._work()
        while mine := [number for number, seat in self.waiting if seat == who]:
            self._answer(user, self._table().observe(mine[0], who))
            self._work()
        if self.mode.plans and self._leave_plans(who):
            self._work()

    def _answer(self, user: User, seen: Observation) -> None:
        decision = {"round": seen.round, "turn": seen.turn, "now": self.now}
        if seen.state == "bidding":
            play.place_bid(user, self.game, POLICY.bid(seen), **decision)
        elif self.mode.claims and not seen.trick and claim_proven(seen):
            play.claim(user, self.game, **decision)
        else:
            play.play_card(user, self.game, POLICY.play(seen), **decision)

    def _leave_plans(self, who: int) -> bool:
        """Whether any is new."""
        table = self._table()
        is_new = False
        for number in queries.running(table):
            seen = table.observe(number, who)
            kept = plans.kept_plan(table, number, who)
            plan = careful(seen) if self.mode.plans == CAREFUL else bold(seen)
            # Whoever finds their plan as they would leave it leaves it alone.
            if kept is not None and not kept.halted and kept.body == plan.to_json():
                continue
            tags = None if kept is None else [plans.ANY]
            plans.save(self.people[who], self.game, plan, round=number, seen=tags, now=self.now)
            is_new = True
        return is_new

    # The table

    def _person(self, dice: Random, zone: str) -> User:
        name = f"p{dice.getrandbits(40):x}"
        night = {"night_start": time(AWAKE[1]), "night_end": time(AWAKE[0])}
        user = User.objects.create_user(
            name, f"{name}@example.com", time_zone=zone, **(night if self.mode.nights else {})
        )
        user.emailaddress_set.create(email=user.email, verified=True, primary=True)
        return user

    def _start(self) -> str:
        options = {"sealed_bids": self.mode.sealed, "parallel_rounds": self.mode.side_by_side}
        wanted = lobby.NewGame(rules=with_options("arcadia", options), clock=self._clock())
        table = lobby.create_game(self.people[0], wanted, now=self.now)
        for user in self.people[1:]:
            lobby.sit(user, table.game.id, now=self.now)
        return table.game.id

    def _clock(self) -> dict[str, object]:
        if self.mode.clock in CLOCKS:
            return CLOCKS[self.mode.clock].to_json()
        return PerTurn(86400 * int(self.mode.clock.split()[0])).to_json()

    def _table(self) -> Table:
        table = store.load(self.game, now=self.now)
        store.fold(table, *queries.running(table))
        return table

    def _last_day(self, game: Game) -> datetime | None:
        rounds = 1 if self.mode.side_by_side else 5
        night = timedelta(hours=24 - (AWAKE[1] - AWAKE[0])) if self.mode.nights else timedelta()
        return latest_end(
            clock_from_json(game.clock),
            started_at=START,
            decisions_per_seat=14 * rounds,
            longest_night=night,
            holidays=0,
        )


class Diary:
    """Who looks in when, in order of time."""

    def __init__(self, dice: Random, a_day: float) -> None:
        self.coming: list[tuple[datetime, int]] = []
        self.of = [visits_of(Random(dice.random()), minutes, a_day) for _, minutes in ZONES]
        for who, visits in enumerate(self.of):
            heappush(self.coming, (next(visits), who))

    def next_visit(self) -> tuple[datetime, int]:
        at, who = heappop(self.coming)
        heappush(self.coming, (next(self.of[who]), who))
        return at, who


def visits_of(dice: Random, zone_minutes: int, a_day: float) -> Iterator[datetime]:
    """The moments at which somebody looks in, without end: so many in each waking day, or a day in so many."""
    midnight = START.replace(hour=0) - timedelta(minutes=zone_minutes)
    times, days = max(1, round(a_day)), max(1, round(1 / a_day))
    while True:
        day = midnight + timedelta(days=dice.randrange(days))
        moments = sorted(dice.randrange(60 * AWAKE[0], 60 * AWAKE[1]) for _ in range(times))
        yield from (at for minute in moments if (at := day + timedelta(minutes=minute)) >= START)
        midnight += timedelta(days=days)


# What people leave behind


def careful(seen: Observation) -> Plan:
    """Follow as cheaply as one can until the bid is made or lost, and lead nothing but what nobody can beat."""
    not_yet = set(StopReason) - Facts.of(seen).stops if seen.state == "playing" else set(StopReason)
    stops = [reason for reason in (StopReason.BID_MADE, StopReason.BID_LOST) if reason in not_yet]
    return _plan(stops, sure_winners(seen))


def bold(seen: Observation) -> Plan:
    """Follow as cheaply as one can whatever happens, and lead the high cards."""
    return _plan([], [card for card in seen.hand if card.rank >= 12])


def sure_winners(seen: Observation) -> list[Card]:
    """The cards of the hand that no unseen card of their suit can beat. A ruff still can."""
    best_unseen = {card.suit: card.rank for card in unseen_cards(seen)}
    return [card for card in seen.hand if card.rank > best_unseen.get(card.suit, 0)]


def _plan(stops: list[StopReason], leads: list[Card]) -> Plan:
    rules = [{"play": "lowest_that_beats_else_lowest"}]
    cards = [card.text for card in sorted(leads, key=lambda card: (-card.rank, card.index))]
    return Plan.from_json({"rules": rules, "stop_if": list(stops), "cards": cards})
