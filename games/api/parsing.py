"""Bodies and query strings as strict values: what is doubtful is refused, never guessed.

JSON here is objects, lists, text, whole numbers, booleans and null. Not accepted: duplicate keys, fractions, NaN and
Infinity, numbers that a browser cannot hold, lone surrogates, NUL, deep nesting, anything but UTF-8, more than 64 KiB.
"""

import json
import re
from collections.abc import Mapping
from typing import IO, Any, Final, TypeVar

from django.utils.translation import gettext
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from games.api.errors import Malformed
from games.engine.chain import MAX_INTEGER

MAX_BODY_BYTES: Final = 64 * 1024
MAX_DEPTH: Final = 8
MAX_DIGITS: Final = 16
_UNUSABLE: Final = re.compile("[\x00\ud800-\udfff]")

S = TypeVar("S", bound="Serializer[Any]")


class StrictJson(BaseParser):
    """The parser of every body. Raises `Malformed` and nothing else."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:  # whatever JSON holds
        return parse_json(stream.read(MAX_BODY_BYTES + 1))


def parse_json(raw: bytes) -> Any:  # whatever JSON holds
    """The value that `raw` is. `Malformed` says in a sentence what is wrong with it."""
    if len(raw) > MAX_BODY_BYTES:
        raise Malformed(gettext("A body may hold 64 KiB at the most."))
    try:
        value = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_object,
            parse_int=_whole_number,
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
        )
    except UnicodeDecodeError:
        raise Malformed(gettext("The body is not UTF-8.")) from None
    except RecursionError:
        raise Malformed(gettext("The body is nested too deeply.")) from None
    except ValueError:
        raise Malformed(gettext("The body is not JSON.")) from None
    _check(value, MAX_DEPTH)
    return value


def valid(serializer: S) -> Any:  # each serializer documents its own
    """What the serializer makes of its input. ValidationError or `Malformed` otherwise."""
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def body_of(request: Request, shape: type[S]) -> Any:  # as in `valid`
    """The body of the request, checked against `shape`. No body at all counts as an empty object."""
    return valid(shape(data=request.data))


def query_of(request: Request, shape: type[S]) -> Any:  # as in `valid`
    """The query string of the request, checked against `shape`. `Malformed` for a name given twice."""
    given = {}
    for name, values in request.query_params.lists():
        if len(values) > 1:
            raise Malformed(gettext("This parameter is given twice."), field=name[:80])
        given[name] = values[0]
    return valid(shape(data=given))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Malformed(gettext("The body holds the same key twice."))
    return found


def _whole_number(digits: str) -> int:
    # By length first: Python takes its time over a number of thousands of digits.
    if len(digits.lstrip("-")) > MAX_DIGITS or abs(number := int(digits)) > MAX_INTEGER:
        raise Malformed(gettext("A number in the body is out of range."))
    return number


def _no_fraction(text: str) -> float:
    raise Malformed(gettext("Numbers here are whole and finite."))


def _check(value: object, depth: int) -> None:
    if depth == 0:
        raise Malformed(gettext("The body is nested too deeply."))
    if isinstance(value, str):
        if _UNUSABLE.search(value):
            raise Malformed(gettext("A text in the body holds characters that cannot be stored."))
    elif isinstance(value, dict):
        for name, inner in value.items():
            _check(name, depth)
            _check(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth - 1)
