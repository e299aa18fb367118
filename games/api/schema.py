"""How the views tell drf-spectacular what they take and answer. Nothing here runs when a request is served."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.serializers import BaseSerializer

from accounts.models import Scope
from games.api.answers import Problem
from games.api.errors import MEDIA_TYPE

F = TypeVar("F", bound=Callable[..., Any])

READING: Final = (400, 401, 403, 404, 406, 429, 503)
WRITING: Final = (*READING, 409, 415, 422)

PLANNING: Final = (*WRITING, 412, 428)

_PROBLEMS: Final = {
    400: "`malformed`: not what this schema describes; `field` says where.",
    401: "`not_authenticated`: the credentials are missing or not valid.",
    403: "`scope`, `csrf`, `permission`, `not_seated`, `not_creator` or `account_needed`.",
    404: "`not_found`: it does not exist, or is not for the caller to see.",
    406: "`not_acceptable`: the Accept header leaves nothing to answer with.",
    409: "The table is not as the caller thinks: `stale_turn`, `not_your_turn`, `seat_taken`, ...",
    412: "`plan_changed`: the plan is not the one that If-Match names.",
    415: "`unsupported_media_type`: the body is not application/json.",
    422: "The rules refuse it: `must_beat`, `card_not_held`, `not_changeable`, ...",
    428: "`precondition_required`: there is a plan, so If-Match must say which is meant.",
    429: "`throttled`: wait for Retry-After seconds.",
    503: "`busy` (try again after Retry-After seconds) `not_streamed` or `log_broken`.",
}
GAME: Final = OpenApiParameter(
    "game",
    {"type": "string", "pattern": "^[2-9A-HJKMNP-TV-Z]{12}$"},
    OpenApiParameter.PATH,
    description="The game's id.",
)
ROUND: Final = OpenApiParameter(
    "round",
    {"type": "integer", "minimum": 1},
    OpenApiParameter.PATH,
    description="A round's number.",
)
SEAT: Final = OpenApiParameter(
    "seat",
    {"type": "integer", "minimum": 0, "maximum": 3},
    OpenApiParameter.PATH,
    description="A seat's number.",
)
IF_MATCH: Final = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The ETag of the plan that is meant, or `*`. Needed where there is a plan.",
)
IF_NONE_MATCH: Final = OpenApiParameter(
    "If-None-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="An ETag: 304 if nothing has changed.",
)
IDEMPOTENCY_KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{1,255}$"},
    OpenApiParameter.HEADER,
    description=(
        "A key of your own for this request, say a UUID. For 24 hours the same request with the same key makes nothing again"
        " and gets the first answer, `Idempotent-Replayed: true`; another request with it is 422 `key_reused`."
    ),
)
_HEADERS: Final[Mapping[str, Any]] = {
    "RateLimit-Policy": {
        "schema": {"type": "string"},
        "description": 'The limit that was counted against: `"reads";q=50;w=5` is 50 at once, and 50 more every 5 seconds.',
    },
    "RateLimit": {
        "schema": {"type": "string"},
        "description": 'What is left of it: `"reads";r=49;t=1` is 49 more now, and all of them in 1 second.',
    },
    "Retry-After": {
        "schema": {"type": "integer"},
        "description": "Seconds after which the same request is let in.",
    },
}
_ASK_AGAIN: Final = ("429", "503")
# Any: drf-spectacular takes requirement objects here, its annotation says names alone.
_OR_NOBODY: Final[Any] = [{"token": []}, {"app": []}, {"session": []}, {}]


class SiteSessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # theirs
    target_class = "games.api.base.SiteSession"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "The site's own pages. Requests that change something need the CSRF token too.",
        }


def with_limits(result: Any, generator: Any, request: Any, public: bool) -> Any:
    """Say of every answer that it tells what is left of the limits. (Hook of drf-spectacular, whose schemas are dicts.)"""
    result["components"]["headers"] = dict(_HEADERS)
    for operation in (each for path in result["paths"].values() for each in path.values()):
        for status, response in operation["responses"].items():
            names = [name for name in _HEADERS if name != "Retry-After" or status in _ASK_AGAIN]
            references = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
            response["headers"] = response.get("headers", {}) | references
    return result


def with_names_for_rules(result: Any, generator: Any, request: Any, public: bool) -> Any:
    """Call the rules of a game `Rules` wherever they stand, so that a generated client has one type for them."""
    schemas = result["components"]["schemas"]
    shapes = {
        "Rules": schemas["Game"]["properties"]["rules"],
        "CustomRules": schemas["CreateGame"]["properties"]["rules"],
    }

    def named(node: Any) -> Any:
        for name, shape in shapes.items():
            if node == shape:
                return {"$ref": f"#/components/schemas/{name}"}
        if isinstance(node, dict):
            return {key: named(value) for key, value in node.items()}
        return [named(each) for each in node] if isinstance(node, list) else node

    result["components"]["schemas"] = dict(sorted({**named(schemas), **shapes}.items()))
    return result


def with_closed_bodies(result: Any, generator: Any, request: Any, public: bool) -> Any:
    """Say that a body holds no field but those listed, as `Strict` sees to it."""
    schemas = result["components"]["schemas"]
    bodies = [
        operation["requestBody"]
        for path in result["paths"].values()
        for operation in path.values()
        if "requestBody" in operation
    ]
    for name in set(re.findall("#/components/schemas/([A-Za-z]+)", str(bodies))):
        schemas[name].setdefault("additionalProperties", False)
    return result


def endpoint(
    name: str,
    *,
    answers: Mapping[Any, Any],  # as drf-spectacular's responses; None: an empty answer
    scope: Scope | None,
    problems: Iterable[int] = READING,
    public: bool = False,
    body: type[BaseSerializer[Any]] | None = None,
    parameters: Iterable[Any] = (),  # OpenApiParameter or a serializer of query parameters
) -> Callable[[F], F]:
    """Describe one method of a view: its operation id, what it takes, and every status it may answer with."""
    responses: dict[Any, Any] = {
        status: shape or OpenApiResponse() for status, shape in answers.items()
    }
    for status in problems:
        responses[status, MEDIA_TYPE] = OpenApiResponse(Problem, description=_PROBLEMS[status])
    return extend_schema(
        operation_id=name,
        request=body,
        responses=responses,
        parameters=list(parameters),
        auth=_OR_NOBODY if public else None,
        extensions={"x-scope": scope.value} if scope else None,
    )
