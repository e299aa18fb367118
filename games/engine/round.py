"""One round: one deal bid, played and scored, as a value that grows by events.

`apply` is the only door and always checks. It answers with a new `RoundState`; a refused event changes nothing. What a seat
may know of it is `observe(seat)`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Self, assert_never

from games.engine.cards import DECK, Card
from games.engine.claim import claim_proven
from games.engine.errors import Code, RuleViolation
from games.engine.events import Bid, Claimed, Dealt, Event, Hands, Played, Ruled, Ruling, ThrownIn
from games.engine.legal import (
    check_bid,
    check_held,
    redeal_reason,
    redeal_reason_after_bids,
    trick_winner,
)
from games.engine.observation import TRICKS, Observation, Trick
from games.engine.rules import HouseRules
from games.engine.scoring import round_scores

SEATS: Final = range(4)
_NO_BIDS: Final = (None, None, None, None)
_NOTHING: Final = (0, 0, 0, 0)


class State(StrEnum):
    """How far a round is. `void` is a round that a ruling took out of the match."""

    BIDDING = "bidding"
    PLAYING = "playing"
    SCORED = "scored"
    VOID = "void"


@dataclass(frozen=True, kw_only=True)
class RoundState:
    """A round at one moment. `turn` counts its decisions from 0, across attempts: `(number, turn)` names the next one.

    `hands` are what the seats hold now, by seat, and empty while no deal lies on the table; `throw_in` is the reason why the
    deal must be thrown in before anything else; `totals` are the match totals in units when the round was first dealt.
    `awaits_key`: its next deal is made under a key of its own, since nothing was dealt yet or a ruling has the round replayed.
    """

    rules: HouseRules
    number: int
    dealer: int
    totals: tuple[int, ...] = _NOTHING
    attempt: int = -1
    state: State = State.BIDDING
    hands: Hands = field(default=(), repr=False)
    throw_in: str | None = None
    low_bid_redeals: int = 0
    turn: int = 0
    first_turn: int = 0
    bids: tuple[int | None, ...] = _NO_BIDS
    leader: int | None = None
    trick: tuple[Card, ...] = field(default=())
    tricks: tuple[Trick, ...] = field(default=())
    won: tuple[int, ...] = _NOTHING
    scores: tuple[int, ...] | None = None
    awaits_key: bool = True

    def apply(self, event: Event) -> Self:
        """The round after `event`. RuleViolation when the rules refuse it, ValueError when it cannot be (seat 7)."""
        match event:
            case Played():
                return self._play(event.seat, event.card)
            case Bid():
                return self._bid(event.seat, event.bid)
            case Dealt():
                return self._deal(event)
            case ThrownIn():
                return self._throw_in(event)
            case Claimed():
                return self._claim(event.seat)
            case Ruled():
                return self._void(event) if event.ruling is Ruling.VOID_ROUND else self
            case _:
                assert_never(event)

    @property
    def to_act(self) -> int | None:
        """The one seat that must act now; None while bids are sealed, while a deal is due, and when the round is over."""
        if self.state is State.PLAYING:
            assert self.leader is not None  # a round is played from the moment its leader is known
            return (self.leader + len(self.trick)) % 4
        if self.state is not State.BIDDING or not self.awaits_bids or self.rules.sealed_bids:
            return None
        return self.bidder(self.turn - self.first_turn)

    @property
    def awaits_bids(self) -> bool:
        return self.state is State.BIDDING and bool(self.hands) and self.throw_in is None

    @property
    def awaits_deal(self) -> bool:
        """Nothing lies on the table: the next event must be a `Dealt` with the next attempt."""
        return self.state is State.BIDDING and not self.hands

    @property
    def is_over(self) -> bool:
        return self.state in (State.SCORED, State.VOID)

    @property
    def claimed_by(self) -> int | None:
        """The seat that ended this round by claiming the tricks that were not played."""
        if self.state is State.SCORED and len(self.tricks) < TRICKS:
            return self.leader
        return None

    @property
    def actors(self) -> tuple[int, ...]:
        """Every seat that may act now: one, or with sealed bids all that have not bid."""
        if self.rules.sealed_bids and self.awaits_bids:
            return tuple(seat for seat in SEATS if self.bids[seat] is None)
        return () if self.to_act is None else (self.to_act,)

    @property
    def bids_made(self) -> tuple[int, ...]:
        """The bids that are in, by seat: four of them once the bidding is over."""
        return tuple(bid for bid in self.bids if bid is not None)

    def bidder(self, place: int) -> int:
        """The seat that bids at `place` (0..3) of the bidding."""
        return (self.dealer + 1 + place) % 4

    def turn_of(self, seat: int | None) -> int:
        """The number of the decision `seat` makes when it acts next; None: what a spectator sees as the next one.

        Sealed bids have their turns in bidding order, whoever bids first; a spectator must not see how many are in.
        """
        if not (self.rules.sealed_bids and self.awaits_bids):
            return self.turn
        return self.first_turn if seat is None else sealed_turn(self.first_turn, self.dealer, seat)

    def without_bids(self) -> Self:
        """The same deal before anyone bid: where a log goes on that holds back sealed bids until the fourth is in."""
        return self._with(bids=_NO_BIDS, turn=self.first_turn)

    def observe(self, seat: int | None) -> Observation:
        """What `seat` may know; None: what a spectator may know."""
        has_bid = tuple(bid is not None for bid in self.bids)
        hidden = self.rules.sealed_bids and self.awaits_bids
        return Observation(
            rules=self.rules,
            round=self.number,
            attempt=max(self.attempt, 0),
            dealer=self.dealer,
            state=self.state.value,
            seat=seat,
            to_act=self.to_act,
            acts=seat in self.actors,
            turn=self.turn_of(seat),
            hand=self.hands[seat]
            if self.hands and seat is not None and self.throw_in is None
            else (),
            bids=tuple(bid if place == seat else None for place, bid in enumerate(self.bids))
            if hidden
            else self.bids,
            has_bid=has_bid,
            won=self.won,
            scores=self.scores,
            tricks=self.tricks,
            leader=self.leader if self.state is State.PLAYING else None,
            trick=self.trick,
            totals=self.totals,
            is_last_round=self.rules.rounds == self.number or self.rules.max_rounds == self.number,
        )

    def _with(self, **changes: Any) -> Self:
        """`dataclasses.replace` at a fifth of its price: every move folds the fifty-odd events of its round."""
        after = object.__new__(type(self))
        after.__dict__.update(self.__dict__, **changes)
        return after

    def _deal(self, event: Dealt) -> Self:
        if not self.awaits_deal:
            raise RuleViolation(Code.WRONG_PHASE)
        if event.round != self.number or event.attempt != self.attempt + 1 or event.hands is None:
            raise RuleViolation(Code.BAD_DEAL)
        hands = checked_hands(event.hands)
        return self._with(
            attempt=event.attempt,
            hands=hands,
            throw_in=redeal_reason(self.rules, hands),
            bids=_NO_BIDS,
            first_turn=self.turn,
            awaits_key=False,
        )

    def _throw_in(self, event: ThrownIn) -> Self:
        if self.throw_in is None:
            raise RuleViolation(Code.WRONG_PHASE)
        if (
            event.round != self.number
            or event.attempt != self.attempt
            or event.reason != self.throw_in
        ):
            raise RuleViolation(Code.BAD_DEAL)
        low_bids = self.low_bid_redeals + (self.throw_in == "low_bids")
        return self._with(hands=(), throw_in=None, low_bid_redeals=low_bids)

    def _bid(self, seat: int, bid: int) -> Self:
        _check_seat(seat)
        if not self.awaits_bids:
            raise RuleViolation(Code.WRONG_PHASE)
        if seat not in self.actors:
            raise RuleViolation(Code.NOT_YOUR_TURN)
        check_bid(self.rules, bid)
        bids = (*self.bids[:seat], bid, *self.bids[seat + 1 :])
        after = self._with(bids=bids, turn=self.turn + 1)
        if None in bids:
            return after
        reason = redeal_reason_after_bids(self.rules, after.bids_made, self.low_bid_redeals)
        if reason is not None:
            return after._with(throw_in=reason)
        return after._with(state=State.PLAYING, leader=self.bidder(0))

    def _play(self, seat: int, card: Card) -> Self:
        _check_seat(seat)
        if self.state is not State.PLAYING or self.leader is None:
            raise RuleViolation(Code.WRONG_PHASE)
        if seat != self.to_act:
            raise RuleViolation(Code.NOT_YOUR_TURN)
        hand = self.hands[seat]
        check_held(self.rules, hand, self.trick, card)
        place = hand.index(card)
        left = hand[:place] + hand[place + 1 :]
        hands = (*self.hands[:seat], left, *self.hands[seat + 1 :])
        trick = (*self.trick, card)
        if len(trick) < 4:
            return self._with(hands=hands, trick=trick, turn=self.turn + 1)
        winner = (self.leader + trick_winner(trick)) % 4
        won = tuple(count + (place == winner) for place, count in enumerate(self.won))
        over = not left
        return self._with(
            hands=hands,
            trick=(),
            turn=self.turn + 1,
            tricks=(*self.tricks, Trick(self.leader, trick, winner)),
            won=won,
            leader=winner,
            state=State.SCORED if over else State.PLAYING,
            scores=tuple(round_scores(self.rules, self.bids_made, won)) if over else None,
        )

    def _claim(self, seat: int) -> Self:
        """The rest of the tricks goes to `seat`; `tricks` keeps those that were played and `hands` what nobody played."""
        _check_seat(seat)
        if self.state is not State.PLAYING or self.trick:
            raise RuleViolation(Code.WRONG_PHASE)
        if seat != self.to_act:
            raise RuleViolation(Code.NOT_YOUR_TURN)
        if not claim_proven(self.observe(seat)):
            raise RuleViolation(Code.CLAIM_NOT_PROVEN)
        rest = TRICKS - len(self.tricks)
        won = tuple(count + rest * (place == seat) for place, count in enumerate(self.won))
        return self._with(
            turn=self.turn + 1,
            won=won,
            state=State.SCORED,
            scores=tuple(round_scores(self.rules, self.bids_made, won)),
        )

    def _void(self, event: Ruled) -> Self:
        """The round without its score, or before a new deal. Its number, dealer, attempts and turns go on; no bid is shown late."""
        if self.awaits_key or (self.state is State.VOID and not event.replay):
            raise RuleViolation(Code.WRONG_PHASE)
        # A sealed bid has the turn of its place, so all four are taken, however many are in.
        sealed = self.rules.sealed_bids and self.awaits_bids
        turn = self.first_turn + len(SEATS) if sealed else self.turn
        if event.replay:
            return type(self)(
                rules=self.rules,
                number=self.number,
                dealer=self.dealer,
                totals=self.totals,
                attempt=self.attempt,
                turn=turn,
                first_turn=turn,
            )
        return self._with(
            state=State.VOID,
            turn=turn,
            hands=(),
            throw_in=None,
            bids=_NO_BIDS if self.awaits_bids else self.bids,
            trick=(),
            leader=None,
            scores=None,
        )


def sealed_turn(first_turn: int, dealer: int, seat: int) -> int:
    """The turn in which `seat` gives its sealed bid: the seats have theirs in bidding order from `first_turn` on."""
    return first_turn + (seat - dealer - 1) % 4


def checked_hands(hands: Iterable[Iterable[Card]]) -> Hands:
    """The hands as sorted tuples. RuleViolation `bad_deal` unless they are four hands of 13 that make up the deck."""
    sorted_hands = tuple(tuple(sorted(hand)) for hand in hands)
    if len(sorted_hands) != 4 or any(len(hand) != 13 for hand in sorted_hands):
        raise RuleViolation(Code.BAD_DEAL)
    if {card for hand in sorted_hands for card in hand} != set(DECK):
        raise RuleViolation(Code.BAD_DEAL)
    return sorted_hands


def _check_seat(seat: int) -> None:
    if isinstance(seat, bool) or seat not in SEATS:
        raise ValueError(f"seat: {seat!r} is not a seat (0 to 3)")
