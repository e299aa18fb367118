"""What is stored: games, their seats and rounds, and the one append-only log that all of it follows from.

`Game`, `Seat` and `Round` hold projections of the log beside what only they know (who sits where, the pace). What must never
happen is a named constraint here or a trigger in `guards.py`, so that no code path can get it wrong.
"""

from games.models.decisions import BotChoice, Coaching, Plan
from games.models.desk import TO_APPEAL, Case, CaseStep, Decision, Report
from games.models.game import (
    Game,
    Invitation,
    LastSeen,
    Round,
    Seat,
    SeatHolder,
    four_blanks,
    four_zeros,
)
from games.models.log import CARD_TEXTS, Bid, DealSecret, Event, Play, SealedBid
from games.models.notices import Notice, PushDevice
from games.models.oversight import (
    Checkpoint,
    CheckpointLeaf,
    DealCount,
    Heartbeat,
    Inspection,
    Outage,
    PairSignal,
    Quarantine,
    RoundSignal,
    fourteen_zeros,
    no_cards_yet,
)

__all__ = [
    "CARD_TEXTS",
    "TO_APPEAL",
    "Bid",
    "BotChoice",
    "Case",
    "CaseStep",
    "Checkpoint",
    "CheckpointLeaf",
    "Coaching",
    "DealCount",
    "DealSecret",
    "Decision",
    "Event",
    "Game",
    "Heartbeat",
    "Inspection",
    "Invitation",
    "LastSeen",
    "Notice",
    "Outage",
    "PairSignal",
    "Plan",
    "Play",
    "PushDevice",
    "Quarantine",
    "Report",
    "Round",
    "RoundSignal",
    "SealedBid",
    "Seat",
    "SeatHolder",
    "four_blanks",
    "four_zeros",
    "fourteen_zeros",
    "no_cards_yet",
]
