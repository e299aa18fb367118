"""The daily roots and their proofs, as everybody sees them."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from games.models import Checkpoint, Game
from games.services import checkpoints, inspecting
from tests.games.tables import NOW, new_game, play_on
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]


def read(browser: Client, address: str, status: int = 200) -> str:
    answer = browser.get(address)
    assert answer.status_code == status
    return answer.content.decode()


@pytest.mark.django_db
def test_before_the_first_root_the_page_says_so() -> None:
    page = read(Client(), "/transparency/")

    check(page)
    assert "There is none yet." in page


def test_the_page_publishes_roots_and_of_games_nothing(asha: User) -> None:
    game = new_game(asha)
    for day in range(33):
        checkpoints.make_checkpoint(now=NOW + timedelta(days=day))

    newest, oldest = read(Client(), "/transparency/"), read(Client(), "/transparency/?page=2")

    check(newest)
    for row in Checkpoint.objects.all():
        page = oldest if row.number <= 2 else newest
        assert row.hash in page
        assert row.signature in page
    assert "No. 33, 31 Dec 2026" in newest
    assert game not in newest + oldest
    assert Game.objects.get().head not in newest + oldest
    assert 'rel="next"' in newest
    assert 'rel="prev"' in oldest


def test_the_proof_of_a_game_is_shown_to_those_who_may_see_it(
    asha: User, eli: User, browser_of: BrowserOf
) -> None:
    game = new_game(asha, visibility="link")
    young = read(browser_of(asha), f"/games/{game}/proof/")
    checkpoints.make_checkpoint(now=NOW)

    own = read(browser_of(asha), f"/games/{game}/proof/")

    check(own)
    assert "younger than the newest root" in young
    assert Checkpoint.objects.get().root in own
    assert f"callbreak-leaf/1\n{game}\n{Game.objects.get().seq}\n{Game.objects.get().head}" in own
    read(browser_of(eli), f"/games/{game}/proof/", 404)
    assert f"/games/{game}/proof/" in read(browser_of(asha), f"/games/{game}/log/")


def test_the_api_tells_the_same(asha: User, eli: User, api_of: Callable[[User], APIClient]) -> None:
    game = new_game(asha, visibility="link")
    for day in range(3):
        checkpoints.make_checkpoint(now=NOW + timedelta(days=day))

    nobody = APIClient()
    roots = nobody.get("/api/v1/checkpoints?limit=2").json()
    older = nobody.get("/api/v1/checkpoints?before=2").json()
    proof = api_of(asha).get(f"/api/v1/games/{game}/proof").json()["proof"]

    assert [each["number"] for each in roots["checkpoints"]] == [3, 2]
    assert [each["number"] for each in older["checkpoints"]] == [1]
    assert len(roots["public_key"]) == 43
    assert proof["checkpoint"] == roots["checkpoints"][0]
    assert proof["leaf"]["game"] == game
    assert nobody.get(f"/api/v1/games/{game}/proof").status_code == 404
    assert api_of(eli).get(f"/api/v1/games/{game}/proof").status_code == 404
    assert nobody.get("/api/v1/checkpoints?before=x").status_code == 400


def test_the_first_page_of_the_admin_tells_what_the_night_found(
    asha: User, browser_of: BrowserOf
) -> None:
    asha.is_staff = asha.is_superuser = True
    asha.save()
    game = new_game(asha)
    play_on(game)
    before = read(browser_of(asha), "/admin/")
    Game.objects.filter(pk=game).update(totals=[0, 0, 0, 1])
    inspecting.begin(now=NOW)
    inspecting.go_on(now=NOW, seconds=60)

    after = read(browser_of(asha), "/admin/")

    assert "the first one begins tonight" in before
    assert "1 of 1 games checked, 1 broken." in after
    assert f"<b>{game}</b>: columns: totals" in after
