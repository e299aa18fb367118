"""What can go wrong at a table, by name.

Two different things: input that is malformed is a `ValueError`; a well-formed move against the rules is a `RuleViolation`,
whose code is public API and never changes meaning. The sentences are English message ids: the edges translate them and
fill in the fields, so the engine needs no translation machinery.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Code(StrEnum):
    """Why a move was refused."""

    WRONG_PHASE = "wrong_phase"
    NOT_YOUR_TURN = "not_your_turn"
    BID_OUT_OF_RANGE = "bid_out_of_range"
    CARD_NOT_HELD = "card_not_held"
    MUST_FOLLOW_SUIT = "must_follow_suit"
    MUST_BEAT = "must_beat"
    MUST_TRUMP = "must_trump"
    CLAIM_NOT_PROVEN = "claim_not_proven"
    GAME_OVER = "game_over"
    BAD_DEAL = "bad_deal"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A sentence with named fields (filled from `RuleViolation.data`) and the topic that ends its citation id."""

    sentence: str
    topic: str


def _(message: str) -> str:
    """Mark a sentence for the translators; the edges look its translation up."""
    return message


EXPLAIN: Final[Mapping[Code, Explanation]] = {
    Code.WRONG_PHASE: Explanation(
        _("This is not the time for that: the round is in another phase."), "order"
    ),
    Code.NOT_YOUR_TURN: Explanation(_("It is not your turn."), "order"),
    Code.BID_OUT_OF_RANGE: Explanation(
        _("Bids at this table go from %(min_bid)s to %(max_bid)s."), "bid"
    ),
    Code.CARD_NOT_HELD: Explanation(_("%(card)s is not in your hand."), "hand"),
    Code.MUST_FOLLOW_SUIT: Explanation(
        _("You must follow the suit that was led while you hold a card of it."), "follow"
    ),
    Code.MUST_BEAT: Explanation(_("You must beat %(best)s while you can."), "beat"),
    Code.MUST_TRUMP: Explanation(
        _("You cannot follow suit, so a spade is due: one that wins the trick if you hold one."),
        "trump",
    ),
    Code.CLAIM_NOT_PROVEN: Explanation(
        _("Your cards and what was played do not prove that the rest is yours."), "claim"
    ),
    Code.GAME_OVER: Explanation(_("The match is over."), "end"),
    Code.BAD_DEAL: Explanation(_("This is not a deal that the rules allow here."), "deal"),
}


class RuleViolation(Exception):
    """A well-formed move that the rules refuse. `code` is stable; `data` holds the facts of the sentence, as JSON values.

    `data` may hold `legal`, the cards that may be played: it is for the eyes of the seat that asked, alone.
    """

    def __init__(self, code: Code, **data: object) -> None:
        super().__init__(code.value)
        self.code = code
        self.data = data

    @property
    def sentence(self) -> str:
        """The English sentence, with its fields still to be filled: `sentence % data`."""
        return EXPLAIN[self.code].sentence

    def __str__(self) -> str:
        return self.sentence % self.data


def citation(rules_name: str, code: Code) -> str:
    """The stable id of the rule behind a refusal, such as `arcadia/beat`."""
    return f"{rules_name}/{EXPLAIN[code].topic}"
