"""The desk inside the admin: who may come in, what a case shows, and that no hand is seen outside a case."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Case, Decision, Game, PairSignal
from games.services.desk import cases
from games.wording import card_sign
from tests.games.desk.staff import WHY, WORDS, proposed, reported, reviewer, taken
from tests.games.ruled import finished, mid_trick
from tests.games.tables import ARCADIA, NOW, ONE_ROUND, kinds_of, loaded, log_of

pytestmark = pytest.mark.usefixtures("that_day")


@pytest.fixture
def that_day() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def desk_of(browser_of: Callable[[User], Client]) -> Callable[[User], Client]:
    return browser_of


DeskOf = Callable[[User], Client]


def page(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def do(browser: Client, case: Case, what: str, number: int = 0) -> int:
    form: Mapping[str, str | int] = {"do": what, "number": number}
    return browser.post(f"/admin/desk/{case.pk}/do", form).status_code


def is_hand_in(text: str, game: str, seat: int) -> bool:
    hand = loaded(game).rounds[1].hands[seat]
    return all(f"{card_sign(card.text)}" in text.split('id="hands"')[1] for card in hand)


def test_the_queue_shows_what_waits_but_no_game_of_ones_own(
    people: list[User], desk_of: DeskOf
) -> None:
    farida = reviewer("farida")
    mine = reported(people[0], finished([*people[:3], farida], ONE_ROUND)).case
    case = reported(people[3], mid_trick([people[3], *people[:3]], ARCADIA)).case
    gopal = desk_of(reviewer("gopal"))

    seen, hidden = page(gopal, "/admin/desk/"), page(desk_of(farida), "/admin/desk/")

    assert f"/admin/desk/{case.pk}/" in seen
    assert f"/admin/desk/{mine.pk}/" in seen
    assert f"/admin/desk/{mine.pk}/" not in hidden
    assert f"/admin/desk/{case.pk}/" not in hidden  # the others of it are recent opponents


def test_who_may_not_review_is_refused_and_told_nothing(
    people: list[User], eli: User, desk_of: DeskOf, browser_of: Callable[[User], Client]
) -> None:
    staff = User.objects.create_user("harka", is_staff=True)
    opponent = reviewer("farida")
    finished([people[3], opponent, *people[1:3]], ONE_ROUND)
    game = mid_trick(people, ARCADIA)
    case = reported(people[0], game).case
    before = [kinds_of(game), Case.objects.values().get()]

    for browser in (desk_of(staff), desk_of(opponent)):
        refused = browser.get(f"/admin/desk/{case.pk}/")
        assert refused.status_code == 403
        assert game not in refused.content.decode()
        for what in ("take", "open_hands", "freeze"):
            assert do(browser, case, what, 1) == 403
        form = {"ruling": "dismiss", "reason": WHY, "cites": "1"}
        assert browser.post(f"/admin/desk/{case.pk}/propose", form).status_code == 403
    for browser in (browser_of(eli), browser_of(people[0]), Client()):
        assert browser.get(f"/admin/desk/{case.pk}/").status_code in (302, 403, 404)

    assert [kinds_of(game), Case.objects.values().get()] == before


def test_staff_without_a_code_of_their_second_factor_do_not_come_in(
    people: list[User],
) -> None:
    case = reported(people[0], mid_trick(people, ARCADIA)).case
    browser = Client()
    browser.force_login(reviewer("farida"), backend="accounts.backends.NameOrEmail")

    answer = browser.get(f"/admin/desk/{case.pk}/")

    assert answer.status_code == 302
    assert "/admin/desk" not in answer["Location"].partition("?")[0]


def test_a_case_shows_statements_position_and_trail(people: list[User], desk_of: DeskOf) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    seq = log_of(game)[-2].seq
    case = taken(people[0], game, farida, seq=seq)

    seen = page(desk_of(farida), f"/admin/desk/{case.pk}/")

    assert WORDS in seen
    assert f"event {seq}" in seen
    assert "chain in order" in seen
    assert 'type="range"' in seen
    assert "Previous step" in seen
    assert "Next step" in seen
    assert "None yet: they are worked out" in seen
    assert "taken by farida" in seen.lower()
    checked = page(desk_of(farida), f"/admin/desk/{case.pk}/?verify=1")
    assert "Chain, heads, seed, log and columns are in order." in checked


def test_hands_of_a_running_round_are_sealed_until_the_case_opens_them(
    people: list[User], desk_of: DeskOf
) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    played = log_of(game)[-1]
    case = taken(people[0], game, farida, seq=played.seq)
    browser = desk_of(farida)
    sealed = page(browser, f"/admin/desk/{case.pk}/")
    assert "The hands of this deal are sealed." in sealed
    assert "Legal:" not in sealed
    assert not any(is_hand_in(sealed, game, seat) for seat in range(4))

    assert do(browser, case, "open_hands", 1) == 302

    opened = page(browser, f"/admin/desk/{case.pk}/")
    assert all(is_hand_in(opened, game, seat) for seat in range(4))
    assert "Hand before it:" in opened
    assert "Legal:" in opened
    assert "Staff opened the hands of round 1" in page(Client(), f"/games/{game}/log/")
    proposed(farida, case, "dismiss")
    closed = page(browser, f"/admin/desk/{case.pk}/?round=1")
    assert not any(is_hand_in(closed, game, seat) for seat in range(4))


def test_another_case_of_the_same_game_opens_nothing(people: list[User], desk_of: DeskOf) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    first = taken(people[0], game, farida, seq=log_of(game)[-1].seq)
    cases.open_hands(farida, first.pk, round=1, now=NOW)
    other = reported(people[1], game, seq=1).case

    seen = page(desk_of(farida), f"/admin/desk/{other.pk}/?round=1")

    assert not any(is_hand_in(seen, game, seat) for seat in range(4))


def test_a_card_is_explained_with_the_rule(people: list[User], desk_of: DeskOf) -> None:
    farida, game = reviewer("farida"), finished(people, ONE_ROUND)
    case = taken(people[0], game, farida)
    browser = desk_of(farida)
    texts = [
        page(browser, f"/admin/desk/{case.pk}/?round=1&seq={event.seq}")
        for event in log_of(game)
        if event.kind == "played"
    ]

    refused = [text for text in texts if "could not be played." in text]

    assert all("Legal:" in text and "All four hands" in text for text in texts)
    assert refused
    assert all(re.search("<code>custom/[a-z]+</code>", text) for text in refused)


def test_a_ruling_is_proposed_signed_and_made_by_pressing_buttons(
    people: list[User], desk_of: DeskOf
) -> None:
    game = mid_trick(people, ARCADIA)
    case = reported(people[0], game, seq=9).case
    farida, gopal = desk_of(reviewer("farida")), desk_of(reviewer("gopal"))
    form = {"ruling": "void_round", "reason": WHY, "cites": "arcadia/beat, 9", "round": "1"}
    assert do(farida, case, "take") == 302

    assert farida.post(f"/admin/desk/{case.pk}/propose", form).status_code == 302

    decision = Decision.objects.get()
    assert "Sign: make it so" not in page(farida, f"/admin/desk/{case.pk}/")
    assert "Sign: make it so" in page(gopal, f"/admin/desk/{case.pk}/")
    assert do(farida, case, "sign", decision.pk) == 302
    assert "ruled" not in kinds_of(game)
    assert do(gopal, case, "sign", decision.pk) == 302
    assert "ruled" in kinds_of(game)
    assert "signed by gopal" in page(gopal, f"/admin/desk/{case.pk}/")


def test_a_proposal_that_cannot_be_is_explained_beside_the_form(
    people: list[User], desk_of: DeskOf
) -> None:
    farida = reviewer("farida")
    case = taken(people[0], mid_trick(people, ARCADIA), farida)
    browser = desk_of(farida)
    form = {"ruling": "void_round", "reason": WHY, "cites": "arcadia/beat", "round": "9"}

    answer = browser.post(f"/admin/desk/{case.pk}/propose", form)

    assert answer.status_code == 422
    assert "That round was not dealt." in answer.content.decode()
    short = browser.post(f"/admin/desk/{case.pk}/propose", {**form, "reason": "short"})
    assert "errorlist" in short.content.decode()
    assert not Decision.objects.exists()


def test_a_game_is_stopped_and_let_go_on_from_the_case(people: list[User], desk_of: DeskOf) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    case = taken(people[0], game, farida)
    browser = desk_of(farida)

    assert do(browser, case, "freeze") == 302
    assert Game.objects.get(pk=game).status == Game.Status.FROZEN
    assert "Let the game go on" in page(browser, f"/admin/desk/{case.pk}/")
    assert do(browser, case, "thaw") == 302
    assert Game.objects.get(pk=game).status == Game.Status.PLAYING


def test_a_game_that_nobody_reported_is_looked_into(people: list[User], desk_of: DeskOf) -> None:
    game, browser = mid_trick(people, ARCADIA), desk_of(reviewer("farida"))

    made = browser.post("/admin/desk/open", {"game": game, "round": "1"})

    assert made["Location"] == f"/admin/desk/{Case.objects.get().pk}/"
    assert browser.post("/admin/desk/open", {"game": "NONE", "round": ""}).status_code == 404
    assert (
        "not dealt"
        in browser.post(
            "/admin/desk/open", {"game": game, "round": "9"}, follow=True
        ).content.decode()
    )


def test_signals_show_their_size_and_interval(people: list[User], desk_of: DeskOf) -> None:
    farida, game = reviewer("farida"), mid_trick(people, ARCADIA)
    index = {"rounds": 31, "mean": 0.25, "low": 0.125, "high": 0.375, "z": 4.0}
    one, two = sorted(people[:2], key=lambda user: user.pk)
    PairSignal.objects.create(
        one=one, two=two, rounds=31, gift=index, knowledge=index, places={}, is_flagged=True,
        computed_at=timezone.now() - timedelta(days=1),
    )  # fmt: skip
    case = taken(people[0], game, farida)

    seen = page(desk_of(farida), f"/admin/desk/{case.pk}/")

    assert "0.250 (0.125 to 0.375)" in seen
    assert "look at it" in seen
