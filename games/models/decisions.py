"""What stands beside a decision: a plan made in advance, the choice of a bot, what the coach said of it."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.game import Game


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
