"""Who was to be told what, and what became of it."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.desk import Decision
from games.models.game import Game


class PushDevice(models.Model):
    """A browser that its user lets us send messages to. Whoever knows `endpoint` could send to it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_devices"
    )
    name = models.CharField(max_length=40)
    endpoint = models.CharField(max_length=1000)
    endpoint_hash = models.CharField(max_length=64)
    # The browser's public key and the secret it shares with us, URL-safe base64.
    p256dh = models.CharField(max_length=90)
    auth = models.CharField(max_length=30)
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["endpoint_hash"], name="push_device_once")
        ]

    def __str__(self) -> str:
        return f"{self.name} of user {self.user_id}"


class Notice(models.Model):
    """What one person is told by mail or on one device, once, and what became of it. Written before anything is sent.

    `round` and `turn` are 0 where a kind has none; a ruling names its `decision`. A digest is of a local `day` and of no game; its parts point at it.
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
        RULING = "ruling", _("Ruling by staff")
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
        CONCERNS_YOU = "concerns_you", _("Staff decided about a game of yours.")
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
        PUSHED = "pushed", _("You had not looked in for a minute.")
        ONE_PUSH = "one_push", _("One message on a device is enough until your next visit.")
        NO_ANSWER = "no_answer", _("The device could not be reached.")
        NO_DEVICE = "no_device", _("The device was switched off before.")
        GONE = "gone", _("The device takes no more messages of ours: it is switched off.")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(max_length=15, choices=Kind)
    # Of what is told by mail there is no name; a device that was switched off leaves only its name.
    device_name = models.CharField(max_length=40, default="")
    device = models.ForeignKey(PushDevice, null=True, on_delete=models.SET_NULL, related_name="+")
    game = models.ForeignKey(Game, null=True, on_delete=models.CASCADE, related_name="+")
    round = models.PositiveSmallIntegerField(default=0)
    turn = models.PositiveSmallIntegerField(default=0)
    decision = models.ForeignKey(
        Decision, null=True, on_delete=models.CASCADE, related_name="notices"
    )
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
                fields=["user", "game", "round", "turn", "kind"],
                name="notice_once",
                condition=Q(device_name="", decision__isnull=True),
            ),
            models.UniqueConstraint(
                fields=["device", "game", "round", "turn", "kind"],
                name="notice_once_on_a_device",
                condition=Q(device__isnull=False, decision__isnull=True),
            ),
            # Told once that it is proposed (`turn` 0), where it waits in public, and once that it was made (1).
            models.UniqueConstraint(
                fields=["user", "decision", "turn"],
                name="notice_once_a_decision",
                condition=Q(device_name="", decision__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["device", "decision", "turn"],
                name="notice_once_a_decision_on_a_device",
                condition=Q(device__isnull=False, decision__isnull=False),
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
