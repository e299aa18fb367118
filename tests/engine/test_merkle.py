"""Roots and paths of Merkle trees, against RFC 6962's own definition and the published roots of its test tree."""

from hashlib import sha256

import pytest

from games.engine import merkle

LINES = [
    bytes.fromhex(text)
    for text in (
        *("", "00", "10", "2021", "3031", "40414243"),
        *("5051525354555657", "606162636465666768696a6b6c6d6e6f"),
    )
]
# Of the first one, two, ... eight lines: as the log servers of certificate transparency are tested with.
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def leaves(count: int) -> list[bytes]:
    return [merkle.leaf_hash(sha256(bytes([number])).digest()) for number in range(count)]


def defined(hashes: list[bytes]) -> bytes:
    """The root as the RFC defines it, word for word."""
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return sha256(b"\1" + defined(hashes[:split]) + defined(hashes[split:])).digest()


def test_the_published_roots() -> None:
    hashes = [merkle.leaf_hash(line) for line in LINES]

    assert [merkle.root(hashes[:size]).hex() for size in range(1, 9)] == ROOTS
    assert merkle.root([]) == sha256(b"").digest()


@pytest.mark.parametrize("size", range(1, 40))
def test_every_path_leads_to_the_root_and_no_other_leaf_does(size: int) -> None:
    hashes = leaves(size)
    root = merkle.root(hashes)

    assert root == defined(hashes)
    for index, leaf in enumerate(hashes):
        path = merkle.path(hashes, index)
        assert merkle.root_by(leaf, index, size, path) == root
        for other in range(size):
            if other != index:
                assert merkle.root_by(hashes[other], index, size, path) != root


def test_a_path_of_another_length_is_refused() -> None:
    hashes = leaves(5)
    path = merkle.path(hashes, 1)

    for wrong in (path[:-1], [*path, path[0]]):
        with pytest.raises(ValueError, match="the path is too"):
            merkle.root_by(hashes[1], 1, 5, wrong)
    with pytest.raises(ValueError, match="leaf 5 of 5"):
        merkle.root_by(hashes[1], 5, 5, path)
    with pytest.raises(IndexError):
        merkle.path(hashes, 5)
