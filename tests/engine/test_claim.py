"""Claims that prove themselves, tried on every small ending; and what the whole table knows to be forced."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice, permutations, product
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.engine.cards import DECK, Card, parse_cards
from games.engine.claim import claim_proven, publicly_forced, unseen_cards
from games.engine.events import Played
from games.engine.legal import legal_plays, trick_winner
from games.engine.observation import Trick
from games.engine.round import RoundState, State
from games.engine.rules import PRESETS, HouseRules
from tests.build import hand
from tests.engine.matches import random_steps

STRICT = HouseRules(
    must_beat=True, must_beat_after_trump=True, must_trump=True, must_trump_low=True
)
RULE_SETS = (HouseRules(), PRESETS["arcadia"], PRESETS["yeeqia"], STRICT)
Hands = tuple[tuple[Card, ...], ...]


def ending(hands: Sequence[Sequence[Card]], *, rules: HouseRules = RULE_SETS[0]) -> RoundState:
    """A round in which seat 0 is to lead and these hands are left; how the other cards fell does not matter."""
    left = {card for each in hands for card in each}
    gone = [card for card in DECK if card not in left]
    tricks = tuple(Trick(0, tuple(gone[at : at + 4]), 0) for at in range(0, len(gone), 4))
    return RoundState(
        rules=rules,
        number=1,
        dealer=3,
        attempt=0,
        state=State.PLAYING,
        hands=tuple(tuple(sorted(each)) for each in hands),
        bids=(3, 3, 3, 3),
        leader=0,
        tricks=tricks,
        won=(len(tricks), 0, 0, 0),
    )


def is_proven(*hands: str) -> bool:
    return claim_proven(ending([hand(each) for each in hands]).observe(0))


@pytest.mark.parametrize(
    ("claimant", "others", "proven"),
    [
        ("AS KS", ("QS JS", "TS 9S", "8S 7S"), True),  # only spades, more of them unseen
        ("AS QS", ("KS JS", "2C 3C", "4C 5C"), False),  # the king is out
        ("AS AH", ("2S 3H", "2C 3C", "4C 5C"), True),  # as many spades as are unseen
        ("AS AH", ("2S 3S", "2C 3C", "4C 5C"), False),  # one could be left to ruff the heart
        ("AS AH", ("2C 2D", "3C 3D", "2S 3S"), False),  # the same, wherever they lie
        ("AH KH", ("QH JH", "2C 3C", "4C 5C"), True),  # no spade is out
        ("AH KH", ("QH JH", "2C 3C", "4C 2S"), False),
        ("AH QH", ("3H 2H", "2C 3C", "4C KH"), False),
        ("QH 2C", ("JH 3H", "3D 4D", "5D 6D"), True),  # the last club, small as it is
        ("QH 2C", ("JH 3C", "3D 4D", "5D 6D"), False),
        ("2S", ("AH", "AC", "AD"), True),
        ("2S", ("3S", "AC", "AD"), False),
    ],
)
def test_a_claim_is_proven_by_the_own_hand_and_what_is_unseen(
    claimant: str, others: tuple[str, str, str], proven: bool
) -> None:
    assert is_proven(claimant, *others) is proven


def test_only_the_seat_that_is_to_lead_an_empty_trick_may_claim() -> None:
    row = ending([hand("AS KS"), hand("QS JS"), hand("TS 9S"), hand("8S 7S")])
    on_lead = row.observe(0)

    assert claim_proven(on_lead)
    assert not claim_proven(row.observe(1))
    assert not claim_proven(row.observe(None))
    assert not claim_proven(replace(on_lead, trick=hand("2C")))
    assert not claim_proven(replace(on_lead, state="bidding"))


def test_unseen_is_neither_played_nor_held() -> None:
    row = ending([hand("AS KS"), hand("QS JS"), hand("TS 9S"), hand("8S 7S")])

    assert unseen_cards(row.observe(0)) == hand("7S 8S 9S TS JS QS")
    assert unseen_cards(replace(row.observe(1), trick=hand("AS"))) == hand("7S 8S 9S TS KS")


def small_decks(size: int) -> Iterator[tuple[Card, ...]]:
    """Endings of `size` cards, one for each number of cards by suit (clubs, diamonds and hearts are alike).

    Which cards they are does not matter, only how they rank.
    """
    for clubs, diamonds, hearts in product(range(size + 1), repeat=3):
        spades = size - clubs - diamonds - hearts
        if clubs >= diamonds >= hearts and spades >= 0:
            counts = {"C": clubs, "D": diamonds, "H": hearts, "S": spades}
            yield tuple(
                card
                for suit, count in counts.items()
                for card in parse_cards(
                    " ".join(f"{rank}{suit}" for rank in "23456789TJQKA"[:count])
                )
            )


def layouts(unseen: tuple[Card, ...]) -> Iterator[Hands]:
    """Every way in which six unseen cards may lie with the three others."""
    for first in combinations(unseen, 2):
        rest = [card for card in unseen if card not in first]
        for second in combinations(rest, 2):
            yield first, second, tuple(card for card in rest if card not in second)


def best_lead(own: Sequence[Card]) -> Card:
    """How a proven claim is played: spades first, from the top."""
    return max(own, key=lambda card: (card.is_spade, card.rank))


def wins_all(rules: HouseRules, hands: Hands) -> bool:
    """Whether seat 0, spades first, takes every trick against every defence."""
    if not hands[0]:
        return True
    lead = best_lead(hands[0])
    return all(
        trick_winner(trick) == 0 and wins_all(rules, after)
        for trick, after in defences(rules, (lead,), without(hands, 0, lead))
    )


def defences(
    rules: HouseRules, trick: tuple[Card, ...], hands: Hands
) -> Iterator[tuple[tuple[Card, ...], Hands]]:
    if len(trick) == 4:
        yield trick, hands
        return
    seat = len(trick)
    for card in legal_plays(rules, hands[seat], trick):
        yield from defences(rules, (*trick, card), without(hands, seat, card))


def without(hands: Hands, seat: int, card: Card) -> Hands:
    left = tuple(each for each in hands[seat] if each is not card)
    return (*hands[:seat], left, *hands[seat + 1 :])


def hands_of_two() -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """Every two cards of every ending of eight, and the six others."""
    for deck in small_decks(8):
        for own in combinations(deck, 2):
            yield own, tuple(card for card in deck if card not in own)


def test_a_proven_claim_wins_in_every_layout_against_every_defence() -> None:
    proven = [
        (own, unseen)
        for own, unseen in hands_of_two()
        if claim_proven(ending((own, *next(layouts(unseen)))).observe(0))
    ]

    assert len(proven) == 96
    for own, unseen in proven:
        for number, others in enumerate(layouts(unseen)):
            # Where following suit is the only duty, every defence is allowed that stricter rules allow.
            for rules in RULE_SETS if number % 10 == 0 else RULE_SETS[:1]:
                assert wins_all(rules, (own, *others)), (own, others)


def test_the_answer_is_the_same_in_every_consistent_layout() -> None:
    for own, unseen in hands_of_two():
        some = islice(layouts(unseen), 0, None, 13)
        answers = {claim_proven(ending((own, *others)).observe(0)) for others in some}
        assert len(answers) == 1


@settings(max_examples=80)
@given(st.randoms(use_true_random=False), st.sampled_from(RULE_SETS), st.integers(3, 13))
def test_a_proven_claim_wins_longer_endings_too(dice: Random, rules: HouseRules, size: int) -> None:
    hands = an_ending_of_tops(dice, size)
    assume(claim_proven(ending(hands).observe(0)))

    while hands[0]:
        trick: tuple[Card, ...] = (best_lead(hands[0]),)
        hands = without(hands, 0, trick[0])
        for seat in (1, 2, 3):
            card = dice.choice(legal_plays(rules, hands[seat], trick))
            trick, hands = (*trick, card), without(hands, seat, card)
        assert trick_winner(trick) == 0


def an_ending_of_tops(dice: Random, size: int) -> Hands:
    """An ending in which seat 0 holds the best cards of their suits, many of them spades."""
    left = dice.sample(DECK, 4 * size)
    own: list[Card] = []
    while len(own) < size:
        suit = dice.choice([dice.choice(left).suit, "S"])
        if in_suit := [card for card in left if card.suit == suit]:
            own.append(max(in_suit))
            left.remove(own[-1])
    return tuple(own), *(tuple(left[at : at + size]) for at in range(0, 3 * size, size))


def test_the_cards_of_the_last_trick_are_forced_for_all_to_see() -> None:
    for seed in range(3):
        for match, _event, _after in random_steps(PRESETS["arcadia"], Random(seed)):
            for row in match.rounds:
                last = row.state is State.PLAYING and len(row.tricks) == 12
                assert publicly_forced(row.observe(None)) is last
                assert not last or len(row.observe(row.to_act).hand) == 1


def test_a_card_that_only_its_holder_knows_to_be_forced_is_not() -> None:
    row = ending([hand("AS KS"), hand("QS 2C"), hand("3C 4C"), hand("5C 6C")])
    row = row.apply(Played(1, 0, hand("AS")[0]))

    assert row.observe(1).legal == hand("QS")
    assert not publicly_forced(row.observe(None))


def test_what_is_publicly_forced_is_the_same_from_every_seat_and_for_every_layout() -> None:
    hands = [hand("AS"), hand("QS"), hand("3C"), hand("5C")]
    rows = [ending([hands[seat] for seat in order]) for order in permutations(range(4))]

    views = [row.observe(seat) for row in rows for seat in (None, 0, 1, 2, 3)]

    assert {publicly_forced(view) for view in views} == {True}
    assert len({repr(row.observe(None)) for row in rows}) == 1
