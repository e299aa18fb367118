"""Devices that are told what waits for their person: switched on and off, and the worker that shows what comes."""

import json
from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games.models import Notice
from games.notices import devices

WORKER: Final = settings.BASE_DIR / "games" / "static" / "games" / "js" / "push-worker.js"
# What is said of each kind. The worker puts the game in the place of GAME.
SENTENCES: Final[Mapping[str, Promise]] = {
    Notice.Kind.YOUR_TURN: gettext_lazy("It is your turn in game GAME."),
    Notice.Kind.REMINDER: gettext_lazy("Most of your time is gone in game GAME."),
    Notice.Kind.TIME_RAN_OUT: gettext_lazy(
        "Your time ran out in game GAME: a stand-in bot played."
    ),
    Notice.Kind.SEAT_TAKEN_OVER: gettext_lazy(
        "A bot keeps your seat in game GAME until you take it back."
    ),
    Notice.Kind.ROUND_OVER: gettext_lazy("A round is over in game GAME."),
    Notice.Kind.MATCH_OVER: gettext_lazy("The match is over in game GAME."),
    Notice.Kind.INVITATION: gettext_lazy("A seat is kept for you in game GAME."),
    Notice.Kind.RULING: gettext_lazy("Staff wrote to you about game GAME."),
}
# What a browser calls itself, the telling ones first: most say that they are others, too.
_BROWSERS: Final = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS: Final = ("Android", "iPhone", "iPad", "Windows", "Mac", "Linux")


@login_required
@require_POST
def switch_on(request: HttpRequest) -> HttpResponse:
    """Let the browser that posts this be told."""
    assert isinstance(request.user, User)
    _check_on()
    try:
        devices.switch_on(
            request.user,
            endpoint=request.POST.get("endpoint", ""),
            p256dh=request.POST.get("p256dh", ""),
            auth=request.POST.get("auth", ""),
            name=device_name(request.headers.get("User-Agent", "")),
            now=timezone.now(),
        )
    except devices.BadDevice:
        messages.error(request, _("This browser gave nothing that a message could be sent to."))
    else:
        messages.success(request, _("Switched on: this device is told what waits for you."))
    return _to_the_devices()


@login_required
@require_POST
def switch_off(request: HttpRequest, device: int) -> HttpResponse:
    assert isinstance(request.user, User)
    devices.switch_off(request.user, device)
    messages.success(request, _("Switched off."))
    return _to_the_devices()


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at an address that stays; what it says, in every language of the site."""
    _check_on()
    said = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            said[language] = {kind: str(sentence) for kind, sentence in SENTENCES.items()}
    script = f"const SAID = {json.dumps(said)};\n{WORKER.read_text()}"
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(script, content_type="text/javascript; charset=utf-8", headers=headers)


def device_name(user_agent: str) -> str:
    """`Firefox, Android`, as far as it can be told."""
    browser = next((name for sign, name in _BROWSERS.items() if sign in user_agent), "")
    system = next((name for name in _SYSTEMS if name in user_agent), "")
    return ", ".join(part for part in (browser, system) if part) or "?"


def _check_on() -> None:
    if not devices.is_on():
        raise Http404


def _to_the_devices() -> HttpResponse:
    return redirect(reverse("notices") + "#devices")
