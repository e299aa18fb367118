"""What a mail says, to whom, in which language and time; and that it says nothing of a hand."""

import random
import re
from collections.abc import Callable, Sequence
from datetime import time, timedelta

import pytest
import time_machine
from django.conf import LazySettings
from django.core.mail import EmailMessage, EmailMultiAlternatives

from accounts.models import User
from games.engine.cards import DECK
from games.models import Game, Notice
from games.notices import letters
from games.notices.stopping import read_token
from games.services import pace
from games.table import dealing_with
from tests.dice import Dice
from tests.games.notices.acting import (
    DAY,
    HOUR,
    MINUTE,
    WAITED,
    act,
    four,
    next_player,
    run_out,
    send,
    wants,
)
from tests.games.tables import ARCADIA, NOW, ONE_ROUND, loaded, new_game, play_on
from tests.reliability.swaps import other_world
from tests.reliability.test_twin_worlds import as_it_was

Mails = list[EmailMessage]


def html_of(mail: EmailMessage) -> str:
    assert isinstance(mail, EmailMultiAlternatives)
    [(html, kind)] = mail.alternatives
    assert kind == "text/html"
    return str(html)


def only(mails: Mails, user: User) -> EmailMessage:
    [mail] = [mail for mail in mails if mail.to == [user.email]]
    return mail


def test_a_turn_says_where_what_until_when_and_the_head_of_the_log(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    game = four(people)
    first = next_player(game)
    others = [user.username for user in people if user != first]
    User.objects.filter(pk=first.pk).update(time_zone="Asia/Kathmandu")

    send(WAITED)

    [mail] = mailoutbox
    text, head = str(mail.body), Game.objects.get(pk=game).head
    assert mail.subject == f"Your turn: Bid ({', '.join(others)})"
    assert f"/games/{game}/?round=1" in text
    assert "Until Tue 1 Dec, 01:15 (your time)" in text  # 19:30 UTC, a day later
    for version in (text, html_of(mail)):
        assert head in version
        assert "round 1 of 1" in version
        assert "01:15" in version


@pytest.mark.parametrize(
    ("language", "day"), [("en", "Mon 30 Nov"), ("ne", "सोम 30 नोभेम्बर"), ("hi", "सोम 30 नव")]
)
def test_it_speaks_the_receivers_language(
    people: Sequence[User], mailoutbox: Mails, language: str, day: str
) -> None:
    first = next_player(four(people))
    User.objects.filter(pk=first.pk).update(language=language)

    send(WAITED)

    [mail] = mailoutbox
    assert f'<html lang="{language}">' in html_of(mail)
    assert day in str(mail.body)


def test_names_are_escaped_in_html_and_plain_in_text(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    game = four(people)
    first = next_player(game)
    other = next(user for user in people if user != first)
    User.objects.filter(pk=other.pk).update(username='<b>&"x')
    User.objects.filter(pk=first.pk).update(username="<i>me")

    send(WAITED)

    [mail] = mailoutbox
    assert '<b>&"x' in str(mail.body)
    assert "Hello <i>me," in str(mail.body)
    assert '<b>&"x' in mail.subject
    html = html_of(mail)
    assert "<b>" not in html
    assert "<i>" not in html
    assert "&lt;b&gt;&amp;&quot;x" in html


def test_a_name_cannot_write_a_header(people: Sequence[User], mailoutbox: Mails) -> None:
    game = four(people)
    first = next_player(game)
    other = next(user for user in people if user != first)
    User.objects.filter(pk=other.pk).update(username="x\r\nBcc: eli@example.com")

    assert send(WAITED) == 1

    assert "Bcc" not in mailoutbox[0].message()
    assert mailoutbox[0].recipients() == [first.email]


def test_the_end_of_a_round_tells_scores_totals_and_the_head(
    people: Sequence[User], mailoutbox: Mails
) -> None:
    game = four(people, ARCADIA)
    asha = people[0]
    wants(asha, round_over="at_once", your_turn="off")
    play_on(game, decisions=56)

    send(WAITED)

    mail = only(mailoutbox, asha)
    text, html = str(mail.body), html_of(mail)
    assert mail.subject.startswith("Over: round 1 of 5")
    assert all(f"\n{user.username}: " in text for user in people)
    assert Game.objects.get(pk=game).head in text
    assert html.count('<th scope="row">') == 4


def test_the_end_of_a_match_tells_places(people: Sequence[User], mailoutbox: Mails) -> None:
    play_on(four(people, ONE_ROUND))

    send(WAITED)

    text = str(only(mailoutbox, people[0]).body)
    assert re.search(r"\w+: place 1, total [−\d.]+\n", text)


def test_an_abandoned_match_says_so(people: Sequence[User], mailoutbox: Mails) -> None:
    game = four(people)
    play_on(game)
    result = {"reason": "abandoned", "winners": [], "totals": [0] * 4, "ranks": [1] * 4}
    Game.objects.filter(pk=game).update(result=result)

    send(WAITED)

    mail = mailoutbox[0]
    assert "its players had all left it" in str(mail.body)
    for text in (str(mail.body), html_of(mail)):
        assert not re.search(r"\b[Pp]lace\b", text)


def test_an_invitation_names_its_host(asha: User, bina: User, mailoutbox: Mails) -> None:
    new_game(asha, ARCADIA, ("me", "user:bina", "open", "open"))

    send(WAITED)

    assert only(mailoutbox, bina).subject == "asha keeps a seat for you (Arcadia)"


def test_every_mail_can_be_stopped_with_one_click(
    people: Sequence[User], mailoutbox: Mails, settings: LazySettings
) -> None:
    first = next_player(four(people))

    send(WAITED)

    [mail] = mailoutbox
    headers = mail.message()
    link = headers["List-Unsubscribe"].strip("<>")
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert link.startswith(f"{settings.SITE_URL}/notices/stop/")
    asked = read_token(link.rstrip("/").rpartition("/")[2])
    assert asked is not None
    assert (asked.user, asked.kind) == (first.pk, "your_turn")
    assert link in str(mail.body)
    assert "/settings/notices/" in str(mail.body)


def test_a_mail_made_twice_has_the_same_id(people: Sequence[User]) -> None:
    four(people)
    notice = Notice.objects.get()

    ids = {letters.message_of(notice, now=WAITED).message()["Message-ID"] for _ in range(2)}

    assert len(ids) == 1


def test_further_games_that_wait_are_counted(people: Sequence[User], mailoutbox: Mails) -> None:
    for _ in range(3):
        four(people, ONE_ROUND.replace(sealed_bids=True))

    send(WAITED)

    assert "2 more games wait for you" in str(only(mailoutbox, people[0]).body)


# No notice tells on a hand

KINDS = ["your_turn", "reminder", "time_ran_out", "seat_taken_over", "round_over", "invitation"]


@pytest.mark.parametrize("made", [2, 4 + 6, 56 + 10])
def test_twin_worlds_over_mails(
    person: Callable[[str], User],
    people: Sequence[User],
    mailoutbox: Mails,
    monkeypatch: pytest.MonkeyPatch,
    made: int,
) -> None:
    """In two worlds that differ in two other seats' cards every mail of every kind has the same bytes."""
    dice = Dice(monkeypatch)
    for attempt in range(20):
        dice.throw_again(f"{made}/{attempt}")
        game = four(people, ARCADIA.replace(rounds=2))
        play_on(game, decisions=made)
        table = loaded(game)
        receiver = next_player(game)
        seat = table.seat_of(receiver.pk)
        hidden = [other for other in range(4) if other != seat][:2]
        there = other_world(table, hidden[0], hidden[1], random.Random(made))
        if there is not None:
            break
    assert there is not None
    assert there.swapped
    for kind in KINDS:
        Notice.objects.get_or_create(
            user=receiver, game_id=game, round=1, turn=0, kind=kind,
            defaults={"created_at": NOW, "due_at": NOW, "next_attempt_at": NOW},
        )  # fmt: skip

    def mails_of(at: timedelta) -> list[bytes]:
        """The bytes of every mail that the same hours bring, taken back afterwards."""
        random.seed("the boundary between the parts of a mail")
        mailoutbox.clear()
        with as_it_was(), time_machine.travel(NOW + at, tick=False):
            pace.wake(game, round=max(table.rows), now=NOW + at)
            for notice in Notice.objects.filter(user=receiver).order_by("pk"):
                mailoutbox.append(letters.message_of(notice, now=NOW + at))
            send(NOW + at)
            return [mail.message().as_bytes() for mail in mailoutbox]

    for at in (HOUR, DAY * 4 // 5 + 2 * MINUTE):
        here = mails_of(at)
        with dealing_with(there.derive):
            elsewhere = mails_of(at)
        assert here == elsewhere
        assert len(here) >= len(KINDS)


def test_no_mail_names_a_card(people: Sequence[User], mailoutbox: Mails) -> None:
    game = four(people, ARCADIA.replace(rounds=2))
    for user in people:
        wants(user, **dict.fromkeys(["your_turn", "round_over"], "at_once"))
    for _ in range(60):
        act(game, now=NOW)
    run_out(game, round=2)
    for notice in Notice.objects.all():
        mailoutbox.append(letters.message_of(notice, now=WAITED))

    signs = {card.text for card in DECK} | set("♠♥♦♣")
    for mail in mailoutbox:
        # Addresses, hashes and tokens are full of letters.
        words = set(re.sub(r"https?://\S+|\b[0-9a-f]{64}\b", "", str(mail.body)).split())
        assert not words & signs


@pytest.mark.parametrize("night", [None, time(23)])
def test_whose_time_ran_out_hears_of_night_hours_if_they_have_none(
    people: Sequence[User], mailoutbox: Mails, night: time | None
) -> None:
    game = four(people)
    first = next_player(game)
    User.objects.update(night_start=night, night_end=night and time(7))

    at = run_out(game)
    send(at + 20 * MINUTE)

    mail = next(mail for mail in only_of(mailoutbox, first) if "ran out" in mail.subject)
    for version in (str(mail.body), html_of(mail)):
        assert ("while you sleep" in version) == (night is None)


def only_of(mails: Mails, user: User) -> Mails:
    return [mail for mail in mails if mail.to == [user.email]]
