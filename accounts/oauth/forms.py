"""The form that registers an app."""

from typing import Final
from urllib.parse import urlsplit

from django import forms
from django.utils.translation import gettext_lazy as _

MOST_ADDRESSES: Final = 5
LONGEST_ADDRESS: Final = 300
# An app on the person's own machine: nothing leaves it.
_OWN_MACHINE: Final = ("127.0.0.1", "::1", "localhost")


class AppForm(forms.Form):
    """What an app is called, and where a person is sent back to once they were asked."""

    name = forms.CharField(
        label=_("What is it called?"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    addresses = forms.CharField(
        label=_("Where are people sent back to?"),
        help_text=_("One address a line: https, or http on one's own machine."),
        max_length=MOST_ADDRESSES * (LONGEST_ADDRESS + 2),
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
    )

    def clean_addresses(self) -> list[str]:
        addresses = self.cleaned_data["addresses"].split()
        if len(addresses) > MOST_ADDRESSES:
            raise forms.ValidationError(_("Five addresses at the most."))
        for address in addresses:
            if not _may_be_sent_to(address):
                raise forms.ValidationError(
                    _("Nobody can be sent to %(address)s: https, no name or password, no #."),
                    params={"address": address},
                )
        return list(dict.fromkeys(addresses))


def _may_be_sent_to(address: str) -> bool:
    if len(address) > LONGEST_ADDRESS or not (address.isascii() and address.isprintable()):
        return False
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - ValueError for what is no port
    except ValueError:
        return False
    if not parts.hostname or "@" in parts.netloc or "#" in address or "*" in address:
        return False
    # Whatever is no plain host could say something else in the policy of the page that asks.
    if set(parts.netloc) - set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]"
    ):
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _OWN_MACHINE)
