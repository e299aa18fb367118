"""Legal bids, legal plays and why not, who wins a trick, when a deal is thrown in.

Questions about a position, answered from the fields of the rules. Nothing here knows whose turn it
is or who else holds what: `hand` is what one seat holds now, `trick` the cards already played to the
trick, in order. A position that cannot be is a ValueError.
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final

from games.engine.cards import SPADES, Card
from games.engine.errors import Code, RuleViolation
from games.engine.rules import HouseRules

NO_SPADES: Final = "no_spades"
NO_FACES: Final = "no_faces"
LOW_BIDS: Final = "low_bids"

_CANONICAL: Final = attrgetter("index")


def check_bid(rules: HouseRules, bid: int) -> None:
    """Return, or raise `bid_out_of_range`; ValueError for no integer (a bool is not one)."""
    if not rules.allows_bid(bid):
        raise RuleViolation(Code.BID_OUT_OF_RANGE, min_bid=rules.min_bid, max_bid=rules.max_bid)


def legal_plays(rules: HouseRules, hand: Iterable[Card], trick: Iterable[Card]) -> list[Card]:
    """The cards that may be played, in canonical order. None only for an empty hand."""
    return list(_legal(rules, *_position(hand, trick)))


def check_play(rules: HouseRules, hand: Iterable[Card], trick: Iterable[Card], card: Card) -> None:
    """Return, or raise the rule that forbids `card`.

    A `must_*` names the legal cards in `data["legal"]`, which is for the eyes of that seat alone.
    """
    check_held(rules, *_position(hand, trick), card)


def check_held(rules: HouseRules, held: Sequence[Card], down: tuple[Card, ...], card: Card) -> None:
    """`check_play` for a position that can be, its hand sorted: a round knows that of its own, and a move asks fifty times."""
    if card not in held:
        raise RuleViolation(Code.CARD_NOT_HELD, card=card.text)
    legal = _legal(rules, held, down)
    if card not in legal:
        raise _refusal(held, down, card, legal)


def refusals(
    rules: HouseRules, hand: Iterable[Card], trick: Iterable[Card]
) -> dict[Card, RuleViolation]:
    """Why not, for every card held that may not be played, in canonical order."""
    held, down = _position(hand, trick)
    legal = _legal(rules, held, down)
    return {card: _refusal(held, down, card, legal) for card in held if card not in legal}


def trick_winner(trick: Iterable[Card]) -> int:
    """The place, in the order played, of the card that takes the trick, or so far would take it."""
    down = tuple(trick)
    if not 1 <= len(down) <= 4 or len(set(down)) != len(down):
        raise ValueError("a trick has one to four different cards")
    winner = 0
    for index, card in enumerate(down):
        if _beats(card, down[winner]):
            winner = index
    return winner


def redeal_reason(rules: HouseRules, hands: Iterable[Iterable[Card]]) -> str | None:
    """`no_spades`, `no_faces` or None: why a fresh deal is thrown in before anyone sees it.

    A deal that is both is `no_spades`.
    """
    dealt = [tuple(hand) for hand in hands]
    if [len(hand) for hand in dealt] != [13] * 4 or len(
        {card for hand in dealt for card in hand}
    ) != 52:
        raise ValueError("a deal is four hands of 13 cards, all different")
    if rules.redeal_no_spades and not all(any(card.is_spade for card in hand) for hand in dealt):
        return NO_SPADES
    if rules.redeal_no_faces and not all(any(card.is_face for card in hand) for hand in dealt):
        return NO_FACES
    return None


def redeal_reason_after_bids(rules: HouseRules, bids: Sequence[int], used: int) -> str | None:
    """`low_bids` or None, after the fourth bid; `used` counts the low-bid redeals of the round."""
    if len(bids) != 4:
        raise ValueError(f"four bids, not {len(bids)}")
    if type(used) is not int or used < 0:
        raise ValueError(f"the number of redeals so far is a count, not {used!r}")
    for bid in bids:
        check_bid(rules, bid)
    below = rules.redeal_bids_below
    if below is not None and sum(bids) < below and used < rules.redeal_bids_limit:
        return LOW_BIDS
    return None


def _position(hand: Iterable[Card], trick: Iterable[Card]) -> tuple[list[Card], tuple[Card, ...]]:
    held, down = sorted(hand, key=_CANONICAL), tuple(trick)
    if len(down) > 3:
        raise ValueError("nobody plays to a trick of four cards")
    if len({*held, *down}) != len(held) + len(down):
        raise ValueError("the same card twice in a hand and a trick")
    return held, down


def _legal(rules: HouseRules, held: Sequence[Card], down: tuple[Card, ...]) -> Sequence[Card]:
    if not down:
        return held
    led = down[0].suit
    following = [card for card in held if card.suit == led]
    if following:
        return _that_must_beat(rules, following, down) or following
    return _that_must_trump(rules, held, down) or held


def _that_must_beat(rules: HouseRules, following: list[Card], down: tuple[Card, ...]) -> list[Card]:
    """The cards that meet the duty to beat; none where there is no such duty."""
    if not rules.must_beat:
        return []
    if not rules.must_beat_after_trump and _is_ruffed(down):
        return []
    best = _best_of_suit_led(down).rank
    return [card for card in following if card.rank > best]


def _that_must_trump(rules: HouseRules, held: Sequence[Card], down: tuple[Card, ...]) -> list[Card]:
    """The spades that meet a void seat's duty to trump; none where there is no such duty."""
    if not rules.must_trump:
        return []
    spades = [card for card in held if card.suit == SPADES]
    best = max((card.rank for card in down if card.suit == SPADES), default=0)
    winning = [card for card in spades if card.rank > best]
    if winning or not rules.must_trump_low:
        return winning
    return spades


def _refusal(
    held: Sequence[Card], down: tuple[Card, ...], card: Card, legal: Sequence[Card]
) -> RuleViolation:
    """The rule that keeps `card`, held but not legal, in the hand."""
    texts = [other.text for other in legal]
    led = down[0].suit
    if card.suit == led:
        return RuleViolation(Code.MUST_BEAT, best=_best_of_suit_led(down).text, legal=texts)
    if any(other.suit == led for other in held):
        return RuleViolation(Code.MUST_FOLLOW_SUIT, led=led, legal=texts)
    return RuleViolation(Code.MUST_TRUMP, legal=texts)


def _is_ruffed(down: tuple[Card, ...]) -> bool:
    return down[0].suit != SPADES and any(card.suit == SPADES for card in down)


def _best_of_suit_led(down: tuple[Card, ...]) -> Card:
    led = down[0].suit
    return max((card for card in down if card.suit == led), key=_CANONICAL)


def _beats(card: Card, other: Card) -> bool:
    """Whether `card`, played after `other`, takes the trick from it."""
    return card.rank > other.rank if card.suit == other.suit else card.suit == SPADES
