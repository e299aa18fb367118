"""The replay page: links alone, what each viewer sees, reasons face-up, and addresses that can be passed on."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from games.models import Event, Game
from games.wording import card_name
from tests.games.tables import ARCADIA, loaded, new_game, play_on
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]
SOLO = ("me", "bot:steady", "bot:steady", "bot:steady")
LINK = re.compile(r'id="(first|prev|next|last)"[^>]* href="([^"]+)"')


def links_of(page: str) -> dict[str, str]:
    return {name: url.replace("&amp;", "&") for name, url in LINK.findall(page)}


def read(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def cards_on(page: str) -> set[str]:
    """The names of all cards that the page shows as chips."""
    return set(re.findall(r'<span class="sr">([\w]+ of \w+)</span>', page))


def plays(game: str, number: int) -> list[Event]:
    found = Event.objects.filter(game=game, kind="played", round=number)
    return list(found.order_by("seq"))


@pytest.fixture
def over(asha: User) -> str:
    game = new_game(asha, ARCADIA.replace(rounds=2), SOLO)
    play_on(game)
    return game


@pytest.fixture
def running(asha: User) -> str:
    game = new_game(asha, ARCADIA.replace(rounds=2), SOLO)
    play_on(game, decisions=30)
    return game


def test_links_alone_lead_through_the_whole_match(
    asha: User, browser_of: BrowserOf, over: str
) -> None:
    browser, address, labels = browser_of(asha), f"/games/{over}/replay/?round=1", []

    while True:
        page = read(browser, address)
        labels += re.findall(r'<label for="seq"><b>([^<]+)', page)
        links = links_of(page)
        if "next" not in links:
            break
        address = links["next"]

    assert labels[0] == "The deal"
    assert labels.count("Trick 13, fourth card") == 2
    assert len(labels) == 2 * 57
    assert links_of(read(browser, links["prev"]))["next"] == address


def test_first_and_last_and_the_way_back_over_a_round(
    asha: User, browser_of: BrowserOf, over: str
) -> None:
    browser = browser_of(asha)
    start = read(browser, f"/games/{over}/replay/?round=2")

    before = read(browser, links_of(start)["prev"])
    end = read(browser, links_of(start)["last"])

    assert "first" not in links_of(start)
    assert "<title>Replay of round 1: Trick 13, fourth card" in before
    assert "Trick 13, fourth card" in end
    assert "The deal" in read(browser, links_of(end)["first"])


def test_a_round_that_is_over_shows_all_hands_and_why(over: str) -> None:
    event = plays(over, 1)[17]

    page = read(Client(), f"/games/{over}/replay/?seq={event.seq}")

    check(page)
    assert len(cards_on(page)) == 52
    assert "The move was legal." in page
    assert f'data-round="{event.round}"' in page
    assert "chip--now" in page


def test_every_refused_card_has_its_rule(over: str) -> None:
    rules = set()
    for event in plays(over, 1)[:30]:
        page = read(Client(), f"/games/{over}/replay/?seq={event.seq}")
        rules |= set(re.findall(r'href="/rules/custom/#(\w+)"', page))

    assert {"follow", "beat"} <= rules


def test_a_round_that_runs_shows_my_hand_alone(
    asha: User, eli: User, browser_of: BrowserOf, running: str
) -> None:
    seen = loaded(running).observe(1, 0)
    public = {card.text for trick in seen.tricks for card in trick.cards} | {
        card.text for card in seen.trick
    }
    mine = {card.text for card in seen.hand}

    own = cards_on(read(browser_of(asha), f"/games/{running}/replay/"))
    others = [
        cards_on(read(browser, f"/games/{running}/replay/"))
        for browser in (browser_of(eli), Client())
    ]

    assert own == {card_name(text) for text in public | mine}
    assert others == [{card_name(text) for text in public}] * 2
    page = read(browser_of(asha), f"/games/{running}/replay/")
    assert "The move was legal." not in page
    assert "cards in hand" in page


def test_the_slider_and_the_address_name_the_same_step(over: str) -> None:
    seq = plays(over, 2)[9].seq

    page = read(Client(), f"/games/{over}/replay/?seq={seq}")

    slider = re.findall(r'<input id="seq"[^>]*>', page)[0]
    assert f'value="{seq}"' in slider
    assert "Trick 3, second card: " in slider
    assert "move 14 of 56" in page


def test_rounds_side_by_side_keep_to_their_round(asha: User, browser_of: BrowserOf) -> None:
    game = new_game(asha, ARCADIA.replace(rounds=2, parallel_rounds=True), SOLO)
    play_on(game, decisions=40)
    last = Game.objects.get(pk=game).seq

    page = read(browser_of(asha), f"/games/{game}/replay/?round=2&seq={last}")

    assert "Replay of round 2" in page
    assert '<input type="hidden" name="round" value="2">' in page
    assert "Replay of round 2" in read(browser_of(asha), links_of(page)["prev"])


def test_a_seq_out_of_range_is_the_nearest_and_nonsense_is_not_found(over: str) -> None:
    assert "The deal" in read(Client(), f"/games/{over}/replay/?seq=0")
    assert "Trick 13, fourth card" in read(Client(), f"/games/{over}/replay/?seq=99999")
    for query in ("?seq=x", "?seq=-1", "?seq=9999999999", "?round=9", "?round=x", "?seq=٣"):
        assert Client().get(f"/games/{over}/replay/{query}").status_code == 404


def test_before_the_deal_it_leads_to_the_table(
    asha: User, eli: User, browser_of: BrowserOf
) -> None:
    waiting = new_game(asha, seats=("me", "open", "open", "open"))
    hidden = new_game(asha, seats=SOLO, visibility="link")

    assert Client().get(f"/games/{waiting}/replay/").headers["Location"] == f"/games/{waiting}/"
    assert browser_of(eli).get(f"/games/{hidden}/replay/").status_code == 404


def test_the_table_leads_to_the_replay(asha: User, browser_of: BrowserOf, over: str) -> None:
    page = read(browser_of(asha), f"/games/{over}/?round=1")

    assert f'href="/games/{over}/replay/?round=1"' in page
    assert f'href="/games/{over}/sheet/"' in page
    assert f'href="/games/{over}/log/"' in page
