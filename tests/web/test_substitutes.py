"""The table page, the lobby and the mails about a seat that a bot has kept for a week."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from games.models import Game, Seat
from games.notices import sending
from games.services import substituting
from tests.games.clockwork import ONE_WEEK, four_at, twice_late
from tests.games.tables import log_of
from tests.web.test_plain_pages import check

BrowserOf = Callable[[User], Client]
WEEK = timedelta(days=7)
TAKE = "Take this seat over"


@pytest.fixture
def kept(people: Sequence[User]) -> Iterator[tuple[str, int, datetime]]:
    """A game, the seat that a bot has kept for a week in it, and the time it is."""
    game = four_at(people, clock=ONE_WEEK)
    seat, since = twice_late(game)
    with time_machine.travel(since + WEEK, tick=False):
        yield game, seat, since + WEEK


def page_of(game: str, browser: Client) -> str:
    answer = browser.get(f"/games/{game}/")
    text = answer.content.decode()
    assert answer.status_code == 200
    check(text)
    return text


def test_whoever_plays_there_offers_the_seat_and_somebody_takes_it(
    kept: tuple[str, int, datetime], people: Sequence[User], eli: User, browser_of: BrowserOf
) -> None:
    game, seat, _ = kept
    host, guest = browser_of(people[(seat + 1) % 4]), browser_of(eli)
    name = people[seat].username
    assert f"A bot has played for {name} since" in page_of(game, host)
    assert TAKE not in page_of(game, guest)
    assert "Seats to take over" not in guest.get("/tables/").content.decode()
    version = _version(page_of(game, guest))

    assert host.post(f"/games/{game}/seats/{seat}/offer", {"to": ""}).status_code == 302

    assert "is offered to whoever sees this table" in page_of(game, host)
    assert "Seats to take over" in guest.get("/tables/").content.decode()
    assert guest.get(f"/games/{game}/table?v={version}").status_code == 200
    assert TAKE in page_of(game, guest)
    assert "Sign in to take it over" in page_of(game, Client())

    assert guest.post(f"/games/{game}/seats/{seat}/take-over").status_code == 302

    assert "Your hand" in page_of(game, guest)
    assert Seat.objects.get(game=game, number=seat).user == eli
    assert "You are watching" in page_of(game, browser_of(people[seat]))
    assert "Seats to take over" not in guest.get("/tables/").content.decode()


def _version(page: str) -> str:
    return page.split('data-v="')[1].split('"')[0]


def test_an_offer_is_taken_back(
    kept: tuple[str, int, datetime], people: Sequence[User], browser_of: BrowserOf
) -> None:
    game, seat, _ = kept
    host, path = browser_of(people[(seat + 1) % 4]), f"/games/{game}/seats/{seat}/offer"
    host.post(path)

    assert host.post(path, {"on": "no"}).status_code == 302

    assert Seat.objects.get(game=game, number=seat).offered_at is None


def test_whoever_has_a_seat_kept_by_a_bot_is_told_what_may_become_of_it(
    kept: tuple[str, int, datetime], people: Sequence[User], browser_of: BrowserOf
) -> None:
    game, seat, _ = kept

    page = page_of(game, browser_of(people[seat]))

    assert "After seven days the table may give it to somebody else." in page
    assert "Offer the seat" not in page


def test_a_refused_offer_says_why(
    kept: tuple[str, int, datetime], people: Sequence[User], eli: User, browser_of: BrowserOf
) -> None:
    game, seat, _ = kept
    host = browser_of(people[(seat + 1) % 4])

    answer = host.post(f"/games/{game}/seats/{seat}/offer", {"to": "nobody"})

    assert answer.status_code == 409
    assert "There is no player of that name." in answer.content.decode()
    assert host.post(f"/games/{game}/seats/9/offer").status_code == 404
    refused = browser_of(eli).post(f"/games/{game}/seats/{seat}/take-over")
    assert refused.status_code == 409
    assert "This seat is not offered to you." in refused.content.decode()
    assert Client().post(f"/games/{game}/seats/{seat}/take-over").status_code == 302


def test_whoever_it_is_kept_for_finds_it_among_the_invitations_and_in_a_mail(
    kept: tuple[str, int, datetime],
    people: Sequence[User],
    eli: User,
    browser_of: BrowserOf,
    mailoutbox: list[EmailMessage],
) -> None:
    game, seat, now = kept
    host = people[(seat + 1) % 4]
    substituting.offer(host, game, seat=seat, to="eli", now=now)

    home = browser_of(eli).get("/home/").content.decode()
    assert "Invitations" in home
    assert "A seat is kept for you" in home
    User.objects.filter(pk=eli.pk).update(last_visit_at=None)
    sending.send_due(now=now + timedelta(minutes=20))

    [mail] = [mail for mail in mailoutbox if mail.to == [eli.email]]
    assert mail.subject == "A seat in a running match is kept for you (Arcadia)"
    assert "looks for a substitute" in mail.body
    assert people[seat].username not in mail.body


def test_the_log_and_the_replay_name_nobody_for_what_another_did(
    kept: tuple[str, int, datetime], people: Sequence[User], eli: User, browser_of: BrowserOf
) -> None:
    game, seat, now = kept
    substituting.offer(people[(seat + 1) % 4], game, seat=seat, now=now)
    substituting.take_over(eli, game, seat=seat, now=now)
    guest = browser_of(eli)

    log = guest.get(f"/games/{game}/log/").content.decode()
    assert "You took over this seat." in log
    assert f"The time of Seat {seat + 1} ran out" in log
    assert "You bid" not in log
    assert "eli took over a seat." in Client().get(f"/games/{game}/log/").content.decode()
    bid = next(line.seq for line in log_of(game) if (line.kind, line.seat) == ("bid", seat))
    replayed = guest.get(f"/games/{game}/replay/?seq={bid}").content.decode()
    assert f"Seat {seat + 1} bid" in replayed
    assert "13 cards in hand" in replayed


def test_a_hidden_table_asks_for_a_name(
    kept: tuple[str, int, datetime], people: Sequence[User], browser_of: BrowserOf
) -> None:
    game, seat, _ = kept
    Game.objects.filter(pk=game).update(visibility="link")
    host = browser_of(people[(seat + 1) % 4])

    assert "To whom? Their name here" in page_of(game, host)
    assert host.post(f"/games/{game}/seats/{seat}/offer").status_code == 409
