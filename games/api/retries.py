"""`Idempotency-Key`: a POST that makes something may be sent again when its answer was lost."""

import json
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.retries import Answer, answer_once
from games.api.base import user_of
from games.api.errors import Malformed

HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotent-Replayed"
_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")

P = ParamSpec("P")
Handler = Callable[
    Concatenate[Any, Request, P], HttpResponse
]  # Any: the view that it is a method of


def answered_once(handler: Handler[P]) -> Handler[P]:
    """The method of a view, its answer kept with what it made: the same request with the same key gets it again."""

    @wraps(handler)
    def answered(view: Any, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        key = request.headers.get(HEADER)
        if key is None:
            return handler(view, request, *args, **kwargs)
        if not _KEY.fullmatch(key):
            raise Malformed(gettext("A key is 1 to 255 visible ASCII characters."), field=HEADER)
        asked = json.dumps([request.method, request.path, request.data], sort_keys=True).encode()

        def make() -> Answer:
            return _answer(handler(view, request, *args, **kwargs))

        answer, is_repeated = answer_once(user_of(request), key, asked, make, now=timezone.now())
        headers = {**answer.headers, REPLAYED: "true"} if is_repeated else answer.headers
        return HttpResponse(
            answer.body, status=answer.status, headers=headers, content_type="application/json"
        )

    return answered


def _answer(response: HttpResponse) -> Answer:
    assert isinstance(response, Response)
    headers = {name: text for name, text in response.items() if name != "Content-Type"}
    return Answer(response.status_code, headers, JSONRenderer().render(response.data).decode())
