"""Invitation links: one seat each, for a week, until they are taken back; and one refusal for whatever is wrong."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import queries, store
from games.invitations import LIFE, check, hash_of
from games.models import Invitation
from games.refusals import (
    GameNotFound,
    InvitationRefused,
    NotOpen,
    NotSeated,
    SeatTaken,
    TooManyInvitations,
)
from games.services import lobby
from games.services.inviting import MOST_ALIVE, invite, revoke
from tests.games.tables import NOW, fingerprint, new_game

OPEN = ("me", "open", "open", "open")


@pytest.fixture
def game(asha: User) -> str:
    return new_game(asha, seats=OPEN, visibility="link")


def links_of(game: str, user: User) -> list[dict[str, object]]:
    return queries.invitations_at(store.load(game, now=NOW), user.pk)


def test_a_link_seats_somebody_at_a_hidden_table(asha: User, bina: User, game: str) -> None:
    token = invite(asha, game, now=NOW)

    table = lobby.sit(bina, game, now=NOW, invite=token)

    assert len(token) == 22
    assert table.seat_of(bina.pk) == 1


def test_a_link_may_be_for_one_seat(asha: User, bina: User, eli: User, game: str) -> None:
    token = invite(asha, game, now=NOW, seat=3)

    with pytest.raises(SeatTaken):
        lobby.sit(bina, game, now=NOW, seat=2, invite=token)
    assert lobby.sit(bina, game, now=NOW, invite=token).seat_of(bina.pk) == 3
    with pytest.raises(SeatTaken):
        invite(asha, game, now=NOW, seat=3)


def test_the_token_is_stored_nowhere_and_shown_to_its_maker(asha: User, game: str) -> None:
    token = invite(asha, game, now=NOW)

    stored = Invitation.objects.values().get(game=game)

    assert stored["hash"] == hash_of(token)
    assert token not in str(stored)
    assert [link["token"] for link in links_of(game, asha)] == [token]


def test_a_link_outlives_a_change_of_the_sites_key(
    asha: User, bina: User, game: str, settings: LazySettings
) -> None:
    token = invite(asha, game, now=NOW)

    old, settings.SECRET_KEY = settings.SECRET_KEY, "another key"
    assert [link["token"] for link in links_of(game, asha)] == [""]
    settings.SECRET_KEY_FALLBACKS = [old]
    assert [link["token"] for link in links_of(game, asha)] == [token]

    lobby.sit(bina, game, now=NOW, invite=token)


def test_whatever_is_wrong_is_refused_alike(
    asha: User, bina: User, chandra: User, eli: User, game: str
) -> None:
    used, revoked, old, late = (invite(asha, game, now=NOW) for _ in range(4))
    lobby.sit(bina, game, now=NOW, invite=used)
    revoke(asha, game, Invitation.objects.get(hash=hash_of(revoked)).pk, now=NOW)
    Invitation.objects.filter(hash=hash_of(old)).update(expires_at=NOW)
    elsewhere = new_game(chandra, seats=OPEN, visibility="link")
    started = new_game(asha, seats=OPEN, visibility="link")
    too_late = invite(asha, started, now=NOW)
    lobby.start(asha, started, now=NOW)
    before = fingerprint(game)

    told = set()
    for place, token in (
        (game, used),
        (game, revoked),
        (game, old),
        (game, "A" * 22),
        (game, "\ud800"),
        (elsewhere, late),
        (started, too_late),
        ("22222222ABCD", late),
    ):
        with (
            CaptureQueriesContext(
                connection,
            ) as asked,
            pytest.raises(InvitationRefused) as refused,
        ):
            lobby.sit(eli, place, now=NOW, invite=token)
        told.add((refused.value.code, str(refused.value.data), len(asked)))

    assert len(told) == 1
    assert fingerprint(game) == before


def test_the_same_person_may_send_it_twice(asha: User, bina: User, game: str) -> None:
    token = invite(asha, game, now=NOW)
    lobby.sit(bina, game, now=NOW, invite=token)
    before = fingerprint(game)

    lobby.sit(bina, game, now=NOW, invite=token)

    assert fingerprint(game) == before


def test_a_link_lasts_seven_days(asha: User, eli: User, game: str) -> None:
    token = invite(asha, game, now=NOW)

    assert check(game, eli.pk, token, now=NOW + LIFE - timedelta(seconds=1))
    with pytest.raises(InvitationRefused):
        check(game, eli.pk, token, now=NOW + LIFE)


def test_a_refused_seat_does_not_use_a_link_up(asha: User, bina: User, game: str) -> None:
    token = invite(asha, game, now=NOW)

    with pytest.raises(SeatTaken):
        lobby.sit(bina, game, now=NOW, seat=0, invite=token)

    lobby.sit(bina, game, now=NOW, invite=token)


def test_who_sits_there_may_invite_and_nobody_else(asha: User, bina: User, eli: User) -> None:
    game = new_game(asha, seats=OPEN)
    hidden = new_game(asha, seats=OPEN, visibility="link")
    lobby.sit(bina, game, now=NOW)

    invite(bina, game, now=NOW)
    with pytest.raises(NotSeated):
        invite(eli, game, now=NOW)
    with pytest.raises(GameNotFound):
        invite(eli, hidden, now=NOW)


def test_a_maker_sees_their_own_links_and_the_creator_all(
    asha: User, bina: User, eli: User
) -> None:
    game = new_game(asha, seats=OPEN)
    lobby.sit(bina, game, now=NOW)
    invite(asha, game, now=NOW)
    mine = invite(bina, game, now=NOW)

    assert len(links_of(game, asha)) == 2
    assert [link["token"] for link in links_of(game, bina)] == [mine]
    assert links_of(game, eli) == []


def test_a_link_is_taken_back_by_its_maker_or_the_creator(asha: User, bina: User) -> None:
    game = new_game(asha, seats=OPEN)
    lobby.sit(bina, game, now=NOW)
    invite(asha, game, now=NOW)
    invite(bina, game, now=NOW)
    ashas, binas = Invitation.objects.filter(game=game).order_by("pk")

    revoke(bina, game, ashas.pk, now=NOW)
    assert len(links_of(game, asha)) == 2
    revoke(asha, game, binas.pk, now=NOW)
    revoke(asha, game, binas.pk, now=NOW)

    assert [link["id"] for link in links_of(game, asha)] == [ashas.pk]


def test_who_leaves_takes_their_links_along(asha: User, bina: User, eli: User) -> None:
    game = new_game(asha, seats=OPEN)
    lobby.sit(bina, game, now=NOW)
    kept, gone = invite(asha, game, now=NOW), invite(bina, game, now=NOW)

    lobby.leave(bina, game, now=NOW)

    with pytest.raises(InvitationRefused):
        lobby.sit(eli, game, now=NOW, invite=gone)
    lobby.sit(eli, game, now=NOW, invite=kept)


def test_a_table_that_plays_invites_nobody(asha: User) -> None:
    with pytest.raises(NotOpen):
        invite(asha, new_game(asha), now=NOW)


def test_a_table_has_so_many_links_and_no_more(asha: User, game: str) -> None:
    for _ in range(MOST_ALIVE):
        invite(asha, game, now=NOW)

    with pytest.raises(TooManyInvitations):
        invite(asha, game, now=NOW)
    invite(asha, game, now=NOW + LIFE)


def test_no_two_links_have_one_token(asha: User, game: str) -> None:
    invite(asha, game, now=NOW)
    invite(asha, game, now=NOW)
    taken = Invitation.objects.filter(game=game)[0].hash

    with pytest.raises(IntegrityError, match="hash"), transaction.atomic():
        Invitation.objects.filter(game=game).update(hash=taken)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"seat": 4}, "invitation_seat_is_a_seat"),
        ({"used_at": NOW, "revoked_at": NOW}, "invitation_used_or_revoked"),
    ],
)
def test_the_database_refuses_what_must_not_be(
    asha: User, game: str, changes: dict[str, object], name: str
) -> None:
    invite(asha, game, now=NOW)

    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        Invitation.objects.filter(game=game).update(**changes)
