"""Forms of the account pages."""

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext_lazy as _

from accounts.bots import why_no_name
from accounts.models import Scope, User, Webhook
from accounts.names import LONGEST as LONGEST_NAME
from accounts.names import normalised
from accounts.webhooks.keeping import LONGEST_URL

LIVES = [(30, _("a month")), (90, _("three months")), (365, _("a year"))]


class KeepForm(forms.ModelForm[User]):
    """A guest chooses a name, an address and a password, and stays the same row."""

    email = forms.EmailField(
        label=_("Mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    class Meta:
        model = User
        fields = ["username", "email"]
        widgets = {"username": forms.TextInput(attrs={"autocomplete": "username"})}

    def clean_username(self) -> str:
        name: str = get_adapter().clean_username(self.cleaned_data["username"])
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if password := cleaned.get("password"):
            try:
                validate_password(password, self.instance)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned


class TokenForm(forms.Form):
    """What a new token is called, may do and how long it lives."""

    name = forms.CharField(label=_("What is it for?"), max_length=60)
    scopes = forms.MultipleChoiceField(
        label=_("It may"), choices=Scope.choices, widget=forms.CheckboxSelectMultiple
    )
    days = forms.TypedChoiceField(label=_("It lives for"), choices=LIVES, coerce=int, initial=365)


class BotForm(forms.Form):
    """What a new bot account is called."""

    name = forms.CharField(
        label=_("Its name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_name(self) -> str:
        name = normalised(self.cleaned_data["name"])
        if sentences := why_no_name(name):
            raise forms.ValidationError(sentences)
        return name


class WebhookForm(forms.Form):
    """An address, and what it is told."""

    url = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_URL,
        help_text=_("https, on the open internet."),
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
    )
    events = forms.MultipleChoiceField(
        label=_("It is told when"),
        choices=Webhook.Event.choices,
        initial=Webhook.Event.values,
        widget=forms.CheckboxSelectMultiple,
    )
