"""What the log says, and what it must not."""

from django.http import HttpRequest

from callbreak_site.logs import blank_paths, blank_secrets
from callbreak_site.middleware import RequestLog


def line_of(path: str, query: str = "") -> str:
    request = HttpRequest()
    request.method = "GET"
    request.path = path
    request.META["QUERY_STRING"] = query
    return RequestLog.format_request(request)


def test_a_request_is_its_method_and_path_without_the_query() -> None:
    assert line_of("/games/K7QX2M9RTV4B/", "invite=secret") == "GET /games/K7QX2M9RTV4B/"


def test_keys_in_the_path_of_a_mailed_link_are_left_out() -> None:
    assert line_of("/accounts/confirm-email/MQ:1a:xyz/") == "GET /accounts/confirm-email/-/"
    assert line_of("/accounts/password/reset/key/1-abc/") == "GET /accounts/password/reset/key/-/"


def test_whose_page_was_asked_for_is_left_out() -> None:
    assert line_of("/people/asha/") == "GET /people/-/"


def test_djangos_own_lines_hold_no_keys_either() -> None:
    event = {"event": "Forbidden (CSRF cookie not set.): /accounts/confirm-email/MQ:1a:xyz/"}

    assert blank_paths(None, "warning", event) == {
        "event": "Forbidden (CSRF cookie not set.): /accounts/confirm-email/-/"
    }


def test_values_that_are_named_like_secrets_are_blanked() -> None:
    event = {"event": "x", "hand": ["AS"], "deal_seed": "ab", "api_token": "cbk_", "game": "K7"}

    blanked = blank_secrets(None, "info", event)

    assert blanked == {
        "event": "x", "hand": "[blank]", "deal_seed": "[blank]", "api_token": "[blank]", "game": "K7",
    }  # fmt: skip
