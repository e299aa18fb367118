"""Setting up a table: every answer has a default, every refusal its sentence, and nothing is lost."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from games.engine.clock import CLOCKS
from games.engine.rules import CUSTOM, PRESETS, HouseRules
from games.models import Event, Game
from games.web.clocks import CLOCK_NAMES
from games.web.forms import CONTRADICTIONS

pytestmark = pytest.mark.django_db

BrowserOf = Callable[[User], Client]


@pytest.fixture
def browser(asha: User, browser_of: BrowserOf) -> Client:
    return browser_of(asha)


def form_of(browser: Client, **changes: str) -> dict[str, str]:
    """What the untouched form sends, with `changes`."""
    page = browser.get("/games/new/")
    sent = {"reservation": page.context["reserved"].token}
    for field in page.context["form"]:
        value = field.value()
        if field.name not in ("reservation", "parallel_rounds", "sealed_bids", "rated"):
            sent[field.name] = "" if value is None else str(value)
    return sent | changes


def test_a_table_needs_somebody_with_a_name() -> None:
    assert Client().get("/games/new/").headers["Location"].startswith("/accounts/login/")


def test_the_untouched_form_makes_an_open_arcadia_table(browser: Client, asha: User) -> None:
    answer = browser.post("/games/new/", form_of(browser))

    game = Game.objects.get()
    assert answer.headers["Location"] == f"/games/{game.pk}/"
    assert game.rules == PRESETS["arcadia"].to_json()
    assert (game.status, game.visibility, game.rated) == ("open", "public", False)
    assert [seat.user for seat in game.seats.order_by("number")] == [asha, None, None, None]
    assert game.clock["longest_turn"] == 36 * 3600
    assert Event.objects.get(game=game, kind="joined").data["anchor_seen"] is True


@pytest.mark.parametrize("name", CLOCKS)
def test_a_pace_is_stored_whole_and_called_by_its_name(browser: Client, name: str) -> None:
    browser.post("/games/new/", form_of(browser, clock=name))

    assert Game.objects.get().clock == CLOCKS[name].to_json()
    assert str(CLOCK_NAMES[name]) in browser.get("/tables/").content.decode()


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_keeps_its_name(browser: Client, preset: str) -> None:
    browser.post("/games/new/", form_of(browser, preset=preset))

    rules = HouseRules.from_json(Game.objects.get().rules)
    expected = PRESETS[preset]
    assert rules == (expected.replace(max_rounds=20) if expected.target else expected)


def test_an_option_of_the_preset_keeps_its_name(browser: Client) -> None:
    changes = {"preset": "everestbuzz-practice", "must_beat": "yes", "max_bid": "13"}

    browser.post("/games/new/", form_of(browser, **changes))

    rules = Game.objects.get().rules
    assert (rules["name"], rules["must_beat"], rules["max_bid"]) == (
        "everestbuzz-practice",
        True,
        13,
    )


def test_any_other_change_makes_house_rules_and_says_so(browser: Client) -> None:
    answer = browser.post(
        "/games/new/", form_of(browser, preset="arcadia", rounds="7"), follow=True
    )

    rules = Game.objects.get().rules
    assert (rules["name"], rules["rounds"], rules["must_beat"]) == (CUSTOM, 7, True)
    assert "Your table plays house rules" in answer.content.decode()


def test_house_rules_start_from_the_defaults(browser: Client) -> None:
    browser.post("/games/new/", form_of(browser, preset=CUSTOM, target="300", score_scale="1"))

    rules = Game.objects.get().rules
    assert (rules["rounds"], rules["target"], rules["max_rounds"]) == (None, 300, 20)


def test_a_match_to_a_total_may_have_no_last_round(browser: Client) -> None:
    browser.post("/games/new/", form_of(browser, preset="yeeqia", max_rounds=""))

    assert Game.objects.get().rules["max_rounds"] is None


def test_the_last_round_is_filled_in_and_explained(browser: Client) -> None:
    page = browser.get("/games/new/")

    assert page.context["form"]["max_rounds"].value() == 20
    assert "Few matches to a total ever get there" in page.content.decode()


def test_options_of_the_table(browser: Client) -> None:
    changes = {"parallel_rounds": "on", "sealed_bids": "on", "rated": "on", "clock": "fast"}

    browser.post("/games/new/", form_of(browser, visibility="link", **changes))

    game = Game.objects.get()
    assert (game.rules["parallel_rounds"], game.rules["sealed_bids"]) == (True, True)
    assert (game.rated, game.visibility, game.clock["start"]) == (True, "link", 24 * 3600)
    assert (game.pauses_weekends, game.allows_holidays) == (False, True)


def test_weekends_and_holidays_count_as_the_table_wishes(browser: Client) -> None:
    pauses = {"pauses_weekends": "on", "ignores_holidays": "on"}

    browser.post("/games/new/", form_of(browser, **pauses))

    game = Game.objects.get()
    assert (game.pauses_weekends, game.allows_holidays) == (True, False)
    lobby = Client().get("/tables/").content.decode()
    assert "weekends do not count, holidays count" in lobby


def test_friends_and_bots_are_seated(browser: Client, bina: User) -> None:
    changes = {"seat1": "user", "name1": "BINA", "seat2": "bot:beginner"}

    browser.post("/games/new/", form_of(browser, **changes))

    seats = list(Game.objects.get().seats.order_by("number"))
    assert seats[1].invited == bina
    assert seats[2].bot == "beginner"
    assert not seats[3].is_taken


def test_a_full_table_starts_by_itself(browser: Client) -> None:
    bots = {f"seat{number}": "bot:steady" for number in (1, 2, 3)}

    browser.post("/games/new/", form_of(browser, **bots))

    assert Game.objects.get().status == "playing"


WRONG = [
    ({"preset": "whist"}, "preset", "Select a valid choice"),
    ({"clock": "hourglass"}, "clock", "Select a valid choice"),
    ({"visibility": "secret"}, "visibility", "Select a valid choice"),
    ({"seat1": "bot:genius"}, "seat1", "Select a valid choice"),
    ({"must_beat": "perhaps"}, "must_beat", "Select a valid choice"),
    ({"min_bid": "14"}, "min_bid", "less than or equal to 13"),
    ({"rounds": "101"}, "rounds", "less than or equal to 100"),
    ({"rounds": "many"}, "rounds", "Enter a whole number"),
    ({"min_bid": "9", "max_bid": "8"}, "min_bid", "lowest bid is higher"),
    ({"must_beat": "no", "must_beat_after_trump": "yes"}, "must_beat_after_trump", "must beat"),
    ({"must_trump": "no", "must_trump_low": "yes"}, "must_trump_low", "must trump"),
    ({"max_bid": "3", "redeal_bids_below": "13"}, "redeal_bids_below", "thrown in"),
    ({"max_bid": "7", "instant_win_bid": "8"}, "instant_win_bid", "Nobody can bid"),
    ({"preset": "yeeqia", "parallel_rounds": "on"}, "parallel_rounds", "fixed number of rounds"),
    ({"rounds": "11", "parallel_rounds": "on"}, "parallel_rounds", "ten at most"),
    ({"seat2": "user"}, "name2", "Whom?"),
    ({"seat2": "user", "name2": "nobody-here"}, "name2", "no player of that name"),
    ({"seat2": "user", "name2": "asha"}, "name2", "That is you"),
    ({"contribution": "x" * 65}, "contribution", "too long"),
    ({"contribution": "a\0b"}, "contribution", "Null characters"),
]


@pytest.mark.parametrize(("changes", "field", "sentence"), WRONG)
def test_a_wrong_answer_gets_a_sentence_beside_its_field(
    browser: Client, changes: dict[str, str], field: str, sentence: str
) -> None:
    answer = browser.post("/games/new/", form_of(browser, **changes))

    assert answer.status_code == 400
    assert sentence in str(answer.context["form"].errors[field])
    assert sentence in answer.content.decode()
    assert not Game.objects.exists()


def test_the_same_friend_twice_is_refused(browser: Client, bina: User) -> None:
    changes = {"seat1": "user", "name1": "bina", "seat2": "user", "name2": "Bina"}

    answer = browser.post("/games/new/", form_of(browser, **changes))

    assert "One seat for each player." in answer.content.decode()
    assert not Game.objects.exists()


def test_nothing_is_lost_when_the_form_comes_back(browser: Client) -> None:
    changes = {"preset": "yeeqia", "clock": "relaxed", "must_beat": "yes", "contribution": "mine"}
    sent = form_of(browser, rounds="many", seat3="bot:steady", **changes)

    page = browser.post("/games/new/", sent)

    text = page.content.decode()
    assert 'value="yeeqia" checked' in text
    assert 'value="relaxed" checked' in text
    assert 'value="many"' in text
    assert 'value="mine"' in text
    assert page.context["form"]["seat3"].value() == "bot:steady"
    assert page.context["reserved"].token == sent["reservation"]


def test_every_contradiction_of_the_engine_has_a_sentence() -> None:
    from games.engine import rules

    fields = {
        constant.partition(":")[0]
        for function in (rules._contradictions, rules._parallel_contradictions)
        for constant in function.__code__.co_consts
        if isinstance(constant, str) and ":" in constant
    }

    assert fields
    assert fields <= set(CONTRADICTIONS)


def test_a_form_sent_twice_leads_to_its_one_table(browser: Client) -> None:
    sent = form_of(browser)

    first, second = browser.post("/games/new/", sent), browser.post("/games/new/", sent)

    assert first.headers["Location"] == second.headers["Location"]
    assert Game.objects.count() == 1


def test_somebody_elses_reservation_is_refused_and_the_contribution_asked_again(
    browser: Client, bina: User, browser_of: BrowserOf
) -> None:
    stolen = browser_of(bina).get("/games/new/").context["reserved"].token
    sent = form_of(browser, reservation=stolen, contribution="mine", rounds="5")

    page = browser.post("/games/new/", sent)

    assert page.status_code == 409
    assert "too old for its deal" in page.content.decode()
    assert page.context["reserved"].token != stolen
    assert page.context["form"]["contribution"].value() == ""
    assert page.context["form"]["rounds"].value() == "5"
    assert not Game.objects.exists()


def test_at_the_limit_the_form_says_so(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.services.lobby.MAX_RUNNING_GAMES", 0)

    answer = browser.post("/games/new/", form_of(browser))

    assert answer.status_code == 409
    assert "Finish one first." in answer.content.decode()


def test_without_a_token_nothing_is_made(asha: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(asha, backend="accounts.backends.NameOrEmail")

    assert browser.post("/games/new/", {"preset": "arcadia"}).status_code == 403
    assert not Game.objects.exists()
