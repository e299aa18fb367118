"""What allauth asks us: is this name free and allowed, and how does mail leave."""

from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.mail import queue_mail
from accounts.models import User
from accounts.names import check_name, check_not_reserved, key_of, normalised

# What allauth's mails call us. It stands for a row of django.contrib.sites, which we have no use for.
SITE = {"name": "Callbreak", "domain": urlsplit(settings.SITE_URL).netloc}


class Adapter(DefaultAccountAdapter):  # type: ignore[misc] # no types there
    def clean_username(self, username: str, shallow: bool = False) -> str:
        name = normalised(username)
        check_name(name)
        check_not_reserved(name)
        if not shallow and User.objects.filter(username_key=key_of(name)).exists():
            raise self.validation_error("username_taken")
        return name

    def save_user(self, request: HttpRequest, user: User, form: Form, commit: bool = True) -> User:
        try:
            with transaction.atomic():
                return super().save_user(request, user, form, commit)  # type: ignore[no-any-return] # allauth is not typed
        except IntegrityError:
            # Taken since the form was checked: by somebody else, or by the same person pressing twice, whom this address
            # leads on, logged in.
            messages.error(request, _("Somebody has this name already."))
            raise ImmediateHttpResponse(redirect("account_signup")) from None

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue the mail: an answer must not take longer for an address that we know."""
        context = context | {"email": email, "current_site": SITE}
        queue_mail(self.render_mail(template_prefix, email, context))
