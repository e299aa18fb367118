"""Where a house's text is silent: each reading that the rules page shows, as a test."""

import pytest

from games.engine.legal import legal_plays, redeal_reason, redeal_reason_after_bids
from games.engine.rules import PRESETS, READINGS, with_options
from games.engine.scoring import instant_winner, standings
from tests.build import cards, hand, trick
from tests.engine.test_redeals import NEITHER, SEAT_1_WITHOUT_FACES, SEAT_2_WITHOUT_SPADES

FRIENDS = PRESETS["everestbuzz-friends"]
YEEQIA = PRESETS["yeeqia"]
MUST_BEAT = with_options("everestbuzz-practice", {"must_beat": True})
MUST_TRUMP = with_options("everestbuzz-practice", {"must_trump": True})
INSTANT = with_options("everestbuzz-practice", {"instant_win_bid": 8, "max_bid": 13})
LOW_BIDS = with_options("everestbuzz-practice", {"redeal_bids_below": 8})
NO_FACES = with_options("everestbuzz-practice", {"redeal_no_faces": True})


def test_beat_after_trump() -> None:
    assert legal_plays(MUST_BEAT, hand("3H KH"), trick("9H 2S")) == cards("3H KH")


def test_beat_spades_led() -> None:
    assert legal_plays(MUST_BEAT, hand("3S KS"), trick("9S")) == cards("KS")


def test_void_cannot_win() -> None:
    assert legal_plays(MUST_TRUMP, hand("3S 2C"), trick("9H 5S")) == cards("2C 3S")


def test_yeeqia_spades_led() -> None:
    assert legal_plays(YEEQIA, hand("3S KS 2C"), trick("9S")) == cards("3S KS")


def test_any_higher() -> None:
    assert legal_plays(MUST_BEAT, hand("3H TH AH"), trick("9H")) == cards("TH AH")
    assert legal_plays(YEEQIA, hand("3S TS AS"), trick("9H 5S")) == cards("TS AS")


def test_low_bids() -> None:
    assert redeal_reason_after_bids(LOW_BIDS, (2, 2, 2, 1), 0) == "low_bids"
    assert redeal_reason_after_bids(LOW_BIDS, (2, 2, 2, 2), 0) is None
    assert redeal_reason_after_bids(LOW_BIDS, (2, 2, 2, 1), 2) == "low_bids"
    assert redeal_reason_after_bids(LOW_BIDS, (2, 2, 2, 1), 3) is None


def test_no_spades() -> None:
    assert redeal_reason(FRIENDS, SEAT_2_WITHOUT_SPADES) == "no_spades"


def test_face_cards() -> None:
    assert redeal_reason(NO_FACES, SEAT_1_WITHOUT_FACES) == "no_faces"  # seat 1 holds an ace


def test_both_redeals() -> None:
    assert redeal_reason(NO_FACES, NEITHER) == "no_spades"


@pytest.mark.parametrize("preset", PRESETS)
def test_tie(preset: str) -> None:
    rules = PRESETS[preset].replace(rounds=1, target=None)

    assert standings(rules, [((5, 5, 5, 5), (6, 6, 1, 0))]).winners == (0, 1)


def test_target_round() -> None:
    both = ((5, 5, 5, 5), (5, 5, 2, 1))

    table = standings(YEEQIA, [both] * 5 + [((5, 6, 5, 5), (6, 7, 0, 0))])

    assert table.totals[:2] == (301, 311)
    assert (table.reason, table.winners) == ("target", (1,))


def test_round_limit() -> None:
    rules = with_options("yeeqia", {"max_rounds": 2})

    table = standings(rules, [((5, 5, 5, 5), (6, 4, 2, 1))] * 2)

    assert (table.reason, table.winners) == ("round_limit", (0,))


@pytest.mark.parametrize("preset", PRESETS)
def test_direction(preset: str) -> None:
    assert PRESETS[preset].direction == "right"


@pytest.mark.parametrize(
    ("bid", "won", "winner"), [(8, 8, 1), (8, 9, 1), (9, 9, 1), (9, 8, None), (7, 8, None)]
)
def test_instant_win(bid: int, won: int, winner: int | None) -> None:
    bids, tricks = (1, bid, 1, 1), (13 - won, won, 0, 0)

    assert instant_winner(INSTANT, bids, tricks) == winner


def test_instant_win_one() -> None:
    assert 2 * 7 > 13
    with pytest.raises(ValueError, match=r"^instant_win_bid: "):
        INSTANT.replace(instant_win_bid=6)


def test_instant_win_ranks() -> None:
    table = standings(INSTANT, [((7, 1, 1, 1), (13, 0, 0, 0)), ((1, 8, 1, 1), (2, 8, 2, 1))])

    assert table.ranks == (2, 1, 3, 4)


# Settled elsewhere: who deals and what counts in `round` and `match`, the lot in `deal`, and who
# may sit down in the services, which ask no rule about it.
ELSEWHERE = {"redeal-dealer", "first-dealer", "practice-people"}


def test_every_reading_has_a_test_of_its_name() -> None:
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}

    for reading in READINGS:
        assert reading.id in ELSEWHERE or reading.id.replace("-", "_") in tested, reading.id
