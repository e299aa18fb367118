"""Every benchmark, one after the other, each in a process of its own: `make bench`. Exit 1 if a bar was missed.

Minutes each; the long runs have their own commands (see each file's first lines).
"""

import subprocess
import sys
from typing import Final

ALL: Final = (
    ("moves", "--check"),
    ("pages",),
    ("bots", "--check", "--deals", "300"),
    ("pace", "--check", "--matches", "3"),
    ("sweep", "--check"),
    ("verify", "--check", "--games", "300"),
    ("deals", "--check", "--deals", "20000"),
    ("streams", "--check"),
    ("clients", "--check"),
    ("faults", "--kills", "5", "--decisions", "60"),
)


def main() -> int:
    missed = []
    for name, *options in ALL:
        print(f"\n== {name} {' '.join(options)}", flush=True)
        if subprocess.run(
            [sys.executable, "-m", f"bench.{name}", *options], check=False
        ).returncode:
            missed.append(name)
    print(f"\nmissed: {', '.join(missed) or 'nothing'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
