"""callbreak-deal/1: from committed bytes to four hands, exactly.

A match has one chain of keys. Its far end `s_128` is secret, its anchor `s_0` is public before
anyone contributes, and each link is the hash of the next one: revealing `s_r` proves that it was
fixed from the start and says nothing about `s_{r+1}`. The link and what the seats contributed make
the round key, and that key alone makes deck and salts.

Bytes in, bytes and cards out. Nothing here draws a random number or keeps a secret: callers bring
`s_128` and guard it. `r` is the key index of a deal, which is the round's number unless an earlier
round was voided. The format changes only with a new TAG.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final

from games.engine.cards import DECK, Card

TAG: Final = b"callbreak-deal/1"
KEYS: Final = 128  # a match can deal under this many key indices
SECRET_BYTES: Final = 32
MAX_CONTRIBUTION_BYTES: Final = 64

Hand = tuple[Card, ...]
Hands = tuple[Hand, Hand, Hand, Hand]


def hash_parts(*parts: bytes) -> bytes:
    """SHA-256 over the parts, each after its length: `ab`, `c` and `a`, `bc` differ."""
    return sha256(b"".join([_prefixed(part) for part in parts])).digest()


def hkdf(ikm: bytes, salt: bytes, info: bytes, length: int = 32) -> bytes:
    """HKDF-SHA256 (RFC 5869), at most 255 blocks of 32 bytes."""
    if not 1 <= length <= 255 * 32:
        raise ValueError(f"length: 1 to {255 * 32} bytes, not {length}")
    key = hmac.digest(salt, ikm, "sha256")
    block, output, counter = b"", b"", 0
    while len(output) < length:
        counter += 1
        block = hmac.digest(key, block + info + bytes([counter]), "sha256")
        output += block
    return output[:length]


# The chain of keys


def link(game_id: str, s_128: bytes, r: int) -> bytes:
    """`s_r`, the secret of key index `r` (0 to 128; `s_0` is the public anchor)."""
    _check_secret("s_128", s_128)
    _check_range("r", r, 0, KEYS)
    # `previous_link` up to 128 times, which every move pays for: what stays the same is put together once.
    start = _prefixed(TAG) + _prefixed(b"link") + _prefixed(game_id.encode()) + b"\0\0\0\2"
    secret = s_128
    for index in range(KEYS, r, -1):
        secret = sha256(start + _u16(index) + b"\0\0\0\x20" + secret).digest()
    return secret


def anchor(game_id: str, s_128: bytes) -> bytes:
    """`s_0`: public from the first event on, binding every round of the match."""
    return link(game_id, s_128, 0)


def previous_link(game_id: str, s_r: bytes, r: int) -> bytes:
    """`s_{r-1}` of `s_r`: what anybody can check once `s_r` is revealed."""
    return hash_parts(TAG, b"link", game_id.encode(), _u16(r), s_r)


def round_key(game_id: str, s_r: bytes, contributions: Sequence[bytes], r: int) -> bytes:
    """`K_r`, from link `r` and what the four seats gave (0 to 64 bytes each, by seat)."""
    _check_secret("s_r", s_r)
    _check_range("r", r, 1, KEYS)
    if len(contributions) != 4 or any(len(part) > MAX_CONTRIBUTION_BYTES for part in contributions):
        raise ValueError(f"contributions: four, each of at most {MAX_CONTRIBUTION_BYTES} bytes")
    salt = hash_parts(TAG, b"contrib", game_id.encode(), *contributions)
    info = _prefixed(TAG) + _prefixed(b"round") + _prefixed(game_id.encode()) + _u16(r)
    return hkdf(s_r, salt, info)


# What a round key decides


def first_dealer(key_1: bytes) -> int:
    """The seat that deals the first round, drawn from the key of index 1."""
    return draw(_words(key_1, b"dealer", 0), 4)


def draw(words: Iterator[int], n: int) -> int:
    """A number below `n`, all equally likely: words past the last multiple of `n` are skipped."""
    limit = 2**32 - 2**32 % n
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % n


def deck(key: bytes, attempt: int) -> Hand:
    """The shuffled 52 cards of an attempt (Fisher-Yates, every order equally likely)."""
    _check_range("attempt", attempt, 0, 0xFFFF)
    cards, words = list(DECK), _words(key, b"deck", attempt)
    for last in range(51, 0, -1):
        other = draw(words, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def hands(key: bytes, attempt: int) -> Hands:
    """Four hands of 13 by seat, each in canonical order."""
    shuffled = deck(key, attempt)
    a, b, c, d = (tuple(sorted(shuffled[start : start + 13])) for start in range(0, 52, 13))
    return a, b, c, d


# Commitments


def hand_salt(key: bytes, attempt: int, seat: int) -> bytes:
    """What hides a hand in its commitment; only that seat is shown it before the round is over."""
    return _salt(key, b"handsalt", attempt, seat)


def hand_commitment(
    game_id: str, r: int, attempt: int, seat: int, salt: bytes, hand: Sequence[Card]
) -> bytes:
    """What a `dealt` event publishes for a seat; hand (in canonical order) and salt open it."""
    cards = "".join(card.text for card in hand).encode()
    return hash_parts(
        TAG, b"hand", game_id.encode(), _u16(r), _u16(attempt), _u8(seat), salt, cards
    )


def commitments(
    game_id: str, key: bytes, r: int, attempt: int
) -> tuple[bytes, bytes, bytes, bytes]:
    """The four hand commitments of a deal, by seat."""
    dealt = hands(key, attempt)
    a, b, c, d = (
        hand_commitment(game_id, r, attempt, seat, hand_salt(key, attempt, seat), dealt[seat])
        for seat in range(4)
    )
    return a, b, c, d


def bid_salt(key: bytes, attempt: int, seat: int) -> bytes:
    """What hides a sealed bid in its commitment: else fourteen guesses would open it."""
    return _salt(key, b"bidsalt", attempt, seat)


def bid_commitment(game_id: str, r: int, attempt: int, seat: int, salt: bytes, bid: int) -> bytes:
    """What a `sealed` event publishes."""
    return hash_parts(
        TAG, b"bid", game_id.encode(), _u16(r), _u16(attempt), _u8(seat), salt, _u8(bid)
    )


def _salt(key: bytes, label: bytes, attempt: int, seat: int) -> bytes:
    _check_range("attempt", attempt, 0, 0xFFFF)
    _check_range("seat", seat, 0, 3)
    return hkdf(key, b"", _prefixed(label) + _u16(attempt) + _u8(seat))


def _words(key: bytes, label: bytes, attempt: int) -> Iterator[int]:
    """An endless stream of numbers below 2**32."""
    prefix, counter = _prefixed(label) + _u16(attempt), 0
    while True:
        block = hmac.digest(key, prefix + counter.to_bytes(8, "big"), "sha256")
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def _prefixed(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part


def _u8(number: int) -> bytes:
    return number.to_bytes(1, "big")


def _u16(number: int) -> bytes:
    return number.to_bytes(2, "big")


def _check_secret(name: str, secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:  # the message holds a length, never a byte of the secret
        raise ValueError(f"{name}: {SECRET_BYTES} bytes, not {len(secret)}")


def _check_range(name: str, number: int, low: int, high: int) -> None:
    if not low <= number <= high:
        raise ValueError(f"{name}: {low} to {high}, not {number}")
