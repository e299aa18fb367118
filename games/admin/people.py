"""What concerns persons: who was told what and why, and what signals say of two of them. And what staff did."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry

from accounts.reading import ReadOnlyAdmin
from games.models import Notice, PairSignal


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin[Notice]):
    list_display = ["user", "kind", "game_id", "round", "status", "why", "due_at", "sent_at"]
    list_select_related = ["user"]
    list_filter = ["status", "kind", "reason"]
    search_fields = ["user__username", "game__id__exact"]
    ordering = ["-pk"]
    fields = [
        *("user", "kind", "game", "round", "turn", "day", "status", "why"),
        *("created_at", "due_at", "next_attempt_at", "attempts", "sent_at"),
    ]

    @admin.display(description="Why", ordering="reason")
    def why(self, notice: Notice) -> str:
        return str(Notice.Reason(notice.reason).label) % {"amount": notice.amount}


@admin.register(PairSignal)
class PairSignalAdmin(ReadOnlyAdmin[PairSignal]):
    """A flag asks a person to look; nothing follows from it by itself. Each number with its interval and its sample."""

    list_display = ["pair", "is_flagged", "rounds", "gifts", "knew", "placed", "computed_at"]
    list_select_related = ["one", "two"]
    list_filter = ["is_flagged"]
    search_fields = ["one__username", "two__username"]
    ordering = ["-is_flagged", "-computed_at"]
    fields = ["one", "two", "is_flagged", "rounds", "gifts", "knew", "placed", "computed_at"]

    @admin.display(description="Pair")
    def pair(self, signal: PairSignal) -> str:
        return f"{signal.one.username}, {signal.two.username}"

    @admin.display(description="Gifts a round (95 %)")
    def gifts(self, signal: PairSignal) -> str:
        return _with_interval(signal.gift)

    @admin.display(description="Knowledge, units a decision (95 %)")
    def knew(self, signal: PairSignal) -> str:
        return _with_interval(signal.knowledge)

    @admin.display(description="Places better together (95 %)")
    def placed(self, signal: PairSignal) -> str:
        places = signal.places
        by_chance = f"as good by chance: {places['chance']:.1%}"
        return f"{_with_interval(places)}, {places['rounds']} matches, {by_chance}"


@admin.register(LogEntry)
class DeedAdmin(ReadOnlyAdmin[LogEntry]):
    """What staff did on these pages."""

    list_display = ["action_time", "user", "content_type", "object_repr", "deed"]
    list_select_related = ["user", "content_type"]
    search_fields = ["user__username", "object_id__exact"]
    ordering = ["-pk"]
    fields = ["action_time", "user", "content_type", "object_id", "object_repr", "deed"]

    @admin.display(description="What")
    def deed(self, entry: LogEntry) -> str:
        return entry.get_change_message() or str(entry.get_action_flag_display())


def _with_interval(index: dict[str, Any]) -> str:
    if index["low"] is None:
        return "too few rounds"
    return f"{index['mean']:+.2f} ({index['low']:+.2f} to {index['high']:+.2f})"
