"""The pages speak one language at a time, and it is the one that was asked for."""

import html
import itertools
import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone, translation
from django.utils.formats import date_format

from accounts.mail import send_due
from accounts.models import User
from games.bots import coach
from games.engine.plan import AskReason, Plan, StopReason
from games.models import Coaching, Game, Notice
from games.models import Plan as Row
from games.notices.stopping import stop_link
from games.services import coaching
from tests.games.arranged import ONE_HEART, answer, at_the_first_card, dealt, keep, person_at
from tests.games.tables import ARCADIA, NOW, ONE_ROUND, new_game, play_on
from tests.i18n.extract import LANGUAGES

pytestmark = pytest.mark.django_db

BrowserOf = Callable[[User], Client]

SOLO = ("me", "bot:steady", "bot:beginner", "bot:steady")
OPEN = [
    "/",
    "/tables/",
    "/rules/",
    "/rules/arcadia/",
    "/rules/yeeqia/",
    "/rules/custom/",
    "/learn/",
]
OPEN += ["/fairness/", "/transparency/", "/nothing/", "/accounts/login/", "/accounts/signup/"]
OPEN += ["/accounts/password/reset/", "/learn/2/?card=5H"]
OWN = ["/home/", "/games/new/", "/settings/", "/settings/notices/", "/settings/tokens/"]
OWN += ["/accounts/logout/"]
OWN += ["/accounts/email/", "/accounts/password/change/", "/accounts/2fa/"]
# Words that hardly any English sentence of the site does without.
ENGLISH = re.compile(
    r"\b(the|you|your|is|are|and|of|to|with|for|in|bids?|tricks?|turn|tables?|rounds?|cards?|play|seats?|score|total"
    r"|rules|game|sign|password|email|spades|hearts|diamonds|clubs)\b",
    re.IGNORECASE,
)
EVERY_WORD = Plan.from_json(
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
            {"when": {"trumped": True, "bid_made": False}, "play": "highest"},
            {"when": {"led": "H", "tricks_left_at_most": 1}, "play": "lowest"},
            {"play": "ask"},
        ],
        "stop_if": [reason.value for reason in StopReason],
        "cards": ["4S", "2H"],
    }
)
DEVANAGARI_DIGITS = re.compile(r"[०-९]")


def in_language(browser: Client, language: str) -> Client:
    answer = browser.post("/i18n/setlang/", {"language": language, "next": "/"})
    assert answer.status_code == 302
    return browser


def words_of(page: str) -> str:
    """What is read or heard of a page: its text, and the attributes that are words."""
    bare = re.sub(r"(?s)<(script|style|code|symbol)\b.*?</\1>", " ", page)
    bare = re.sub(
        r'(?s)<button[^>]*\blang="en".*?</button>', " ", bare
    )  # says "English", as it should
    said = re.findall(
        r'(?:aria-label|title|placeholder|alt|content|data-dropped|data-ask)="([^"]*)"', bare
    )
    return html.unescape(" ".join([re.sub(r"<[^>]*>", " ", bare), *said]))


def check(page: str, language: str) -> None:
    assert f'<html lang="{language}"' in page
    words = re.sub(r"width=device-width|http\S+", " ", words_of(page))
    assert [found[0] for found in ENGLISH.finditer(words)] == []
    assert not DEVANAGARI_DIGITS.search(words)


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("path", OPEN)
def test_pages_for_everybody(path: str, language: str) -> None:
    check(in_language(Client(), language).get(path).content.decode(), language)


@pytest.mark.parametrize("path", OWN)
def test_pages_for_people_with_a_name(
    path: str, language: str, asha: User, browser_of: BrowserOf
) -> None:
    check(in_language(browser_of(asha), language).get(path).content.decode(), language)


def test_a_table_from_the_first_bid_to_the_last_card(
    language: str, asha: User, browser_of: BrowserOf
) -> None:
    browser = in_language(browser_of(asha), language)
    game = new_game(asha, ARCADIA.replace(rounds=2), SOLO)
    seen = set()

    for _ in range(2 * 56):
        page = browser.get(f"/games/{game}/")
        check(page.content.decode(), language)
        seen.add(page.context["page"].state)
        for refused in re.findall(r'value="(\w\w)" class="no"', page.content.decode())[:1]:
            shown = page.context["page"]
            form = {"round": shown.round, "turn": shown.board.turn, "card": refused}
            check(browser.post(f"/games/{game}/play", form).content.decode(), language)
        play_on(game, decisions=3)
        if Game.objects.get(pk=game).status == Game.Status.FINISHED:
            break
    for path in (
        "",
        "?round=1",
        "replay/",
        "replay/?round=1",
        "sheet/",
        "log/",
        "verify/",
        "proof/",
    ):
        check(browser.get(f"/games/{game}/{path}").content.decode(), language)
    for path in ("/home/", "/people/asha/"):
        check(browser.get(path).content.decode(), language)
    assert "running" in seen


def test_the_coach_and_the_bid_helper(
    language: str, asha: User, browser_of: BrowserOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coach, "WORLDS", 6)
    browser = in_language(browser_of(asha), language)
    game = new_game(asha, ARCADIA.replace(rounds=1), SOLO)
    address = f"/games/{game}/coach/"
    pages = [browser.get(address)]
    while not (page := browser.get(f"/games/{game}/?round=1&help=1")).context["page"].may_help:
        play_on(game, decisions=1)
    pages.append(page)
    play_on(game)
    pages += [browser.get(address), browser.post(address, {"round": "1"}, follow=True)]
    coaching.work(game, round=1, owner=asha.pk, now=NOW)
    pages.append(browser.get(address))
    for judged in Coaching.objects.get().cards:
        pages.append(browser.get(f"/games/{game}/replay/?round=1&seq={judged['seq']}"))

    for each in pages:
        check(each.content.decode(), language)


def test_a_plan_and_what_became_of_it(
    language: str, asha: User, bina: User, person: Callable[[str], User], browser_of: BrowserOf
) -> None:
    with dealt(ONE_HEART):
        game = at_the_first_card([asha, bina, person("chandra"), person("dipak")])
        second = person_at(game, 1)
        browser = in_language(browser_of(second), language)
        at = f"/games/{game}/plan/1/"
        check(browser.get(at).content.decode(), language)
        keep(game, second, EVERY_WORD)
        for path in (at, f"{at}away", f"/games/{game}/"):
            check(browser.get(path).content.decode(), language)
        wrong = browser.post(
            at, {"rules": "1", "play0": "lowest", "otherwise": "ask", "do": "save"}
        )
        check(wrong.content.decode(), language)

        answer(game, "AH")
        for halted in (*StopReason, *AskReason):
            Row.objects.filter(game=game).update(halted=halted.value, from_turn=99)
            page = browser.get(f"/games/{game}/")
            check(page.content.decode(), language)
            assert page.context["plan"].waits
        browser.post(f"/games/{game}/autopilot", {"round": 1, "on": "yes"})
        for path in ("", "log/"):
            check(browser.get(f"/games/{game}/{path}").content.decode(), language)


def test_what_was_sent_and_why(language: str, asha: User, browser_of: BrowserOf) -> None:
    game = new_game(asha, ONE_ROUND, SOLO)
    now = timezone.now()
    statuses = itertools.cycle(Notice.Status)
    kinds = itertools.cycle(kind for kind in Notice.Kind if kind != Notice.Kind.DIGEST)
    for turn, reason in enumerate(Notice.Reason):
        Notice.objects.create(
            user=asha, game_id=game, round=2, turn=turn, kind=next(kinds), status=next(statuses),
            reason=reason, amount=3, created_at=now, due_at=now, next_attempt_at=now,
        )  # fmt: skip
    browser = in_language(browser_of(asha), language)
    check(browser.get("/settings/notices/").content.decode(), language)

    wrong = {"night_start": "22:00", "holidays": "tomorrow"}
    check(browser.post("/settings/notices/", wrong).content.decode(), language)
    notice = Notice.objects.select_related("user").first()
    assert notice is not None
    link = stop_link(notice).partition("/notices/")[2]
    check(browser.get(f"/notices/{link}").content.decode(), language)
    check(browser.post(f"/notices/{link}").content.decode(), language)


def test_a_table_before_the_start(
    language: str, asha: User, bina: User, browser_of: BrowserOf
) -> None:
    game = new_game(asha, ONE_ROUND, ("me", "user:bina", "open", "bot:steady"))

    for person in (asha, bina):
        browser = in_language(browser_of(person), language)
        check(browser.get(f"/games/{game}/").content.decode(), language)
        check(browser.get("/home/").content.decode(), language)
        check(browser.get("/tables/").content.decode(), language)
    check(
        in_language(browser_of(asha), language).get(f"/games/{game}/leave").content.decode(),
        language,
    )


def test_forms_refuse_in_the_same_language(
    language: str, asha: User, browser_of: BrowserOf
) -> None:
    browser = in_language(Client(), language)
    wrong = {"username": "a", "email": "asha", "password1": "12345678"}
    check(browser.post("/accounts/signup/", wrong).content.decode(), language)
    login = {"login": "asha", "password": "not it"}
    check(browser.post("/accounts/login/", login).content.decode(), language)

    nothing = in_language(browser_of(asha), language).post("/games/new/", {})
    check(nothing.content.decode(), language)


def test_the_api_answers_in_the_language_that_is_asked_for() -> None:
    answer = Client(headers={"Accept-Language": "ne"}).get("/api/v1/games/NOBODY")

    assert answer.headers["Content-Language"] == "ne"
    assert not ENGLISH.search(answer.json()["detail"] + answer.json()["title"])


def test_mail_is_written_in_the_language_of_the_page(language: str) -> None:
    form = {"username": "ila", "email": "ila@example.com", "password1": "nine of diamonds"}
    in_language(Client(), language).post("/accounts/signup/", form)
    send_due(now=timezone.now())

    [sent] = mail.outbox
    words = re.sub(r"\S*[/@]\S*|testserver", " ", f"{sent.subject} {sent.body}")
    assert not ENGLISH.search(words)
    assert re.search("[ऀ-ॿ]", str(sent.subject))


def test_the_choice_is_kept_with_the_account_and_beats_the_cookie(
    asha: User, browser_of: BrowserOf
) -> None:
    in_language(browser_of(asha), "hi")
    elsewhere = browser_of(asha)
    elsewhere.cookies["django_language"] = "ne"

    page = elsewhere.get("/home/")

    asha.refresh_from_db()
    assert asha.language == "hi"
    assert '<html lang="hi"' in page.content.decode()
    assert page.headers["Content-Language"] == "hi"


@pytest.mark.parametrize("language", ["", "xx", "en-x-evil"])
def test_a_language_that_is_not_spoken_here_changes_nothing(
    language: str, asha: User, browser_of: BrowserOf
) -> None:
    browser = in_language(browser_of(asha), language)

    asha.refresh_from_db()
    assert asha.language == ""
    assert '<html lang="en"' in browser.get("/home/").content.decode()


def test_the_way_back_stays_on_the_site() -> None:
    browser = Client()

    there = browser.post("/i18n/setlang/", {"language": "ne", "next": "/tables/?page=1"})
    away = browser.post("/i18n/setlang/", {"language": "ne", "next": "//evil.example/"})

    assert there.headers["Location"] == "/tables/?page=1"
    assert away.headers["Location"] == "/"


def test_every_page_offers_the_languages_in_their_own_words() -> None:
    page = Client().get("/").content.decode()

    for code, name in (("en", "English"), ("ne", "नेपाली"), ("hi", "हिंदी")):
        assert re.search(rf'value="{code}" lang="{code}"[^>]*>{name}</button>', page)
    assert page.count('aria-current="true">English') == 1


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", "29 November 2026, 19:05"),
        ("ne", "29 नोभेम्बर 2026, 19:05"),
        ("hi", "29 नवंबर 2026, 19:05"),
    ],
)
def test_dates_are_written_alike(language: str, shown: str) -> None:
    moment = datetime(2026, 11, 29, 19, 5, tzinfo=UTC)

    with translation.override(language):
        assert date_format(moment, "DATETIME_FORMAT") == shown
        assert date_format(moment) == shown.partition(",")[0]
