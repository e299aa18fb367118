"""The pages about apps: which act for me, which I have made."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from oauth2_provider.models import Application

from accounts.models import User
from accounts.oauth.forms import AppForm
from accounts.oauth.granted import TooManyApps, disconnect, register


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def apps(request: HttpRequest) -> HttpResponse:
    """The apps that I have made, and a form for one more."""
    user = _user(request)
    form = AppForm(request.POST or None)
    if form.is_valid() and user.is_guest:
        form.add_error(None, _("An app needs somebody with an account of their own."))
    elif form.is_valid():
        try:
            register(user, form.cleaned_data["name"], form.cleaned_data["addresses"])
            return redirect("apps")
        except TooManyApps as refused:
            form.add_error(None, str(refused.sentence))
    mine = Application.objects.filter(user=user).order_by("pk")
    return render(request, "accounts/apps.html", {"form": form, "apps": mine})


@login_required
@require_POST
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """An app of mine is no more, for anybody whom it acted for."""
    app = get_object_or_404(Application, pk=pk, user=_user(request))
    app.delete()
    messages.success(request, _("“%(name)s” is deleted.") % {"name": app.name})
    return redirect("apps")


@login_required
@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """An app acts for me no longer."""
    app = get_object_or_404(Application, pk=pk)
    disconnect(_user(request), app, now=timezone.now())
    messages.success(request, _("“%(name)s” does nothing for you any more.") % {"name": app.name})
    return redirect("tokens")


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
