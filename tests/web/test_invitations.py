"""A link on the table page: made, copied, taken back; what somebody sees who opens it, and who comes too late."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.rules import PRESETS
from games.models import Invitation, Seat
from games.services import lobby
from games.services.inviting import invite
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]
LINK = re.compile(r'readonly value="(http://testserver(/games/\w+/)\?invite=([\w-]{22}))"')


@pytest.fixture
def game_id(asha: User) -> str:
    new = lobby.NewGame(rules=PRESETS["yeeqia"], visibility="link")
    return lobby.create_game(asha, new, now=timezone.now()).game.id


def make_link(browser: Client, game_id: str, **form: str) -> str:
    answer = browser.post(f"/games/{game_id}/invitations/", form, follow=True)
    found = LINK.findall(answer.content.decode())
    return str(found[-1][0]).removeprefix("http://testserver")


def main_of(page: str) -> str:
    return page[page.index("<main") : page.index("</main>")]


def test_a_newcomer_sees_the_rules_and_sits_down_as_a_guest(
    asha: User, browser_of: BrowserOf, game_id: str
) -> None:
    link, newcomer = make_link(browser_of(asha), game_id), Client()

    assert newcomer.get(f"/games/{game_id}/").status_code == 404
    page = newcomer.get(link).content.decode()

    check(page)
    assert "<title>A seat is free for you" in page
    assert "asha invites you to this table." in page
    assert "Bids from 5 to 8." in page
    assert "Invite by link" not in page
    fields = dict(re.findall(r'name="(anchor|invite)" value="([^"]*)"', page))
    sat = newcomer.post(f"/games/{game_id}/sit", fields | {"seat": "2"}, follow=True)
    assert sat.status_code == 200
    assert Seat.objects.get(game=game_id, number=2).user.is_guest  # type: ignore[union-attr] # somebody sits there
    assert newcomer.get(link).status_code == 200


def test_the_open_page_follows_the_table(asha: User, browser_of: BrowserOf, game_id: str) -> None:
    link, newcomer = make_link(browser_of(asha), game_id), Client()
    page = newcomer.get(link).content.decode()
    poll = re.findall(r'data-poll="([^"]+)"', page)[0].replace("&amp;", "&")
    seq = re.findall(r'data-v="(\d+)"', page)[0]

    assert "invite=" in re.findall(r"<noscript>.*?</noscript>", page)[0]
    assert newcomer.get(poll + seq).status_code == 204
    assert newcomer.get(poll + "0").status_code == 200
    Invitation.objects.update(revoked_at=timezone.now())
    assert newcomer.get(poll + seq).status_code == 404


def test_a_link_for_one_seat_offers_that_one(
    asha: User, browser_of: BrowserOf, game_id: str
) -> None:
    link = make_link(browser_of(asha), game_id, seat="3")

    page = Client().get(link).content.decode()

    assert re.findall(r'name="seat" value="(\d)"', page) == ["3"]


def test_whatever_is_wrong_with_a_link_looks_the_same_and_makes_no_guest(
    asha: User, browser_of: BrowserOf, game_id: str
) -> None:
    browser = browser_of(asha)
    used, old, revoked = (make_link(browser, game_id) for _ in range(3))
    first = Client()
    first.post(f"/games/{game_id}/sit", {"invite": used.partition("=")[2]})
    Invitation.objects.filter(pk=Invitation.objects.order_by("pk")[1].pk).update(
        expires_at=timezone.now()
    )
    browser.post(f"/games/{game_id}/invitations/{Invitation.objects.latest('pk').pk}/revoke")
    guessed = f"/games/{game_id}/?invite={'A' * 22}"
    nowhere = f"/games/222222222222/?invite={'A' * 22}"
    people = User.objects.count()

    answers = [Client().get(link) for link in (used, old, revoked, guessed, nowhere)]
    posts = [
        Client().post(f"{link.partition('?')[0]}sit", {"invite": link.partition("=")[2]})
        for link in (used, old, revoked, guessed, nowhere)
    ]

    assert {answer.status_code for answer in answers + posts} == {404}
    # The foot of the page holds a form with the address and a token of its own.
    assert len({main_of(answer.content.decode()) for answer in answers + posts}) == 1
    assert "This invitation does not hold any more." in posts[0].content.decode()
    check(answers[0].content.decode())
    assert User.objects.count() == people


def test_a_link_to_a_match_that_began_is_refused_too(
    asha: User, browser_of: BrowserOf, game_id: str
) -> None:
    browser = browser_of(asha)
    link = make_link(browser, game_id)

    browser.post(f"/games/{game_id}/start")

    assert "This invitation does not hold any more." in Client().get(link).content.decode()


def test_the_maker_takes_a_link_back(asha: User, browser_of: BrowserOf, game_id: str) -> None:
    browser = browser_of(asha)
    make_link(browser, game_id)
    page = browser.get(f"/games/{game_id}/").content.decode()
    address = re.findall(r'action="(/games/\w+/invitations/\d+/revoke)"', page)[0]

    answer = browser.post(address, follow=True)

    assert not LINK.search(answer.content.decode())


def test_a_stranger_makes_no_link(
    bina: User, asha: User, browser_of: BrowserOf, game_id: str
) -> None:
    public = lobby.create_game(
        asha, lobby.NewGame(rules=PRESETS["arcadia"]), now=timezone.now()
    ).game.id
    token = invite(asha, public, now=timezone.now())

    page = browser_of(bina).get(f"/games/{public}/").content.decode()

    assert "Invite by link" not in page
    assert token not in page
    assert browser_of(bina).post(f"/games/{public}/invitations/").status_code == 403
    assert browser_of(bina).post(f"/games/{game_id}/invitations/").status_code == 404
    assert Client().post(f"/games/{public}/invitations/").status_code == 302


@pytest.mark.parametrize("seat", ["4", "x", "-1"])
def test_a_seat_that_is_none_is_malformed(
    asha: User, browser_of: BrowserOf, game_id: str, seat: str
) -> None:
    answer = browser_of(asha).post(f"/games/{game_id}/invitations/", {"seat": seat})

    assert answer.status_code == 400
