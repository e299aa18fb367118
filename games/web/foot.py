"""What stands at the foot of the pages of a game: its log's head, and the ways to its other pages."""

from dataclasses import dataclass
from typing import Self

from games.table import Table
from games.wording import rules_name


@dataclass(frozen=True, slots=True)
class Foot:
    game: str
    seq: int
    head: str
    rules_key: str
    rules_name: str

    @classmethod
    def of(cls, table: Table) -> Self:
        name, game = table.rules.name, table.game
        return cls(game.pk, game.seq, short_hash(game.head), name, rules_name(name))


def short_hash(text: str) -> str:
    """The first digits of a hash, as people compare them."""
    return f"{text[:4]} {text[4:8]}"
