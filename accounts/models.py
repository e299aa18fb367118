"""People and their tokens. What they play is none of this app's business."""

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Self
from zoneinfo import available_timezones

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.names import LONGEST, check_name, key_of


class NameKeyField(models.CharField[str, str]):
    """The unique form of the name beside it, worked out again at every save."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        key = key_of(model_instance.username)  # type: ignore[attr-defined] # only User has one
        setattr(model_instance, self.attname, key)
        return key


def check_time_zone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError(_("This time zone is not known."), code="time_zone")


class PeopleManager(UserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(username_key=key_of(username or ""))


class User(AbstractUser):
    """Somebody who plays: a person, a guest with nothing but a cookie, or a bot account."""

    first_name = None  # type: ignore[assignment] # nobody's real name is needed to play cards
    last_name = None  # type: ignore[assignment] # nor this one
    username = models.CharField(_("name"), max_length=LONGEST, unique=True, validators=[check_name])
    username_key = NameKeyField(max_length=3 * LONGEST, editable=False)
    is_guest = models.BooleanField(default=False)
    is_bot = models.BooleanField(
        default=False, help_text=_("Played by a program; shown wherever the name is.")
    )
    # The person who answers for a bot account. One made on the command line may have none.
    owner = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="bots"
    )
    language = models.CharField(
        max_length=8, blank=True, choices=settings.LANGUAGES, help_text=_("Empty: the browser's.")
    )
    time_zone = models.CharField(max_length=64, default="UTC", validators=[check_time_zone])
    # When the clock of a game stands still for this person: two local times, and local dates as text.
    night_start = models.TimeField(_("night from"), null=True, blank=True)
    night_end = models.TimeField(_("night until"), null=True, blank=True)
    holidays: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    # Which mails this person wants and how: kind -> choice, where it is not the usual one. The games know the kinds.
    notice_choices: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(
        default=dict, blank=True
    )
    digest_hour = models.PositiveSmallIntegerField(
        _("daily digest at"), default=9, validators=[MaxValueValidator(23)]
    )
    # Until when staff have suspended this account, and the reason that its person is shown: see `accounts.barring`.
    barred_until = models.DateTimeField(null=True, blank=True, editable=False)
    barred_reason = models.TextField(blank=True, editable=False)
    # See `accounts.visits`; null: never yet.
    last_visit_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects: ClassVar[PeopleManager] = PeopleManager()

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["username_key"],
                name="user_name_key_unique",
                violation_error_message=_("Somebody has this name already."),
            ),
            models.CheckConstraint(
                condition=models.Q(night_start__isnull=True, night_end__isnull=True)
                | models.Q(night_start__isnull=False, night_end__isnull=False),
                name="user_night_has_two_ends",
            ),
            models.CheckConstraint(
                condition=models.Q(digest_hour__lte=23), name="user_digest_hour_is_an_hour"
            ),
            models.CheckConstraint(
                condition=~models.Q(is_guest=True, is_staff=True), name="user_guest_is_not_staff"
            ),
            models.CheckConstraint(
                condition=models.Q(owner__isnull=True) | models.Q(is_bot=True),
                name="user_only_bots_are_owned",
            ),
        ]

    @property
    def person_id(self) -> int:
        """Who is behind this account: a bot's owner, else whoever it is itself."""
        return self.owner_id or self.pk

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username


class Scope(models.TextChoices):
    """What a token may do."""

    GAMES_READ = "games:read", _("see games as you see them")
    GAMES_PLAY = "games:play", _("bid and play for you")
    TABLES_WRITE = "tables:write", _("create tables, sit down, leave")
    ACCOUNT_READ = "account:read", _("see your account")
    WEBHOOKS_WRITE = "webhooks:write", _("manage your webhooks")


def check_scopes(scopes: Iterable[str]) -> None:
    if unknown := sorted(set(scopes) - set(Scope.values)):
        raise ValidationError(
            _("Unknown scope: %(unknown)s."), code="scope", params={"unknown": ", ".join(unknown)}
        )


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def alive(self, *, now: datetime) -> Self:
        return self.filter(revoked_at=None, expires_at__gt=now)


class ApiToken(models.Model):
    """A personal token: shown once, stored as a hash."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    name = models.CharField(_("name"), max_length=60)
    hash = models.CharField(max_length=64, editable=False)
    prefix = models.CharField(max_length=12, editable=False)
    scopes = models.JSONField(default=list, validators=[check_scopes])
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["hash"], name="api_token_hash_unique")]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name})"

    def allows(self, scope: str) -> bool:
        return scope in self.scopes


class KeptAnswer(models.Model):
    """What a request that made something was answered, for its caller's retry alone: see `accounts.retries`.

    Key and request are hashes, and the answer, which may hold a new token or a hand, is sealed: none of it can be read here.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    asked = models.CharField(max_length=64)
    sealed = models.BinaryField(default=b"")
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="kept_answer_key_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} (sealed)"


class OutgoingMail(models.Model):
    """A mail of the account pages on its way out. Deleted once sent: it may hold a secret link."""

    to = models.EmailField()
    subject = models.CharField(max_length=250)
    text = models.TextField()
    created_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"


class Webhook(models.Model):
    """An address that a user wants told what happens to them. `secret` signs what is sent, sealed; `old_secret` too, until `old_until`.

    `place` says how far its user's news were told; empty: not at all. `failing_since`: nothing has arrived since then.
    """

    class Event(models.TextChoices):
        TURN_OPENED = "turn_opened", _("a decision waits for you")
        GAME_STARTED = "game_started", _("a game of yours begins")
        GAME_FINISHED = "game_finished", _("a game of yours is over")

    class Disabled(models.TextChoices):
        FAILING = "failing", _("Nothing arrived for 24 hours.")
        GONE = "gone", _("The address answered that it is gone (410).")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks"
    )
    url = models.CharField(max_length=500)
    events: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    secret = models.BinaryField(editable=False)
    old_secret = models.BinaryField(null=True, editable=False)
    old_until = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField()
    place = models.TextField(blank=True, editable=False)
    failing_since = models.DateTimeField(null=True, editable=False)
    disabled = models.CharField(max_length=7, choices=Disabled, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(disabled__in=["", "failing", "gone"]),
                name="webhook_disabled_known",
            )
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk} of user {self.user_id}"


class WebhookDelivery(models.Model):
    """One message to a webhook and what became of it. `body` is sent as it stands, however often: a receiver knows it by `id`."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("waiting")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("given up")

    id = models.CharField(primary_key=True, max_length=40)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=20)
    body = models.TextField()
    created_at = models.DateTimeField()
    status = models.CharField(max_length=9, choices=Status, default=Status.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField()
    last_attempt_at = models.DateTimeField(null=True)
    # Of the last attempt: the HTTP status, or what went wrong before there was one.
    answer = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=["queued", "delivered", "failed"]),
                name="delivery_status_known",
            )
        ]
        indexes = [
            models.Index(
                fields=["next_attempt_at"],
                name="delivery_due",
                condition=models.Q(status="queued"),
            ),
            models.Index(fields=["webhook", "-created_at"], name="delivery_of_webhook"),
            models.Index(fields=["created_at"], name="delivery_age"),
        ]

    def __str__(self) -> str:
        return f"{self.id}: {self.kind}, {self.status}"
