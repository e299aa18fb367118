"""The daily roots as they are published, and the proof that a game is below one: for those who may see the game.

What is signed and hashed is text, so that anybody can write it again:

    callbreak-leaf/1 <game> <seq> <head>                                   a leaf: SHA-256(0x00 + this)
    callbreak-checkpoint/1 <number> <day> <size> <root> <previous>          its SHA-256 is the next one's <previous>

each part on a line of its own, no line feed at the end. Leaves stand in the order of the games' ids.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from games import queries
from games.engine import merkle
from games.models import Checkpoint, CheckpointLeaf

FIRST: Final = "0" * 64  # what the first checkpoint has for a previous one


class Leaf(NamedTuple):
    """A game at the time of a checkpoint: its last event's number and hash."""

    game: str
    seq: int
    head: str

    @property
    def line(self) -> bytes:
        return f"callbreak-leaf/1\n{self.game}\n{self.seq}\n{self.head}".encode()


def statement(checkpoint: Checkpoint) -> bytes:
    """What is signed and hashed of a checkpoint."""
    parts = (
        checkpoint.number,
        checkpoint.day.isoformat(),
        checkpoint.size,
        checkpoint.root,
        checkpoint.previous,
    )
    return "\n".join(["callbreak-checkpoint/1", *map(str, parts)]).encode()


def hash_of(checkpoint: Checkpoint) -> str:
    return sha256(statement(checkpoint)).hexdigest()


def root_of(leaves: Sequence[Leaf]) -> str:
    """The root over leaves in the order of their games' ids, in hex."""
    return merkle.root([merkle.leaf_hash(leaf.line) for leaf in leaves]).hex()


def leaves_at(number: int) -> list[Leaf]:
    """Every game below checkpoint `number`, in order."""
    newest: dict[str, Leaf] = {}
    rows = CheckpointLeaf.objects.filter(since__lte=number).order_by("since")
    for row in rows.values_list("game", "seq", "head").iterator(chunk_size=2000):
        newest[row[0]] = Leaf(*row)
    return [newest[game] for game in sorted(newest)]


def published() -> QuerySet[Checkpoint]:
    """All checkpoints, the newest first."""
    return Checkpoint.objects.order_by("-number")


def as_json(checkpoint: Checkpoint) -> dict[str, Any]:
    """A checkpoint as everybody may see it."""
    return {
        "number": checkpoint.number,
        "day": checkpoint.day,
        "size": checkpoint.size,
        "root": checkpoint.root,
        "previous": checkpoint.previous,
        "hash": checkpoint.hash,
        "signature": checkpoint.signature,
    }


def proof_of(game_id: str, viewer: int | None) -> dict[str, Any] | None:
    """That the game is below the newest checkpoint: `{checkpoint, leaf, index, path}`. None while it is below none.

    `GameNotFound` also when the viewer (a user's id) may not see the game.
    """
    queries.version(game_id, viewer)
    newest = published().first()
    if newest is None:
        return None
    leaves = _tree(newest.number, newest.hash)
    index = next((place for place, leaf in enumerate(leaves) if leaf.game == game_id), None)
    if index is None:
        return None
    leaf = leaves[index]
    path = merkle.path([merkle.leaf_hash(each.line) for each in leaves], index)
    return {
        "checkpoint": as_json(newest),
        "leaf": {"game": leaf.game, "seq": leaf.seq, "hash": leaf.head},
        "index": index,
        "path": [each.hex() for each in path],
    }


@lru_cache(maxsize=1)
def _tree(number: int, digest: str) -> tuple[Leaf, ...]:
    """The leaves of the newest checkpoint: they never change, and everybody asks for the same."""
    return tuple(leaves_at(number))
