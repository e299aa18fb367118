"""Nobody may ask for ever, and everybody is told how much is left; a move is never starved by reads."""

import pytest
import time_machine
from django.conf import LazySettings
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import limits
from accounts.models import Scope, User
from accounts.tokens import issue_token
from games.services import lobby
from tests.api.rest import API, answer_to, body_of, move, my_turn, new_game, problem_of, see
from tests.games.tables import ARCADIA
from tests.limits import clock as clock

Clock = time_machine.Traveller
READS = limits.READS.quota


def read(api: APIClient, times: int = 1) -> None:
    for _ in range(times):
        body_of(api.get(f"{API}/rules"), 200)


def refused_read(api: APIClient) -> int:
    """Reads once too often; after how many seconds it may be tried again."""
    refused = api.get(f"{API}/rules")
    problem = problem_of(refused, 429, "throttled")
    assert refused.headers["Retry-After"] == str(problem["retry_after"])
    assert str(problem["retry_after"]) in problem["detail"]
    return int(problem["retry_after"])


def test_reads_run_out_but_a_move_does_not_and_waiting_helps(
    asha_api: APIClient, clock: Clock
) -> None:
    game = new_game(asha_api)["id"]
    seen, own = my_turn(asha_api, game)
    read(asha_api, READS - 1)
    seconds = refused_read(asha_api)

    assert move(asha_api, game, **answer_to(own, seen)).status_code == 201

    refused_read(asha_api)
    clock.shift(seconds)
    read(asha_api)


def test_every_answer_says_what_is_left(asha_api: APIClient, clock: Clock) -> None:
    first, second = (asha_api.get(f"{API}/rules") for _ in range(2))
    lost = asha_api.get(f"{API}/games/222222222222")
    for _ in range(READS - 3):
        last = asha_api.get(f"{API}/rules")
    refused = asha_api.get(f"{API}/rules")

    assert first.headers["RateLimit-Policy"] == '"reads";q=50;w=5'
    assert first.headers["RateLimit"] == '"reads";r=49;t=1'
    assert second.headers["RateLimit"] == '"reads";r=48;t=1'
    assert lost.headers["RateLimit"] == '"reads";r=47;t=1'
    assert last.headers["RateLimit"] == '"reads";r=0;t=5'
    assert refused.headers["RateLimit"] == '"reads";r=0;t=1'
    assert refused.headers["RateLimit-Policy"] == '"reads";q=50;w=5'


def test_ten_reads_a_second_go_on_for_ever(asha_api: APIClient, clock: Clock) -> None:
    read(asha_api, READS)
    for _ in range(20):
        refused_read(asha_api)

        clock.shift(1)

        read(asha_api, 10)


def test_all_tokens_of_a_user_share_what_they_may_and_others_do_not(
    asha: User, asha_api: APIClient, bina_api: APIClient, clock: Clock
) -> None:
    text = issue_token(asha, name="other", scopes=Scope.values, now=timezone.now())[1]
    other = APIClient()
    other.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    read(asha_api, READS)

    refused_read(other)

    read(bina_api)


def test_somebody_without_an_account_is_counted_by_address(nobody: APIClient, clock: Clock) -> None:
    read(nobody, READS)

    refused_read(nobody)

    elsewhere = nobody.get(f"{API}/rules", REMOTE_ADDR="203.0.113.7")
    assert elsewhere.status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::1", True),
        ("2001:db8:1:2::5", "2001:db8:1:3::5", False),
        ("203.0.113.7", "203.0.113.8", False),
    ],
)
def test_a_household_is_one_address(
    nobody: APIClient, clock: Clock, one: str, other: str, is_one: bool
) -> None:
    for _ in range(READS):
        nobody.get(f"{API}/rules", REMOTE_ADDR=one)

    answer = nobody.get(f"{API}/rules", REMOTE_ADDR=other)

    assert answer.status_code == (429 if is_one else 200)


def test_guessing_tokens_is_counted_too(nobody: APIClient, clock: Clock) -> None:
    guess = {"authorization": "Bearer cbk_" + "x" * 43}
    for _ in range(READS):
        problem_of(nobody.get(f"{API}/me", headers=guess), 401, "not_authenticated")

    problem_of(nobody.get(f"{API}/me", headers=guess), 429, "throttled")


def test_what_a_token_may_not_do_is_counted_too(asha: User, clock: Clock) -> None:
    text = issue_token(asha, name="narrow", scopes=[Scope.GAMES_PLAY], now=timezone.now())[1]
    narrow = APIClient()
    narrow.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    for _ in range(READS):
        problem_of(narrow.get(f"{API}/me"), 403, "scope")

    problem_of(narrow.get(f"{API}/me"), 429, "throttled")


def test_sixty_creations_an_hour_and_one_more_a_minute(asha_api: APIClient, clock: Clock) -> None:
    for _ in range(limits.CREATIONS.quota):
        problem_of(asha_api.post(f"{API}/games", {}, format="json"), 400, "malformed")
    refused = asha_api.post(f"{API}/games", {}, format="json")

    assert problem_of(refused, 429, "throttled")["retry_after"] == 60
    assert refused.headers["RateLimit-Policy"] == '"creations";q=60;w=3600'
    read(asha_api)
    clock.shift(60)
    new_game(asha_api)


def test_moves_have_their_own_end(asha_api: APIClient, clock: Clock) -> None:
    game = new_game(asha_api)["id"]
    for _ in range(limits.MOVES.quota):
        assert move(asha_api, game, round=9, turn=0, bid=1).status_code == 409

    problem_of(move(asha_api, game, round=9, turn=0, bid=1), 429, "throttled")

    see(asha_api, game)


def test_counting_costs_no_query(asha_api: APIClient, settings: LazySettings) -> None:
    settings.CALLBREAK_LIMITS = True  # in the cache that the embedded edition has
    caches["limits"].clear()
    game = new_game(asha_api)["id"]
    seen, own = my_turn(asha_api, game)
    User.objects.update(last_visit_at=timezone.now())
    etag = asha_api.get(f"{API}/games/{game}").headers["ETag"]

    with CaptureQueriesContext(connection) as polled:
        unchanged = asha_api.get(f"{API}/games/{game}", headers={"if-none-match": etag})
    with CaptureQueriesContext(connection) as moved:
        accepted = move(asha_api, game, **answer_to(own, seen))

    assert unchanged.status_code == 304
    assert unchanged.headers["RateLimit"].startswith('"reads"')
    assert len(polled) <= 2
    assert accepted.status_code == 201
    assert sum("SAVEPOINT" not in query["sql"] for query in moved.captured_queries) <= 12


def test_a_cache_that_is_down_stops_nobody(asha_api: APIClient, settings: LazySettings) -> None:
    settings.CALLBREAK_LIMITS = True
    settings.CACHES = settings.CACHES | {
        "limits": settings.CACHES["limits"]
        | {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",  # nobody listens there
            "OPTIONS": {},
        }
    }

    answer = asha_api.get(f"{API}/rules")

    assert answer.status_code == 200
    assert "RateLimit" not in answer.headers


def test_fifty_running_games_and_no_more(asha: User, asha_api: APIClient) -> None:
    for _ in range(lobby.MAX_RUNNING_GAMES):
        lobby.create_game(asha, lobby.NewGame(rules=ARCADIA), now=timezone.now())

    refused = asha_api.post(f"{API}/games", {"preset": "arcadia"}, format="json")

    problem_of(refused, 409, "too_many_games")


def test_play_now_is_for_a_hundred_guests_an_hour(db: None, clock: Clock) -> None:
    for _ in range(limits.GUESTS.quota):
        assert Client().post("/play/").status_code == 302

    refused = Client().post("/play/")

    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "60"
    assert "try again in 1 minute." in refused.content.decode()
    assert User.objects.filter(is_guest=True).count() == limits.GUESTS.quota
    clock.shift(60)
    assert Client().post("/play/").status_code == 302
