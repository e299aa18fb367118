"""A mail speaks its receiver's language from the subject to the links below, whatever it tells."""

import re
from collections.abc import Callable

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.models import Game, Notice
from games.notices import letters
from tests.games.notices.acting import WAITED, four, next_player
from tests.games.tables import ARCADIA, NOW, ONE_ROUND, loaded, new_game, play_on
from tests.i18n.extract import LANGUAGES
from tests.i18n.test_pages import DEVANAGARI_DIGITS, words_of

pytestmark = pytest.mark.django_db

Kind = Notice.Kind
OF_A_RUNNING_GAME = [
    Kind.YOUR_TURN,
    Kind.REMINDER,
    Kind.TIME_RAN_OUT,
    Kind.SEAT_TAKEN_OVER,
    Kind.ROUND_OVER,
]
# Addresses, hashes, names, and what tells a screen its width.
_IN_NO_LANGUAGE = re.compile(
    r"https?://\S+|\b[0-9a-f]{64}\b|width=.*scale=1|asha|bina|chandra|dipak|Arcadia|Callbreak"
)


@pytest.fixture(params=LANGUAGES)
def asha(request: pytest.FixtureRequest, person: Callable[[str], User]) -> User:
    user = person("asha")
    user.language = str(request.param)
    user.save()
    return user


def notice(user: User, kind: str, game: str | None, **more: object) -> Notice:
    row, _ = Notice.objects.get_or_create(
        user=user, kind=kind, game_id=game, **more,
        defaults={"created_at": NOW, "due_at": NOW, "next_attempt_at": NOW},
    )  # fmt: skip
    return row


def check(row: Notice) -> None:
    mail = letters.message_of(row, now=WAITED)
    assert isinstance(mail, EmailMultiAlternatives)
    [(html, _)] = mail.alternatives
    assert f'<html lang="{row.user.language}">' in str(html)
    for said in (str(mail.subject), str(mail.body), words_of(str(html))):
        words = _IN_NO_LANGUAGE.sub(" ", said)
        assert re.findall(r"[A-Za-z]+", words) == []
        assert not DEVANAGARI_DIGITS.search(words)


@pytest.mark.parametrize("kind", OF_A_RUNNING_GAME)
def test_of_a_running_game(people: list[User], kind: str) -> None:
    game = four(people, ARCADIA)
    for decisions in (0, 4):  # a bid is asked for, then a card
        play_on(game, decisions=decisions)
        while next_player(game) != people[0]:
            play_on(game, decisions=1)
        turn = loaded(game).rounds[1].turn

        check(notice(people[0], kind, game, round=1, turn=turn))


def test_of_a_day(people: list[User]) -> None:
    asha, bina, *_ = people
    game, over = four(people, ARCADIA.replace(sealed_bids=True)), four(people)
    play_on(over)
    invited = new_game(bina, ARCADIA, ("me", "user:asha", "open", "open"))
    for kind in (Kind.TIME_RAN_OUT, Kind.ROUND_OVER):
        notice(asha, kind, game, round=1, turn=0)
    notice(asha, Kind.MATCH_OVER, over)
    notice(asha, Kind.INVITATION, invited)
    digest = notice(asha, Kind.DIGEST, None, day=WAITED.date())
    parts = Notice.objects.filter(user=asha).exclude(pk=digest.pk)
    parts.update(digest=digest, status=Notice.Status.IN_DIGEST)

    check(digest)

    said = str(letters.message_of(digest, now=WAITED).body)
    assert said.count("\n- ") == 5


def test_of_further_games(people: list[User]) -> None:
    sealed = ONE_ROUND.replace(sealed_bids=True)
    for others in (2, 3):
        games = [four(people, sealed) for _ in range(others)]

        check(notice(people[0], Kind.YOUR_TURN, games[0], round=1, turn=0))


@pytest.mark.parametrize("reason", ["rounds", "abandoned"])
def test_of_the_end(people: list[User], reason: str) -> None:
    game = four(people)
    play_on(game)
    ended = Game.objects.get(pk=game)
    assert ended.result is not None
    ended.result["reason"] = reason
    ended.save(update_fields=["result"])

    check(notice(people[0], Kind.MATCH_OVER, game))


def test_of_an_invitation(people: list[User]) -> None:
    asha, bina, *_ = people
    game = new_game(bina, ARCADIA, ("me", "user:asha", "open", "open"))

    check(notice(asha, Kind.INVITATION, game))
