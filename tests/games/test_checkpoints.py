"""The daily roots: one a day, chained and signed; what was cut short or written anew does not lead to them any more."""

from base64 import urlsafe_b64decode
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db import connection

from accounts.models import User
from games import receipts, transparency
from games.engine import merkle
from games.models import Checkpoint, CheckpointLeaf, Event, Game
from games.refusals import GameNotFound
from games.services import checkpoints
from games.services.audit import verify_game
from tests.games.tables import NOW, new_game, play_on
from tests.games.test_verify_log import command, rewrite, unguarded

__all__ = ["unguarded"]  # a fixture

DAY = timedelta(days=1)


def made(*, days: int = 0) -> Checkpoint:
    checkpoint = checkpoints.make_checkpoint(now=NOW + days * DAY)
    assert checkpoint is not None
    return checkpoint


@pytest.mark.django_db
def test_a_site_without_games_has_a_root_too() -> None:
    first = made()

    assert (first.number, first.size, first.root) == (1, 0, sha256(b"").hexdigest())
    assert checkpoints.make_checkpoint(now=NOW) is None
    assert not checkpoints.check()


def test_each_day_is_chained_to_the_one_before_and_signed(asha: User) -> None:
    game = new_game(asha)
    first = made()
    play_on(game, decisions=5)
    new_game(asha)
    second = made(days=1)

    assert (first.previous, second.previous) == ("0" * 64, first.hash)
    assert (first.size, second.size) == (1, 2)
    key = urlsafe_b64decode(receipts.public_key() + "=")
    Ed25519PublicKey.from_public_bytes(key).verify(
        urlsafe_b64decode(second.signature + "=="),
        f"callbreak-checkpoint/1\n2\n2026-11-30\n2\n{second.root}\n{first.hash}".encode(),
    )
    assert not checkpoints.check()


def test_a_game_that_nobody_played_takes_no_second_row(asha: User) -> None:
    still, moving = new_game(asha), new_game(asha)
    play_on(still)
    for day in range(4):
        play_on(moving, decisions=2)
        made(days=day)

    assert CheckpointLeaf.objects.filter(game=still).count() == 1
    assert CheckpointLeaf.objects.filter(game=moving).count() == 4
    assert not checkpoints.check()


def test_a_proof_leads_from_the_game_to_the_root(asha: User) -> None:
    games = [new_game(asha) for _ in range(5)]
    checkpoint = made()
    head = Game.objects.get(pk=games[3]).head
    play_on(games[3], decisions=3)

    proof = transparency.proof_of(games[3], None)

    assert proof is not None
    assert proof["leaf"]["hash"] == head
    leaf = "callbreak-leaf/1\n{game}\n{seq}\n{hash}".format(**proof["leaf"]).encode()
    path = [bytes.fromhex(each) for each in proof["path"]]
    here = merkle.root_by(sha256(b"\0" + leaf).digest(), proof["index"], checkpoint.size, path)
    assert here.hex() == checkpoint.root == proof["checkpoint"]["root"]


def test_a_proof_is_for_those_who_may_see_the_game(asha: User, eli: User) -> None:
    hidden = new_game(asha, visibility="link")
    made()

    assert transparency.proof_of(hidden, asha.pk) is not None
    with pytest.raises(GameNotFound):
        transparency.proof_of(hidden, eli.pk)


def test_a_game_of_today_has_no_proof_yet(asha: User) -> None:
    assert transparency.proof_of(new_game(asha), None) is None
    made()
    assert transparency.proof_of(new_game(asha), None) is None


@pytest.mark.usefixtures("unguarded")
def test_a_log_cut_short_is_found_by_the_root(asha: User) -> None:
    game = new_game(asha)
    play_on(game, decisions=9)
    made()

    Event.objects.filter(game=game, seq__gt=Game.objects.get(pk=game).seq - 4).delete()
    rewrite(game)

    found = verify_game(game, now=NOW)
    assert any("was published, and is not there any more" in each for each in found)


@pytest.mark.usefixtures("unguarded")
def test_a_log_written_anew_is_found_by_the_root(asha: User) -> None:
    game = new_game(asha)
    play_on(game)
    made()

    later = Event.objects.filter(game=game, seq=12).get().at + timedelta(minutes=2)
    Event.objects.filter(game=game, seq=12).update(at=later)
    assert any("event 12 was changed" in each for each in verify_game(game, now=NOW))
    rewrite(game)

    found = verify_game(game, now=NOW)
    assert len(found) == 1
    assert "is not the one that was published" in found[0]
    assert command()[0] == 1


@pytest.mark.usefixtures("unguarded")
def test_who_forges_the_roots_too_is_found_by_one_that_somebody_kept(
    asha: User, tmp_path: Path
) -> None:
    game = new_game(asha)
    play_on(game)
    kept = tmp_path / "heads"
    kept.write_text(f"checkpoint 1 {made().hash}\n")
    assert command("--heads", str(kept)) == (0, "1 games checked, 0 broken\n")

    # Everything that the operator could do: log, leaves and root anew, under the site's own key.
    Event.objects.filter(game=game, seq=12).update(at=NOW + timedelta(minutes=5))
    rewrite(game)
    CheckpointLeaf.objects.all().delete()
    Checkpoint.objects.all().delete()
    made()

    assert command() == (0, "1 games checked, 0 broken\n")
    code, told = command("--heads", str(kept))
    assert code == 1
    assert "checkpoint 1 is not the one that was published" in told
    Checkpoint.objects.filter(number=1).update(day=NOW.date() - DAY)
    assert command()[0] == 1


def test_every_changed_column_of_a_root_is_found(asha: User) -> None:
    new_game(asha)
    made()
    made(days=1)
    row = Checkpoint.objects.get(number=2)
    others = {
        "day": row.day - 3 * DAY,
        "size": 2,
        "root": "ab" * 32,
        "previous": "ab" * 32,
        "hash": "ab" * 32,
        "signature": receipts.sign_bytes(b"something else"),
    }

    for name, value in others.items():
        Checkpoint.objects.filter(number=2).update(**{name: value})
        assert checkpoints.check(), name
        Checkpoint.objects.filter(number=2).update(**{name: getattr(row, name)})
    assert not checkpoints.check()


def test_a_missing_root_and_other_leaves_are_found(asha: User) -> None:
    game = new_game(asha)
    for day in range(3):
        play_on(game, decisions=2)
        made(days=day)

    CheckpointLeaf.objects.filter(since=2).update(seq=7)
    assert checkpoints.check() == [
        "checkpoint 2: other games are below it than it was made of",
    ]
    assert not checkpoints.check(newest=1)
    with connection.constraint_checks_disabled():
        CheckpointLeaf.objects.filter(since=2).delete()
        Checkpoint.objects.filter(number=2).delete()
    assert "checkpoint 2 is missing" in checkpoints.check()
    assert checkpoints.check(published=[(9, "ab" * 32)])
