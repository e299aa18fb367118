"""A game as it was read in one transaction: its rows, and the rounds that were folded.

What services and queries work on. Hands are stored nowhere: `derive_hands` is the one function that makes them, from the
game's sealed seed.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from cryptography.fernet import InvalidToken

from accounts.models import User
from games import dealkeys, projections
from games.engine import deal
from games.engine.events import Hands
from games.engine.observation import Observation
from games.engine.round import RoundState
from games.engine.rules import HouseRules
from games.models import Event, Game, Round, Seat, SeatHolder
from games.refusals import GameFrozen


class BrokenLog(Exception):
    """The stored log of a game contradicts the rules or its own seed. Never a player's fault."""

    def __init__(self, game: str, what: str) -> None:
        super().__init__(f"game {game}: {what}")
        self.game = game


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that the log holds: what was answered, by which seat, under which number and hash."""

    seat: int
    bid: int | None
    card: str | None
    seq: int
    hash: str


Derive = Callable[[bytes, str, int, int], Hands]


def derive_hands(round_key: bytes, game: str, key: int, attempt: int) -> Hands:
    """Four hands by seat, dealt in `game` under key index `key`. The one place where hidden cards come into being."""
    return deal.hands(round_key, attempt)


_derive: ContextVar[Derive] = ContextVar("derive", default=derive_hands)


@contextmanager
def dealing_with(derive: Derive) -> Iterator[None]:
    """Deal other hands for a while: how the tests show that nobody's answer depends on a card that is hidden from them."""
    token = _derive.set(derive)
    try:
        yield
    finally:
        _derive.reset(token)


@dataclass
class Table:
    """A game and what was read of it. `rounds` holds the rounds that were folded, by number; `changed` are the numbers of
    those whose rows must be written, `lines` the events that must be.
    """

    game: Game
    rules: HouseRules
    seats: list[Seat]
    rows: dict[int, Round]
    now: datetime
    rounds: dict[int, RoundState] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    lines: list[Event] = field(default_factory=list)
    round_keys: dict[int, bytes] = field(default_factory=dict, repr=False)

    def seat_of(self, user_id: int | None) -> int | None:
        """The seat that this user holds, if any."""
        if user_id is None:
            return None
        return next((seat.number for seat in self.seats if seat.user_id == user_id), None)

    def is_visible_to(self, user_id: int | None) -> bool:
        """Whether this user (None: somebody without an account) may know that the game exists."""
        if self.game.visibility == Game.Visibility.PUBLIC:
            return True
        if user_id is None:
            return False
        if self.game.created_by_id == user_id or any(
            user_id in (seat.user_id, seat.invited_id) for seat in self.seats
        ):
            return True
        # Whose seat was taken over looks on from then on.
        return SeatHolder.objects.filter(game=self.game, user=user_id).exists()

    def check_not_frozen(self) -> None:
        """`GameFrozen` while the game stands still."""
        if self.game.status == Game.Status.FROZEN:
            raise GameFrozen

    @property
    def creator(self) -> User | None:
        """Who made the table. They mostly sit at it, and are read with their seat."""
        made_by = self.game.created_by_id
        return (
            next(
                (
                    seat.user
                    for seat in self.seats
                    if made_by is not None and seat.user_id == made_by
                ),
                None,
            )
            or self.game.created_by
        )

    def observe(self, number: int, seat: int | None) -> Observation:
        return self.rounds[number].observe(seat)

    def awaits_key(self, number: int) -> bool:
        """Whether a ruling has this round dealt anew, under a key that it has not got yet."""
        return number in self.rounds and self.rounds[number].awaits_key

    @cached_property
    def s_128(self) -> bytes:
        try:
            return dealkeys.unseal(bytes(self.game.secret.sealed))
        except InvalidToken:
            raise BrokenLog(self.game.id, "none of DEAL_KEYS opens its seed") from None

    @property
    def contributions(self) -> tuple[bytes, ...]:
        return tuple(bytes(seat.contribution) for seat in self.seats)

    def round_key(self, key: int) -> bytes:
        if key not in self.round_keys:
            self.round_keys[key] = deal.round_key(
                self.game.id, self.link(key), self.contributions, key
            )
        return self.round_keys[key]

    def link(self, key: int) -> bytes:
        return deal.link(self.game.id, self.s_128, key)

    def bots_due(self) -> list[tuple[int, int]]:
        """Every `(round, seat)` where a bot is to act: a built-in one, a stand-in, or the autopilot of a round."""
        return projections.bots_due(self.game, self.seats, self.rows)

    def answers_due(self) -> list[tuple[int, int]]:
        """Every `(round, seat)` whose decision a worker is to see to: see `projections.answers_due`."""
        return projections.answers_due(self.game, self.seats, self.rows)

    def hands(self, key: int, attempt: int) -> Hands:
        return _derive.get()(self.round_key(key), self.game.id, key, attempt)

    def salt(self, number: int, seat: int) -> bytes:
        """What lets a seat check its own hand against the commitment of the deal that lies on the table."""
        row = self.rows[number]
        return deal.hand_salt(self.round_key(row.key), row.attempt, seat)
