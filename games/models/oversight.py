"""How the site watches itself and its tables: heartbeats, outages, checkpoints, inspections, counts and signals."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.game import Game, Round


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


class Quarantine(models.Model):
    """A game that was frozen because what is stored of it contradicts itself: why, and until when. `findings` name no card.

    It is looked at again at `look_at`. `told_at`: when the staff was told.
    """

    class Outcome(models.TextChoices):
        MENDED = "mended", "everything agreed again"
        TIME = "time", "it had stood still for as long as a game may"
        STAFF = "staff", "staff let it go on or cancelled it"

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="quarantines")
    began_at = models.DateTimeField()
    findings: models.JSONField[list[str], list[str]] = models.JSONField()
    look_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=6, choices=Outcome, default="", blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game"], name="quarantine_one_at_a_time", condition=Q(ended_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} in quarantine since {self.began_at:%Y-%m-%d %H:%M}"


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
