"""The rules of Callbreak: pure values and functions; clock and dice arrive as arguments.

Nothing but the standard library is imported below here. The names that this package itself exports
are promised: other programs are written against them.
"""

from games.engine.cards import parse_cards
from games.engine.errors import RuleViolation
from games.engine.legal import (
    check_bid,
    check_play,
    legal_plays,
    redeal_reason,
    redeal_reason_after_bids,
    trick_winner,
)
from games.engine.rules import PRESETS, HouseRules
from games.engine.scoring import round_scores, standings

__all__ = [
    "PRESETS",
    "HouseRules",
    "RuleViolation",
    "check_bid",
    "check_play",
    "legal_plays",
    "parse_cards",
    "redeal_reason",
    "redeal_reason_after_bids",
    "round_scores",
    "standings",
    "trick_winner",
]
