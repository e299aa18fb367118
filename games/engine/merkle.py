"""Merkle trees as in RFC 6962, section 2.1: one hash that binds many lines, and short proofs that a line is among them.

Leaves and nodes are hashed apart (0x00 and 0x01 first), so that no node can pass for a leaf. What a line says is not known here.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

EMPTY: Final = sha256(b"").digest()


def leaf_hash(line: bytes) -> bytes:
    return sha256(b"\0" + line).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over these leaf hashes, in their order."""
    return EMPTY if not leaves else _levels(leaves)[-1][0]


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes that lead from leaf `index` to the root, the lowest first. IndexError when there is no such leaf."""
    if not 0 <= index < len(leaves):
        raise IndexError(f"leaf {index} of {len(leaves)}")
    found = []
    for level in _levels(leaves)[:-1]:
        beside = index ^ 1
        if beside < len(level):
            found.append(level[beside])
        index //= 2
    return found


def root_by(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root that a proof leads to: compare it with the published one. ValueError for a path of another length."""
    here, last, rest = leaf, size - 1, list(path)
    if not 0 <= index <= last:
        raise ValueError(f"leaf {index} of {size}")
    while last:
        # A node without a sibling goes up as it is.
        if index ^ 1 <= last:
            if not rest:
                raise ValueError("the path is too short")
            beside = rest.pop(0)
            here = node_hash(beside, here) if index & 1 else node_hash(here, beside)
        index, last = index // 2, last // 2
    if rest:
        raise ValueError("the path is too long")
    return here


def _levels(leaves: Sequence[bytes]) -> list[list[bytes]]:
    """From the leaves up to the root. The same tree as RFC 6962's, which splits at the largest power of two below its size."""
    levels = [list(leaves)]
    while len(levels[-1]) > 1:
        below = levels[-1]
        pairs = zip(below[::2], below[1::2], strict=False)
        levels.append([node_hash(left, right) for left, right in pairs])
        if len(below) % 2:
            levels[-1].append(below[-1])
    return levels
