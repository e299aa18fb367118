"""Every forgery of a log or of a deal is found by the stand-alone verifier; no clean game is called forged.

The counts are printed (`pytest -s`), so that a suite that quietly forges less is seen.
"""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Final

from callbreak_verify import verify
from tests.verify.forging import Forgery, edits, forged_deals, moves
from tests.verify.matches import RULES, Log, clean, played

SHORT: Final = ("arcadia", "sealed", "practice with everything", "low bids redealt", "side by side")


def told(words: str) -> None:
    print(f"\n{words}")  # noqa: T201 - the counts are what this suite is read for


def unfound(forgeries: Iterable[Forgery]) -> tuple[Counter[str], Counter[str]]:
    """How many of each kind were made, and how many of them were not found."""
    made, missed = Counter[str](), Counter[str]()
    for what, forged in forgeries:
        made[what] += 1
        missed[what] += all(is_well for is_well, _ in verify(forged))
    return made, +missed


def test_a_changed_log_is_found() -> None:
    game, dice = played(RULES["arcadia"].replace(rounds=1), 1), Random(1)

    made, missed = unfound([*edits(game, dice, chained=False), *moves(game, dice, chained=False)])

    told(f"{sum(made.values())} logs changed, {sum(missed.values())} not found")
    assert not missed
    assert sum(made.values()) >= 700


def test_a_changed_log_is_found_though_its_chain_was_written_anew() -> None:
    made, missed = Counter[str](), Counter[str]()
    for name in ("arcadia", "sealed", "everestbuzz-practice"):
        game, dice = played(RULES[name].replace(rounds=1), 3), Random(name)
        more = unfound([*edits(game, dice, chained=True), *moves(game, dice, chained=True)])
        made, missed = made + more[0], missed + more[1]

    told(f"{sum(made.values())} logs written anew, {sum(missed.values())} not found")
    assert not missed
    assert sum(made.values()) >= 700


def test_a_changed_deal_is_found_though_the_chain_was_written_anew() -> None:
    made, missed = Counter[str](), Counter[str]()
    for seed, name in enumerate(SHORT * 2):
        log, dice = Log(RULES[name].replace(rounds=2), Random(seed)), Random(seed)
        while log.step():
            pass
        more = unfound(forged_deals(log, dice))
        made, missed = made + more[0], missed + more[1]

    told(f"{sum(made.values())} deals forged, {sum(missed.values())} not found")
    assert not missed
    assert sum(made.values()) >= 1200
    assert len(made) > 60


def test_no_clean_game_is_called_forged() -> None:
    games = alarms = 0
    for game in clean(300):
        games += 1
        alarms += not all(is_well for is_well, _ in verify(game))

    told(f"{games} clean games, {alarms} false alarms")
    assert not alarms
