"""Logs in which a seat changes hands, as it may and as it may not."""

from typing import Any, Final

from games.engine.rules import PRESETS, HouseRules
from tests.verify.forging import copied, rechained
from tests.verify.matches import Export, played

ONE_ROUND: Final = PRESETS["arcadia"].replace(rounds=1)
SEALED: Final = ONE_ROUND.replace(sealed_bids=True)
Line = dict[str, Any]


def line(kind: str, by: str, day: int, **columns: object) -> Line:
    """A line about seat 3 that says nothing of cards, written so many days after the others."""
    said = {"kind": kind, "by": by, "seat": 3, "minute": f"2026-12-{day:02}T19:29Z", "data": {}}
    return {**dict.fromkeys(("round", "attempt", "turn", "bid", "card")), **said, **columns}


def with_lines(*added: Line, rules: HouseRules = ONE_ROUND) -> Export:
    """A finished match into which these lines were written after the first deal."""
    export: Export = copied(played(rules, 3))
    place = [each["kind"] for each in export["events"]].index("dealt") + 1
    export["events"][place:place] = [{**export["events"][0], **each} for each in added]
    return rechained(export)


def after_the_end() -> Export:
    export: Export = copied(with_lines(LATE, LATE_AGAIN))
    export["events"].append({**export["events"][0], **TAKEN})
    return rechained(export)


LATE: Final = line("stood_in", "clock", 1, round=1)
LATE_AGAIN: Final = line("stood_in", "clock", 2, round=1)
ONCE_MORE: Final = line("stood_in", "clock", 5, round=1)
AUTOPILOT_OFF: Final = line("returned", "player", 6, round=1)
BACK: Final = line("returned", "player", 3)
TAKEN: Final = line("substituted", "player", 9)

CHANGED_HANDS: Final = (
    with_lines(LATE, LATE_AGAIN, TAKEN),
    with_lines(LATE, LATE_AGAIN, ONCE_MORE, AUTOPILOT_OFF, TAKEN),
    with_lines(LATE, LATE_AGAIN, TAKEN, rules=SEALED),
)
NOT_TO_BE_HAD: Final = (
    with_lines(TAKEN),
    with_lines(LATE, TAKEN),
    with_lines(LATE, LATE_AGAIN, {**TAKEN, "minute": "2026-12-09T19:28Z"}),
    with_lines(LATE, LATE_AGAIN, {**TAKEN, "seat": 1}),
    with_lines(LATE, LATE_AGAIN, {**TAKEN, "seat": None}),
    with_lines(LATE, LATE_AGAIN, {**TAKEN, "by": "bot"}),
    with_lines(LATE, LATE_AGAIN, {**TAKEN, "data": {"user": "eli"}}),
    with_lines(LATE, LATE_AGAIN, BACK, TAKEN),
    with_lines(LATE, BACK, LATE_AGAIN, TAKEN),
    with_lines(LATE, LATE_AGAIN, TAKEN, TAKEN),
    after_the_end(),
)
