"""A player's public page: what is public of them, and nothing else."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game
from tests.games.tables import new_game, play_on
from tests.web.test_plain_pages import check

SOLO = ("me", "bot:steady", "bot:steady", "bot:steady")


def page_of(name: str) -> str:
    answer = Client().get(f"/people/{name}/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_somebody_new_has_a_page(asha: User) -> None:
    page = page_of("asha")

    check(page)
    assert "Here since" in page
    assert "No public match has been finished yet." in page
    assert ">asha</h1>" in page_of("ASHA")


def test_finished_public_matches_count_and_no_others(asha: User) -> None:
    public, running = new_game(asha, seats=SOLO), new_game(asha, seats=SOLO)
    hidden = new_game(asha, seats=SOLO, visibility="link")
    play_on(public)
    play_on(hidden)
    play_on(running, decisions=5)

    page = page_of("asha")

    check(page)
    assert f'href="/games/{public}/"' in page
    assert hidden not in page
    assert running not in page
    place = Game.objects.get(pk=public).result["ranks"][0]  # type: ignore[index] # it is over
    name = ("First", "Second", "Third", "Fourth")[place - 1]
    assert f"<dt>{name}</dt><dd>1</dd>" in page


def test_a_bot_and_a_guest_are_named_as_such(person: Callable[[str], User]) -> None:
    person("robin")
    User.objects.filter(username="robin").update(is_bot=True)
    User.objects.create(username="guest-2345", is_guest=True)

    assert '<span class="tag">bot</span>' in page_of("robin")
    assert '<span class="tag">guest</span>' in page_of("guest-2345")


def test_nobody_and_somebody_who_is_gone_look_alike(asha: User) -> None:
    User.objects.filter(pk=asha.pk).update(is_active=False)

    assert Client().get("/people/asha/").status_code == 404
    assert Client().get("/people/nobody-here/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["nobody", "%00", "asha%00", "%FF", "x" * 500])
def test_who_is_not_here_has_no_page(name: str) -> None:
    assert Client().get(f"/people/{name}/").status_code == 404
