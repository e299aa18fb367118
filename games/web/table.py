"""The addresses of one game: its page, the fragment that keeps it fresh, and the forms that answer it.

A form is answered with a redirect to the table, or, refused, with the table that says why and keeps what was chosen. A
script that sends `X-Fragment` gets the inside of the page either way.
"""

from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import barring
from accounts.guests import TooManyGuests, make_guest
from accounts.middleware import use_own_settings
from accounts.models import User
from accounts.visits import polled
from games import queries
from games.engine.cards import card
from games.engine.errors import Code, RuleViolation
from games.models import Invitation
from games.refusals import GameNotFound, InvitationRefused, NotSeated, Refusal
from games.services import autopilot as autopilots
from games.services import lobby, pace, play, visits
from games.web import reservations
from games.web.bid_help import bid_help
from games.web.board import NO_PICK, Pick
from games.web.company import SEATS
from games.web.context import waiting_games
from games.web.display import Display
from games.web.landing import too_many_guests
from games.web.table_page import Invited, page_version, poll_key, table_page
from games.wording import explain

FRAGMENT: Final = "X-Fragment"
# What is refused because of who asks is 403; because of what has happened meanwhile, 409; against the rules, 422.
_BROKEN_RULE: Final = 422
_FORBIDDEN: Final = 403
_CONFLICT: Final = 409


@require_safe
def show(request: HttpRequest, game_id: str) -> HttpResponse:
    """The table, whatever its state. `?round=` asks for one of its rounds, `?pick=` (at decision `?turn=`) has a card chosen,
    `?help=1` asks the bid helper.
    """
    return _table(
        request,
        game_id,
        number=_number_asked(request, "round"),
        pick=_pick_asked(request),
        is_helped=request.GET.get("help") == "1",
    )


@polled
@gzip_page
@require_safe
def fragment(request: HttpRequest, game_id: str) -> HttpResponse:
    """The inside of the table page, or 204 when the game's version is still `?v=`.

    Nothing new is the common answer, and an open page asks for it all day: with the page's key it costs one query.
    """
    if _is_old_news(request, game_id):
        return HttpResponse(status=204)
    if (barred := barring.answer(request)) is not None:
        return barred
    use_own_settings(request)
    try:
        invitation = _invitation(request, game_id)
        version = page_version(game_id, _user_id(request), invitation=invitation)
    except InvitationRefused as refused:
        return _no_invitation(request, refused)
    except GameNotFound:
        raise Http404 from None
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    return _table(
        request,
        game_id,
        number=_number_asked(request, "round"),
        pick=_pick_asked(request),
        is_fragment=True,
    )


@gzip_page
@require_http_methods(["GET", "HEAD", "POST"])
def place_bid(request: HttpRequest, game_id: str) -> HttpResponse:
    if request.method != "POST":  # somebody reloads the page that refused them
        return redirect("table", game_id)
    number, turn, bid = (_whole_number(request, name) for name in ("round", "turn", "bid"))
    return answer(
        request,
        game_id,
        lambda user: play.place_bid(
            user, game_id, bid, round=number, turn=turn, now=timezone.now()
        ),
        number=number,
    )


@gzip_page
@require_http_methods(["GET", "HEAD", "POST"])
def play_card(request: HttpRequest, game_id: str) -> HttpResponse:
    """Play the card pressed. Who wants to be asked before gets it chosen by the first press and played by the second."""
    if request.method != "POST":
        return redirect("table", game_id)
    number, turn = (_whole_number(request, name) for name in ("round", "turn"))
    try:
        pressed = card(request.POST.get("card", ""))
    except ValueError as error:
        raise BadRequest from error
    if Display.of(request).ask and request.POST.get("picked") != pressed.text:
        chosen = urlencode({"round": number, "turn": turn, "pick": pressed.text})
        return redirect(f"{redirect('table', game_id).url}?{chosen}")
    return answer(
        request,
        game_id,
        lambda user: play.play_card(
            user, game_id, pressed, round=number, turn=turn, now=timezone.now()
        ),
        number=number,
        pick=Pick(pressed.text, turn),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, game_id: str) -> HttpResponse:
    """Claim the rest instead of leading. A claim that is not proven costs nothing, so nothing asks before it."""
    if request.method != "POST":
        return redirect("table", game_id)
    number, turn = (_whole_number(request, name) for name in ("round", "turn"))
    return answer(
        request,
        game_id,
        lambda user: play.claim(user, game_id, round=number, turn=turn, now=timezone.now()),
        number=number,
    )


@require_POST
def autopilot(request: HttpRequest, game_id: str) -> HttpResponse:
    """Give the rest of a round to a bot, or take it back."""
    number, on = _whole_number(request, "round"), request.POST.get("on") == "yes"
    return answer(
        request,
        game_id,
        lambda user: autopilots.switch(user, game_id, round=number, on=on, now=timezone.now()),
        number=number,
    )


@require_POST
def take_back(request: HttpRequest, game_id: str) -> HttpResponse:
    """Let me have my seat back from the bot that kept it."""
    return answer(request, game_id, lambda user: pace.take_back(user, game_id, now=timezone.now()))


@require_POST
def sit(request: HttpRequest, game_id: str) -> HttpResponse:
    """Take a seat; somebody without an account becomes a guest first."""
    try:
        # Looked at before there is a guest: a refused form must leave nobody behind.
        invitation = _invitation(request, game_id)
        _check_visible(request, game_id, invitation)
    except InvitationRefused as refused:
        return _no_invitation(request, refused)
    seat = seat_asked(request)
    try:
        make_guest(request)
    except TooManyGuests as refused:
        return too_many_guests(request, refused)
    return answer(
        request,
        game_id,
        lambda user: lobby.sit(
            user,
            game_id,
            now=timezone.now(),
            seat=seat,
            contribution=request.POST.get("contribution", "").encode(),
            anchor=request.POST.get("anchor") or None,
            invite=request.POST["invite"] if invitation else None,
        ),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, game_id: str) -> HttpResponse:
    """Ask, then give the seat up."""
    _check_visible(request, game_id)
    if request.method != "POST":
        return render(request, "games/table/leave.html", {"game_id": game_id, "section": "games"})
    done = answer(request, game_id, lambda user: lobby.leave(user, game_id, now=timezone.now()))
    if done.status_code == 302:
        messages.success(request, _("You have left the table."))
        return redirect("/tables/")
    return done


@login_required
@require_POST
def start(request: HttpRequest, game_id: str) -> HttpResponse:
    """Fill the free seats with bots and begin."""
    return answer(request, game_id, lambda user: lobby.start(user, game_id, now=timezone.now()))


def answer(
    request: HttpRequest,
    game_id: str,
    act: Callable[[User], object],
    *,
    number: int | None = None,
    pick: Pick = NO_PICK,
) -> HttpResponse:
    """Do what a form asks, then show the table: afresh when it was done, with the reason when it was refused.

    `act` may come back with a response of its own, to lead elsewhere.
    """
    try:
        if not isinstance(request.user, User):
            raise NotSeated
        done = act(request.user)
    except GameNotFound:
        raise Http404 from None
    except RuleViolation as refused:
        return _refused(
            request, game_id, explain(refused), _BROKEN_RULE, number, pick, broken=refused.code
        )
    except NotSeated as refused:
        return _refused(request, game_id, str(refused.sentence), _FORBIDDEN, number)
    except Refusal as refused:
        return _refused(request, game_id, str(refused.sentence), _CONFLICT, number)
    except ValueError as error:
        raise BadRequest from error
    if isinstance(done, HttpResponse):
        return done
    if FRAGMENT in request.headers:
        return _table(request, game_id, is_fragment=True)
    return redirect("table", game_id)


def _refused(
    request: HttpRequest,
    game_id: str,
    sentence: str,
    status: int,
    number: int | None,
    pick: Pick = NO_PICK,
    *,
    broken: Code | None = None,
) -> HttpResponse:
    return _table(
        request,
        game_id,
        number=number,
        pick=pick,
        refusal=sentence,
        broken=broken,
        status=status,
        is_fragment=FRAGMENT in request.headers,
    )


def _table(
    request: HttpRequest,
    game_id: str,
    *,
    number: int | None = None,
    pick: Pick = NO_PICK,
    refusal: str = "",
    broken: Code | None = None,
    status: int = 200,
    is_fragment: bool = False,
    is_helped: bool = False,
) -> HttpResponse:
    display = Display.of(request)
    viewer = _user_id(request)
    try:
        invitation = _invitation(request, game_id)
        table = queries.open_table(game_id, viewer, now=timezone.now(), invitation=invitation)
    except InvitationRefused as refused:
        return _no_invitation(request, refused)
    except GameNotFound:
        raise Http404 from None
    page = table_page(
        table,
        viewer,
        display,
        number=number,
        pick=pick,
        refusal=refusal,
        broken=broken,
        since=visits.look(table, viewer) if request.method != "HEAD" else None,
        invited=Invited.by(invitation, _invite(request)) if invitation else None,
    )
    context: dict[str, object] = {
        "page": page,
        "display": display,
        "game_id": game_id,
        "next_count": waiting_games(request, besides=game_id),
        "section": "games" if page.is_seated else "tables",
    }
    if is_helped and page.may_help and isinstance(request.user, User):
        context["bid_help"] = bid_help(request.user, page, scale=table.rules.score_scale)
    if page.may_rematch:
        context["reserved"] = reservations.reserve(request)
    template = "games/table/_state.html" if is_fragment else "games/table/page.html"
    return render(request, template, context, status=status)


def _is_old_news(request: HttpRequest, game_id: str) -> bool:
    asked, key = request.GET.get("v", ""), request.GET.get("k", "")
    is_known = constant_time_compare(key, poll_key(game_id))
    return is_known and asked == queries.known_version(game_id)


def _check_visible(
    request: HttpRequest, game_id: str, invitation: Invitation | None = None
) -> None:
    try:
        queries.version(game_id, _user_id(request), invitation=invitation)
    except GameNotFound:
        raise Http404 from None


def _invite(request: HttpRequest) -> str:
    """The token of the link that the viewer came by, if any."""
    return (request.POST if request.method == "POST" else request.GET).get("invite", "")


def _invitation(request: HttpRequest, game_id: str) -> Invitation | None:
    return queries.invitation_of(game_id, _user_id(request), _invite(request), now=timezone.now())


def _no_invitation(request: HttpRequest, refused: InvitationRefused) -> HttpResponse:
    """One page and one status for every link that opens nothing, whatever is wrong with it."""
    context = {"sentence": refused.sentence, "section": "tables"}
    return render(request, "games/invitation_refused.html", context, status=404)


def seat_asked(request: HttpRequest) -> int | None:
    """The seat that a form names, if it names one."""
    if not request.POST.get("seat"):
        return None
    number = _whole_number(request, "seat")
    if number not in SEATS:
        raise BadRequest("seat: 0 to 3")
    return number


def _user_id(request: HttpRequest) -> int | None:
    return request.user.pk if isinstance(request.user, User) else None


def _number_asked(request: HttpRequest, name: str) -> int | None:
    asked = request.GET.get(name, "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else None


def _pick_asked(request: HttpRequest) -> Pick:
    return Pick(request.GET.get("pick", ""), _number_asked(request, "turn"))


def _whole_number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadRequest(f"{name}: a whole number is wanted")
    return int(text)
