"""The staff's pages of games: they open, cost the same however many rows there are, show no hand, and note every deed."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.engine.plan import Plan
from games.models import Event, Game, Quarantine, Round, SealedBid, Seat
from games.services import checkpoints, inspecting, plans, quarantine, upkeep
from games.services.audit import verify_game
from tests.games.clockwork import ONE_DAY, due, four_at, twice_late
from tests.games.ruled import assert_one_story
from tests.games.tables import NOW, ONE_ROUND, kinds_of, loaded, log_of, new_game, play_on, seated

BrowserOf = Callable[[User], Client]
HOUR = timedelta(hours=1)
WHY: Final = "They asked for it by mail, all four of them."
CARD: Final = re.compile(r"\b[2-9TJQKA][CDHS]\b|(?:10|[2-9JQKA])[♣♦♥♠]")
# Whoever reads one of these knows what nobody may.
PRIVATE: Final = (
    "dealsecret",
    "sealedbid",
    "plan",
    "botchoice",
    "coaching",
    "invitation",
    "seatholder",
)


@pytest.fixture
def staff(db: None, browser_of: BrowserOf) -> Client:
    return browser_of(User.objects.create_superuser("chief", "chief@example.com", "x"))


@pytest.fixture
def game(people: list[User]) -> str:
    game = four_at(people, clock=ONE_DAY)
    play_on(game, decisions=9)
    return game


def page_of(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def do(browser: Client, game: str, deed: str, **data: object) -> str:
    """What the staff is told after this deed."""
    path = reverse("admin:games_game_do", args=[game, deed])
    answer = browser.post(path, data, follow=True)
    assert answer.status_code == 200
    return "; ".join(str(message) for message in answer.context["messages"])


# Reading


def everything(people: list[User], game: str) -> None:
    """Rows of every kind, beside a game that runs, with a plan and sealed bids."""
    number, _, seat, _ = due(game)
    other = (seat + 1) % 4
    hand = loaded(game).observe(number, other).hand
    queue = [card.text for card in hand[:2]]
    plan = Plan.from_json({"rules": [{"play": "ask"}], "cards": queue})
    plans.save(people[other], game, plan, round=number, seen=None, now=NOW)
    sealed = seated(people, ONE_ROUND.replace(sealed_bids=True))
    play_on(sealed, decisions=2)
    assert SealedBid.objects.filter(game=sealed).count() == 2
    broken = seated(people)
    Game.objects.filter(pk=broken).update(anchor="ab" * 32)
    checkpoints.make_checkpoint(now=NOW)
    inspecting.begin(now=NOW)
    inspecting.go_on(now=NOW, seconds=60)
    assert Quarantine.objects.filter(game=broken).exists()


def every_page(browser: Client) -> Iterator[tuple[str, str]]:
    """Path and text of every list, of every row's page and history, and of what asks before deleting."""
    yield "/admin/", page_of(browser, "/admin/")
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        listed = reverse(f"{name}_changelist")
        yield listed, page_of(browser, listed)
        for pk in model._default_manager.values_list("pk", flat=True)[:60]:
            for what in ("change", "history"):
                path = reverse(f"{name}_{what}", args=[pk])
                yield path, page_of(browser, path)


def test_no_page_shows_a_card_that_was_not_played(
    people: list[User], game: str, staff: Client
) -> None:
    everything(people, game)
    played = {*Event.objects.filter(card__isnull=False).values_list("card", flat=True)}
    secrets = [each.secret.sealed for each in Game.objects.select_related("secret")]

    pages = dict(every_page(staff))

    assert len(pages) > 100
    for path, text in pages.items():
        assert {*CARD.findall(text)} <= played, path
        assert not any(bytes(secret).decode() in text for secret in secrets), path


def test_what_is_private_has_no_page() -> None:
    names = {str(model._meta.model_name) for model in admin.site._registry}

    assert names.isdisjoint(PRIVATE)
    assert {"event", "bid", "play", "game", "round", "notice", "quarantine", "logentry"} <= names


def test_the_log_is_read_only(staff: Client, game: str) -> None:
    event = log_of(game)[-1]
    path = f"/admin/games/event/{event.pk}"
    before = list(Event.objects.order_by("pk").values())

    for address in (f"{path}/change/", f"{path}/delete/", "/admin/games/event/add/"):
        assert staff.post(address, {"card": "AS", "post": "yes"}).status_code == 403

    assert list(Event.objects.order_by("pk").values()) == before
    assert "via" not in page_of(staff, f"{path}/change/").split("<main")[1]


@pytest.mark.parametrize("model", ["game", "event", "bid", "play", "round", "notice", "quarantine"])
def test_a_list_costs_the_same_however_many_rows_it_has(
    staff: Client, people: list[User], model: str
) -> None:
    def cost() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            page_of(staff, f"/admin/games/{model}/")
        return len(asked)

    def more(count: int) -> None:
        for _ in range(count):
            game = seated(people)
            play_on(game, decisions=6)
            Game.objects.filter(pk=game).update(anchor="ab" * 32)
            quarantine.look_at(game, now=NOW)

    more(1)
    cost()
    few = cost()
    more(4)

    assert cost() == few <= 16


def ids(browser: Client, query: str) -> set[str]:
    answer = browser.get(f"/admin/games/game/?{query}")
    return {game.pk for game in answer.context["cl"].result_list}


def test_games_are_found_by_what_they_wait_for(
    staff: Client, people: list[User], asha: User
) -> None:
    fine, late, broken = (four_at(people, clock=ONE_DAY) for _ in range(3))
    for each in (fine, late, broken):
        play_on(each, decisions=5)
    twice_late(late)
    Game.objects.filter(pk=broken).update(anchor="ab" * 32)
    quarantine.look_at(broken, now=NOW)
    with_a_bot = new_game(asha)  # its bot has been due since NOW
    over = new_game(asha)
    play_on(over)

    assert ids(staff, "waits=late") == {late}
    assert ids(staff, "waits=quarantine") == ids(staff, "status__exact=frozen") == {broken}
    assert with_a_bot in ids(staff, "waits=stuck")
    assert {fine, late, broken, over}.isdisjoint(upkeep.stuck_games(now=NOW + 2 * HOUR) - {late})
    assert ids(staff, "status__exact=finished") == {over}
    assert ids(staff, f"q={fine}") == {fine}


def test_a_clock_that_nobody_saw_to_is_stuck(game: str) -> None:
    *_, deadline = due(game)
    Round.objects.filter(game=game).update(alarm_at=deadline)

    assert upkeep.stuck_games(now=deadline + timedelta(seconds=50)) == set()
    assert upkeep.stuck_games(now=deadline + timedelta(seconds=70)) == {game}


# Doing


def test_a_game_is_checked(staff: Client, game: str) -> None:
    assert "in order" in do(staff, game, "verify")
    Game.objects.filter(pk=game).update(anchor="ab" * 32)

    assert "Not in order. seed:" in do(staff, game, "verify")


@pytest.mark.parametrize(
    "damage",
    [
        lambda game: Round.objects.filter(game=game).update(won=[9, 0, 0, 0], turn=2, actors=[]),
        lambda game: Game.objects.filter(pk=game).update(
            totals=[1, 2, 3, 4], adjusted=[1, 0, 0, 0]
        ),
        lambda game: Game.objects.filter(pk=game).update(seq=3, head="ab" * 32),
        lambda game: Game.objects.filter(pk=game).update(first_dealer=None, keys_revealed=9),
    ],
)
def test_columns_are_made_anew_and_the_match_goes_on(
    staff: Client, game: str, damage: Callable[[str], Any]
) -> None:
    before = log_of(game)
    damage(game)
    assert verify_game(game, now=NOW)

    assert "Still wrong: nothing" in do(staff, game, "rebuild")

    assert log_of(game) == before
    play_on(game)
    assert_one_story(game)


def test_columns_are_not_made_from_a_log_that_does_not_hold(staff: Client, game: str) -> None:
    last = log_of(game)[-1]
    last.pk, last.seq, last.turn, last.attempt = None, last.seq + 1, 400, 7
    last.save(force_insert=True)
    before = Game.objects.filter(pk=game).values().get()

    assert "The log itself does not hold" in do(staff, game, "rebuild")
    assert Game.objects.filter(pk=game).values().get() == before


def test_a_stopped_game_whose_columns_are_made_anew_stays_stopped_until_it_goes_on(
    staff: Client, game: str
) -> None:
    Game.objects.filter(pk=game).update(seq=3)
    quarantine.look_at(game, now=timezone.now())
    do(staff, game, "rebuild")
    assert Game.objects.get(pk=game).status == Game.Status.FROZEN

    quarantine.see_to(now=timezone.now() + HOUR)

    assert Game.objects.get(pk=game).status == Game.Status.PLAYING
    assert verify_game(game, now=NOW) == []


def test_a_game_is_stopped_and_goes_on(staff: Client, game: str) -> None:
    assert "not stopped" in do(staff, game, "go-on")
    assert "Stopped" in do(staff, game, "stop")
    assert "can be stopped" in do(staff, game, "stop")
    assert "goes on" in do(staff, game, "go-on")

    assert [kind for kind in kinds_of(game) if kind in ("frozen", "thawed")] == ["frozen", "thawed"]
    assert verify_game(game, now=NOW) == []


def test_deadlines_are_moved_on(staff: Client, game: str) -> None:
    *_, deadline = due(game)

    for hours in ("", "0", "721", "-1", "x", "9" * 40):
        assert "a whole number from 1 to 720" in do(staff, game, "move-deadlines", hours=hours)
    assert "moved on by 5 h" in do(staff, game, "move-deadlines", hours=5)

    assert due(game)[3] == deadline + 5 * HOUR
    last = log_of(game)[-1]
    assert (last.kind, last.by, last.data) == ("deadlines_moved", "staff", {"seconds": 18000})
    assert verify_game(game, now=NOW) == []


def test_a_seat_is_given_to_a_bot_with_a_reason_that_everybody_reads(
    staff: Client, game: str
) -> None:
    assert "Say why" in do(staff, game, "replace-seat", seat=2, reason="short")
    assert Seat.objects.get(game=game, number=2).user is not None

    do(staff, game, "replace-seat", seat=2, reason=WHY)

    assert Seat.objects.get(game=game, number=2).user is None
    ruled = next(event for event in log_of(game) if event.kind == "ruled")
    assert (ruled.data["ruling"], ruled.data["reason"]) == ("replace_seat", WHY)
    assert "No person holds that seat" in do(staff, game, "replace-seat", seat=2, reason=WHY)
    assert verify_game(game, now=NOW) == []


def test_every_deed_is_noted_and_no_refusal(staff: Client, game: str) -> None:
    do(staff, game, "verify")
    do(staff, game, "stop")
    do(staff, game, "stop")
    do(staff, game, "go-on")
    do(staff, game, "move-deadlines", hours=2)

    noted = LogEntry.objects.order_by("pk")
    assert [entry.object_id for entry in noted] == [game] * 4
    assert {entry.user.username for entry in noted} == {"chief"}
    shown = page_of(staff, "/admin/admin/logentry/")
    assert "Every open deadline moved on by 2 h." in shown
    assert "Stopped, and its clocks with it." in page_of(
        staff, f"/admin/games/game/{game}/history/"
    )


def test_who_may_only_look_changes_nothing(game: str, eli: User, browser_of: BrowserOf) -> None:
    eli.is_staff = True
    eli.save()
    eli.user_permissions.add(Permission.objects.get(codename="view_game"))
    browser = browser_of(eli)
    before = log_of(game)

    assert "What you can do" not in page_of(browser, f"/admin/games/game/{game}/change/")
    for deed in ("verify", "rebuild", "stop", "go-on", "move-deadlines", "replace-seat"):
        path = reverse("admin:games_game_do", args=[game, deed])
        assert browser.post(path, {"hours": 3, "seat": 1, "reason": WHY}).status_code == 403
        assert browser.get(path).status_code == 405
    assert log_of(game) == before


def test_an_unknown_deed_or_game_is_not_found(staff: Client, game: str) -> None:
    assert staff.post(reverse("admin:games_game_do", args=[game, "delete"])).status_code == 404
    assert (
        staff.post(reverse("admin:games_game_do", args=["NOSUCHGAME22", "stop"])).status_code == 404
    )


@pytest.mark.parametrize(
    "path",
    [
        "games/event/?via=plan",
        "games/round/?planned__has_key=2",
        "games/game/?next_attempt_at__isnull=False",
        "accounts/outgoingmail/?text__startswith=a",
    ],
)
def test_what_a_page_does_not_show_cannot_be_asked_for_either(
    staff: Client, game: str, path: str
) -> None:
    answer = staff.get(f"/admin/{path}")

    assert answer.status_code in (302, 400)


def test_staff_who_sit_at_a_table_look_and_leave_the_rest_to_others(
    game: str, people: list[User], browser_of: BrowserOf
) -> None:
    people[1].is_staff = people[1].is_superuser = True
    people[1].save()
    browser = browser_of(people[1])
    before = log_of(game)

    said = [do(browser, game, deed) for deed in ("stop", "move-deadlines", "rebuild")]

    assert all("somebody else has to do this" in each for each in said)
    assert log_of(game) == before
    assert "somebody else" not in do(browser, game, "verify")
