"""The engine and a second reading of the three texts agree, position by position."""

import random
from collections.abc import Iterator

import pytest

from games.engine.cards import DECK, Card
from games.engine.legal import legal_plays
from games.engine.rules import PRESETS, HouseRules
from tests.engine.oracle import ORACLES, legal

POSITIONS = 100_000


def rules_named(name: str) -> HouseRules:
    preset, *options = name.split(" + ")
    return PRESETS[preset].replace(**dict.fromkeys(options, True))


def positions(seed: str) -> Iterator[tuple[list[Card], list[Card]]]:
    """Hands of every size against tricks of every length; small hands, so that many are void."""
    dice = random.Random(seed)
    for _ in range(POSITIONS):
        held, down = dice.randint(1, 13), dice.randint(0, 3)
        drawn = dice.sample(DECK, held + down)
        yield drawn[:held], drawn[held:]


@pytest.mark.parametrize("name", ORACLES)
def test_the_engine_allows_what_the_text_of_the_house_allows(name: str) -> None:
    rules, allows = rules_named(name), ORACLES[name]

    for held, down in positions(name):
        expected = legal(allows, [card.text for card in held], [card.text for card in down])

        plays = [card.text for card in legal_plays(rules, held, down)]

        assert set(plays) == expected, f"{held} to {down}"
        assert len(plays) == len(expected)


def test_the_oracle_covers_every_preset() -> None:
    assert {name.split(" + ")[0] for name in ORACLES} == set(PRESETS)
