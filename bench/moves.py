"""What a move, a page and a poll cost: queries, and times as ratios within one run.

`python -m bench.moves [--matches 8] [--check]`; BENCH_DATABASE_URL runs it on PostgreSQL. A move is a whole POST through the API,
in this process; beside it, in turn, a bare view that locks one row and inserts one.
"""

import argparse
import sys
from statistics import median

from bench.site import set_up

EARLY, LATE = (
    slice(4, 9),
    slice(268, 279),
)  # the fifth decision and its neighbours; the last before the end
BARS = {
    "queries of a move, most": 12.0,
    "late move / early move": 1.15,
    "move / bare view": 2.5,
    "queries of the table page": 10.0,
    "queries of an unchanged poll": 2.0,
}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--matches", type=int, default=8, help="matches of 280 moves")
    options.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    given = options.parse_args()
    set_up()
    figures = measure(given.matches)
    missed = [name for name, bar in BARS.items() if figures[name] > bar]
    for name, value in figures.items():
        bar = f"  (bar {BARS[name]:g})" if name in BARS else ""
        print(f"{name:34} {value:8.2f}{bar}{'  MISSED' if name in missed else ''}")
    return 1 if missed and given.check else 0


def measure(matches: int) -> dict[str, float]:
    """The figures by name. Times in milliseconds, medians over all matches."""
    from bench.table import FourPeople

    people = FourPeople()
    counts = people.play(people.new_game(), count_queries=True).queries
    moves: list[list[float]] = []
    bare: list[float] = []
    for number in range(matches):
        print(f"match {number + 1} of {matches}", file=sys.stderr)
        run = people.play(people.new_game(), beside=bare)
        moves.append(run.seconds)
    early = median([each for run in moves for each in run[EARLY]])
    late = median([each for run in moves for each in run[LATE]])
    whole = median([each for run in moves for each in run])
    page, poll = people.page_queries()
    return {
        "moves measured": float(sum(map(len, moves))),
        "queries of a move, median": float(median(counts)),
        "queries of a move, most": float(max(counts[:-1])),
        "queries of the move that ends it all": float(counts[-1]),
        "early move, ms": 1000 * early,
        "late move, ms": 1000 * late,
        "late move / early move": late / early,
        "last move of all / early move": median([run[-1] for run in moves]) / early,
        "move, ms": 1000 * whole,
        "bare view, ms": 1000 * median(bare),
        "move / bare view": whole / median(bare),
        "queries of the table page": float(page),
        "queries of an unchanged poll": float(poll),
    }


if __name__ == "__main__":
    sys.exit(main())
