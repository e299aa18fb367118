"""Whatever the rules of a table, a bot's answer is one the engine takes."""

import pytest

from games.bots import BOTS
from games.engine.rules import PRESETS, HouseRules
from tests.bots.positions import IN_FULL, LEVELS, deal, decisions, random_rules, to_bid, to_play

DEALS = range(20)  # 56 decisions a deal: more than a thousand
FEW_DEALS = DEALS if IN_FULL else range(4)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("level", LEVELS)
def test_a_thousand_decisions_under_every_preset_are_never_refused(preset: str, level: str) -> None:
    made = sum(1 for _ in decisions(PRESETS[preset], [LEVELS[level]] * 4, DEALS))

    assert made >= 1000


@pytest.mark.parametrize("seed", range(50))
def test_no_decision_is_refused_under_any_knobs(seed: int) -> None:
    everybody = [*LEVELS.values(), LEVELS["expert"]]

    made = sum(1 for _ in decisions(random_rules(seed), everybody, FEW_DEALS))

    assert made >= 50 * len(FEW_DEALS)


@pytest.mark.parametrize("level", BOTS)
@pytest.mark.parametrize(("low", "high"), [(0, 1), (1, 1), (5, 8), (13, 13), (0, 13), (3, 4)])
def test_bids_stay_in_the_range_that_the_rules_leave(level: str, low: int, high: int) -> None:
    rules = HouseRules(min_bid=low, max_bid=high)

    for number in range(10):
        for hand in deal(number):
            seen = to_bid(" ".join(map(str, hand)), rules=rules)
            assert low <= LEVELS[level].bid(seen) <= high


@pytest.mark.parametrize("level", BOTS)
def test_a_bot_that_is_not_to_act_says_so(level: str) -> None:
    spectator_hand = to_bid("", rules=PRESETS["arcadia"])

    with pytest.raises(ValueError, match="hand"):
        BOTS[level].bid(spectator_hand)
    with pytest.raises(ValueError, match="turn"):
        BOTS[level].play(to_bid("AS 2C"))


@pytest.mark.parametrize("level", BOTS)
def test_the_last_card_is_played_without_ado(level: str) -> None:
    assert BOTS[level].play(to_play("7D")).text == "7D"
