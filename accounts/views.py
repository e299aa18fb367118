"""Account pages that allauth does not have: keep a guest's games, personal tokens, the language."""

from datetime import timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language

from accounts.bots import NameTaken, NoBots, TooManyBots, issue_bot_token, make_bot
from accounts.forms import BotForm, KeepForm, TokenForm
from accounts.models import ApiToken, User
from accounts.oauth.granted import connected
from accounts.tokens import issue_token, revoke_token


@sensitive_post_parameters("password")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest) -> HttpResponse:
    """A guest becomes a full account: the same row, so every game stays theirs."""
    user = _user(request)
    if not user.is_guest:
        return redirect("/home/")
    # The form writes into the instance before it is valid; the page still greets the guest.
    form = KeepForm(request.POST or None, instance=User.objects.get(pk=user.pk))
    if not request.POST:
        form.initial["username"] = ""
    if not form.is_valid():
        return render(request, "accounts/keep.html", {"form": form})
    kept = form.save(commit=False)
    kept.is_guest = False
    kept.set_password(form.cleaned_data["password"])
    try:
        with transaction.atomic():
            kept.save()
            EmailAddress.objects.add_email(request, kept, kept.email, confirm=True)
    except IntegrityError:  # somebody took the name since the form was checked
        form.add_error("username", _("Somebody has this name already."))
        return render(request, "accounts/keep.html", {"form": form})
    update_session_auth_hash(request, kept)
    messages.success(
        request, _("Welcome, %(name)s. Your games are yours now.") % {"name": kept.username}
    )
    return redirect("/home/")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """My tokens, and a form for one more. The answer to the form is the only page that shows its text."""
    user = _user(request)
    form = TokenForm(request.POST or None)
    text = None
    if form.is_valid():
        text = issue_token(
            user,
            name=form.cleaned_data["name"],
            scopes=form.cleaned_data["scopes"],
            now=timezone.now(),
            life=timedelta(days=form.cleaned_data["days"]),
        )[1]
        form = TokenForm()
    context = {
        "form": form,
        "new_token": text,
        "connected": connected(user, now=timezone.now()),
        "tokens": user.api_tokens.alive(now=timezone.now()),
    }
    return render(request, "accounts/tokens.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bots(request: HttpRequest) -> HttpResponse:
    """My bot accounts, and a form for one more. The answer to the form is the only page that shows the text of its token."""
    form = BotForm(request.POST or None)
    if form.is_valid():
        try:
            bot = make_bot(_user(request), form.cleaned_data["name"], now=timezone.now())
        except NameTaken as refused:
            form.add_error("name", str(refused.sentence))
        except (NoBots, TooManyBots) as refused:
            form.add_error(None, str(refused.sentence))
        else:
            return _bots_page(request, BotForm(), issue_bot_token(bot, now=timezone.now())[1])
    return _bots_page(request, form)


@login_required
@require_POST
def bot_token(request: HttpRequest, pk: int) -> HttpResponse:
    """One more token for a bot account of mine."""
    bot = get_object_or_404(User, pk=pk, owner=_user(request))
    return _bots_page(request, BotForm(), issue_bot_token(bot, now=timezone.now())[1])


def _bots_page(request: HttpRequest, form: BotForm, new_token: str | None = None) -> HttpResponse:
    rows = [
        (bot, bot.api_tokens.alive(now=timezone.now()))
        for bot in _user(request).bots.order_by("pk")
    ]
    context = {"form": form, "new_token": new_token, "bots": rows}
    return render(request, "accounts/bots.html", context)


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    user = _user(request)
    token = get_object_or_404(ApiToken, Q(user=user) | Q(user__owner=user), pk=pk)
    revoke_token(token, now=timezone.now())
    messages.success(
        request, _("The token “%(name)s” opens nothing any more.") % {"name": token.name}
    )
    return redirect("tokens" if token.user_id == user.pk else "bots")


@require_POST
def choose_language(request: HttpRequest) -> HttpResponseBase:
    """Django's own view, which leaves a cookie; somebody with a row of their own has it written there too.

    The row is what mails and other browsers go by.
    """
    language = request.POST.get("language", "")
    if isinstance(request.user, User) and language in dict(settings.LANGUAGES):
        User.objects.filter(pk=request.user.pk).update(language=language)
    return set_language(request)


def _user(request: HttpRequest) -> User:
    """The person behind a page that only people who are logged in reach."""
    assert isinstance(request.user, User)
    return request.user
