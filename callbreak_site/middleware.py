"""Headers that every answer carries."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

Handler = Callable[[HttpRequest], HttpResponseBase]


def private_by_default(get_response: Handler) -> Handler:
    """Keep every answer out of shared caches unless its view said otherwise.

    Nearly all of them show what one person may see; a page that forgot to say so must not be the one
    that a proxy hands to the next player.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "private, no-store"
            patch_vary_headers(response, ["Cookie", "Authorization"])
        return response

    return middleware
