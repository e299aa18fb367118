"""How the site watches itself: quarantines, inspections, checkpoints, outages, and the rounds that wait for somebody."""

from datetime import datetime

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.reading import ReadOnlyAdmin
from games.models import Checkpoint, Inspection, Outage, Quarantine, Round


@admin.register(Quarantine)
class QuarantineAdmin(ReadOnlyAdmin[Quarantine]):
    list_display = ["game_id", "began_at", "found", "look_at", "ended_at", "outcome"]
    list_filter = [("ended_at", admin.EmptyFieldListFilter), "outcome"]
    search_fields = ["game__id__exact"]
    ordering = ["-began_at"]
    fields = ["game", "began_at", "found", "told_at", "look_at", "ended_at", "outcome"]

    @admin.display(description="Found")
    def found(self, quarantine: Quarantine) -> str:
        return "; ".join(quarantine.findings)


@admin.register(Inspection)
class InspectionAdmin(ReadOnlyAdmin[Inspection]):
    list_display = ["day", "began_at", "ended_at", "checked", "total", "broken"]
    ordering = ["-began_at"]


@admin.register(Checkpoint)
class CheckpointAdmin(ReadOnlyAdmin[Checkpoint]):
    list_display = ["number", "day", "at", "size", "root"]
    ordering = ["-number"]


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin[Outage]):
    list_display = ["began_at", "ended_at", "seconds"]
    ordering = ["-pk"]


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin[Round]):
    """Deadlines: the rounds in which a person's time runs, first those that the sweep must see to first.

    Never who has a plan: nobody may learn that.
    """

    list_display = ["game_id", "number", "state", "turn", "waits_for", "deadline", "alarm_at"]
    list_filter = ["state", ("alarm_at", admin.EmptyFieldListFilter)]
    search_fields = ["game__id__exact"]
    ordering = ["alarm_at", "pk"]
    fields = [
        *("game", "number", "attempt", "key", "dealer", "state", "turn", "waits_for", "deadline"),
        *("alarm_at", "banks", "autopilot", "bids", "won", "scores", "commitments"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        return super().get_queryset(request).defer("planned")

    @admin.display(description="Waits for seats")
    def waits_for(self, row: Round) -> str:
        return ", ".join(str(seat + 1) for seat in row.actors) or "nobody"

    @admin.display(description="First deadline")
    def deadline(self, row: Round) -> str:
        deadlines = [datetime.fromisoformat(kept["deadline"]) for kept in row.clocks.values()]
        return f"{timezone.localtime(min(deadlines)):%d %b %Y, %H:%M}" if deadlines else ""
