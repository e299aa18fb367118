"""The score sheet and the public log of a game, for everybody who may see it."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from games import store
from games.models import Event
from games.services import play
from games.store import By, Kind
from tests.games.arranged import at_the_first_card, dealt, person_at, turn_of
from tests.games.tables import ARCADIA, NOW, ONE_ROUND, new_game, play_on
from tests.games.test_claims import SPADES
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]
SOLO = ("me", "bot:steady", "bot:steady", "bot:steady")


def read(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_sheet_of_a_match_says_how_it_ended(asha: User, browser_of: BrowserOf) -> None:
    game = new_game(asha, ARCADIA.replace(rounds=2), SOLO)
    play_on(game)

    own = read(browser_of(asha), f"/games/{game}/sheet/")
    other = read(Client(), f"/games/{game}/sheet/")

    check(own)
    assert own.count('<th scope="row">') == 3
    assert "won the match" in own
    assert '<th scope="col" class="name me" title="You">' in own
    assert 'title="asha"' in other
    assert 'href="/people/asha/"' in other


@pytest.mark.parametrize("page", ["sheet", "log"])
def test_before_the_start_and_while_it_runs(asha: User, page: str) -> None:
    waiting = new_game(asha, seats=("me", "open", "open", "open"))
    running = new_game(asha, seats=SOLO)
    play_on(running, decisions=9)

    check(read(Client(), f"/games/{waiting}/{page}/"))
    check(read(Client(), f"/games/{running}/{page}/"))


@pytest.mark.parametrize("page", ["sheet/", "log/", "log/?after=2"])
def test_a_hidden_game_has_none(asha: User, eli: User, browser_of: BrowserOf, page: str) -> None:
    hidden = new_game(asha, seats=SOLO, visibility="link")

    assert browser_of(eli).get(f"/games/{hidden}/{page}").status_code == 404
    assert Client().get(f"/games/{hidden}/{page}").status_code == 404


def test_every_line_of_the_log_is_told_with_its_hash(asha: User) -> None:
    game = new_game(asha, ONE_ROUND, SOLO)
    play_on(game)
    events = list(Event.objects.filter(game=game).order_by("seq"))

    page = read(Client(), f"/games/{game}/log/")

    check(page)
    assert re.findall(r'<li id="e(\d+)"', page) == [str(event.seq) for event in events]
    assert all(f'title="{event.hash}"' in page for event in events)
    dealt = next(event for event in events if event.kind == "dealt")
    assert all(commitment in page for commitment in dealt.data["commitments"])
    revealed = next(event for event in events if event.kind == "revealed")
    assert revealed.data["s"] in page
    assert page.count('data-round="1"') == sum(event.round == 1 for event in events)


def test_what_became_of_a_seat_is_told_in_words(asha: User) -> None:
    game = new_game(asha, ONE_ROUND, SOLO)
    with store.locked(game, now=NOW) as table:
        for kind, by in (("stood_in", By.CLOCK), ("stood_in", By.PLAYER), ("returned", By.PLAYER)):
            store.append_fact(table, Kind(kind), by=by, seat=0, round=1)
        store.append_fact(table, Kind.DEADLINES_MOVED, by=By.CLOCK, data={"seconds": 660})
        store.append_fact(table, Kind.ABANDONED, by=By.CLOCK)

    page = read(Client(), f"/games/{game}/log/")

    assert "The time of asha ran out: a bot stood in." in page
    assert "asha gave the rest of round 1 to a bot." in page
    assert "asha plays on in person." in page
    assert "deadlines moved on by 11 minutes." in page
    assert "The match was closed: everybody had left it." in page


def test_a_claim_is_told(asha: User, bina: User, chandra: User, dipak: User) -> None:
    with dealt(SPADES):
        game = at_the_first_card([asha, bina, chandra, dipak])
        mover = person_at(game, 0)
        play.claim(mover, game, round=1, turn=turn_of(game), now=NOW)

        page = read(Client(), f"/games/{game}/log/")

    assert f"{mover.username} claimed the rest." in page


def test_a_long_log_has_pages(asha: User) -> None:
    game = new_game(asha, ARCADIA, SOLO)
    play_on(game, decisions=220)
    last = Event.objects.filter(game=game).count()

    first = read(Client(), f"/games/{game}/log/")
    second = read(Client(), f"/games/{game}/log/?after=200")

    assert 'href="?after=200"' in first
    assert 'id="e200"' in first
    assert 'id="e201"' not in first
    assert f'id="e{last}"' in second
    assert 'rel="next"' not in second
    assert 'href="?after=0"' in second
    for after in ("x", "-1", "9" * 10):
        assert Client().get(f"/games/{game}/log/?after={after}").status_code == 404


def test_a_sealed_bid_is_not_told(asha: User) -> None:
    game = new_game(asha, ONE_ROUND.replace(sealed_bids=True), SOLO)
    play_on(game, decisions=3)

    page = read(Client(), f"/games/{game}/log/")

    assert page.count("sealed a bid.") == 3
    assert " bid 1." not in page
    assert Event.objects.filter(game=game, kind="bid").count() == 0
