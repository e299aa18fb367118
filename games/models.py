"""What is stored: games, their seats and rounds, and the one append-only log that all of it follows from.

`Game`, `Seat` and `Round` hold projections of the log beside what only they know (who sits where, the pace). What must never
happen is a named constraint here or a trigger in `guards.py`, so that no code path can get it wrong.
"""

from datetime import datetime
from typing import Any, ClassVar, Final, Self

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.engine.cards import DECK

CARD_TEXTS: Final = [card.text for card in DECK]


def four_zeros() -> list[int]:
    return [0, 0, 0, 0]


def four_blanks() -> list[int | None]:
    return [None, None, None, None]


class Game(models.Model):
    """A table people join, and the match played at it. `seq` and `head` are the last event's number and hash."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")
        FROZEN = "frozen", _("frozen")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("public")
        LINK = "link", _("only by link")

    id = models.CharField(primary_key=True, max_length=12)
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    rules: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    rules_sha256 = models.CharField(max_length=64)
    clock: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    rated = models.BooleanField(default=False)
    visibility = models.CharField(max_length=6, choices=Visibility, default=Visibility.PUBLIC)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    anchor = models.CharField(max_length=64)
    seq = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64)
    first_dealer = models.PositiveSmallIntegerField(null=True)
    # Units by seat: the scores of the rounds, and on top of them what rulings adjusted.
    totals: models.JSONField[list[int], list[int]] = models.JSONField(default=four_zeros)
    adjusted: models.JSONField[list[int], list[int]] = models.JSONField(default=four_zeros)
    # The seeds of keys 1 to so many are public.
    keys_revealed = models.PositiveSmallIntegerField(default=0)
    result: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(
        null=True
    )
    # Whether Saturdays and Sundays stop the clocks, and whether people's holidays do.
    pauses_weekends = models.BooleanField(default=False)
    allows_holidays = models.BooleanField(default=True)
    # A card that is the only legal one is played by itself. It tells the table of a void, so never where it counts.
    auto_forced = models.BooleanField(default=False)
    # How often a seat was offered to a substitute or an offer withdrawn: no event says so, and who looks on must learn it.
    offers = models.PositiveSmallIntegerField(default=0)
    # The newest outage whose time this game has given back.
    given_back = models.PositiveIntegerField(default=0)
    # Since when a frozen game has stood still.
    frozen_at = models.DateTimeField(null=True)
    # When the sweep looks at this game again; null while only people are to act.
    next_attempt_at = models.DateTimeField(null=True)
    # The match that the same company played before, if this one was made by its Rematch button.
    rematch_of = models.ForeignKey(
        "self", null=True, on_delete=models.PROTECT, related_name="rematches"
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(status__in=["open", "playing", "finished", "cancelled", "frozen"]),
                name="game_status_known",
            ),
            models.CheckConstraint(
                condition=Q(first_dealer__isnull=True) | Q(first_dealer__lte=3),
                name="game_first_dealer_is_a_seat",
            ),
            models.UniqueConstraint(fields=["rematch_of"], name="game_rematch_once"),
            models.CheckConstraint(
                condition=Q(auto_forced=False) | Q(rated=False), name="game_rated_plays_nothing"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at"],
                name="game_due",
                condition=Q(status="playing", next_attempt_at__isnull=False),
            ),
            models.Index(
                fields=["given_back"], name="game_owed_time", condition=Q(status="playing")
            ),
            models.Index(fields=["status", "-created_at"], name="game_by_status"),
        ]

    def __str__(self) -> str:
        return self.id

    @property
    def is_abandoned(self) -> bool:
        """Whether everybody left the match. It has totals as far as it was played, and no places: it counts for nobody."""
        return self.result is not None and self.result["reason"] == "abandoned"

    @property
    def version(self) -> str:
        """What changes with whatever everybody may see of the game."""
        return f"{self.seq}.{self.offers}" if self.offers else str(self.seq)


class Seat(models.Model):
    """One of the four places: a person or bot account (`user`), a built-in bot (`bot`, its level), or still open.

    `invited` keeps an open seat, or one that is offered to a substitute, for one person. `contribution` is what the seat put
    into the shuffle, 0 to 64 bytes, whoever holds it later.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(validators=[MaxValueValidator(3)])
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="seats"
    )
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="invited_to"
    )
    bot = models.CharField(max_length=8, default="", blank=True)
    contribution = models.BinaryField(max_length=64, default=b"")
    # How many of this seat's decisions in a row ran out of time, and since when a bot keeps the seat.
    timeouts_running = models.PositiveSmallIntegerField(default=0)
    stand_in_since = models.DateTimeField(null=True)
    # Since when the table offers the seat to a substitute; and the event by which one got it (0: its first holder has it).
    offered_at = models.DateTimeField(null=True)
    since_seq = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="seat_number_once"),
            models.UniqueConstraint(fields=["game", "user"], name="seat_one_per_user"),
            models.CheckConstraint(condition=Q(number__lte=3), name="seat_number_is_a_seat"),
            models.CheckConstraint(
                condition=Q(bot="") | Q(user__isnull=True), name="seat_person_or_bot"
            ),
            models.CheckConstraint(
                condition=Q(offered_at__isnull=True) | Q(stand_in_since__isnull=False),
                name="seat_offered_while_kept",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} seat {self.number}"

    @property
    def kind(self) -> str:
        """`open`, `bot` (built in), `stand_in` (a bot keeps a person's seat), `bot_account` or `human`."""
        if self.stand_in_since is not None:
            return "stand_in"
        if self.user is not None:
            return "bot_account" if self.user.is_bot else "human"
        return "bot" if self.bot else "open"

    @property
    def is_taken(self) -> bool:
        return bool(self.bot) or self.user_id is not None

    @property
    def is_person(self) -> bool:
        """A person or a bot account is to answer for this seat, and no bot keeps it meanwhile."""
        return self.user_id is not None and self.stand_in_since is None


class SeatHolder(models.Model):
    """Who ever held a seat of a game: one user, one seat, for ever, so that nobody sees two hands of one match."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="holders")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "user"], name="holder_one_seat_per_game_ever")
        ]

    def __str__(self) -> str:
        return f"{self.game_id} seat {self.seat}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def alive(self, *, now: datetime) -> Self:
        """Those that somebody may still sit down with."""
        return self.filter(
            used_at=None, revoked_at=None, expires_at__gt=now, game__status=Game.Status.OPEN
        )


class Invitation(models.Model):
    """A link to a table that has not begun, good for one seat: `seat` if it names one, else any that is free.

    `hash` is the token's, which is stored nowhere: `games.invitations` makes it again from `nonce` for whoever made it.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="invitations")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    seat = models.PositiveSmallIntegerField(null=True)
    nonce = models.CharField(max_length=32)
    hash = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hash"], name="invitation_hash_once"),
            models.CheckConstraint(
                condition=Q(seat__isnull=True) | Q(seat__lte=3), name="invitation_seat_is_a_seat"
            ),
            models.CheckConstraint(
                condition=Q(used_at__isnull=True) | Q(revoked_at__isnull=True),
                name="invitation_used_or_revoked",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} invitation {self.pk}"


class LastSeen(models.Model):
    """How far somebody who sits at a table has seen its log, for their own eyes: nobody else is ever told.

    `seq` and `at` are their last look, `since_seq` and `since_at` the end of the visit before this one, if there was one.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    since_seq = models.PositiveIntegerField(default=0)
    since_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "game"], name="last_seen_once"),
            models.CheckConstraint(
                condition=Q(since_seq__lte=F("seq")), name="last_seen_after_the_visit_before"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} last seen"


class Round(models.Model):
    """One round of a game: what lists and finished pages need without folding its events."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    attempt = models.PositiveSmallIntegerField(default=0)
    key = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=7)
    turn = models.PositiveSmallIntegerField(default=0)
    # The seats that may act now: one, with sealed bids all that have not bid, none once it is over.
    actors: models.JSONField[list[int], list[int]] = models.JSONField(default=list)
    bids: models.JSONField[list[int | None], list[int | None]] = models.JSONField(
        default=four_blanks
    )
    won: models.JSONField[list[int], list[int]] = models.JSONField(default=four_zeros)
    scores: models.JSONField[list[int] | None, list[int] | None] = models.JSONField(null=True)
    totals_before: models.JSONField[list[int], list[int]] = models.JSONField(default=four_zeros)
    commitments: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    # The open turns of people: seat -> {turn, deadline, remind, reminded, habits}; and each seat's bank, in seconds.
    clocks: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    banks: models.JSONField[list[int], list[int]] = models.JSONField(default=list)
    # The next reminder or end of time that the sweep must see to.
    alarm_at = models.DateTimeField(null=True)
    # Seats whose person gave the rest of this round to a bot.
    autopilot: models.JSONField[list[int], list[int]] = models.JSONField(default=list)
    # Which seats have a plan nobody else may know: seat -> the first turn that a worker may look at for it.
    planned: models.JSONField[dict[str, int], dict[str, int]] = models.JSONField(default=dict)
    tricks_played = models.PositiveSmallIntegerField(default=0)
    # The seat that claimed the tricks that were not played.
    claimed_by = models.PositiveSmallIntegerField(null=True)
    last_trick: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(
        null=True
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="round_number_once"),
            models.UniqueConstraint(fields=["game", "key"], name="round_key_once"),
            models.CheckConstraint(condition=Q(dealer__lte=3), name="round_dealer_is_a_seat"),
            models.CheckConstraint(
                condition=Q(number__gte=1, key__gte=1, key__lte=128), name="round_key_in_range"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["bidding", "playing", "scored", "void"]),
                name="round_state_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["alarm_at"], name="round_alarm", condition=Q(alarm_at__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return f"{self.game_id} round {self.number}"


class Event(models.Model):
    """One line of the log. Never changed, never deleted; no name and no secret is ever in it.

    `at` is exact and for staff alone: public answers know the minute (see `store.record_of`). So is `via`, since whether a
    plan played a card would tell on a hand.
    """

    class Kind(models.TextChoices):
        CREATED = "created"
        JOINED = "joined"
        LEFT = "left"
        STARTED = "started"
        DEALT = "dealt"
        THROWN_IN = "thrown_in"
        SEALED = "sealed"
        BID = "bid"
        PLAYED = "played"
        REVEALED = "revealed"
        CLAIMED = "claimed"
        STOOD_IN = "stood_in"
        RETURNED = "returned"
        SUBSTITUTED = "substituted"
        ABANDONED = "abandoned"
        DEADLINES_MOVED = "deadlines_moved"
        HANDS_OPENED = "hands_opened"
        RULED = "ruled"
        FROZEN = "frozen"
        THAWED = "thawed"
        CANCELLED = "cancelled"

    class By(models.TextChoices):
        PLAYER = "player"
        BOT = "bot"
        CLOCK = "clock"
        STAFF = "staff"
        DICE = "dice"
        RULE = "rule"

    class Via(models.TextChoices):
        PLAN = "plan"
        FORCED = "forced"

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=15, choices=Kind)
    round = models.PositiveSmallIntegerField(null=True)
    attempt = models.PositiveSmallIntegerField(null=True)
    turn = models.PositiveSmallIntegerField(null=True)
    seat = models.PositiveSmallIntegerField(null=True)
    bid = models.PositiveSmallIntegerField(null=True)
    card = models.CharField(max_length=2, null=True)  # noqa: DJ001 - null is "no card", as in every other column
    data: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    by = models.CharField(max_length=6, choices=By)
    # How a card `by` a player came to be played, where they did not play it themselves at that moment.
    via = models.CharField(max_length=6, choices=Via, default="", blank=True)
    at = models.DateTimeField()
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seq"], name="event_seq_once"),
            models.UniqueConstraint(
                fields=["game", "round", "turn"],
                name="event_turn_once",
                condition=Q(turn__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["game", "round", "attempt", "seat"],
                name="event_one_bid_per_seat",
                condition=Q(kind="bid"),
            ),
            models.UniqueConstraint(
                fields=["game", "round", "attempt", "card"],
                name="event_card_once",
                condition=Q(kind="played"),
            ),
            models.CheckConstraint(condition=Q(seq__gte=1), name="event_seq_from_one"),
            models.CheckConstraint(
                condition=Q(seat__isnull=True) | Q(seat__lte=3), name="event_seat_is_a_seat"
            ),
            models.CheckConstraint(
                condition=Q(kind="bid", bid__isnull=False, bid__lte=13)
                | (~Q(kind="bid") & Q(bid__isnull=True)),
                name="event_bid_in_range",
            ),
            models.CheckConstraint(
                condition=Q(kind="played", card__isnull=False, card__in=CARD_TEXTS)
                | (~Q(kind="played") & Q(card__isnull=True)),
                name="event_card_in_deck",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["bid", "played", "claimed"])
                | Q(
                    round__isnull=False,
                    attempt__isnull=False,
                    turn__isnull=False,
                    seat__isnull=False,
                ),
                name="event_decision_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(
                    kind__in=[
                        "created",
                        "joined",
                        "left",
                        "started",
                        "dealt",
                        "thrown_in",
                        "sealed",
                        "bid",
                        "played",
                        "revealed",
                        "claimed",
                        "stood_in",
                        "returned",
                        "substituted",
                        "abandoned",
                        "deadlines_moved",
                        "hands_opened",
                        "ruled",
                        "frozen",
                        "thawed",
                        "cancelled",
                    ]
                ),
                name="event_kind_known",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["game", "round", "seq"], name="event_of_round")]

    def __str__(self) -> str:
        return f"{self.game_id} #{self.seq} {self.kind}"


class BidManager(models.Manager["Bid"]):
    def get_queryset(self) -> models.QuerySet["Bid"]:
        return super().get_queryset().filter(kind=Event.Kind.BID)


class PlayManager(models.Manager["Play"]):
    def get_queryset(self) -> models.QuerySet["Play"]:
        return super().get_queryset().filter(kind=Event.Kind.PLAYED)


class Bid(Event):
    """The bids of the log, to look at."""

    objects: ClassVar[BidManager] = BidManager()

    class Meta:
        proxy = True


class Play(Event):
    """The cards played of the log, to look at."""

    objects: ClassVar[PlayManager] = PlayManager()

    class Meta:
        proxy = True


class DealSecret(models.Model):
    """The sealed `s_128` of a game: encrypted under DEAL_KEYS, in no admin, serializer, fixture, log line or task."""

    game = models.OneToOneField(
        Game, on_delete=models.PROTECT, related_name="secret", primary_key=True
    )
    sealed = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.game_id} (sealed)"


class SealedBid(models.Model):
    """A bid that waits, unchangeable, until the fourth of its attempt is in. `seq` and `hash` are its `sealed` event's."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+")
    round = models.PositiveSmallIntegerField()
    attempt = models.PositiveSmallIntegerField()
    turn = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    bid = models.PositiveSmallIntegerField()
    by = models.CharField(max_length=6)
    seq = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "round", "attempt", "seat"], name="sealed_bid_one_per_seat"
            ),
            models.CheckConstraint(
                condition=Q(seat__lte=3, bid__lte=13), name="sealed_bid_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} round {self.round} seat {self.seat} (sealed)"


class Plan(models.Model):
    """A seat's standing plan for a round: private, versioned. `halted` is why it last left a decision to its owner.

    It belongs to a person, not to the seat: whoever gets the seat after them has no plan.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="plans")
    round = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    body: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    version = models.PositiveIntegerField(default=1)
    # A plan saved while it is its owner's turn applies from their next decision on; so does one that has left a decision to
    # its owner.
    from_turn = models.PositiveSmallIntegerField(default=0)
    halted = models.CharField(max_length=30, default="", blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "round", "seat"], name="plan_one_per_seat")
        ]

    def __str__(self) -> str:
        return f"{self.game_id} round {self.round} seat {self.seat} (private)"


class BotChoice(models.Model):
    """A decision that a searching bot was asked for, with what it takes to repeat it. For reviewers: the dice of a round that is
    running would tell them, and nobody else may know them, what the bot will do.

    `tries` counts the workers that began on it. `answered_by` is the bot that gave the answer, empty until there is one.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="bot_choices")
    round = models.PositiveSmallIntegerField()
    turn = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    level = models.CharField(max_length=8)
    version = models.PositiveSmallIntegerField()
    worlds = models.PositiveSmallIntegerField()
    tie_break = models.CharField(max_length=16)  # hexadecimal: no database has unsigned 64 bits
    tries = models.PositiveSmallIntegerField(default=0)
    answered_by = models.CharField(max_length=8, default="", blank=True)
    asked_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "round", "turn"], name="bot_choice_once")
        ]

    def __str__(self) -> str:
        return f"{self.game_id} round {self.round} turn {self.turn} {self.level}"


class Coaching(models.Model):
    """What the coach says to one person about the decisions of their seat in a round that is over.

    `done` of `total` decisions are judged so far: the bid first, then the cards. `bid` and `cards` hold what was found, as
    `services.coaching` writes it. `next_attempt_at` is when the sweep asks for it again; null once nothing is left to do.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="coachings")
    round = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    version = models.PositiveSmallIntegerField()
    total = models.PositiveSmallIntegerField()
    done = models.PositiveSmallIntegerField(default=0)
    bid: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(
        null=True
    )
    cards: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(
        default=list
    )
    asked_at = models.DateTimeField()
    next_attempt_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "round", "owner"], name="coaching_once"),
            models.CheckConstraint(
                condition=Q(done__lte=F("total")), name="coaching_done_is_part_of_total"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at"],
                name="coaching_due",
                condition=Q(next_attempt_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.game_id} round {self.round} seat {self.seat} (private)"

    @property
    def is_done(self) -> bool:
        return self.done == self.total


class Heartbeat(models.Model):
    """When a part of the service last ran: how an outage is noticed afterwards."""

    name = models.CharField(primary_key=True, max_length=20)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Outage(models.Model):
    """A silence of the service that is given back to every clock; games count the ones they have given back."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    seconds = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.seconds} s from {self.began_at:%Y-%m-%d %H:%M}"


class Checkpoint(models.Model):
    """A day's signed root over every game's (id, last seq, head), chained to the one before: see `services.checkpoints`.

    Published as it stands; the games below it are in `CheckpointLeaf` and are shown to those who may see them.
    """

    number = models.PositiveIntegerField(primary_key=True)
    day = models.DateField()
    at = models.DateTimeField()
    size = models.PositiveIntegerField()
    root = models.CharField(max_length=64)
    previous = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    signature = models.CharField(max_length=86)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day"], name="checkpoint_once_a_day"),
            models.CheckConstraint(condition=Q(number__gte=1), name="checkpoint_from_one"),
        ]

    def __str__(self) -> str:
        return f"checkpoint {self.number} of {self.day}"


class CheckpointLeaf(models.Model):
    """How far a game had come: from checkpoint `since` on, until a later row of the same game says otherwise."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+")
    since = models.ForeignKey(Checkpoint, on_delete=models.PROTECT, related_name="+")
    seq = models.PositiveIntegerField()
    head = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "since"], name="checkpoint_leaf_once")
        ]

    def __str__(self) -> str:
        return f"{self.game_id} #{self.seq} from checkpoint {self.since_id} on"


def fourteen_zeros() -> list[int]:
    return [0] * 14


def no_cards_yet() -> list[list[int]]:
    return [[0] * 4 for _ in range(52)]


class DealCount(models.Model):
    """What the revealed deals add up to: one row, counted on from event `after`. No game can be told from it."""

    after = models.PositiveBigIntegerField(default=0)
    at = models.DateTimeField()
    deals = models.PositiveIntegerField(default=0)
    # Hands by their number of spades; by card in the order of the deck, how often each seat got it.
    spades: models.JSONField[list[int], list[int]] = models.JSONField(default=fourteen_zeros)
    cards: models.JSONField[list[list[int]], list[list[int]]] = models.JSONField(
        default=no_cards_yet
    )

    def __str__(self) -> str:
        return f"{self.deals} deals counted"


class RoundSignal(models.Model):
    """What one finished round says about its six pairs of seats: `[gift, knowledge]` each, see `games.signals`. Empty: nothing."""

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="signal")
    values: models.JSONField[list[list[float]], list[list[float]]] = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"signals of {self.round_id}"


class PairSignal(models.Model):
    """What all their rounds together say about two people: a flag for a reviewer, never a verdict.

    Each index is `{rounds, mean, low, high, z}`, its interval of 95 %; a bound is null where nothing can be said. `places` counts
    matches, and has `chance`, how often chance does as well.
    """

    one = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    two = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    rounds = models.PositiveIntegerField()
    gift: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    knowledge: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    places: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    is_flagged = models.BooleanField(default=False)
    computed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["one", "two"], name="pair_signal_once"),
            models.CheckConstraint(condition=Q(one__lt=F("two")), name="pair_signal_in_order"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["-computed_at"], name="pair_flagged", condition=Q(is_flagged=True))
        ]

    def __str__(self) -> str:
        return f"signals of users {self.one_id} and {self.two_id}, {self.rounds} rounds"


class Inspection(models.Model):
    """A nightly look at every game and checkpoint. `after` is the last game looked at: whoever goes on, goes on from there.

    `findings` are `[what it is about, sentences]`, the first hundred; `broken` counts them all. `busy_until` keeps two workers apart.
    """

    day = models.DateField()
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    busy_until = models.DateTimeField()
    after = models.CharField(max_length=12, default="", blank=True)
    total = models.PositiveIntegerField()
    checked = models.PositiveIntegerField(default=0)
    broken = models.PositiveIntegerField(default=0)
    findings: models.JSONField[list[Any], list[Any]] = models.JSONField(default=list)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day"], name="inspection_once_a_day"),
        ]

    def __str__(self) -> str:
        return f"inspection of {self.began_at:%Y-%m-%d %H:%M}: {self.checked} of {self.total}"


class Notice(models.Model):
    """What one person is told by mail, once, and what became of it. Written before anything is sent.

    `round` and `turn` are 0 where a kind has none. A digest is of a local `day` and of no game; its parts point at it.
    `amount` fills in the sentence of the reason: minutes late, games in a digest.
    """

    class Kind(models.TextChoices):
        YOUR_TURN = "your_turn", _("Your turn")
        REMINDER = "reminder", _("Reminder")
        TIME_RAN_OUT = "time_ran_out", _("Time ran out")
        SEAT_TAKEN_OVER = "seat_taken_over", _("A bot keeps your seat")
        ROUND_OVER = "round_over", _("Round over")
        MATCH_OVER = "match_over", _("Match over")
        INVITATION = "invitation", _("Invitation")
        DIGEST = "digest", _("Daily digest")

    class Status(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        SENT = "sent", _("Sent")
        HELD_BACK = "held_back", _("Held back")
        IN_DIGEST = "in_digest", _("In the digest")
        DROPPED = "dropped", _("Dropped")

    class Reason(models.TextChoices):
        """Why it was sent, held back or dropped, as a sentence for its receiver."""

        WAITS = "waits", _("It goes out if it is still news then.")
        NOT_SEEN = "not_seen", _("You had not looked in for 15 minutes.")
        TIME_IS_SHORT = "time_is_short", _("80 %% of your time was gone.")
        LATE = "late", _("The mail server was down. Sent once it was back, %(amount)d min late.")
        DIGEST_CHOSEN = "digest_chosen", _("You chose the daily digest for this.")
        GAMES = "games", _("Games in it: %(amount)d, most urgent first.")
        ONE_IS_ENOUGH = "one_is_enough", _("One mail is enough until your next visit.")
        LOOKED_IN = "looked_in", _("You looked in before it was sent.")
        OFF = "off", _("You have switched this off.")
        NO_ADDRESS = "no_address", _("You have no mail address.")
        UNCONFIRMED = "unconfirmed", _("Your mail address is not confirmed yet.")
        MOVED = "moved", _("You had moved before it was sent.")
        TIME_OVER = "time_over", _("Your time was over before it was sent.")
        NOT_RUNNING = "not_running", _("The match was not running any more.")
        CAME_BACK = "came_back", _("You had your seat back before it was sent.")
        REPLACED = "replaced", _("Somebody else plays on in your seat.")
        NOT_OPEN = "not_open", _("The seat was not free any more.")
        NOTHING_LEFT = "nothing_left", _("Nothing in it was news any more.")
        NEXT_DAY = (
            "next_day",
            _("It could not be sent on its day. The next digest has what was in it."),
        )
        GIVEN_UP = "given_up", _("The mail server did not take it for three days.")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(max_length=15, choices=Kind)
    game = models.ForeignKey(Game, null=True, on_delete=models.CASCADE, related_name="+")
    round = models.PositiveSmallIntegerField(default=0)
    turn = models.PositiveSmallIntegerField(default=0)
    day = models.DateField(null=True)
    digest = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="parts")
    status = models.CharField(max_length=9, choices=Status, default=Status.QUEUED)
    reason = models.CharField(max_length=14, choices=Reason, default=Reason.WAITS)
    amount = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    next_attempt_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "game", "round", "turn", "kind"], name="notice_once"
            ),
            models.UniqueConstraint(
                fields=["user", "day"], name="notice_one_digest_a_day", condition=Q(kind="digest")
            ),
            models.CheckConstraint(
                condition=Q(kind="digest", game__isnull=True, day__isnull=False)
                | (~Q(kind="digest") & Q(game__isnull=False, day__isnull=True)),
                name="notice_of_a_game_or_a_day",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["queued", "sent", "held_back", "in_digest", "dropped"]),
                name="notice_status_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at"], name="notice_due", condition=Q(status="queued")
            ),
            models.Index(
                fields=["user", "sent_at"], name="notice_sent", condition=Q(status="sent")
            ),
            models.Index(fields=["user", "-created_at"], name="notice_of_user"),
            models.Index(fields=["created_at"], name="notice_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for user {self.user_id}: {self.status}"

    @property
    def why(self) -> str:
        """The reason as a sentence."""
        return str(self.get_reason_display()) % {"amount": self.amount}
