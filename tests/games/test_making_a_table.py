"""A table is made: who sits where, what is refused, and what the log says of it."""

import pytest

from accounts.models import User
from games import dealkeys
from games.engine import deal
from games.engine.rules import PRESETS
from games.models import DealSecret, Game
from games.refusals import ReservationRefused, TooManyGames, UnknownPlayer
from games.services import lobby
from tests.games.tables import BOTS_ALONE, NOW, kinds_of, log_of, new_game


def test_a_table_begins_with_one_line_and_its_creator(asha: User) -> None:
    game = new_game(asha, seats=("me", "open", "open", "open"), contribution=b"seven")

    made, joined = log_of(game)
    assert (made.kind, made.by, made.seat) == ("created", "player", None)
    assert (joined.kind, joined.seat) == ("joined", 0)
    assert joined.data == {"contribution": "c2V2ZW4", "anchor_seen": False}
    assert Game.objects.get(pk=game).status == "open"


def test_the_first_line_fixes_rules_anchor_and_options(asha: User) -> None:
    game = Game.objects.get(pk=new_game(asha, PRESETS["yeeqia"], seats=("me", *["open"] * 3)))

    data = log_of(game.pk)[0].data
    assert set(data) == {"anchor", "rules", "rules_sha256", "options"}
    assert data["anchor"] == game.anchor
    assert data["rules"] == PRESETS["yeeqia"].to_json()
    assert set(data["options"]) == {"clock", "rated", "visibility", "auto_forced"}


def test_the_anchor_is_the_end_of_the_sealed_chain(asha: User) -> None:
    game = Game.objects.get(pk=new_game(asha))

    sealed = bytes(DealSecret.objects.get(game=game).sealed)
    secret = dealkeys.unseal(sealed)
    assert deal.anchor(game.pk, secret).hex() == game.anchor
    assert secret not in sealed
    assert secret.hex().encode() not in sealed


def test_a_table_without_an_open_seat_starts_by_itself(asha: User) -> None:
    game = new_game(asha, seats=("me", "bot:steady", "bot:beginner", "bot:steady"))

    kinds = kinds_of(game)
    assert kinds[:6] == ["created", "joined", "joined", "joined", "joined", "started"]
    assert "dealt" in kinds
    assert Game.objects.get(pk=game).status == "playing"


def test_an_invited_person_is_named_but_not_seated(asha: User, bina: User) -> None:
    game = Game.objects.get(pk=new_game(asha, seats=("me", "user:Bina", "open", "open")))

    seat = game.seats.get(number=1)
    assert (seat.invited, seat.user) == (bina, None)
    assert kinds_of(game.pk) == ["created", "joined"]


@pytest.mark.parametrize(
    "seats",
    [
        ("me", "open", "open"),
        ("me", "me", "open", "open"),
        ("me", "bot:grandmaster", "open", "open"),
        ("me", "bot:", "open", "open"),
        ("me", "user:", "open", "open"),
        ("me:", "open:2", "open", "open"),
        ("me", "nobody", "open", "open"),
        ("me", "user:bina", "user:BINA", "open"),
    ],
)
def test_seats_that_cannot_be_are_refused(asha: User, bina: User, seats: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="seats"):
        new_game(asha, seats=seats)

    assert not Game.objects.exists()


@pytest.mark.parametrize("name", ["zita", "asha"])
def test_strangers_and_oneself_cannot_be_invited(asha: User, name: str) -> None:
    with pytest.raises(UnknownPlayer):
        new_game(asha, seats=("me", f"user:{name}", "open", "open"))

    assert not Game.objects.exists()


def test_a_contribution_has_64_bytes_at_the_most(asha: User) -> None:
    new_game(asha, seats=("me", *["open"] * 3), contribution=b"x" * 64)

    with pytest.raises(ValueError, match="contribution"):
        new_game(asha, seats=("me", *["open"] * 3), contribution=b"x" * 65)


# Reservations


def test_a_reservation_fixes_id_and_anchor_before_anything_is_stored(asha: User) -> None:
    kept = lobby.reserve(f"user:{asha.pk}")
    assert not Game.objects.exists()

    game = Game.objects.get(pk=new_game(asha, seats=("me", *["open"] * 3), reservation=kept.token))

    assert (game.pk, game.anchor) == (kept.game, kept.anchor)
    assert log_of(game.pk)[1].data["anchor_seen"] is True


def test_a_reservation_is_used_once_even_after_a_cancellation(asha: User) -> None:
    kept = lobby.reserve(f"user:{asha.pk}")
    new_game(asha, seats=("me", *["open"] * 3), reservation=kept.token)
    lobby.leave(asha, kept.game, now=NOW)
    assert Game.objects.get(pk=kept.game).status == "cancelled"

    with pytest.raises(ReservationRefused):
        new_game(asha, seats=("me", *["open"] * 3), reservation=kept.token)

    assert Game.objects.count() == 1


@pytest.mark.parametrize("change", ["of somebody else", "cut short", "made up"])
def test_a_reservation_that_is_not_ones_own_is_refused(asha: User, bina: User, change: str) -> None:
    token = {
        "of somebody else": lobby.reserve(f"user:{bina.pk}").token,
        "cut short": lobby.reserve(f"user:{asha.pk}").token[:-1],
        "made up": "made up",
    }[change]

    with pytest.raises(ReservationRefused):
        new_game(asha, seats=("me", *["open"] * 3), reservation=token)

    assert not Game.objects.exists()


def test_two_reservations_share_nothing(asha: User) -> None:
    kept = [lobby.reserve(f"user:{asha.pk}") for _ in range(20)]

    assert len({each.game for each in kept} | {each.anchor for each in kept}) == 40


# Quotas


def test_nobody_runs_more_than_ten_games_without_people(asha: User) -> None:
    for _ in range(lobby.MAX_RUNNING_GAMES_WITHOUT_PEOPLE):
        new_game(asha, seats=BOTS_ALONE)

    with pytest.raises(TooManyGames):
        new_game(asha, seats=BOTS_ALONE)
    new_game(asha, seats=("me", *["open"] * 3))


def test_nobody_runs_more_than_fifty_games(
    asha: User, bina: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "MAX_RUNNING_GAMES", 3)
    games = [new_game(asha, seats=("me", *["open"] * 3)) for _ in range(3)]

    with pytest.raises(TooManyGames):
        new_game(asha, seats=("me", *["open"] * 3))
    new_game(bina, seats=("me", *["open"] * 3))

    lobby.leave(asha, games[0], now=NOW)  # which cancels it
    new_game(asha, seats=("me", *["open"] * 3))


def test_open_seats_filled_with_bots_are_no_way_to_more_games_without_people(
    asha: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "MAX_RUNNING_GAMES_WITHOUT_PEOPLE", 2)
    for _ in range(2):
        lobby.start(asha, new_game(asha, seats=("open", *BOTS_ALONE[1:])), now=NOW)
    third = new_game(asha, seats=("open", "open", *BOTS_ALONE[2:]))

    with pytest.raises(TooManyGames):
        lobby.start(asha, third, now=NOW)

    lobby.sit(asha, third, now=NOW)  # now somebody plays
    assert lobby.start(asha, third, now=NOW).game.status == "playing"


def test_nobody_sits_at_more_than_fifty_tables(
    asha: User, bina: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "MAX_RUNNING_GAMES", 2)
    games = [new_game(asha, seats=("me", *["open"] * 3)) for _ in range(2)]
    own = new_game(bina, seats=("open", *["open"] * 3))
    lobby.sit(bina, games[0], now=NOW)

    with pytest.raises(TooManyGames):
        lobby.sit(bina, games[1], now=NOW)

    lobby.sit(bina, own, now=NOW)  # counted already, as the one who made it
    lobby.leave(bina, games[0], now=NOW)
    lobby.sit(bina, games[1], now=NOW)
