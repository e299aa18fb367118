"""Events to records and back."""

import pytest

from games.engine.cards import DECK
from games.engine.events import Bid, Dealt, Event, Played, ThrownIn, from_record, to_record
from tests.build import cards

HANDS = tuple(DECK[start : start + 13] for start in range(0, 52, 13))


@pytest.mark.parametrize(
    "event",
    [
        ThrownIn(2, 1, "no_spades"),
        Bid(1, 3, 0),
        Played(5, 0, cards("TD")[0]),
    ],
)
def test_a_record_gives_its_event_back(event: Event) -> None:
    assert from_record(to_record(event)) == event


def test_the_record_of_a_deal_holds_no_hands() -> None:
    record = to_record(Dealt(1, 0, HANDS))

    assert record == {"kind": "dealt", "round": 1, "attempt": 0}
    assert from_record(record, HANDS) == Dealt(1, 0, HANDS)
    assert from_record(record) == Dealt(1, 0, None)


def test_what_is_printed_of_a_deal_shows_no_card() -> None:
    assert repr(Dealt(1, 0, HANDS)) == "Dealt(round=1, attempt=0)"


def test_a_kind_that_says_nothing_about_cards_is_no_event() -> None:
    assert from_record({"kind": "joined", "seat": 1}) is None


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "bid", "round": 1, "seat": 2},
        {"kind": "bid", "round": 1, "seat": 2, "bid": "3"},
        {"kind": "played", "round": 1, "seat": 2, "card": "1S"},
        {"kind": "played", "round": None, "seat": 2, "card": "AS"},
        {"kind": "thrown_in", "round": 1, "attempt": 0, "data": {}},
        {"kind": "dealt", "round": 1},
    ],
)
def test_a_record_that_cannot_be_is_refused(record: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"record|card"):
        from_record(record)
