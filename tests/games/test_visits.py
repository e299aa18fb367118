"""How far a player has seen a table: noted when they look, for their own eyes, and cheap."""

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import store
from games.models import LastSeen
from games.services.visits import AWAY, GRAIN, Since, look
from tests.games.tables import NOW, new_game, play_on

SOLO = ("me", "bot:steady", "bot:steady", "bot:steady")


@pytest.fixture
def game(asha: User) -> str:
    return new_game(asha, seats=SOLO)


def seen_at(game: str, user: User | None, now: datetime) -> Since | None:
    return look(store.load(game, now=now), user.pk if user else None)


def test_the_first_visit_follows_none(asha: User, game: str) -> None:
    assert seen_at(game, asha, NOW) is None
    assert seen_at(game, asha, NOW + GRAIN) is None


def test_a_visit_starts_after_half_an_hour_and_keeps_its_beginning(asha: User, game: str) -> None:
    seen_at(game, asha, NOW)
    first = Since(store.load(game, now=NOW).game.seq, NOW)
    play_on(game, decisions=5)
    back = NOW + AWAY + timedelta(seconds=1)

    assert seen_at(game, asha, back) == first
    play_on(game, decisions=5)
    assert seen_at(game, asha, back + timedelta(minutes=1)) == first
    assert seen_at(game, asha, back + timedelta(minutes=2)) == first
    second = Since(store.load(game, now=NOW).game.seq, back + timedelta(minutes=1))
    assert seen_at(game, asha, back + timedelta(hours=9)) == second


def test_a_look_at_what_was_seen_writes_nothing(asha: User, game: str) -> None:
    seen_at(game, asha, NOW)
    table = store.load(game, now=NOW + timedelta(minutes=1))

    with CaptureQueriesContext(connection) as asked:
        look(table, asha.pk)

    assert [query["sql"].split()[0] for query in asked] == ["SELECT"]


def test_only_of_those_who_sit_at_a_table_that_has_begun(asha: User, eli: User, game: str) -> None:
    waiting = new_game(asha, seats=("me", "open", "open", "open"))

    assert seen_at(game, eli, NOW) is None
    assert seen_at(game, None, NOW) is None
    assert seen_at(waiting, asha, NOW) is None

    assert not LastSeen.objects.exists()


def test_an_account_takes_its_looks_along(asha: User, eli: User, game: str) -> None:
    LastSeen.objects.create(game_id=game, user=eli, seq=3, at=NOW)

    eli.delete()

    assert not LastSeen.objects.exists()


def test_the_database_keeps_one_look_in_order(asha: User, game: str) -> None:
    seen_at(game, asha, NOW)

    with pytest.raises(IntegrityError), transaction.atomic():
        LastSeen.objects.create(game_id=game, user=asha, seq=3, at=NOW)
    with (
        pytest.raises(IntegrityError, match="last_seen_after_the_visit_before"),
        transaction.atomic(),
    ):
        LastSeen.objects.update(since_seq=10**6)
