"""Whatever is done to the stored log, or to the columns beside it, `verify_log` finds; a clean site it calls clean.

The triggers are taken away first, inside the test's own transaction: so that there is something to find.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from games import dealkeys, guards, store
from games.engine import chain
from games.engine.cards import DECK
from games.engine.rules import PRESETS
from games.models import DealSecret, Event, Game, Round, SealedBid, Seat
from games.services import substituting
from games.services.audit import verify_game
from tests.games.clockwork import ONE_WEEK, four_at, twice_late
from tests.games.tables import ARCADIA, BOTS_ALONE, NOW, ONE_ROUND, new_game, play_on, seated

PRACTICE: Final = PRESETS["everestbuzz-practice"]
TABLES: Final = {
    **PRESETS,
    "yeeqia": PRESETS["yeeqia"].replace(max_rounds=2),
    "redeals": PRACTICE.replace(redeal_no_faces=True, redeal_bids_below=8, rounds=2),
    "side by side": ARCADIA.replace(rounds=3, parallel_rounds=True),
    "sealed": ARCADIA.replace(rounds=2, sealed_bids=True),
    "sealed and side by side": ARCADIA.replace(rounds=2, sealed_bids=True, parallel_rounds=True),
}


def found(game: str, *heads: tuple[int, str]) -> list[str]:
    return verify_game(game, now=NOW, heads=heads)


@pytest.fixture
def unguarded(db: None) -> None:
    """The log, the seeds and the sealed bids without their triggers, for this test."""
    with connection.cursor() as cursor:
        for guarded in guards.GUARDED:
            guards._remove(connection, cursor, guarded)


@contextmanager
def undone() -> Iterator[None]:
    """What is done inside is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def rewrite(game: str) -> None:
    """Number and hash the whole log anew, as whoever owns the database could."""
    row, head = Game.objects.get(pk=game), chain.genesis(game).hex()
    log = list(Event.objects.filter(game=game).order_by("seq"))
    for seq, event in enumerate(log, start=1):
        event.seq, event.prev_hash = seq, head
        head = event.hash = chain.next_hash(bytes.fromhex(head), store.record_of(event)).hex()
        Event.objects.filter(pk=event.pk).update(seq=seq, prev_hash=event.prev_hash, hash=head)
    row.seq, row.head = len(log), head
    row.save(update_fields=["seq", "head"])


# Clean games


@pytest.mark.parametrize("name", TABLES)
def test_a_clean_game_is_clean_from_its_start_to_its_end(asha: User, name: str) -> None:
    game = new_game(asha, TABLES[name], BOTS_ALONE)
    for _ in range(4):
        assert not found(game)
        play_on(game, decisions=11)
    play_on(game)

    assert Game.objects.get(pk=game).status == Game.Status.FINISHED
    assert not found(game)


def test_an_open_table_is_clean(asha: User) -> None:
    assert not found(new_game(asha, ONE_ROUND, ("me", "open", "bot:steady", "open")))


# The log


@pytest.mark.usefixtures("unguarded")
def test_every_changed_field_of_every_line_is_found(asha: User) -> None:
    game, dice = new_game(asha), Random(1)
    play_on(game)
    made, missed, refused = Counter[str](), Counter[str](), 0
    for event in Event.objects.filter(game=game).order_by("seq"):
        for name, value in _others(event, dice).items():
            try:
                with undone():
                    Event.objects.filter(pk=event.pk).update(**{name: value})
                    made[name] += 1
                    missed[name] += not found(game)
            except IntegrityError:
                refused += 1

    print(f"\n{made.total()} lines changed, {(+missed).total()} not found; {refused} refused")  # noqa: T201 - read for its counts
    assert not +missed
    assert made.total() >= 400


def _others(event: Event, dice: Random) -> dict[str, Any]:
    """Other values for the columns of a line."""
    others: dict[str, Any] = {
        "at": event.at.replace(minute=(event.at.minute + 1) % 60),
        "by": "staff" if event.by != "staff" else "dice",
        "data": {**event.data, "note": 1},
        "hash": dice.randbytes(32).hex(),
        "prev_hash": dice.randbytes(32).hex(),
        "kind": "left" if event.card is None and event.bid is None else event.kind,
        "seq": event.seq + 500,
        "card": event.card and dice.choice([c.text for c in DECK if c.text != event.card]),
    }
    for name in ("round", "attempt", "turn", "seat", "bid"):
        value = getattr(event, name)
        others[name] = None if value is None else value + 1 if value < 3 else value - 1
    return {name: value for name, value in others.items() if value != getattr(event, name)}


@pytest.mark.usefixtures("unguarded")
def test_what_was_done_to_the_order_of_the_lines_is_found(asha: User) -> None:
    game = new_game(asha)
    play_on(game)
    last = Event.objects.filter(game=game).count()
    made = 0
    for seq in range(1, last + 1):
        for damage in (_delete, _swap, _double, _cut_off):
            for anew in (False, True):
                if damage is _swap and (seq == last or seq in (2, 3, 4)):
                    continue  # people may sit down in any order
                with undone():
                    damage(game, seq)
                    if anew:
                        rewrite(game)
                    made += 1
                    assert found(game), (damage, seq, anew)

    print(f"\n{made} logs cut, reordered or lengthened, 0 not found")  # noqa: T201 - read for its counts
    assert made >= 400


def _line(game: str, seq: int) -> Any:
    return Event.objects.filter(game=game, seq=seq)


def _delete(game: str, seq: int) -> None:
    _line(game, seq).delete()


def _cut_off(game: str, seq: int) -> None:
    Event.objects.filter(game=game, seq__gte=seq).delete()


def _swap(game: str, seq: int) -> None:
    _line(game, seq).update(seq=9000)
    _line(game, seq + 1).update(seq=seq)
    _line(game, 9000).update(seq=seq + 1)


def _double(game: str, seq: int) -> None:
    line = _line(game, seq).get()
    for later in Event.objects.filter(game=game, seq__gt=seq).order_by("-seq"):
        Event.objects.filter(pk=later.pk).update(seq=later.seq + 1)
    line.pk, line.seq, line.kind = None, seq + 1, "left"
    line.bid = line.card = line.turn = None
    line.save(force_insert=True)


# A log that was written anew as a whole


@pytest.mark.usefixtures("unguarded")
def test_a_card_that_was_not_held_is_found_though_the_chain_was_written_anew(asha: User) -> None:
    game = new_game(asha)
    play_on(game)
    plays = list(Event.objects.filter(game=game, kind="played").order_by("seq"))
    for place, one in enumerate(plays[:44]):
        two = next(later for later in plays[place + 3 :] if later.seat != one.seat)
        with undone():
            Event.objects.filter(pk=one.pk).update(card=None, kind="left")
            Event.objects.filter(pk=two.pk).update(card=one.card)
            Event.objects.filter(pk=one.pk).update(card=two.card, kind="played")
            rewrite(game)
            assert found(game)[0].startswith("log: event ")


@pytest.mark.usefixtures("unguarded")
@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("dealt", lambda data: {**data, "dealer": (data["dealer"] + 1) % 4}),
        ("dealt", lambda data: {**data, "key": 2}),
        ("dealt", lambda data: {**data, "commitments": data["commitments"][::-1]}),
        ("revealed", lambda data: {**data, "s": "ab" * 32}),
        ("revealed", lambda data: {**data, "key": 2}),
        ("joined", lambda data: {**data, "contribution": "AAAA"}),
        ("created", lambda data: {**data, "anchor": "ab" * 32}),
        ("created", lambda data: {**data, "rules": {**data["rules"], "max_bid": 12}}),
        ("created", lambda data: {**data, "rules_sha256": "ab" * 32}),
    ],
)
def test_another_deal_is_found_though_the_chain_was_written_anew(
    asha: User, kind: str, change: Callable[[Any], Any]
) -> None:
    game = new_game(asha)
    play_on(game)
    line = Event.objects.filter(game=game, kind=kind).order_by("seq")[0]
    Event.objects.filter(pk=line.pk).update(data=change(line.data))
    rewrite(game)

    assert found(game)


@pytest.mark.usefixtures("unguarded")
@pytest.mark.parametrize(
    "change",
    [
        lambda line: {"at": line.at - timedelta(minutes=1)},
        lambda line: {"seat": (line.seat + 1) % 4},
        lambda line: {"by": "bot"},
        lambda line: {"data": {"user": "eli"}},
    ],
)
def test_a_seat_that_changed_hands_before_its_time_is_found_though_the_chain_was_written_anew(
    asha: User, bina: User, chandra: User, dipak: User, eli: User, change: Callable[[Any], Any]
) -> None:
    people = [asha, bina, chandra, dipak]
    game = four_at(people, clock=ONE_WEEK)
    seat, now = twice_late(game)
    substituting.offer(people[(seat + 1) % 4], game, seat=seat, now=now + timedelta(days=7))
    substituting.take_over(eli, game, seat=seat, now=now + timedelta(days=7))
    assert not found(game)
    line = Event.objects.get(game=game, kind="substituted")

    Event.objects.filter(pk=line.pk).update(**change(line))
    rewrite(game)

    assert found(game)[0].startswith(f"log: event {line.seq} (substituted): ")


@pytest.mark.usefixtures("unguarded")
def test_only_a_published_head_tells_of_a_clean_rewrite_and_of_a_log_cut_short(
    asha: User, tmp_path: Path
) -> None:
    game = new_game(asha, ONE_ROUND, ("me", "open", "open", "open"))
    before = Game.objects.get(pk=game)
    heads = tmp_path / "heads"
    heads.write_text(f"# yesterday\n{game} {before.seq} {before.head}\n\n")
    assert command("--heads", str(heads)) == (0, "1 games checked, 0 broken\n")

    created = Event.objects.get(game=game, seq=1)
    Event.objects.filter(pk=created.pk).update(at=created.at.replace(minute=1))
    rewrite(game)

    assert not found(game)
    assert command("--heads", str(heads))[0] == 1
    Event.objects.filter(game=game, seq=2).delete()
    Game.objects.filter(pk=game).update(seq=1, head=Event.objects.get(game=game).hash)
    Seat.objects.filter(game=game).update(user=None)
    assert not found(game)
    assert "was published, and is not there" in command("--heads", str(heads))[1]


# The seed, and the columns beside the log


@pytest.mark.usefixtures("unguarded")
def test_a_seed_that_is_another_or_cannot_be_opened_is_found(asha: User) -> None:
    game = new_game(asha)
    play_on(game, decisions=10)
    for sealed in (dealkeys.seal(bytes(32)), b"no token"):
        with undone():
            DealSecret.objects.filter(game=game).update(sealed=sealed)
            assert found(game)[0].startswith("seed: ")
    DealSecret.objects.filter(game=game).delete()
    assert found(game)[0].startswith("seed: ")


GAME_DAMAGE: Final[dict[str, Any]] = {
    "anchor": "ab" * 32,
    "rules_sha256": "ab" * 32,
    "rules": ARCADIA.replace(rounds=2).to_json(),
    "first_dealer": None,
    "totals": [1, 2, 3, 4],
    "adjusted": [0, 10, 0, 0],
    "keys_revealed": 0,
    "status": "open",
    "result": {"reason": "rounds", "winners": [0], "totals": [0] * 4, "ranks": [1] * 4},
    "seq": 3,
    "head": "ab" * 32,
}


@pytest.mark.parametrize("name", GAME_DAMAGE)
def test_a_changed_column_of_a_game_is_found(asha: User, name: str) -> None:
    game = new_game(asha)
    play_on(game)
    Game.objects.filter(pk=game).update(**{name: GAME_DAMAGE[name]})

    assert found(game)


ROUND_DAMAGE: Final[dict[str, Any]] = {
    "attempt": 5,
    "key": 9,
    "dealer": None,
    "state": "void",
    "turn": 900,
    "actors": [0, 1, 2, 3],
    "bids": [0, 0, 0, 0],
    "won": [13, 0, 0, 0],
    "scores": [99, 0, 0, 0],
    "totals_before": [1, 0, 0, 0],
    "commitments": [],
    "tricks_played": 11,
    "claimed_by": 2,
    "last_trick": {"leader": 0, "cards": [], "winner": 0},
}


@pytest.mark.parametrize("decisions", [9, 70])
@pytest.mark.parametrize("name", ROUND_DAMAGE)
def test_a_changed_column_of_a_round_is_found(asha: User, name: str, decisions: int) -> None:
    game = new_game(asha, ARCADIA)
    play_on(game, decisions=decisions)
    row = Round.objects.filter(game=game).order_by("number")[0]
    value = {"dealer": (row.dealer + 1) % 4}.get(name, ROUND_DAMAGE[name])
    Round.objects.filter(pk=row.pk).update(**{name: value})

    assert found(game) == [f"columns: round 1: {name}"]


def test_a_missing_or_additional_round_is_found(asha: User) -> None:
    game = new_game(asha, ARCADIA)
    play_on(game, decisions=70)
    row = Round.objects.filter(game=game).order_by("number")[1]
    with undone():
        row.delete()
        assert found(game)
    row.pk, row.number, row.key = None, 3, 3
    row.save(force_insert=True)
    assert found(game)


def test_a_changed_contribution_of_a_seat_is_found(asha: User, bina: User) -> None:
    game = new_game(asha, ONE_ROUND, ("me", *BOTS_ALONE[1:]), contribution=b"mine")
    Seat.objects.filter(game=game, number=0).update(contribution=b"yours")

    assert found(game)


@pytest.mark.usefixtures("unguarded")
def test_a_changed_or_missing_or_invented_sealed_bid_is_found(
    asha: User, bina: User, chandra: User, dipak: User
) -> None:
    game = seated([asha, bina, chandra, dipak], ONE_ROUND.replace(sealed_bids=True))
    play_on(game, decisions=2)
    assert not found(game)
    kept = SealedBid.objects.filter(game=game)[0]
    for change in ({"bid": kept.bid % 13 + 1}, {"turn": 9}, {"seat": 3 - kept.seat}, {"seq": 1}):
        try:
            with undone():
                SealedBid.objects.filter(pk=kept.pk).update(**change)
                assert found(game), change
        except IntegrityError:
            assert change == {"seat": 3 - kept.seat}  # the other one that is kept sits there
    kept.delete()
    assert found(game)


# The command


@pytest.mark.usefixtures("unguarded")
def test_a_restored_log_that_is_behind_a_published_head_is_stopped_where_that_is_asked(
    people: list[User], tmp_path: Path
) -> None:
    game, other = (seated(people) for _ in range(2))
    for each in (game, other):
        play_on(each, decisions=6)
    last = Event.objects.filter(game=game).order_by("seq").last()
    assert last is not None
    (heads := tmp_path / "heads").write_text(f"{game} {last.seq + 4} {'ab' * 32}\n")

    assert "stopped" not in command("--heads", str(heads))[1]
    status, said = command("--heads", str(heads), "--freeze")

    assert status == 1
    assert f"{game}: stopped" in said
    assert Game.objects.get(pk=game).status == Game.Status.FROZEN
    assert Game.objects.get(pk=other).status == Game.Status.PLAYING
    assert Event.objects.filter(game=game).count() == last.seq


def command(*arguments: str) -> tuple[int, str]:
    """Exit status and what was written."""
    out = StringIO()
    try:
        call_command("verify_log", *arguments, stdout=out, stderr=StringIO())
    except SystemExit as left:
        return int(left.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.usefixtures("unguarded")
def test_the_command_names_every_broken_game_and_goes_on(asha: User) -> None:
    games = [new_game(asha) for _ in range(3)]
    for game in games:
        play_on(game, decisions=8)
    assert command() == (0, "3 games checked, 0 broken\n")
    Event.objects.filter(game=games[1], kind="bid").update(by="player")

    status, written = command()

    assert status == 1
    lines = written.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"{games[1]}: chain: event ")
    assert lines[1] == "3 games checked, 1 broken"
    assert command("--game", games[0]) == (0, "1 games checked, 0 broken\n")
    assert command("--game", games[1])[0] == 1


@pytest.mark.django_db
def test_a_published_game_that_is_gone_is_found(tmp_path: Path) -> None:
    heads = tmp_path / "heads"
    heads.write_text(f"K7QX2M9RTV4B 3 {'ab' * 32}\n")

    assert command("--heads", str(heads)) == (
        1,
        "K7QX2M9RTV4B: there is no such game (any more)\n0 games checked, 1 broken\n",
    )
    assert command("--game", "K7QX2M9RTV4B")[0] == 1


@pytest.mark.parametrize("text", ["K7QX2M9RTV4B 3", "K7QX2M9RTV4B x y", "a b c d"])
def test_a_file_of_no_heads_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    heads = tmp_path / "heads"
    heads.write_text(f"# heads\n{text}\n")

    with pytest.raises(CommandError, match="line 2"):
        command("--heads", str(heads))
    with pytest.raises(CommandError, match="cannot be read"):
        command("--heads", str(tmp_path / "none"))


@pytest.mark.usefixtures("unguarded")
def test_what_is_found_tells_no_card_and_no_seed(asha: User) -> None:
    game = new_game(asha)
    play_on(game, decisions=20)
    line = Event.objects.filter(game=game, kind="played").order_by("seq")[3]
    for card in DECK:
        try:
            with undone():
                Event.objects.filter(pk=line.pk).update(card=card.text)
                rewrite(game)
                words = " ".join(found(game))
        except IntegrityError:
            continue
        assert not [each for each in DECK if each.text in words], words
