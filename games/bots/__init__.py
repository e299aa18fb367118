"""The bots by level: players that see an `Observation` and nothing else, standard library only.

BOTS["steady"].bid(observation) -> int
BOTS["steady"].play(observation) -> Card
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from games.bots.beginner import Beginner
from games.bots.expert import Expert
from games.bots.policy import Policy
from games.bots.steady import Steady

__all__ = ["BOTS", "Policy"]

BOTS: Final[Mapping[str, Policy]] = MappingProxyType(
    {"beginner": Beginner(), "steady": Steady(), "expert": Expert()}
)
