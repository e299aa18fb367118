"""Games: by state, late, stuck, stopped; and what staff do to one, each by its service and noted in the log of deeds."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.reading import ReadOnlyAdmin, ReadOnlyInline
from games.models import Event, Game, Quarantine, Round, Seat
from games.refusals import CannotRule
from games.services import audit, quarantine, rebuilding, rulings, upkeep
from games.services.desk import reviewers
from games.services.desk.verdicts import REASON
from games.wording import rules_name


class WaitsFilter(admin.SimpleListFilter):
    title = "what it waits for"
    parameter_name = "waits"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("late", "somebody's time ran out"),
            ("stuck", "the system, for more than a minute"),
            ("quarantine", "in quarantine"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        match self.value():
            case "late":
                return queryset.filter(upkeep.late_games()).distinct()
            case "stuck":
                return queryset.filter(pk__in=upkeep.stuck_games(now=timezone.now()))
            case "quarantine":
                return queryset.filter(pk__in=quarantine.open_ones().values("game"))
            case _:
                return queryset


class SeatInline(ReadOnlyInline[Seat, Game]):
    model = Seat
    ordering = ("number",)
    fields = ("number", "user", "bot", "timeouts_running", "stand_in_since", "offered_at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user", "game")


class RoundInline(ReadOnlyInline[Round, Game]):
    model = Round
    ordering = ("number",)
    fields = ("number", "state", "attempt", "dealer", "turn", "bids", "won", "scores", "alarm_at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        return super().get_queryset(request).defer("planned").select_related("game")


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin[Game]):
    change_form_template = "admin/games/game/change_form.html"
    list_display = ["id", "status", "rules_are", "who", "begun", "moved_at", "quarantined"]
    list_filter = [WaitsFilter, "status", "rated", "visibility"]
    search_fields = ["id__exact", "seats__user__username__iexact"]
    search_help_text = "A game's id or a player's name, whole"
    ordering = ["-created_at"]
    fields = [
        *("id", "status", "rules_are", "rated", "visibility", "clock", "created_by", "created_at"),
        *("started_at", "finished_at", "frozen_at", "seq", "head", "totals", "adjusted", "result"),
    ]
    inlines = (SeatInline, RoundInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        last = Event.objects.filter(game=OuterRef("pk"), seq=OuterRef("seq"))
        kept = Quarantine.objects.filter(game=OuterRef("pk"), ended_at=None)
        games = super().get_queryset(request)
        return (
            games.annotate(last_at=Subquery(last.values("at")[:1]), is_in_quarantine=Exists(kept))
            .select_related("created_by")
            .prefetch_related("seats__user")
        )

    @admin.display(description="Rules")
    def rules_are(self, game: Game) -> str:
        return rules_name(game.rules["name"])

    @admin.display(description="Seats")
    def who(self, game: Game) -> str:
        seats = sorted(game.seats.all(), key=lambda seat: seat.number)
        return ", ".join(seat.user.username if seat.user else seat.bot or "open" for seat in seats)

    @admin.display(description="Begun", ordering="started_at")
    def begun(self, game: Game) -> Any:
        return game.started_at

    @admin.display(description="Last event", ordering="last_at")
    def moved_at(self, game: Game) -> Any:
        return vars(game)["last_at"]  # an annotation

    @admin.display(description="In quarantine", boolean=True, ordering="is_in_quarantine")
    def quarantined(self, game: Game) -> bool:
        return bool(vars(game)["is_in_quarantine"])

    # What staff do

    def get_urls(self) -> list[URLPattern]:
        do = self.admin_site.admin_view(require_POST(self.do))
        name = "games_game_do"
        return [path("<path:object_id>/do/<slug:deed>/", do, name=name), *super().get_urls()]

    def do(self, request: HttpRequest, object_id: str, deed: str) -> HttpResponse:
        """Do one thing to a game, say what came of it, and note who did it. A refusal changes nothing."""
        game = self.get_object(request, unquote(object_id))
        if game is None or deed not in DEEDS:
            raise Http404
        if not request.user.has_perm("games.change_game"):
            raise PermissionDenied
        if deed != "verify" and _is_involved(request, game):
            text = "You sit in this game, or played lately against somebody who does: somebody else has to do this."
            self.message_user(request, text, messages.ERROR)
            return redirect(reverse("admin:games_game_change", args=[game.pk]))
        try:
            said = DEEDS[deed](game.pk, request)
        except CannotRule as refused:
            self.message_user(request, refused.sentence, messages.ERROR)
        else:
            self.log_change(request, game, said)
            self.message_user(request, said)
        return redirect(reverse("admin:games_game_change", args=[game.pk]))

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> Any:
        game = kwargs.get("obj")
        context["may_act"] = request.user.has_perm("games.change_game")
        context["is_playing"] = game is not None and game.status == Game.Status.PLAYING
        context["is_frozen"] = game is not None and game.status == Game.Status.FROZEN
        context["people"] = [] if game is None else [s for s in game.seats.all() if s.user_id]
        return super().render_change_form(request, context, *args, **kwargs)


def _verify(game_id: str, request: HttpRequest) -> str:
    found = audit.verify_game(game_id, now=timezone.now())
    if found:
        raise CannotRule(f"Not in order. {'; '.join(found)}")
    return "Checked: chain, seed, log and columns are in order."


def _rebuild(game_id: str, request: HttpRequest) -> str:
    found = rebuilding.rebuild(game_id, now=timezone.now())
    return f"Columns made anew from the log. Still wrong: {'; '.join(found) or 'nothing'}."


def _stop(game_id: str, request: HttpRequest) -> str:
    upkeep.stop(game_id, now=timezone.now())
    return "Stopped, and its clocks with it. It goes on by itself after 72 hours."


def _let_go_on(game_id: str, request: HttpRequest) -> str:
    upkeep.let_go_on(game_id, now=timezone.now())
    return "The game goes on, with all its time."


def _move_deadlines(game_id: str, request: HttpRequest) -> str:
    hours = _whole_number(request, "hours", 1, 720)
    upkeep.move_deadlines(game_id, timedelta(hours=hours), now=timezone.now())
    return f"Every open deadline moved on by {hours} h."


def _replace_seat(game_id: str, request: HttpRequest) -> str:
    seat = _whole_number(request, "seat", 0, 3)
    reason = request.POST.get("reason", "").strip()
    if len(reason) not in REASON:
        raise CannotRule(
            f"Say why, in {REASON.start} to {REASON.stop - 1} characters: everybody will read it in the log."
        )
    rulings.replace_seat(game_id, seat, reason=reason, now=timezone.now())
    return f"Seat {seat + 1} was given to a bot: {reason}"


def _whole_number(request: HttpRequest, name: str, least: int, most: int) -> int:
    text = request.POST.get(name, "")
    if not (text.isascii() and text.isdecimal() and least <= int(text[:9]) <= most):
        raise CannotRule(f"{name.capitalize()}: a whole number from {least} to {most}.")
    return int(text)


DEEDS: Final[dict[str, Callable[[str, HttpRequest], str]]] = {
    "verify": _verify,
    "rebuild": _rebuild,
    "stop": _stop,
    "go-on": _let_go_on,
    "move-deadlines": _move_deadlines,
    "replace-seat": _replace_seat,
}


def _is_involved(request: HttpRequest, game: Game) -> bool:
    user = request.user
    return isinstance(user, User) and reviewers.is_involved(user, game, now=timezone.now())
