"""The one append-only log, and the two private rows beside it that its deals and sealed bids wait in."""

from typing import Any, ClassVar, Final

from django.db import models
from django.db.models import Q

from games.engine.cards import DECK
from games.models.game import Game

CARD_TEXTS: Final = [card.text for card in DECK]


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
