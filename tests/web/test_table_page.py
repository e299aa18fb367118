"""The table page without a script: forms, links, and what each viewer sees."""

import gzip
import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games import queries, store
from games.engine.rules import PRESETS, HouseRules
from games.models import Game
from games.services import following, lobby

BrowserOf = Callable[[User], Client]
SOLO = ("me", "bot:steady", "bot:beginner", "bot:steady")


def new_table(creator: User, rules: HouseRules = PRESETS["arcadia"], **options: object) -> str:
    options.setdefault("seats", SOLO)
    new = lobby.NewGame(rules=rules, **options)  # type: ignore[arg-type] # tests pass what they mean
    return lobby.create_game(creator, new, now=timezone.now()).game.id


def let_bots_play(game_id: str) -> None:
    """Every bot that is to act acts, until only people are waited for."""
    while True:
        table = store.load(game_id, now=timezone.now())
        due = table.answers_due()
        if not due:
            return
        for number, seat in due:
            store.fold(table, number)
            turn = table.rounds[number].turn_of(seat)
            following.follow_up(game_id, round=number, turn=turn, now=timezone.now())


def fields_of(page: str) -> dict[str, str]:
    return dict(
        re.findall(r'<input type="hidden" name="(round|turn|picked)" value="([^"]*)">', page)
    )


def playable(page: str) -> list[str]:
    return re.findall(r'<button name="card" value="(\w\w)"(?: class="picked")?>', page)


def refused(page: str) -> list[str]:
    return re.findall(r'<button name="card" value="(\w\w)" class="no" aria-disabled="true">', page)


def read(browser: Client, game_id: str, query: str = "") -> str:
    return browser.get(f"/games/{game_id}/{query}").content.decode()


def press(browser: Client, game_id: str, page: str) -> None:
    """Do what the page asks: the lowest bid, or the first card that may be played; of several boards at the first."""
    if small := re.search(r'mini--mine" data-round="(\d+)"', page):
        page = read(browser, game_id, f"?round={small[1]}")
    fields = fields_of(page)
    if cards := playable(page):
        answer = browser.post(f"/games/{game_id}/play", fields | {"card": cards[0]})
    else:
        bid = re.findall(r'<button name="bid" value="(\d+)">', page)[0]
        answer = browser.post(f"/games/{game_id}/bid", fields | {"bid": bid})
    assert answer.status_code == 302


def play_until(browser: Client, game_id: str, is_there: Callable[[str], bool]) -> str:
    for _ in range(400):
        let_bots_play(game_id)
        page = read(browser, game_id)
        if is_there(page):
            return page
        press(browser, game_id, page)
    raise AssertionError("never got there")


@pytest.mark.parametrize(
    "rules",
    [
        PRESETS["arcadia"].replace(rounds=2),
        PRESETS["everestbuzz-friends"].replace(rounds=1, sealed_bids=True),
        PRESETS["yeeqia"].replace(max_rounds=1),
        HouseRules(rounds=2, parallel_rounds=True),
    ],
    ids=["arcadia", "sealed", "yeeqia", "side-by-side"],
)
def test_a_match_is_played_with_forms_alone(
    asha: User, browser_of: BrowserOf, rules: HouseRules
) -> None:
    game_id = new_table(asha, rules)
    browser = browser_of(asha)

    page = play_until(browser, game_id, lambda page: "The match is over" in page)

    assert Game.objects.get(pk=game_id).status == "finished"
    assert "won the match" in page or "share the win" in page
    assert "<noscript>" not in page
    over = read(browser, game_id, "?round=1")
    assert "Round 1 is over" in over
    assert over.count('class="who"') == 13


def test_the_title_says_what_is_asked(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    let_bots_play(game_id)
    browser = browser_of(asha)

    page = read(browser, game_id)

    assert "<title>Your turn: bid, Round 1 of 5" in page
    assert page.count("<h1") == 1
    assert page.count('<button name="bid"') == 13
    assert f'data-round="{1}"' in page


def test_every_card_is_a_button_and_a_refused_one_says_why(
    asha: User, browser_of: BrowserOf
) -> None:
    game_id = new_table(asha)
    browser = browser_of(asha)
    page = play_until(browser, game_id, lambda page: bool(refused(page)))
    card = refused(page)[0]

    answer = browser.post(f"/games/{game_id}/play", fields_of(page) | {"card": card})

    text = answer.content.decode()
    assert answer.status_code == 422
    said = re.findall(r'<p class="say say--refused"[^>]*>(.*)</p>', text)[0]
    assert "cannot be played." in said
    assert "You must" in said or "a spade is due" in said
    assert re.search(r'<a href="/rules/arcadia/#(follow|beat|trump)">The rule</a>', said)
    assert fields_of(text)["turn"] == fields_of(page)["turn"]
    assert "cannot be played: " in text


def test_a_refused_bid_cites_its_rule_too(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    let_bots_play(game_id)
    browser = browser_of(asha)

    answer = browser.post(f"/games/{game_id}/bid", fields_of(read(browser, game_id)) | {"bid": 14})

    assert answer.status_code == 422
    assert '<a href="/rules/arcadia/#bid">The rule</a>' in answer.content.decode()


def test_the_script_is_given_what_happened_in_words(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    browser = browser_of(asha)
    page = play_until(browser, game_id, lambda page: 'class="cap' in page and "All tricks" in page)
    press(browser, game_id, page)
    let_bots_play(game_id)

    fragment = browser.get(f"/games/{game_id}/table?v=0").content.decode()

    events, now = re.findall(r'data-events="([^"]*)" data-announce="([^"]*)"', fragment)[0]
    assert events.splitlines()[0].startswith(("You played ", "You led "))
    assert all(line.endswith(".") for line in events.splitlines())
    assert now.startswith("Your turn: play a card.")
    assert not re.search("[♠♥♦♣]", events + now)


def test_news_travel_compressed_and_no_news_in_a_few_bytes(
    asha: User, browser_of: BrowserOf
) -> None:
    game_id = new_table(asha)
    let_bots_play(game_id)
    browser = browser_of(asha)
    path = f"/games/{game_id}/table"

    news = browser.get(path, {"v": 0}, headers={"Accept-Encoding": "gzip"})
    version = re.findall(r'data-v="(\d+)"', gzip.decompress(news.content).decode())[0]
    nothing = browser.get(path, {"v": version}, headers={"Accept-Encoding": "gzip"})

    assert news["Content-Encoding"] == "gzip"
    assert "Content-Security-Policy" in news.headers
    assert nothing.status_code == 204
    assert dict(nothing.headers) == {"Cache-Control": "private, no-store"}


def test_asking_before_playing_takes_two_presses(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    browser = browser_of(asha)
    page = play_until(browser, game_id, lambda page: len(playable(page)) > 1)
    browser.post("/settings/display/", {"ask": "yes", "next": f"/games/{game_id}/"})
    card = playable(page)[1]

    first = browser.post(f"/games/{game_id}/play", fields_of(page) | {"card": card})

    turn = fields_of(page)["turn"]
    assert first.url == f"/games/{game_id}/?round=1&turn={turn}&pick={card}"  # type: ignore[attr-defined] # a redirect
    chosen = browser.get(first.url).content.decode()  # type: ignore[attr-defined]
    assert fields_of(chosen)["picked"] == card
    assert "chosen" in chosen
    second = browser.post(f"/games/{game_id}/play", fields_of(chosen) | {"card": card})
    assert second.status_code == 302
    assert f'value="{card}"' not in read(browser, game_id)


def test_a_choice_for_an_earlier_decision_is_let_go(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    browser = browser_of(asha)
    page = play_until(browser, game_id, lambda page: bool(playable(page)))

    turn = int(fields_of(page)["turn"])
    picks = [f"?pick={playable(page)[0]}&turn={each}" for each in (turn, turn - 1)]

    assert "playrow" in read(browser, game_id, picks[0])
    assert "playrow" not in read(browser, game_id, picks[1])


def test_a_form_from_yesterday_changes_nothing(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    browser = browser_of(asha)
    old = play_until(browser, game_id, lambda page: bool(playable(page)))
    press(browser, game_id, old)
    let_bots_play(game_id)
    fresh = read(browser, game_id)
    seq = Game.objects.get(pk=game_id).seq
    other = next(card for card in playable(fresh) if card not in playable(old)[:1])

    answer = browser.post(f"/games/{game_id}/play", fields_of(old) | {"card": other})

    assert answer.status_code == 409
    said = re.findall(r'<p class="say say--refused"[^>]*>(.*)</p>', answer.content.decode())[0]
    assert "The table has moved on" in said
    assert Game.objects.get(pk=game_id).seq == seq


def test_the_same_form_twice_is_one_move(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    let_bots_play(game_id)
    browser = browser_of(asha)
    form = fields_of(read(browser, game_id)) | {"bid": "3"}

    answers = [browser.post(f"/games/{game_id}/bid", form).status_code for _ in range(2)]

    assert answers == [302, 302]


@pytest.mark.parametrize("form", [{}, {"round": "1", "turn": "x", "bid": "3"}, {"bid": "9" * 40}])
def test_a_malformed_form_is_refused(
    asha: User, browser_of: BrowserOf, form: dict[str, str]
) -> None:
    game_id = new_table(asha)

    answer = browser_of(asha).post(f"/games/{game_id}/bid", form)

    assert answer.status_code == 400


def test_a_bid_out_of_range_says_the_range(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha, PRESETS["yeeqia"])
    let_bots_play(game_id)
    browser = browser_of(asha)
    form = fields_of(read(browser, game_id)) | {"bid": "3"}

    answer = browser.post(f"/games/{game_id}/bid", form)

    assert answer.status_code == 422
    assert "Bids at this table go from 5 to 8." in answer.content.decode()


def test_spectators_see_public_cards_only(asha: User, eli: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    browser = browser_of(asha)
    play_until(browser, game_id, lambda page: 'class="who"' in page)
    table = queries.open_table(game_id, asha.pk, now=timezone.now())
    hidden = {card.text for seat in range(4) for card in table.observe(1, seat).hand}

    for watcher in (browser_of(eli), Client()):
        page = read(watcher, game_id)
        names = set(re.findall(r"#r-(\w)\"[^<]*?<use class=\"fill\" href=\"#s-(\w)", page))
        chips = set(re.findall(r'#r-(\w)"/></svg><svg class="fill"[^>]*><use href="#s-(\w)', page))
        shown = {rank + suit for rank, suit in names | chips}
        assert not shown & hidden
        assert shown
        assert '<button name="card"' not in page
        assert "You are watching" in page


def test_a_watcher_cannot_move(asha: User, eli: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    let_bots_play(game_id)
    form = {"round": "1", "turn": "0", "bid": "3"}

    for watcher in (browser_of(eli), Client()):
        answer = watcher.post(f"/games/{game_id}/bid", form)
        assert answer.status_code == 403
        assert "You have no seat at this table." in answer.content.decode()


@pytest.mark.parametrize("path", ["", "table", "play", "sit"])
def test_a_link_table_does_not_exist_for_others(
    asha: User, eli: User, browser_of: BrowserOf, path: str
) -> None:
    game_id = new_table(asha, visibility="link")
    form = {"round": "1", "turn": "0", "card": "AS"}

    for outsider in (browser_of(eli), Client()):
        ask = outsider.post if path in ("play", "sit") else outsider.get
        assert ask(f"/games/{game_id}/{path}", form).status_code in (403, 404)
        assert outsider.get(f"/games/{game_id}/{path}").status_code in (302, 404, 405)
    assert User.objects.filter(is_guest=True).count() == 0


def test_an_unchanged_table_costs_two_queries(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha, visibility="link")
    let_bots_play(game_id)
    browser = browser_of(asha)
    page = read(browser, game_id)
    poll = re.findall(r'data-poll="([^"]+)"', page)[0].replace("&amp;", "&")
    seq = re.findall(r'data-v="(\d+)"', page)[0]

    with CaptureQueriesContext(
        connection,
    ) as asked:
        unchanged = browser.get(poll + seq)

    own = [
        q["sql"]
        for q in asked
        if "session" not in q["sql"] and 'accounts_user" WHERE' not in q["sql"]
    ]
    assert unchanged.status_code == 204
    assert unchanged.content == b""
    assert len(own) <= 2
    changed = browser.get(poll + "1").content.decode()
    assert 'class="table-state"' in changed
    assert "<html" not in changed


def test_the_table_page_needs_ten_queries_at_most(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    browser = browser_of(asha)
    play_until(browser, game_id, lambda page: "Round 2 of 5, trick 3" in page)

    for query in ("", "?round=1"):
        with CaptureQueriesContext(connection) as asked:
            browser.get(f"/games/{game_id}/{query}")
        assert len(asked) <= 10, [q["sql"][:90] for q in asked]


def test_a_script_gets_the_inside_of_the_page(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    let_bots_play(game_id)
    browser = browser_of(asha)
    form = fields_of(read(browser, game_id)) | {"bid": "2"}

    answer = browser.post(f"/games/{game_id}/bid", form, headers={"X-Fragment": "1"})

    assert answer.status_code == 200
    assert answer.content.decode().lstrip().startswith('<div class="table-state"')


def test_the_news_of_a_round_stand_above_the_next(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)

    page = play_until(browser_of(asha), game_id, lambda page: "bid, Round 2 of 5" in page)

    assert re.search("You (made|missed) your bid:", page)
    assert f'href="/games/{game_id}/?round=1"' in page


def test_no_page_has_anything_inline(asha: User, browser_of: BrowserOf) -> None:
    game_id = new_table(asha)
    browser = browser_of(asha)

    page = play_until(browser, game_id, lambda page: bool(playable(page)))

    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|src=\"data:", page)
    assert not re.search(r"<script(?![^>]*\ssrc=)", page)
