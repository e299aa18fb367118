"""The link in every mail that stops its kind, for whoever holds the mail: no log-in, one press, and only ever off (RFC 8058).

The token names a person and a kind and is signed. It works for as long as the site's key does: a link in an old mail must not
be the one that cannot stop mail.
"""

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.urls import reverse

from accounts.models import User
from games.models import Notice
from games.notices.choices import USUAL, Choice, choice_of, choose

_SIGNER: Final = Signer(salt="games.notices.stop")


@dataclass(frozen=True, slots=True)
class Stop:
    """Whose mail of which kind a link stops."""

    user: int
    kind: Notice.Kind


def stop_link(notice: Notice) -> str:
    token = _SIGNER.sign_object([notice.user_id, str(notice.kind)])
    return settings.SITE_URL + reverse("notices_stop", args=[token])


def read_token(token: str) -> Stop | None:
    """None for a token that we did not write."""
    try:
        user, kind = _SIGNER.unsign_object(token)
        return Stop(user, Notice.Kind(kind))
    except (BadSignature, ValueError):
        return None


def stop(asked: Stop) -> None:
    """Switch the kind off; for a digest, everything that comes in it. Once or twice is the same."""
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).filter(pk=asked.user).first()
        if user is None:
            return
        kinds = [asked.kind.value]
        if asked.kind == Notice.Kind.DIGEST:
            kinds = [kind for kind in USUAL if choice_of(user, kind) == Choice.DIGEST]
        choose(user, dict.fromkeys(kinds, Choice.OFF))
        user.save(update_fields=["notice_choices"])
