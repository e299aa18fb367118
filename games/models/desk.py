"""The referee's desk: what players report, the cases this makes, what is decided, and the trail of every step."""

from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game

# How long a decision can be appealed.
TO_APPEAL: Final = timedelta(days=7)


class Case(models.Model):
    """Reports about the same round of a game (0: about no round), looked at together.

    `holder` is the one who reviews it, until `held_until`. `decided_at` is of the first decision; there is one appeal at most,
    and what is decided then is final.
    """

    class State(models.TextChoices):
        REPORTED = "reported", _("reported")
        IN_REVIEW = "in_review", _("in review")
        PROPOSED = "proposed", _("proposed")
        DECIDED = "decided", _("decided")
        APPEALED = "appealed", _("appealed")
        FINAL = "final", _("final")

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="cases")
    round = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=9, choices=State, default=State.REPORTED)
    opened_at = models.DateTimeField()
    holder = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    held_until = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)
    appealed_at = models.DateTimeField(null=True)
    appealed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    appeal = models.TextField(max_length=2000, blank=True)

    class Meta:
        permissions: ClassVar = [("review_dispute", "May review reports and rule on games")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "round"],
                name="case_one_open_a_round",
                condition=Q(state__in=["reported", "in_review", "proposed"]),
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=["reported", "in_review", "proposed", "decided", "appealed", "final"]
                ),
                name="case_state_known",
            ),
            models.CheckConstraint(
                condition=Q(holder__isnull=True) | Q(held_until__isnull=False),
                name="case_held_for_a_time",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["state", "opened_at"], name="case_by_state")]

    def __str__(self) -> str:
        return f"case {self.pk} of {self.game_id}"

    def holder_at(self, now: datetime) -> int | None:
        """The id of whoever holds the case at this time."""
        is_held = self.held_until is not None and self.held_until > now
        return self.holder_id if is_held else None


class Report(models.Model):
    """What one seat has to say about a round. `seq` is the event it is about; `checks` is what the automatic check found."""

    class Category(models.TextChoices):
        PLAY = "play", _("A card or a bid")
        SCORE = "score", _("A score")
        TIME = "time", _("Time that ran out")
        DEAL = "deal", _("A deal")
        ABUSE = "abuse", _("How somebody behaves")
        COLLUSION = "collusion", _("Players who work together")
        BUG = "bug", _("Something that does not work")

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="reports")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="reports"
    )
    seat = models.PositiveSmallIntegerField()
    seq = models.PositiveIntegerField()
    category = models.CharField(max_length=9, choices=Category)
    text = models.TextField(max_length=2000)
    created_at = models.DateTimeField()
    checks: models.JSONField[dict[str, bool], dict[str, bool]] = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["case", "seat"], name="report_one_a_seat"),
            models.CheckConstraint(condition=Q(seat__lte=3), name="report_seat_is_a_seat"),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "-created_at"], name="report_of_user")]

    def __str__(self) -> str:
        return f"report {self.pk} in case {self.case_id}"


class Decision(models.Model):
    """What a reviewer proposes of a case, and once it is `made_at`, what was decided.

    `ruling` is one of the engine's, or what becomes of an account (`against`). `facts` are its further fields, `cites` citation
    ids of rules and numbers of events; `reason` is public, `note` for the staff. `takes_effect_at`: nobody else can sign, so it
    waits in public. `seq` and `head` are of the game's log once it was made.
    """

    class Ruling(models.TextChoices):
        DISMISS = "dismiss", _("dismiss")
        UPHOLD_PLAY = "uphold_play", _("what was played stands")
        RESTORE_CLOCK = "restore_clock", _("time given back")
        REPLACE_SEAT = "replace_seat", _("seat replaced")
        VOID_ROUND = "void_round", _("round void")
        ADJUST_SCORE = "adjust_score", _("scores adjusted")
        CANCEL_GAME = "cancel_game", _("game cancelled")
        WARNING = "warning", _("warning")
        SUSPENSION = "suspension", _("suspension")
        BAN = "ban", _("ban")
        LIFT = "lift", _("suspension or ban lifted")

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="decisions")
    is_appeal = models.BooleanField(default=False)
    ruling = models.CharField(max_length=13, choices=Ruling)
    round = models.PositiveSmallIntegerField(null=True)
    seat = models.PositiveSmallIntegerField(null=True)
    against = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    facts: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    cites: models.JSONField[list[str | int], list[str | int]] = models.JSONField(default=list)
    reason = models.TextField(max_length=1000)
    note = models.TextField(max_length=2000, blank=True)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    proposed_at = models.DateTimeField()
    signed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    takes_effect_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField(null=True)
    seq = models.PositiveIntegerField(null=True)
    head = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["case", "is_appeal"],
                name="decision_once_and_once_on_appeal",
                condition=Q(made_at__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["case"],
                name="decision_one_proposal_at_a_time",
                condition=Q(made_at__isnull=True, withdrawn_at__isnull=True),
            ),
            models.CheckConstraint(
                condition=Q(made_at__isnull=True) | Q(withdrawn_at__isnull=True),
                name="decision_made_or_withdrawn",
            ),
            models.CheckConstraint(
                condition=Q(signed_by__isnull=True) | ~Q(signed_by=models.F("proposed_by")),
                name="decision_signed_by_another",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["takes_effect_at"],
                name="decision_cooling_off",
                condition=Q(
                    takes_effect_at__isnull=False, made_at__isnull=True, withdrawn_at__isnull=True
                ),
            ),
            models.Index(
                fields=["made_at"], name="decision_made", condition=Q(made_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruling} in case {self.case_id}"


class CaseStep(models.Model):
    """One line of a case's trail. Never changed, never deleted. `by` is None for what happens by itself."""

    class Kind(models.TextChoices):
        OPENED = "opened"
        REPORTED = "reported"
        TAKEN = "taken"
        LET_GO = "let_go"
        HANDS_OPENED = "hands_opened"
        FROZEN = "frozen"
        THAWED = "thawed"
        PROPOSED = "proposed"
        WITHDRAWN = "withdrawn"
        FAILED = "failed"
        DECIDED = "decided"
        APPEALED = "appealed"

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="steps")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind)
    # No constraint: a line stays as it is when its author's account goes.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
    )
    at = models.DateTimeField()
    data: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["case", "number"], name="case_step_number_once")
        ]

    def __str__(self) -> str:
        return f"case {self.case_id} #{self.number} {self.kind}"
