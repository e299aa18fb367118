"""The page of one's webhooks: what the API does, for people."""

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import WebhookForm
from accounts.models import User, Webhook, WebhookDelivery
from accounts.outbound.targets import BadTarget
from accounts.webhooks import keeping

SHOWN: Final = 10


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest) -> HttpResponse:
    """My webhooks with what they were told last, and a form for one more."""
    form = WebhookForm(request.POST or None)
    if not form.is_valid():
        return _page(request, form)
    try:
        _webhook, secret = keeping.make(_user(request), **form.cleaned_data, now=timezone.now())
    except BadTarget as refused:
        form.add_error("url", str(refused.sentence))
        return _page(request, form)
    except keeping.TooManyWebhooks as refused:
        form.add_error(None, str(refused.sentence))
        return _page(request, form)
    return _page(request, WebhookForm(), secret=secret)


@login_required
@require_POST
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """What one of the buttons at a webhook does."""
    webhook = get_object_or_404(Webhook, pk=pk, user=_user(request))
    match request.POST.get("do"):
        case "test":
            keeping.send_test(webhook, now=timezone.now())
            messages.success(request, _("A test is on its way. See below what becomes of it."))
        case "enable":
            keeping.switch_on(webhook)
        case "remove":
            webhook.delete()
            messages.success(request, _("That address is told nothing any more."))
        case "secret":
            secret = keeping.change_secret(webhook, now=timezone.now())
            return _page(request, WebhookForm(), secret=secret)
    return redirect("webhooks")


@login_required
@require_POST
def send_again(request: HttpRequest, pk: str) -> HttpResponse:
    delivery = get_object_or_404(WebhookDelivery, pk=pk, webhook__user=_user(request))
    keeping.send_again(delivery, now=timezone.now())
    return redirect("webhooks")


def _page(request: HttpRequest, form: WebhookForm, *, secret: str | None = None) -> HttpResponse:
    """The answer that shows a secret is the only page that does."""
    mine = _user(request).webhooks.all()
    shown = [{"webhook": each, "told": each.deliveries.all()[:SHOWN]} for each in mine]
    context = {"form": form, "new_secret": secret, "webhooks": shown}
    return render(request, "accounts/webhooks.html", context)


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
