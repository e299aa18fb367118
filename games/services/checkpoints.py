"""Once a day: one signed root over every game's (id, last seq, head), chained to the day before.

Whoever keeps a root can show later that a game was changed, cut short or taken away. `check` looks whether what is stored still
leads to what was signed; the heads below a checkpoint are put to the games themselves by `audit.verify_game`.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from django.db import IntegrityError, transaction

from games import receipts, transparency
from games.models import Checkpoint, CheckpointLeaf, Game
from games.transparency import Leaf

# The number of a checkpoint, and the hash it was published with.
Published = tuple[int, str]


def make_checkpoint(*, now: datetime) -> Checkpoint | None:
    """Today's (UTC) checkpoint; None if it is there already."""
    day = now.astimezone(UTC).date()
    last = Checkpoint.objects.order_by("-number").first()
    if last is not None and last.day >= day:
        return None
    made, changed = _make(last, now=now)
    try:
        with transaction.atomic():  # only now: whoever plays does not wait for the hashes
            made.save(force_insert=True)
            CheckpointLeaf.objects.bulk_create(changed, batch_size=500)
    except IntegrityError:  # two clocks: the other was quicker
        return None
    return made


def _make(last: Checkpoint | None, *, now: datetime) -> tuple[Checkpoint, list[CheckpointLeaf]]:
    """The checkpoint that follows `last`, and the rows of the games that have moved since."""
    # One statement, hence one moment: a game's number and hash belong together.
    games = Game.objects.order_by("pk").values_list("pk", "seq", "head")
    leaves = sorted(Leaf(*row) for row in games)
    before = set() if last is None else set(transparency.leaves_at(last.number))
    made = Checkpoint(
        number=1 if last is None else last.number + 1,
        day=now.astimezone(UTC).date(),
        at=now,
        size=len(leaves),
        root=transparency.root_of(leaves),
        previous=transparency.FIRST if last is None else last.hash,
    )
    made.hash = transparency.hash_of(made)
    made.signature = receipts.sign_bytes(transparency.statement(made))
    changed = [
        CheckpointLeaf(game_id=leaf.game, since=made, seq=leaf.seq, head=leaf.head)
        for leaf in leaves
        if leaf not in before
    ]
    return made, changed


def heads_of(game_id: str) -> list[tuple[int, str]]:
    """The heads under which this game was ever signed for: (number of the event, hash)."""
    rows = CheckpointLeaf.objects.filter(game=game_id).order_by("since")
    return list(rows.values_list("seq", "head"))


def check(*, published: Iterable[Published] = (), newest: int | None = None) -> list[str]:
    """What is wrong with the checkpoints, a sentence each; nothing if all is well.

    `published` are those that somebody kept. Of `newest` (all, if None) the root is worked out again from the games below it.
    """
    found: list[str] = []
    previous, day = transparency.FIRST, None
    rows = list(Checkpoint.objects.order_by("number"))
    again = {row.number for row in (rows if newest is None else rows[-newest:])}
    for place, row in enumerate(rows, start=1):
        wrong = []
        if row.number != place:
            found.append(f"checkpoint {place} is missing")
            break
        if row.previous != previous:
            wrong.append("it follows from another one")
        if day is not None and row.day <= day:
            wrong.append("it is not of a later day than the one before")
        if row.hash != transparency.hash_of(row):
            wrong.append("it was changed")
        if not receipts.is_signed(transparency.statement(row), row.signature):
            wrong.append("the site's key did not sign it")
        if row.number in again and not _leads_to_its_root(row):
            wrong.append("other games are below it than it was made of")
        found += [f"checkpoint {row.number}: {each}" for each in wrong]
        previous, day = row.hash, row.day
    kept = {row.number: row.hash for row in rows}
    for number, digest in published:
        if number not in kept:
            found.append(f"checkpoint {number} was published, and is not there any more")
        elif kept[number] != digest:
            found.append(f"checkpoint {number} is not the one that was published")
    return found


def _leads_to_its_root(row: Checkpoint) -> bool:
    leaves = transparency.leaves_at(row.number)
    return (len(leaves), transparency.root_of(leaves)) == (row.size, row.root)
