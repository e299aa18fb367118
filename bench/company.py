"""Four simulated people and one match between them, played through the real services with a clock of our own."""

from datetime import datetime, timedelta
from random import Random

from django.conf import settings
from django.core import mail
from django.db.models import Min

from accounts.models import User
from bench.pace import START, ZONES, Diary, Mode, Played
from games import queries, store
from games.bots import BOTS
from games.engine.claim import claim_proven
from games.engine.clock import clock_from_json, latest_end
from games.engine.observation import Observation
from games.engine.plan import Plan
from games.engine.rules import with_options
from games.models import Event, Game, Notice, Round
from games.notices import sending
from games.services import following, lobby, pace, plans, play
from games.table import Table

POLICY = BOTS["steady"]
LONGEST = timedelta(days=400)
# Long enough that nobody is hurried: what is measured is how long decisions wait for people.
TWO_DAYS = {"kind": "per_turn", "seconds": 172800}


class Company:
    """`Company(mode, dice, visits).play()` is one match."""

    def __init__(self, mode: Mode, dice: Random, visits_a_day: int) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        mail.outbox = []
        self.mode = mode
        self.now = START
        self.people = [self._person(dice, zone) for zone, _ in ZONES]
        self.diary = Diary(self.people, dice, visits_a_day)
        self.game = self._start()

    def play(self) -> Played:
        visits = 0
        while self._game().status == Game.Status.PLAYING and self.now < START + LONGEST:
            at, who = self.diary.next_visit()
            self._let_time_pass(at)
            if self._game().status != Game.Status.PLAYING:
                break
            visits += 1
            self._look_in(self.people[who])
        self._let_time_pass(self.now + timedelta(days=1))
        game = self._game()
        ended_at = game.finished_at or self.now
        lines = Event.objects.filter(game=game)
        return Played(
            days=(ended_at - START) / timedelta(days=1),
            visits=visits,
            mails=len(mail.outbox),
            by_hand=lines.filter(by="player", kind__in=["bid", "played", "claimed", "sealed"])
            .filter(via="")
            .count(),
            timeouts=lines.filter(kind="stood_in").count(),
            last_day=self._last_day(game),
            ended_at=ended_at,
            reason=(game.result or {}).get("reason", "unfinished"),
        )

    # Time

    def _let_time_pass(self, until: datetime) -> None:
        """Do everything that workers and the sweep would have done by then, in order of time."""
        while (due := self._next_alarm(until)) is not None:
            self.now = max(self.now, due)
            for game, number in Round.objects.filter(alarm_at__lte=self.now).values_list(
                "game_id", "number"
            ):
                pace.wake(game, round=number, now=self.now)
            sending.send_due(now=self.now)
            self._work()
        self.now = max(self.now, until)

    def _next_alarm(self, until: datetime) -> datetime | None:
        alarm = Round.objects.filter(alarm_at__lte=until).aggregate(at=Min("alarm_at"))["at"]
        letter = Notice.objects.filter(
            status=Notice.Status.QUEUED, next_attempt_at__lte=until
        ).aggregate(at=Min("next_attempt_at"))["at"]
        return min((at for at in (alarm, letter) if at is not None), default=None)

    def _work(self) -> None:
        """Play every decision that a worker is to see to: forced cards, plans, stand-ins."""
        while due := self._due():
            for number, turn in due:
                following.follow_up(self.game, round=number, turn=turn, now=self.now)

    def _due(self) -> list[tuple[int, int]]:
        table = self._table()
        return [
            (number, table.rounds[number].turn_of(seat)) for number, seat in table.answers_due()
        ]

    # People

    def _look_in(self, user: User) -> None:
        User.objects.filter(pk=user.pk).update(last_visit_at=self.now)
        while self._answer_one(user):
            self._work()
        if self.mode.plans:
            self._leave_plans(user)
            self._work()

    def _answer_one(self, user: User) -> bool:
        table = self._table()
        seat = table.seat_of(user.pk)
        for number in queries.running(table):
            seen = table.observe(number, seat)
            if seen.acts:
                self._answer(user, seen)
                return True
        return False

    def _answer(self, user: User, seen: Observation) -> None:
        decision = {"round": seen.round, "turn": seen.turn, "now": self.now}
        if seen.state == "bidding":
            play.place_bid(user, self.game, POLICY.bid(seen), **decision)
        elif self.mode.claims and not seen.trick and claim_proven(seen):
            play.claim(user, self.game, **decision)
        else:
            play.play_card(user, self.game, POLICY.play(seen), **decision)

    def _leave_plans(self, user: User) -> None:
        """Follow as cheaply as one can, and lead the high cards: what a person in a hurry would leave behind."""
        table = self._table()
        seat = table.seat_of(user.pk)
        for number in queries.running(table):
            hand = table.observe(number, seat).hand
            high = [
                card.text for card in sorted(hand, key=lambda card: -card.rank) if card.rank >= 12
            ]
            plan = Plan.from_json(
                {"rules": [{"play": "lowest_that_beats_else_lowest"}], "stop_if": [], "cards": high}
            )
            plans.save(
                user,
                self.game,
                plan,
                round=number,
                seen=self._seen(table, number, seat),
                now=self.now,
            )

    @staticmethod
    def _seen(table: Table, number: int, seat: int | None) -> list[str] | None:
        kept = None if seat is None else plans.kept_plan(table, number, seat)
        return None if kept is None else [plans.ANY]

    # The table

    def _person(self, dice: Random, zone: str) -> User:
        name = f"p{dice.getrandbits(40):x}"
        user = User.objects.create_user(name, f"{name}@example.com", time_zone=zone)
        user.emailaddress_set.create(email=user.email, verified=True, primary=True)
        return user

    def _start(self) -> str:
        options = {"sealed_bids": self.mode.sealed, "parallel_rounds": self.mode.side_by_side}
        rules = with_options("arcadia", options)
        table = lobby.create_game(
            self.people[0], lobby.NewGame(rules=rules, clock=TWO_DAYS), now=self.now
        )
        for user in self.people[1:]:
            lobby.sit(user, table.game.id, now=self.now)
        return table.game.id

    def _game(self) -> Game:
        return Game.objects.get(pk=self.game)

    def _table(self) -> Table:
        table = store.load(self.game, now=self.now)
        store.fold(table, *queries.running(table))
        return table

    def _last_day(self, game: Game) -> datetime | None:
        rounds = 1 if self.mode.side_by_side else 5
        return latest_end(
            clock_from_json(game.clock),
            started_at=START,
            decisions_per_seat=14 * rounds,
            longest_night=timedelta(),
            holidays=0,
        )
