"""Another match of the same company: one table for all who ask, with the old rules, pace and seats."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from games import queries, store
from games.models import Game, Seat
from games.refusals import GameNotFound, NotOver, NotSeated
from games.services import lobby
from games.services.rematching import rematch
from tests.games.tables import NOW, ONE_ROUND, fingerprint, kinds_of, new_game, play_on, seated

PACE = {"kind": "per_turn", "seconds": 86400}


@pytest.fixture
def over(asha: User, bina: User) -> str:
    """A match that asha and bina have played against two bots."""
    seats = ("bot:steady", "me", "user:bina", "bot:beginner")
    options = {"auto_forced": True, "pauses_weekends": True, "allows_holidays": False}
    game = new_game(asha, ONE_ROUND, seats, clock=PACE, visibility="link", **options)
    lobby.sit(bina, game, now=NOW)
    play_on(game)
    return game


def seats_of(game: str) -> list[tuple[str | None, str | None, str]]:
    return [
        (
            seat.user.username if seat.user else None,
            seat.invited.username if seat.invited else None,
            seat.bot,
        )
        for seat in Seat.objects.filter(game=game).order_by("number")
    ]


def test_the_company_meets_again(asha: User, bina: User, over: str) -> None:
    new = Game.objects.get(pk=rematch(bina, over, now=NOW))
    old = Game.objects.get(pk=over)

    assert (new.rules, new.clock, new.visibility) == (old.rules, old.clock, old.visibility)
    assert (new.rated, new.auto_forced) == (False, True)
    assert (new.pauses_weekends, new.allows_holidays) == (True, False)
    assert (new.status, new.created_by, new.rematch_of) == ("open", bina, old)
    assert seats_of(new.pk) == [
        (None, None, "steady"),
        (None, "asha", ""),
        ("bina", None, ""),
        (None, None, "beginner"),
    ]
    lobby.sit(asha, new.pk, now=NOW)
    assert "started" in kinds_of(new.pk)


def test_whoever_presses_comes_to_the_same_table(asha: User, bina: User, over: str) -> None:
    new = rematch(bina, over, now=NOW)
    before = fingerprint(new), fingerprint(over)

    assert rematch(bina, over, now=NOW) == new
    assert rematch(asha, over, now=NOW) == new

    assert (fingerprint(new), fingerprint(over)) == before
    assert Game.objects.count() == 2


def test_a_table_against_bots_starts_at_once(asha: User) -> None:
    game = new_game(asha, seats=("me", "bot:steady", "bot:steady", "bot:steady"))
    play_on(game)

    assert Game.objects.get(pk=rematch(asha, game, now=NOW)).status == "playing"


def test_somebody_who_is_gone_leaves_an_open_seat(
    asha: User, bina: User, chandra: User, dipak: User
) -> None:
    game = seated([asha, bina, chandra, dipak])
    play_on(game)
    Seat.objects.filter(game=game, user=chandra).update(user=None)

    new = rematch(asha, game, now=NOW)

    assert seats_of(new)[2] == (None, None, "")


def test_only_those_who_played_and_only_afterwards(asha: User, bina: User, eli: User) -> None:
    public = new_game(asha)
    hidden = new_game(asha, visibility="link")
    running = new_game(asha, seats=("me", "bot:steady", "bot:steady", "bot:steady"))
    play_on(public)

    with pytest.raises(NotSeated):
        rematch(eli, public, now=NOW)
    with pytest.raises(GameNotFound):
        rematch(eli, hidden, now=NOW)
    with pytest.raises(NotOver):
        rematch(asha, running, now=NOW)
    assert Game.objects.count() == 3


def test_a_rematch_that_all_have_left_can_be_made_again(asha: User, over: str) -> None:
    first = rematch(asha, over, now=NOW)
    lobby.leave(asha, first, now=NOW)

    second = rematch(asha, over, now=NOW)

    assert second != first
    assert Game.objects.get(pk=first).status == "cancelled"


def test_the_old_table_leads_on_whoever_may_go_there(
    asha: User, bina: User, eli: User, over: str
) -> None:
    hidden = rematch(asha, over, now=NOW)
    public = new_game(asha, seats=("me", "bot:steady", "bot:steady", "bot:steady"))
    play_on(public)
    open_to_all = rematch(asha, public, now=NOW)

    def led(game: str, viewer: User | None) -> str | None:
        return queries.rematch_of(store.load(game, now=NOW), viewer.pk if viewer else None)

    assert (led(over, asha), led(over, bina), led(over, eli)) == (hidden, hidden, None)
    assert led(over, None) is None
    assert (led(public, eli), led(public, None)) == (open_to_all, open_to_all)


def test_the_database_keeps_it_to_one(asha: User, over: str) -> None:
    rematch(asha, over, now=NOW)
    other = new_game(asha)

    with pytest.raises(IntegrityError, match="rematch"), transaction.atomic():
        Game.objects.filter(pk=other).update(rematch_of=over)
