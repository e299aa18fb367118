"""Requests are written in UTF-8. Every page asks for it, and the API says so.

Django would read forms and query strings with whichever character set a request names, and Python knows some that decode
to halves of characters, and some that only fail.
"""

from collections.abc import Callable, Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.http import parse_header_parameters

# Of no character set: Django reads such a request as if it had named none, and then `utf8_alone` refuses it.
_UNREAD = "text/plain; charset=another"


def is_utf8(content_type: str) -> bool:
    """Whether a request with this Content-Type is written as ours are, as far as it says."""
    try:
        charset = parse_header_parameters(content_type)[1].get("charset", "utf-8")
    except (ValueError, LookupError):  # a parameter may itself be written in a character set
        return False
    return charset.lower() in ("utf-8", "utf8")


def utf8_alone(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse a request that says it is written in another character set."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not is_utf8(request.META.get("CONTENT_TYPE", "")):
            raise BadRequest("not UTF-8")
        return get_response(request)

    return middleware


def unread(application: WSGIApplication) -> WSGIApplication:
    """Keep such a character set from Django, which uses it before any middleware is asked."""

    def guarded(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not is_utf8(environ.get("CONTENT_TYPE", "")):
            environ["CONTENT_TYPE"] = _UNREAD
        return application(environ, start_response)

    return guarded
