"""callbreak-deal/1 against its vectors, and what each part of it is for."""

import hashlib
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import deal
from games.engine.cards import DECK, parse_cards, show_cards

VECTORS: Final[list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent.parent / "cases" / "deal.json").read_text()
)
GAME: Final = "K7QX2M9RTV4B"
SECRET: Final = bytes(range(32))
NOTHING: Final = (b"", b"", b"", b"")
KEY: Final = deal.round_key(GAME, deal.link(GAME, SECRET, 1), NOTHING, 1)


@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_the_vectors_come_out_byte_by_byte(vector: dict[str, Any]) -> None:
    game, r, attempt = vector["game"], vector["round"], vector["attempt"]
    secret = bytes.fromhex(vector["s_128"])
    contributions = [bytes.fromhex(part) for part in vector["contributions"]]

    s_r = deal.link(game, secret, r)
    key = deal.round_key(game, s_r, contributions, r)
    key_1 = deal.round_key(game, deal.link(game, secret, 1), contributions, 1)

    assert deal.anchor(game, secret).hex() == vector["anchor"]
    assert s_r.hex() == vector["s_round"]
    assert key.hex() == vector["round_key"]
    assert deal.first_dealer(key_1) == vector["first_dealer"]
    assert squeezed(deal.deck(key, attempt)) == vector["deck"]
    assert [squeezed(hand) for hand in deal.hands(key, attempt)] == vector["hands"]
    assert [deal.hand_salt(key, attempt, seat).hex() for seat in range(4)] == vector["salts"]
    assert [each.hex() for each in deal.commitments(game, key, r, attempt)] == vector["commitments"]


def squeezed(cards: deal.Hand) -> str:
    return show_cards(cards).replace(" ", "")


def test_parts_that_only_run_together_alike_have_different_hashes() -> None:
    assert deal.hash_parts(b"ab", b"c") != deal.hash_parts(b"a", b"bc")
    assert deal.hash_parts(b"ab", b"c") != deal.hash_parts(b"ab", b"c", b"")
    assert deal.hash_parts(b"ab") == hashlib.sha256(b"\0\0\0\2ab").digest()


def test_hkdf_is_that_of_rfc_5869() -> None:
    """Its test cases 1 to 3."""
    ikm = b"\x0b" * 22
    salt, info = bytes(range(0x0D)), bytes(range(0xF0, 0xFA))

    assert deal.hkdf(ikm, salt, info, 42).hex() == (
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    )
    long = bytes(range(0x50)), bytes(range(0x60, 0xB0)), bytes(range(0xB0, 0x100))
    assert deal.hkdf(*long, 82).hex() == (
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c6"
        "5e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
    )
    assert deal.hkdf(ikm, b"", b"", 42).hex() == (
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
    )


@pytest.mark.parametrize("length", [0, -1, 8161])
def test_hkdf_gives_up_to_255_blocks(length: int) -> None:
    assert len(deal.hkdf(b"", b"", b"", 8160)) == 8160
    with pytest.raises(ValueError, match="length: "):
        deal.hkdf(b"", b"", b"", length)


def test_every_link_is_the_hash_of_the_next() -> None:
    links = [deal.link(GAME, SECRET, r) for r in range(deal.KEYS + 1)]

    assert links[0] == deal.anchor(GAME, SECRET)
    assert links[128] == SECRET
    assert len(set(links)) == 129
    for r, (earlier, later) in enumerate(pairwise(links), start=1):
        assert deal.previous_link(GAME, later, r) == earlier


def test_the_chain_belongs_to_its_game() -> None:
    assert deal.anchor(GAME, SECRET) != deal.anchor("K7QX2M9RTV4C", SECRET)


@pytest.mark.parametrize("r", [-1, 129])
def test_there_are_128_keys(r: int) -> None:
    with pytest.raises(ValueError, match=r"^r: 0 to 128"):
        deal.link(GAME, SECRET, r)


@pytest.mark.parametrize("r", [0, 129])
def test_nothing_is_dealt_from_the_anchor(r: int) -> None:
    with pytest.raises(ValueError, match=r"^r: 1 to 128"):
        deal.round_key(GAME, SECRET, NOTHING, r)


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)])
def test_a_secret_has_32_bytes(secret: bytes) -> None:
    with pytest.raises(ValueError, match=r"^s_128: 32 bytes"):
        deal.link(GAME, secret, 1)
    with pytest.raises(ValueError, match=r"^s_r: 32 bytes"):
        deal.round_key(GAME, secret, NOTHING, 1)


def test_a_refusal_tells_nothing_of_the_secret() -> None:
    with pytest.raises(ValueError, match=r"^s_128: 32 bytes, not 6$"):
        deal.link(GAME, b"secret", 1)


def test_every_seats_contribution_counts() -> None:
    keys = {
        deal.round_key(GAME, SECRET, contributions, 1)
        for contributions in (
            NOTHING,
            (b"a", b"", b"", b""),
            (b"", b"a", b"", b""),
            (b"", b"", b"a", b""),
            (b"", b"", b"", b"a"),
            (b"ab", b"c", b"", b""),
            (b"a", b"bc", b"", b""),
            (bytes(64), b"", b"", b""),
        )
    }

    assert len(keys) == 8


@pytest.mark.parametrize(
    "contributions", [(), NOTHING[:3], (*NOTHING, b""), (b"", b"", b"", bytes(65))]
)
def test_four_seats_contribute_up_to_64_bytes_each(contributions: tuple[bytes, ...]) -> None:
    with pytest.raises(ValueError, match=r"^contributions: four, each of at most 64 bytes"):
        deal.round_key(GAME, SECRET, contributions, 1)


def test_a_draw_passes_over_the_words_that_would_favour_low_numbers() -> None:
    limit = 2**32 - 2**32 % 52

    assert deal.draw(iter([limit, 2**32 - 1, 53]), 52) == 1
    assert deal.draw(iter([limit - 1]), 52) == 51
    assert deal.draw(iter([2**32 - 1]), 4) == 3  # nothing is passed over where 2**32 divides


@given(st.binary(min_size=32, max_size=32), st.integers(0, 0xFFFF))
def test_a_deal_is_the_whole_deck_in_four_sorted_hands(key: bytes, attempt: int) -> None:
    hands = deal.hands(key, attempt)

    assert [len(hand) for hand in hands] == [13] * 4
    assert {card for hand in hands for card in hand} == set(DECK)
    assert all(list(hand) == sorted(hand) for hand in hands)


def test_every_attempt_and_every_round_has_a_deck_of_its_own() -> None:
    keys = [deal.round_key(GAME, deal.link(GAME, SECRET, r), NOTHING, r) for r in (1, 2, 3)]

    assert len({deal.deck(key, attempt) for key in keys for attempt in range(3)}) == 9


@pytest.mark.parametrize("attempt", [-1, 0x10000])
def test_an_attempt_fits_its_two_bytes(attempt: int) -> None:
    with pytest.raises(ValueError, match=r"^attempt: "):
        deal.deck(KEY, attempt)
    with pytest.raises(ValueError, match=r"^attempt: "):
        deal.hand_salt(KEY, attempt, 0)


@pytest.mark.parametrize("seat", [-1, 4])
def test_there_are_four_seats(seat: int) -> None:
    with pytest.raises(ValueError, match=r"^seat: 0 to 3"):
        deal.bid_salt(KEY, 0, seat)


def test_the_shuffle_and_the_lot_favour_nobody() -> None:
    """Wide bounds (over five standard deviations), to notice a shuffle that is plainly off."""
    keys = [hashlib.sha256(bytes([n // 256, n % 256])).digest() for n in range(2000)]

    dealers = Counter(deal.first_dealer(key) for key in keys)
    aces = Counter(
        seat for key in keys for seat in range(4) if DECK[51] in deal.hands(key, 0)[seat]
    )
    tops = Counter(deal.deck(key, 0)[0] for key in keys)

    assert all(400 < dealers[seat] < 600 for seat in range(4))
    assert all(400 < aces[seat] < 600 for seat in range(4))
    assert all(8 < tops[card] < 75 for card in DECK)


def test_a_hand_and_its_salt_open_its_commitment_and_no_other() -> None:
    hands = deal.hands(KEY, 2)
    published = deal.commitments(GAME, KEY, 1, 2)

    opened = [
        deal.hand_commitment(GAME, 1, 2, seat, deal.hand_salt(KEY, 2, seat), hands[other])
        for seat in range(4)
        for other in range(4)
    ]

    assert [opened[5 * seat] for seat in range(4)] == list(published)
    assert len(set(opened)) == 16


def test_a_commitment_is_to_game_round_attempt_and_seat() -> None:
    hand, salt = parse_cards("2C AS"), bytes(32)
    commit = deal.hand_commitment

    commitments = {
        commit(GAME, 1, 0, 0, salt, hand),
        commit("K7QX2M9RTV4C", 1, 0, 0, salt, hand),
        commit(GAME, 2, 0, 0, salt, hand),
        commit(GAME, 1, 1, 0, salt, hand),
        commit(GAME, 1, 0, 1, salt, hand),
        commit(GAME, 1, 0, 0, bytes(31) + b"\1", hand),
    }

    assert len(commitments) == 6
    assert commit(GAME, 1, 0, 0, salt, hand) == deal.hash_parts(
        b"callbreak-deal/1", b"hand", GAME.encode(), b"\0\1", b"\0\0", b"\0", salt, b"2CAS"
    )


def test_a_sealed_bid_is_committed_with_a_salt_of_its_own() -> None:
    salts = {make(KEY, 0, seat) for make in (deal.hand_salt, deal.bid_salt) for seat in range(4)}

    assert len(salts) == 8
    assert deal.bid_salt(KEY, 1, 3) == deal.hkdf(KEY, b"", b"\0\0\0\7bidsalt\0\1\3")
    assert len({deal.bid_commitment(GAME, 1, 0, 0, bytes(32), bid) for bid in range(14)}) == 14
    assert deal.bid_commitment(GAME, 1, 0, 3, bytes(32), 4) == deal.hash_parts(
        b"callbreak-deal/1", b"bid", GAME.encode(), b"\0\1", b"\0\0", b"\3", bytes(32), b"\4"
    )
