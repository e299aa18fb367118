"""What Hypothesis draws: every valid set of rules, every position, every result of a round."""

from typing import Any

from hypothesis import strategies as st

from games.engine.cards import DECK, Card
from games.engine.rules import CHOICES, HouseRules

Position = tuple[tuple[Card, ...], tuple[Card, ...]]


@st.composite
def house_rules(draw: st.DrawFn) -> HouseRules:
    """Any rules that are valid, every field of them drawn."""
    max_bid = draw(st.integers(1, 13))
    must_beat, must_trump = draw(st.booleans()), draw(st.booleans())
    fields: dict[str, Any] = {  # Any: each field has its own type
        "name": draw(st.sampled_from(CHOICES["name"])),
        "min_bid": draw(st.integers(0, max_bid)),
        "max_bid": max_bid,
        "score_scale": draw(st.sampled_from(CHOICES["score_scale"])),
        "must_beat": must_beat,
        "must_beat_after_trump": must_beat and draw(st.booleans()),
        "must_trump": must_trump,
        "must_trump_low": must_trump and draw(st.booleans()),
        "redeal_no_spades": draw(st.booleans()),
        "redeal_no_faces": draw(st.booleans()),
        "redeal_bids_below": draw(st.none() | st.integers(1, 4 * max_bid)),
        "redeal_bids_limit": draw(st.integers(0, 100)),
        "direction": draw(st.sampled_from(CHOICES["direction"])),
        "sealed_bids": draw(st.booleans()),
    }
    return HouseRules(**fields, **draw(_ends(max_bid)))


@st.composite
def _ends(draw: st.DrawFn, max_bid: int) -> dict[str, Any]:
    if draw(st.booleans()):
        return {"rounds": draw(st.integers(1, 10)), "parallel_rounds": True}
    high_bids = st.integers(7, max_bid) if max_bid >= 7 else st.nothing()
    target = draw(st.none() | st.integers(1, 13_000))
    limits = st.none() | st.integers(1, 100)
    return {
        "rounds": draw(limits if target is not None else st.integers(1, 100)),
        "target": target,
        "max_rounds": draw(limits) if target is not None else None,
        "instant_win_bid": draw(st.none() | high_bids),
    }


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A hand of 1 to 13 cards and a trick of 0 to 3, all different."""
    shuffled = draw(st.permutations(DECK))
    held, down = draw(st.integers(1, 13)), draw(st.integers(0, 3))
    return tuple(shuffled[:held]), tuple(shuffled[held : held + down])


@st.composite
def tricks_won(draw: st.DrawFn) -> list[int]:
    """Thirteen tricks among four seats."""
    cuts = sorted(draw(st.lists(st.integers(0, 13), min_size=3, max_size=3)))
    return [high - low for low, high in zip([0, *cuts], [*cuts, 13], strict=True)]
