"""How fast rounds are played at random: the simulator inside the bots and the engine's rules, against OpenSpiel's `spades`.

    python -m pip install open_spiel     (not among the locked packages: with what it needs it takes 300 MB)
    python -m bench.simulator [--rounds 300] [--times 7] [--check]

All three are driven from Python, cards dealt and all, by turns within the same run, so that whatever else the machine does slows
all alike; what counts is processor time and the median. Without OpenSpiel the two of ours are measured by themselves. `--check`
exits with 1 when the simulator is less than twice as fast as OpenSpiel, or the rules less than half.
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from statistics import median
from time import process_time
from typing import Any, Final

from games.bots.boards import BIT
from games.bots.simulator import BEFORE_THE_LEAD, Position, play_out
from games.engine.cards import DECK, Card
from games.engine.legal import legal_plays, trick_winner
from games.engine.rules import HouseRules
from games.engine.scoring import round_scores

RULES: Final = HouseRules()  # to follow is all that OpenSpiel's rules ask for, too
SIMULATOR_TIMES, REFEREE_TIMES = 2.0, 0.5

_BIDS: Final = (3, 3, 3, 3)


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description="How fast rounds are played at random.")
    options.add_argument("--rounds", type=int, default=300, help="rounds of each in one go")
    options.add_argument("--times", type=int, default=7, help="how often each is measured")
    options.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    given = options.parse_args(arguments)

    players: dict[str, Callable[[], None]] = {"simulator": simulated, "referee": refereed}
    if find_spec("pyspiel") is None:
        print("OpenSpiel is not installed: nothing to compare with (pip install open_spiel)")
    else:
        players["open_spiel"] = open_spiel()
    rates: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(given.times):
        for name, play in players.items():
            start = process_time()
            for _ in range(given.rounds):
                play()
            rates[name].append(given.rounds / (process_time() - start))
    middle = {name: median(each) for name, each in rates.items()}
    for name, rate in middle.items():
        times = f"  {rate / middle['open_spiel']:.2f} x" if "open_spiel" in middle else ""
        print(f"{name:12} {rate:9.0f} rounds a second{times}")
    if "open_spiel" not in middle:
        return 1 if given.check else 0
    is_met = (
        middle["simulator"] >= SIMULATOR_TIMES * middle["open_spiel"]
        and middle["referee"] >= REFEREE_TIMES * middle["open_spiel"]
    )
    return 1 if given.check and not is_met else 0


def simulated() -> None:
    """A round on bitboards."""
    hands = _shuffled()
    start = Position(RULES, 0, BEFORE_THE_LEAD, 0, 3, 0, _BIDS, (0, 0, 0, 0))
    won = play_out(start, hands, _any(hands[0]), _any)
    round_scores(RULES, _BIDS, won)


def refereed() -> None:
    """A round by the functions of the engine."""
    cards = sorted(DECK, key=_by_chance)
    hands = [cards[seat::4] for seat in range(4)]
    leader, won = 0, [0, 0, 0, 0]
    for _ in range(13):
        trick: list[Card] = []
        for place in range(4):
            hand = hands[(leader + place) % 4]
            card = random.choice(legal_plays(RULES, hand, trick))
            hand.remove(card)
            trick.append(card)
        leader = (leader + trick_winner(trick)) % 4
        won[leader] += 1
    round_scores(RULES, _BIDS, won)


def open_spiel() -> Callable[[], None]:
    """A round of OpenSpiel's spades."""
    import pyspiel

    game: Any = pyspiel.load_game("spades")

    def play() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
        state.returns()

    return play


def _shuffled() -> list[int]:
    chances = dict(zip(BIT, iter(random.random, None), strict=False))
    cards = sorted(BIT, key=chances.__getitem__)
    return [sum(cards[seat::4]) for seat in range(4)]


def _by_chance(_card: object) -> float:
    return random.random()


def _any(may_play: int, *_told: int) -> int:
    """Any of these cards."""
    skipped = int(random.random() * may_play.bit_count())
    while skipped:
        may_play &= may_play - 1
        skipped -= 1
    return may_play & -may_play


if __name__ == "__main__":
    sys.exit(main())
