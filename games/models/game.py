"""A table: the game people join, who sits there, its rounds, and what each player has seen of it."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


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
    # Whether bot accounts may sit here. The built-in bots may everywhere.
    bots_may_sit = models.BooleanField(default=False)
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
    """Who ever held a seat of a game: one user, one seat, for ever, so that nobody sees two hands of one match.

    `person` is who is behind the user: the owner of a bot account, else the user.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="holders")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "user"], name="holder_one_seat_per_game_ever"),
            models.UniqueConstraint(
                fields=["game", "person"], name="holder_one_person_per_game_ever"
            ),
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
