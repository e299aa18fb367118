"""Mail from us: what a person wants and when, what was sent and what not, and the link in a mail that stops its kind."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.notices import devices, sending, stopping
from games.web.ledger import ledger_of
from games.web.notices_form import NoticesForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """The form, and below it the ledger, newest first; `?before=` shows what is older than that notice."""
    assert isinstance(request.user, User)
    me = User.objects.get(pk=request.user.pk)  # the form writes into it before it is valid
    form = NoticesForm(request.POST or None, user=me)
    if form.is_valid():
        form.save()
        sending.look_again(me, now=timezone.now())
        messages.success(request, _("Saved. Turns that are open already keep their deadline."))
        return redirect("notices")
    ledger = ledger_of(me, before=request.GET.get("before", ""))
    context = {
        "form": form,
        "push": _push(me) if devices.is_on() else None,
        "entries": ledger.entries,
        "older": f"?before={ledger.last}" if ledger.last else "",
        "section": "account",
    }
    return render(request, "games/notices.html", context)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop a kind of mail, for whoever holds one: mail programs post here by themselves, people press a button.

    No log-in and no CSRF token: the token is the right to do this one thing. Reading changes nothing, since links in mails are
    fetched by machines; posting can only switch off.
    """
    asked = stopping.read_token(token)
    if asked is None:
        raise Http404
    if request.method == "POST":
        stopping.stop(asked)
    context = {"kind": asked.kind.label, "is_done": request.method == "POST"}
    return render(request, "games/notices_stop.html", context)


def _push(user: User) -> dict[str, object]:
    """The devices of this person, and what a browser needs to become one."""
    worker = f"{reverse('push_worker')}?lang={get_language() or 'en'}"
    return {
        "devices": user.push_devices.order_by("pk"),
        "key": devices.public_key(),
        "worker": worker,
    }
