"""Worlds: every way the unseen cards can lie with the other three seats, counted exactly, any one to be had by its number.

Cards differ only in who may hold them. A split says how many cards of each kind go where and stands for so many worlds;
splits laid end to end number all worlds from 0. So a number drawn evenly is a world drawn evenly, none is missed and none
comes twice.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import comb
from typing import Final, TypeAlias

from games.bots.boards import singles
from games.bots.sight import Sight

# For the other seats a, b and c, in order of play: how many of the cards that two or three of them may hold go to the first of
# these: of ab, ac, bc and abc; then how many of abc go to b.
Split: TypeAlias = tuple[int, int, int, int, int]

_CHOOSE: Final = tuple(tuple(comb(n, k) for k in range(n + 1)) for n in range(40))


class Worlds:
    """The worlds that a sight leaves open, `count` of them."""

    def __init__(self, sight: Sight) -> None:
        self._seats = [(sight.position.seat + step) % 4 for step in (1, 2, 3)]
        holds = [sight.holds[seat] for seat in self._seats]
        a, b, c = settled([sight.may_hold[seat] for seat in self._seats], holds)
        self._sure = (a & ~(b | c), b & ~(a | c), c & ~(a | b))
        kinds = (a & b & ~c, a & c & ~b, b & c & ~a, a & b & c)
        self._kinds = [list(singles(kind)) for kind in kinds]
        need = [count - sure.bit_count() for count, sure in zip(holds, self._sure, strict=True)]
        self._splits = list(_splits([len(kind) for kind in self._kinds], need))
        self._ends: list[int] = []  # by split: how many worlds there are up to its last
        self.count = 0
        for split in self._splits:
            self.count += self._ways(split)
            self._ends.append(self.count)
        if not self.count:
            raise ValueError("no deal of the unseen cards fits what the seats have shown")

    def hands(self, number: int) -> list[int]:
        """The hands of the other seats, by seat, in world `number`; the observer's place is left empty."""
        place = bisect_right(self._ends, number)
        split = self._splits[place]
        number -= self._ends[place] - self._ways(split)
        a, b, c = self._sure
        ab, ac, bc, abc = self._kinds
        from_ab, from_ac, from_bc, from_abc, second = split
        number, rank = divmod(number, _CHOOSE[len(ab)][from_ab])
        to_a = _pick(ab, from_ab, rank)
        a, b = a | to_a, b | (sum(ab) ^ to_a)
        number, rank = divmod(number, _CHOOSE[len(ac)][from_ac])
        to_a = _pick(ac, from_ac, rank)
        a, c = a | to_a, c | (sum(ac) ^ to_a)
        number, rank = divmod(number, _CHOOSE[len(bc)][from_bc])
        to_b = _pick(bc, from_bc, rank)
        b, c = b | to_b, c | (sum(bc) ^ to_b)
        number, rank = divmod(number, _CHOOSE[len(abc)][from_abc])
        to_a = _pick(abc, from_abc, rank)
        rest = [card for card in abc if not card & to_a]
        to_b = _pick(rest, second, number)
        hands = [0, 0, 0, 0]
        others = (a | to_a, b | to_b, c | (sum(rest) ^ to_b))
        for seat, hand in zip(self._seats, others, strict=True):
            hands[seat] = hand
        return hands

    def _ways(self, split: Split) -> int:
        """How many worlds a split stands for."""
        ab, ac, bc, abc = map(len, self._kinds)
        from_ab, from_ac, from_bc, from_abc, second = split
        of_two = _CHOOSE[ab][from_ab] * _CHOOSE[ac][from_ac] * _CHOOSE[bc][from_bc]
        return of_two * _CHOOSE[abc][from_abc] * _CHOOSE[abc - from_abc][second]


def settled(may_hold: Sequence[int], holds: Sequence[int]) -> list[int]:
    """`may_hold` without the cards that are forced to lie elsewhere: a seat that may hold just as many cards as it has holds them
    all, and one that alone may hold so many holds nothing else. Each finding may force the next.
    """
    open_to, before = list(may_hold), list[int]()
    while open_to != before:
        before = list(open_to)
        for seat, count in enumerate(holds):
            others = [other for other in range(len(holds)) if other != seat]
            alone = open_to[seat]
            for other in others:
                alone &= ~open_to[other]
            if alone.bit_count() == count:
                open_to[seat] = alone
            if open_to[seat].bit_count() == count:
                for other in others:
                    open_to[other] &= ~open_to[seat]
    return open_to


def _splits(sizes: Sequence[int], need: Sequence[int]) -> Iterator[Split]:
    """Every split that gives each seat as many cards as it needs."""
    ab, ac, bc, abc = sizes
    need_a, need_b, _ = need
    for from_ab in range(min(ab, need_a) + 1):
        for from_ac in range(min(ac, need_a - from_ab) + 1):
            from_abc = need_a - from_ab - from_ac
            if from_abc > abc:
                continue
            for from_bc in range(bc + 1):
                second = need_b - (ab - from_ab) - from_bc
                if 0 <= second <= abc - from_abc:  # what is left over then is what c needs
                    yield from_ab, from_ac, from_bc, from_abc, second


def _pick(cards: Sequence[int], count: int, number: int) -> int:
    """Choice `number` of the ways to take `count` of the cards."""
    picked, left = 0, len(cards)
    for card in cards:
        if not count:
            break
        left -= 1
        with_it = _CHOOSE[left][count - 1]
        if number < with_it:
            picked |= card
            count -= 1
        else:
            number -= with_it
    return picked
