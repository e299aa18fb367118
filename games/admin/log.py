"""The log, read only: every line of every game, its bids and its cards as everybody may see them, the newest first."""

from typing import TypeVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.reading import ReadOnlyAdmin
from games.models import Bid, Event, Play

E = TypeVar("E", bound=Event)


class LineAdmin(ReadOnlyAdmin[E]):
    """Not whether a plan played a card: that would tell on a hand."""

    list_display = ["line", "kind", "round", "turn", "seat", "bid", "card", "by", "at"]
    list_filter = ["kind", "by"]
    search_fields = ["game__id__exact"]
    search_help_text = "A game's id, whole"
    ordering = ["-pk"]
    fields = [
        *("game", "seq", "kind", "round", "attempt", "turn", "seat", "bid", "card", "data", "by"),
        *("at", "prev_hash", "hash"),
    ]

    @admin.display(description="Line", ordering="pk")
    def line(self, event: Event) -> str:
        return f"{event.game_id} #{event.seq}"

    def get_queryset(self, request: HttpRequest) -> QuerySet[E]:
        return super().get_queryset(request).defer("via")


@admin.register(Event)
class EventAdmin(LineAdmin[Event]):
    pass


@admin.register(Bid)
class BidAdmin(LineAdmin[Bid]):
    list_display = ["line", "round", "turn", "seat", "bid", "by", "at"]
    list_filter = ["by"]


@admin.register(Play)
class PlayAdmin(LineAdmin[Play]):
    list_display = ["line", "round", "turn", "seat", "card", "by", "at"]
    list_filter = ["by"]
