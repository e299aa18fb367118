"""How many clean games the stand-alone verifier calls forged (none), and how fast it reads.

`python -m bench.verify [--games 10000] [--check]`: whole matches of every kind by turns, each written as JSON and read back.
"""

import argparse
import json
import sys
import time

from bench.site import set_up
from callbreak_verify import verify

BAR_EVENTS_PER_SECOND = 50_000


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=10_000)
    options.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    given = options.parse_args()
    set_up()
    from tests.verify.matches import clean

    events = alarms = 0
    seconds = 0.0
    for number, game in enumerate(clean(given.games), 1):
        text = json.dumps(game)
        started = time.process_time()
        alarms += not all(is_well for is_well, _ in verify(json.loads(text)))
        seconds += time.process_time() - started
        events += len(game["events"])
        if number % 1000 == 0:
            print(f"{number} of {given.games} games", file=sys.stderr)
    per_second = events / seconds
    print(f"clean games                 {given.games:10}")
    print(f"events                      {events:10}")
    print(f"false alarms                {alarms:10}  (bar 0)")
    print(f"events per second of CPU    {per_second:10.0f}  (bar {BAR_EVENTS_PER_SECOND})")
    return 1 if given.check and (alarms or per_second < BAR_EVENTS_PER_SECOND) else 0


if __name__ == "__main__":
    raise SystemExit(main())
