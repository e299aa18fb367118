"""Every error answer of the API, and the one place that chooses an HTTP status.

All of them are RFC 9457 `application/problem+json`. `code` is stable and public; `detail` is a sentence for people. What
is not known here is a fault of ours: it goes on to Django, whose 500 says nothing about it.
"""

import json
import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

import structlog
from cryptography.fernet import InvalidToken
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import OperationalError
from django.http import Http404, HttpResponse, HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions

from accounts.barring import Barred, sentence
from accounts.bots import NameTaken, NoBots, TooManyBots
from accounts.outbound.targets import BadTarget
from accounts.retries import KeyReused
from accounts.webhooks.keeping import TooManyWebhooks
from games import nudges
from games.engine.errors import RuleViolation
from games.engine.rules import NotChangeable
from games.refusals import Refusal
from games.table import BrokenLog
from games.wording import explain

logger = structlog.get_logger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
DOCS: Final = "/api/docs/errors"
CHALLENGE: Final = 'Bearer realm="callbreak"'
RETRY_AFTER_SECONDS: Final = 1
_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})

# What the errors page lists, in its order: code -> status and title.
PROBLEMS: Final[Mapping[str, tuple[int, Promise]]] = {
    "malformed": (400, _("The request cannot be understood")),
    "not_authenticated": (401, _("Credentials are missing or not valid")),
    "scope": (403, _("The token may not do this")),
    "csrf": (403, _("The CSRF token is missing or wrong")),
    "barred": (403, _("The account is suspended")),
    "permission": (403, _("Not allowed")),
    "not_seated": (403, _("No seat at this table")),
    "not_creator": (403, _("Not the maker of this table")),
    "account_needed": (403, _("An account is needed")),
    "not_found": (404, _("Not found")),
    "bad_invitation": (404, _("The invitation does not hold")),
    "no_plan": (404, _("No plan")),
    "method_not_allowed": (405, _("Method not allowed")),
    "not_acceptable": (406, _("No such representation")),
    "stale_turn": (409, _("The table has moved on")),
    "not_your_turn": (409, _("Not your turn")),
    "wrong_phase": (409, _("Not the time for that")),
    "game_over": (409, _("The match is over")),
    "game_frozen": (409, _("The game is stopped")),
    "not_open": (409, _("The table is not open")),
    "time_ran_out": (409, _("The time for that is over")),
    "nothing_to_take_back": (409, _("No bot keeps the seat")),
    "not_kept_for_long": (409, _("No seat to offer yet")),
    "not_offered": (409, _("The seat is not offered")),
    "had_a_seat": (409, _("Another seat was held before")),
    "saw_hands": (409, _("Hands of the match were seen")),
    "nothing_to_give_up": (409, _("The round is not being played")),
    "not_started": (409, _("The match has not begun")),
    "not_over": (409, _("The match is not over")),
    "round_not_over": (409, _("The round is not over")),
    "no_help": (409, _("No help at a rated table")),
    "bots_may_not_sit": (409, _("No bot accounts here")),
    "same_person": (409, _("Two seats of one person")),
    "seat_taken": (409, _("The seat is taken")),
    "table_full": (409, _("No free seat")),
    "already_seated": (409, _("Already seated")),
    "anchor_mismatch": (409, _("Another anchor")),
    "too_many_games": (409, _("Too many running games")),
    "too_many_bots": (409, _("Too many bot accounts")),
    "name_taken": (409, _("The name is taken")),
    "too_many_webhooks": (409, _("Too many webhooks")),
    "too_many_invitations": (409, _("Too many open invitations")),
    "already_reported": (409, _("Already reported")),
    "too_many_reports": (409, _("Too many reports today")),
    "cannot_appeal": (409, _("No appeal any more")),
    "plan_changed": (412, _("The plan has changed")),
    "unsupported_media_type": (415, _("Not JSON")),
    "not_changeable": (422, _("These rules keep that field")),
    "key_reused": (422, _("The key belongs to another request")),
    "bad_target": (422, _("Not an address that a webhook may have")),
    "bad_reservation": (422, _("The reservation is not valid")),
    "name_needed": (422, _("To whom?")),
    "unknown_player": (422, _("No such player")),
    "no_such_event": (422, _("No such event")),
    "bid_out_of_range": (422, _("The bid is out of range")),
    "card_not_held": (422, _("The card is not in your hand")),
    "must_follow_suit": (422, _("The suit led must be followed")),
    "must_beat": (422, _("The best card must be beaten")),
    "must_trump": (422, _("A spade must be played")),
    "claim_not_proven": (422, _("The claim is not proven")),
    "bad_deal": (422, _("Not a deal that the rules allow")),
    "precondition_required": (428, _("Which plan is meant?")),
    "throttled": (429, _("Too many requests")),
    "server_error": (500, _("Something broke here")),
    "busy": (503, _("Busy")),
    "not_streamed": (503, _("No streams here")),
    "log_broken": (503, _("The game is out of service")),
}


class Malformed(exceptions.APIException):
    """Input that is not what the schema describes. `field` says where, if it has a place."""

    status_code = 400
    default_code = "malformed"

    def __init__(self, detail: str, *, field: str | None = None) -> None:
        super().__init__(detail)
        self.field = field


class MissingScope(exceptions.APIException):
    """A good token that lacks `scope`."""

    status_code = 403
    default_code = "scope"

    def __init__(self, scope: str) -> None:
        super().__init__(gettext("This needs a token with the scope %(scope)s.") % {"scope": scope})
        self.scope = scope


class NotStreamed(exceptions.APIException):
    """A stream was asked of a process that serves none."""

    status_code = 503
    default_code = "not_streamed"
    default_detail = _("Streams are not served at the moment. The feed of events always works.")


class CsrfRefused(exceptions.APIException):
    """A request that leans on the session cookie but was not sent by one of our pages."""

    status_code = 403
    default_code = "csrf"
    default_detail = _("Requests that use the session cookie need its CSRF token.")


def problem(
    status: int,
    code: str,
    detail: str,
    extras: Mapping[str, object] = _NOTHING,
    *,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The answer that says what went wrong. `extras` become members beside the standard ones."""
    title = PROBLEMS[code][1] if code in PROBLEMS else code
    body = {
        "type": f"{DOCS}#{code}",
        "title": str(title),
        "status": status,
        "detail": detail,
        "code": code,
        **extras,
    }
    return HttpResponse(
        json.dumps(body, ensure_ascii=False),
        status=status,
        content_type=MEDIA_TYPE,
        headers=headers,
    )


def handle(exc: Exception, context: Mapping[str, Any]) -> HttpResponseBase | None:
    """DRF's exception handler: the problem that `exc` is to the client, None for a fault of ours."""
    match exc:
        case RuleViolation():
            return _known(exc.code.value, explain(exc), exc.data)
        case Refusal():
            return _known(exc.code, str(exc.sentence), exc.data)
        case NotChangeable():
            detail = gettext("These rules do not let a table change that. Use custom rules for it.")
            return _known("not_changeable", detail, {"field": exc.field})
        case Barred():
            return _known("barred", sentence(exc.user))
        case KeyReused():
            detail = gettext("This Idempotency-Key came with another request. Take a new key.")
            return _known("key_reused", detail)
        case BadTarget():
            return _known("bad_target", str(exc.sentence), {"field": "url"})
        case TooManyWebhooks():
            return _known("too_many_webhooks", str(exc.sentence))
        case TooManyBots():
            return _known("too_many_bots", str(exc.sentence))
        case NameTaken():
            return _known("name_taken", str(exc.sentence), {"field": "name"})
        case NoBots():
            return _known("account_needed", str(exc.sentence))
        case exceptions.APIException():
            return _of_rest_framework(exc)
        case Http404():
            return _known("not_found", gettext("There is nothing here."))
        case PermissionDenied():
            return _known("permission", gettext("You may not do this."))
        case RequestDataTooBig():
            return _known("malformed", gettext("The body is too large."))
        case BrokenLog() | InvalidToken():
            return _out_of_service(exc)
        case OperationalError():
            return _busy(exc)
        case _:
            return None


def _known(
    code: str,
    detail: str,
    extras: Mapping[str, object] = _NOTHING,
    *,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    return problem(PROBLEMS[code][0], code, detail, extras, headers=headers)


def _of_rest_framework(exc: exceptions.APIException) -> HttpResponse:
    match exc:
        case Malformed(field=field):
            return _known("malformed", str(exc.detail), _maybe(field=field))
        case exceptions.ValidationError():
            field, sentence = next(
                _flat(exc.detail), ("", gettext("This request cannot be understood."))
            )
            return _known("malformed", sentence, _maybe(field=field or None))
        case MissingScope():
            return _known("scope", str(exc.detail), {"scope": exc.scope})
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            headers = {"WWW-Authenticate": CHALLENGE}
            return _known("not_authenticated", str(exc.detail), headers=headers)
        case exceptions.MethodNotAllowed():
            return _known("method_not_allowed", str(exc.detail))
        case exceptions.Throttled():
            wait = getattr(exc, "wait", None)  # the stubs do not know it
            # Rounded up: whoever waits that long is let in.
            seconds = max(RETRY_AFTER_SECONDS, math.ceil(wait or 0))
            detail = ngettext(
                "Too many requests. Try again in %(seconds)d second.",
                "Too many requests. Try again in %(seconds)d seconds.",
                seconds,
            ) % {"seconds": seconds}
            headers = {"Retry-After": str(seconds)}
            return _known("throttled", detail, {"retry_after": seconds}, headers=headers)
        case exceptions.PermissionDenied():
            return _known("permission", str(exc.detail))
        case _:
            return _by_status(exc)


def _by_status(exc: exceptions.APIException) -> HttpResponse:
    code = _BY_STATUS.get(exc.status_code, exc.default_code)
    return problem(exc.status_code, code, str(exc.detail))


_BY_STATUS: Final = {
    400: "malformed",
    403: "csrf",
    404: "not_found",
    406: "not_acceptable",
    415: "unsupported_media_type",
}


def _out_of_service(exc: Exception) -> HttpResponse:
    if isinstance(exc, BrokenLog):
        nudges.to_inspect(exc.game)
    # The kind of error alone: its words may name cards.
    logger.error("log_broken", error=type(exc).__name__)
    detail = gettext("This game cannot be read at the moment. Somebody has been told.")
    return _known("log_broken", detail)


def _busy(exc: Exception) -> HttpResponse:
    logger.warning("busy", error=type(exc).__name__)
    detail = gettext("The site is busy. Nothing was changed: try again in a moment.")
    return _known("busy", detail, headers={"Retry-After": str(RETRY_AFTER_SECONDS)})


def _maybe(**extras: str | None) -> dict[str, str]:
    return {name: value for name, value in extras.items() if value is not None}


def _flat(detail: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every `(field path, sentence)` of a ValidationError's detail, however nested. Any: lists and dicts of lists."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            here = path if name == "non_field_errors" else f"{path}.{name}".lstrip(".")
            yield from _flat(inner, here)
    elif isinstance(detail, list):
        for inner in detail:
            yield from _flat(inner, path)
    else:
        yield path, str(detail)
