"""The first page and Play now, as a browser without script sends it."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from games import store
from games.models import Event, Game
from games.services.lobby import MAX_RUNNING_GAMES_WITHOUT_PEOPLE

pytestmark = pytest.mark.django_db

BrowserOf = Callable[[User], Client]


def visitor() -> Client:
    """A browser that keeps cookies and whose forms are checked as in production."""
    return Client(enforce_csrf_checks=True)


def form_of(browser: Client, **changes: str) -> dict[str, str]:
    """What the landing page's form sends when nothing was touched, with `changes`."""
    context = browser.get("/").context
    sent = {
        "csrfmiddlewaretoken": str(context["csrf_token"]),
        "reservation": context["reserved"].token,
        "preset": "arcadia",
        "contribution": "",
    }
    return sent | changes


def test_the_first_page_asks_for_nothing_but_a_press() -> None:
    page = visitor().get("/").content.decode()

    assert page.count("<h1>") == 1
    assert "<title>Play now" in page
    assert 'action="/play/"' in page


def test_play_now_makes_a_guest_and_seats_three_bots() -> None:
    browser = visitor()

    answer = browser.post("/play/", form_of(browser, contribution="my own words"))

    game = Game.objects.get()
    assert answer.headers["Location"] == f"/games/{game.pk}/"
    seats = list(game.seats.order_by("number"))
    assert seats[0].user is not None
    assert seats[0].user.is_guest
    assert bytes(seats[0].contribution) == b"my own words"
    assert [seat.bot for seat in seats[1:]] == ["steady"] * 3
    assert (game.status, game.rules["name"], game.rated) == ("playing", "arcadia", False)
    assert browser.get(answer.headers["Location"]).status_code == 200


def test_the_game_is_the_one_whose_seal_the_page_showed() -> None:
    browser = visitor()
    page = browser.get("/")
    reserved = page.context["reserved"]

    browser.post(
        "/play/",
        {"csrfmiddlewaretoken": str(page.context["csrf_token"]), "reservation": reserved.token},
    )

    game = Game.objects.get()
    assert (game.pk, game.anchor) == (reserved.game, reserved.anchor)
    assert reserved.anchor in page.content.decode()
    joined = Event.objects.get(game=game, kind=store.Kind.JOINED, seat=0)
    assert joined.data["anchor_seen"] is True


def test_without_a_reservation_the_log_says_that_no_seal_was_seen() -> None:
    browser = visitor()

    browser.post("/play/", form_of(browser, reservation=""))

    joined = Event.objects.get(kind=store.Kind.JOINED, seat=0)
    assert joined.data["anchor_seen"] is False


def test_two_presses_are_two_games_of_one_guest() -> None:
    browser = visitor()

    browser.post("/play/", form_of(browser))
    browser.post("/play/", form_of(browser))

    assert Game.objects.count() == 2
    assert User.objects.get().is_guest


def test_a_form_sent_twice_by_somebody_with_a_name_leads_to_its_one_game(
    asha: User, browser_of: BrowserOf
) -> None:
    browser = browser_of(asha)
    sent = form_of(browser)

    first, second = browser.post("/play/", sent), browser.post("/play/", sent)

    assert first.headers["Location"] == second.headers["Location"]
    assert Game.objects.count() == 1


def test_somebody_elses_used_reservation_makes_neither_guest_nor_game(
    asha: User, browser_of: BrowserOf
) -> None:
    owner = browser_of(asha)
    sent = form_of(owner)
    owner.post("/play/", sent)
    stranger = visitor()

    answer = stranger.post(
        "/play/", form_of(stranger, reservation=sent["reservation"]), follow=True
    )

    assert "too old for its deal" in answer.content.decode()
    assert Game.objects.count() == 1
    assert User.objects.get() == asha


def test_an_anonymous_form_cannot_be_replayed_for_a_second_guest() -> None:
    browser = visitor()
    sent = form_of(browser)
    secret = browser.cookies["csrftoken"].value
    browser.post("/play/", sent)
    again = visitor()
    again.cookies["csrftoken"] = secret

    answer = again.post("/play/", sent, follow=True)

    assert "too old for its deal" in answer.content.decode()
    assert User.objects.count() == Game.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("contribution", "x" * 65, "This is too long: at most 64 letters."),
        ("contribution", "\N{SNOWMAN}" * 22, "This is too long: at most 64 letters."),
        ("preset", "whist", "Select a valid choice."),
    ],
)
def test_a_wrong_field_comes_back_with_a_sentence(field: str, value: str, sentence: str) -> None:
    browser = visitor()
    sent = form_of(browser, **{field: value})

    answer = browser.post("/play/", sent)

    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not Game.objects.exists()
    assert not User.objects.exists()


def test_a_form_that_comes_back_keeps_its_seal() -> None:
    browser = visitor()
    sent = form_of(browser, preset="whist", contribution="mine")

    page = browser.post("/play/", sent)

    assert page.context["reserved"].token == sent["reservation"]
    assert 'value="mine"' in page.content.decode()


def test_other_rules_are_one_choice_away() -> None:
    browser = visitor()

    browser.post("/play/", form_of(browser, preset="yeeqia"))

    rules = Game.objects.get().rules
    assert (rules["name"], rules["max_rounds"]) == ("yeeqia", 20)


def test_whoever_is_logged_in_plays_as_themselves(asha: User, browser_of: BrowserOf) -> None:
    browser = browser_of(asha)

    browser.post("/play/", form_of(browser))

    assert Game.objects.get().created_by == asha
    assert User.objects.count() == 1


def test_at_the_limit_play_now_says_so(
    asha: User, browser_of: BrowserOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.services.lobby.MAX_RUNNING_GAMES", 1)
    browser = browser_of(asha)
    browser.post("/play/", form_of(browser))

    answer = browser.post("/play/", form_of(browser), follow=True)

    assert answer.redirect_chain[0][0] == "/home/"
    assert "Finish one first." in answer.content.decode()
    assert Game.objects.count() == 1 <= MAX_RUNNING_GAMES_WITHOUT_PEOPLE


def test_play_now_is_a_press_never_a_link() -> None:
    assert visitor().get("/play/").status_code == 405
    assert visitor().post("/play/", {}).status_code == 403
