"""The plan page without a script: its buttons change the form, saving stores just what it shows, and nobody else sees it."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.engine.plan import Plan
from games.models import Plan as Row
from games.models import Round
from tests.games.arranged import (
    ONE_HEART,
    answer,
    at_the_first_card,
    dealt,
    follow,
    keep,
    person_at,
)
from tests.games.tables import log_of
from tests.games.test_claims import SPADES

BrowserOf = Callable[[User], Client]

WHOLE = Plan.from_json(
    {
        "rules": [
            {
                "when": {
                    "led": ["C", "D"],
                    "trumped": False,
                    "position": [2, 3],
                    "bid_made": True,
                    "tricks_left_at_most": 4,
                },
                "play": "lowest_spade_else_lowest",
            },
            {"when": {"led": "H"}, "play": "lowest"},
            {"play": "ask"},
        ],
        "stop_if": ["bid_lost", "someone_cannot_make_it"],
        "cards": ["4S", "2H"],
    }
)


@pytest.fixture
def chandra(person: Callable[[str], User]) -> User:
    return person("chandra")


@pytest.fixture
def dipak(person: Callable[[str], User]) -> User:
    return person("dipak")


@pytest.fixture
def game(asha: User, bina: User, chandra: User, dipak: User) -> Iterator[str]:
    with dealt(ONE_HEART):
        yield at_the_first_card([asha, bina, chandra, dipak])


@pytest.fixture
def second(game: str, browser_of: BrowserOf) -> Client:
    """The browser of whoever plays second."""
    return browser_of(person_at(game, 1))


def address(game: str, number: int = 1) -> str:
    return f"/games/{game}/plan/{number}/"


def fields(page: str) -> dict[str, Any]:
    """What the form would send as it stands."""
    form = page[page.index('aria-label="Plan"') :]
    form = form[: form.index("</form>")]
    sent: dict[str, Any] = {}
    for tag in re.findall(r"<input [^>]*>", form):
        kind, name = (re.search(rf'{each}="([^"]*)"', tag) for each in ("type", "name"))
        value = re.search(r'value="([^"]*)"', tag)
        assert kind
        assert name
        if kind[1] == "hidden" or (kind[1] == "checkbox" and " checked" in tag):
            sent.setdefault(name[1], []).append(value[1] if value else "")
    for name_, options in re.findall(r'<select [^>]*name="(\w+)">(.*?)</select>', form, re.S):
        chosen = re.search(r'<option(?: value="([^"]*)")? selected>([^<]*)', options)
        sent[name_] = (
            (chosen[1] or chosen[2]) if chosen else re.findall(r'value="([^"]*)"', options)[0]
        )
    return sent


def read(browser: Client, path: str) -> str:
    answered = browser.get(path)
    assert answered.status_code == 200
    return str(answered.content.decode())


def press(browser: Client, game: str, page: str, button: str, **changed: Any) -> Any:
    return browser.post(address(game), fields(page) | {"do": button} | changed)


def kept(game: str) -> Plan:
    return Plan.from_json(Row.objects.get(game=game).body)


def test_a_plan_is_written_rule_by_rule_and_saved(game: str, second: Client) -> None:
    page = read(second, address(game))
    page = press(second, game, page, "add").content.decode()
    page = press(second, game, page, "add", led0=["H"], play0="lowest").content.decode()
    page = press(second, game, page, "lead", lead="4S").content.decode()

    assert not Row.objects.exists()
    saved = press(second, game, page, "save", led1=["C", "D"], stop=["bid_made"])

    assert saved.status_code == 302
    assert kept(game).to_json() == {
        "rules": [
            {"when": {"led": "H"}, "play": "lowest"},
            {"when": {"led": ["C", "D"]}, "play": "lowest_that_beats_else_lowest"},
            {"play": "ask"},
        ],
        "stop_if": ["bid_made"],
        "cards": ["4S"],
    }
    answer(game, "AH")
    assert follow(game)
    assert log_of(game)[-1].card == "2H"


def test_a_plan_shown_is_the_plan_stored(game: str, second: Client) -> None:
    keep(game, person_at(game, 1), WHOLE)
    page = read(second, address(game))
    assert "This is the plan that is kept." in page

    press(second, game, page, "save")

    assert kept(game) == WHOLE


def test_rules_are_moved_and_taken_out_and_cards_too(game: str, second: Client) -> None:
    keep(game, person_at(game, 1), WHOLE)
    page = read(second, address(game))
    page = press(second, game, page, "up:2").content.decode()
    assert "Not kept yet" in page
    page = press(second, game, page, "unlead:4S").content.decode()
    page = press(second, game, page, "del:2").content.decode()

    press(second, game, page, "save")

    assert [rule.to_json() for rule in kept(game).rules] == [
        {"when": {"led": "H"}, "play": "lowest"},
        {"play": "ask"},
    ]
    assert [each.text for each in kept(game).cards] == ["2H"]


def test_a_rule_without_a_condition_is_named_and_nothing_lost(game: str, second: Client) -> None:
    page = press(second, game, read(second, address(game)), "add").content.decode()
    refused = press(second, game, page, "save", play0="highest")

    assert refused.status_code == 400
    page = refused.content.decode()
    assert "Rule 1 has no condition yet" in page
    assert fields(page)["play0"] == "highest"
    assert not Row.objects.exists()


def test_a_plan_changed_elsewhere_is_not_overwritten_unseen(game: str, second: Client) -> None:
    user = person_at(game, 1)
    page = read(second, address(game))
    keep(game, user, WHOLE)

    refused = press(second, game, page, "save")

    assert refused.status_code == 409
    assert kept(game) == WHOLE
    assert press(second, game, refused.content.decode(), "save").status_code == 302
    assert kept(game) != WHOLE


def test_throwing_away_asks_first(game: str, second: Client) -> None:
    keep(game, person_at(game, 1), WHOLE)
    away = f"{address(game)}away"

    page = read(second, away)
    assert "Throw the plan for round 1 away?" in page
    assert Row.objects.exists()

    assert second.post(away).status_code == 302
    assert not Row.objects.exists()
    assert second.get(away).status_code == 302


def test_the_words_say_all_of_it(game: str, second: Client) -> None:
    keep(game, person_at(game, 1), WHOLE)

    words = text_of(read(second, address(game)))

    assert (
        "If clubs or diamonds are led, no spade has trumped it, I play second or third, my bid is made and 4 tricks"
        " or fewer are left: lowest spade, else lowest."
    ) in words
    assert "If hearts are led: lowest." in words
    assert "Otherwise: ask me." in words
    assert "4 of spades" in words
    assert (
        "It stops and asks when my bid can no longer be made or somebody can no longer make their bid."
        in words
    )


def text_of(page: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page)))


def test_cards_that_were_played_are_not_shown_to_be_led(game: str, browser_of: BrowserOf) -> None:
    leader = person_at(game, 0)
    keep(game, leader, Plan.from_json({"rules": [{"play": "ask"}], "cards": ["AS", "KS"]}))
    for each in ("AS", "2S", "8S", "5S"):
        answer(game, each)
    browser = browser_of(leader)

    page = read(browser, address(game))

    assert fields(page)["card"] == ["KS"]
    assert press(browser, game, page, "save").status_code == 302


def test_how_often_it_would_have_asked(game: str, second: Client) -> None:
    for each in ("AS", "2S", "8S", "5S", "AH", "2H"):
        answer(game, each)
    for each in ("9S", "3H"):
        answer(game, each)
    wanted = {"rules": [{"when": {"led": "H"}, "play": "lowest"}, {"play": "ask"}]}
    keep(game, person_at(game, 1), Plan.from_json(wanted))

    page = read(second, address(game))

    assert "you would have been asked 1 time in the last 2 tricks" in page


def test_a_plan_is_for_its_owner_alone(
    game: str, second: Client, browser_of: BrowserOf, eli: User
) -> None:
    keep(game, person_at(game, 1), WHOLE)

    assert browser_of(eli).get(address(game)).status_code == 404
    assert Client().get(address(game)).status_code == 302
    other = read(browser_of(person_at(game, 2)), address(game))
    assert "Throw it away" not in other
    assert second.get(address(game, 2)).status_code == 404


def test_the_table_shows_the_plan_to_its_owner_alone(
    game: str, second: Client, browser_of: BrowserOf
) -> None:
    keep(game, person_at(game, 1), WHOLE)

    assert "If hearts are led: lowest." in read(second, f"/games/{game}/")
    for browser in (browser_of(person_at(game, 2)), Client()):
        assert "If hearts are led: lowest." not in read(browser, f"/games/{game}/")


def test_the_table_says_why_a_plan_waits_and_a_poll_learns_it(game: str, second: Client) -> None:
    keep(game, person_at(game, 1), Plan.from_json({"rules": [{"play": "ask"}]}))
    answer(game, "AH")
    before = version_of(read(second, f"/games/{game}/"))
    assert second.get(f"/games/{game}/table?v={before}").status_code == 204

    follow(game)

    page = second.get(f"/games/{game}/table?v={before}").content.decode()
    assert "Your plan waits for you: your plan says so." in page
    assert second.get(f"/games/{game}/table?v={version_of(page)}").status_code == 204


def version_of(page: str) -> str:
    found = re.search(r'data-v="([^"]+)"', page)
    assert found
    return found[1]


def test_a_plan_made_on_my_turn_is_for_the_next(game: str, browser_of: BrowserOf) -> None:
    browser = browser_of(person_at(game, 0))

    press(browser, game, read(browser, address(game)), "save")

    assert "It applies from your next turn on." in read(browser, f"/games/{game}/")


def test_a_round_that_is_over_has_no_plan(game: str, second: Client) -> None:
    page = read(second, address(game))
    Row.objects.all().delete()
    Round.objects.filter(game=game).update(state="scored", actors=[])

    for answered in (second.get(address(game)), press(second, game, page, "save")):
        assert answered.headers["Location"] == f"/games/{game}/"


@pytest.mark.parametrize(
    "sent",
    [{}, {"rules": "99", "do": "save"}, {"rules": "x", "do": "up:x"}, {"do": "lead", "lead": "QQ"}],
)
def test_nonsense_does_no_harm(game: str, second: Client, sent: dict[str, str]) -> None:
    assert second.post(address(game), sent).status_code in (200, 302, 400)


# Claims and autopilot on the table page


def test_who_leads_may_claim_and_is_told_no_without_harm(game: str, browser_of: BrowserOf) -> None:
    browser = browser_of(person_at(game, 0))
    page = read(browser, f"/games/{game}/")
    assert "The rest are mine" in page
    before = len(log_of(game))

    refused = browser.post(f"/games/{game}/claim", {"round": "1", "turn": "4"})

    assert refused.status_code == 422
    assert "do not prove that the rest is yours" in refused.content.decode()
    assert len(log_of(game)) == before


def test_nobody_else_is_offered_to_claim(game: str, second: Client) -> None:
    assert "The rest are mine" not in read(second, f"/games/{game}/")
    answer(game, "AH")
    assert "The rest are mine" not in read(second, f"/games/{game}/")


def test_a_round_that_ended_with_a_claim_says_so(
    asha: User, bina: User, chandra: User, dipak: User, browser_of: BrowserOf
) -> None:
    with dealt(SPADES):
        game = at_the_first_card([asha, bina, chandra, dipak])
        for each in ("AH", "2H", "AD", "AC"):
            answer(game, each)
        claimer = person_at(game, 0)
        browser = browser_of(claimer)

        done = browser.post(f"/games/{game}/claim", {"round": "1", "turn": "8"}, follow=True)

        watched = read(Client(), f"/games/{game}/")

    page = done.content.decode()
    assert "You claimed the last 12 tricks." in page
    assert "You won the match." in page
    assert f"{claimer.username} claimed the last 12 tricks." in watched
    assert "All 13 tricks" not in watched


def test_autopilot_is_seen_by_all_and_called_off(game: str, second: Client) -> None:
    second.post(f"/games/{game}/autopilot", {"round": "1", "on": "yes"})

    assert "Play on myself" in read(second, f"/games/{game}/")
    assert "autopilot" in read(Client(), f"/games/{game}/")

    second.post(f"/games/{game}/autopilot", {"round": "1", "on": "no"})

    assert 'class="tag tag--warm"' not in read(Client(), f"/games/{game}/")


def test_the_form_for_a_table_tells_what_forced_cards_tell(
    asha: User, browser_of: BrowserOf
) -> None:
    page = read(browser_of(asha), "/games/new/")

    assert 'name="auto_forced"' in page
    assert "the table learns what its player does not hold" in page


@pytest.mark.parametrize(
    "form",
    [
        {"rules": "9" * 5000},
        {"rules": "1", "do": "up:" + "9" * 5000},
        {"rules": "1", "do": "del:" + "9" * 5000},
        {"rules": "-1", "do": "del:0"},
        {"rules": "٣", "do": "up:٣"},
    ],
)
def test_numbers_that_no_form_of_ours_sends_change_nothing(
    game: str, second: Client, form: dict[str, str]
) -> None:
    assert second.post(address(game), form).status_code == 200
    assert not Row.objects.exists()
