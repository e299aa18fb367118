"""A match as readable text and as JSON, out and in.

`write` and `read` are each other's inverse for any log: every deal, bid and card is in it, and what follows from them (who took
a trick, a score) is written for the reader and checked when it is read back. The text goes round by round, so rounds that
were played side by side stand one after the other: as far as the next ruling, for what came before one and what came after it
is never mixed. Hands that are still sealed are written as such.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, assert_never

from games.engine.cards import card, parse_cards, show_cards
from games.engine.errors import RuleViolation
from games.engine.events import (
    Bid,
    Claimed,
    Dealt,
    Event,
    Played,
    Ruled,
    Ruling,
    ThrownIn,
    check_deltas,
    from_record,
    to_record,
)
from games.engine.legal import trick_winner
from games.engine.rules import HouseRules
from games.engine.scoring import round_scores

FORMAT: Final = "callbreak-transcript/1"
SEALED: Final = "sealed"


@dataclass(frozen=True, slots=True)
class Transcript:
    """The rules, who dealt first, and the events of a match (whole or running), rounds in turn.

    Equal transcripts have equal text. A `Dealt` whose `hands` is None stands for a deal that is still sealed.
    """

    rules: HouseRules
    first_dealer: int
    events: tuple[Event, ...] = field(repr=False)

    @classmethod
    def of(cls, rules: HouseRules, first_dealer: int, events: Iterable[Event]) -> "Transcript":
        """The transcript of these events, put in the order of their rounds from one ruling to the next."""
        ordered: list[Event] = []
        for is_ruling, run in groupby(map(_normal, events), lambda each: isinstance(each, Ruled)):
            some = list(run)
            ordered += some if is_ruling else sorted(some, key=lambda event: event.round or 0)
        return cls(rules, first_dealer, tuple(ordered))


# Text


def write(transcript: Transcript) -> str:
    """The transcript as text, ending in a newline."""
    lines = [
        FORMAT,
        f"rules {json.dumps(transcript.rules.to_json(), sort_keys=True)}",
        f"first dealer {transcript.first_dealer}",
    ]
    rounds: dict[int, _Round] = {}
    for is_ruling, some in groupby(transcript.events, lambda each: isinstance(each, Ruled)):
        if is_ruling:
            lines += ["", *(_rule(event, rounds) for event in some if isinstance(event, Ruled))]
            continue
        for number, events in groupby(some, lambda event: event.round or 0):
            row = rounds.setdefault(number, _Round(transcript.rules))
            lines += ["", f"round {number}", *row.lines(events)]
    return "\n".join(lines) + "\n"


def read(text: str) -> Transcript:
    """The transcript that `write` wrote. ValueError, naming the line, for anything else.

    What follows from the cards is checked; whether the moves were legal is for a `Match` to say.
    """
    lines = text.splitlines()
    if len(lines) < 3 or lines[0] != FORMAT:
        raise ValueError(f"line 1: this is not a {FORMAT}")
    try:
        rules = HouseRules.from_json(json.loads(_after(lines[1], "rules ")))
        dealer = int(_after(lines[2], "first dealer "))
    except ValueError as error:
        raise ValueError(f"the head of the transcript cannot be read: {error}") from None
    transcript = Transcript(rules, dealer, tuple(_Reader(lines).events()))
    try:
        written = write(transcript).splitlines()
    except RuleViolation as error:
        raise ValueError(f"the cards cannot be scored: {error}") from None
    _check_same(written, lines)
    return transcript


class _Round:
    """What of a round has been written so far. A ruling may fall between two cards of a trick."""

    def __init__(self, rules: HouseRules) -> None:
        self.rules = rules
        self.start_again()

    def start_again(self) -> None:
        self.plays: list[Played] = []
        self.written = 0
        self.bids: dict[int, int] = {}
        self.won = [0, 0, 0, 0]

    def lines(self, events: Iterable[Event]) -> Iterator[str]:
        """These events, and the scores if the round is over with them."""
        for event in events:
            yield from self._event(event)
        if self.written < len(self.plays):
            yield self._trick_text()
        if sum(self.won) == 13 and len(self.bids) == 4:
            scores = round_scores(self.rules, [self.bids[seat] for seat in range(4)], self.won)
            yield f"scores {' '.join(map(str, scores))}"

    def _event(self, event: Event) -> Iterator[str]:
        match event:
            case Dealt():
                self.bids = {}
                yield f"deal {event.attempt}"
                yield from _hand_lines(event)
            case ThrownIn():
                yield f"thrown in {event.reason}"
            case Bid():
                self.bids[event.seat] = event.bid
                yield f"seat {event.seat} bids {event.bid}"
            case Played():
                self.plays.append(event)
                if len(self.plays) % 4 == 0:
                    last = self.plays[-4:]
                    winner = last[trick_winner(play.card for play in last)].seat
                    self.won[winner] += 1
                    yield f"{self._trick_text()} | seat {winner} takes trick {len(self.plays) // 4}"
            case Claimed():
                self.won[event.seat] += 13 - len(self.plays) // 4
                yield f"seat {event.seat} claims the rest"
            case Ruled():  # written by `_rule`
                return
            case never:
                assert_never(never)

    def _trick_text(self) -> str:
        new = self.plays[self.written :]
        self.written = len(self.plays)
        return "play " + ", ".join(f"{play.seat} {play.card}" for play in new)


def _rule(event: Ruled, rounds: Mapping[int, _Round]) -> str:
    """A ruling's line, such as `ruling void_round round 2 replay` or `ruling adjust_score by 0 -10 0 0`."""
    if event.ruling is Ruling.VOID_ROUND and (row := rounds.get(event.round or 0)) is not None:
        row.start_again()
    words = [f"ruling {event.ruling}"]
    words += [] if event.round is None else [f"round {event.round}"]
    words += [] if event.seat is None else [f"seat {event.seat}"]
    words += ["replay"] if event.replay else []
    words += [f"by {' '.join(map(str, event.deltas))}"] if event.deltas else []
    words += [] if event.lifts is None else [f"lifts {event.lifts}"]
    return " ".join(words)


def _hand_lines(event: Dealt) -> Iterator[str]:
    if event.hands is None:
        yield SEALED
        return
    for seat, hand in enumerate(event.hands):
        yield f"seat {seat} holds {show_cards(hand)}"


class _Reader:
    """Reads the body line by line. What a line says beyond its events is compared afterwards, by writing it again."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.round = 0
        self.attempts: dict[int, int] = {}

    def events(self) -> Iterator[Event]:
        for place, line in enumerate(self.lines[3:], start=4):
            try:
                yield from self._line(line, place)
            except ValueError as error:
                raise ValueError(f"line {place}: {error}") from None

    def _line(self, line: str, place: int) -> Iterator[Event]:
        match line.split():
            case [] | ["scores", *_]:
                return
            case ["round", number]:
                self.round = int(number)
            case ["deal", attempt]:
                yield self._dealt(int(attempt), place)
            case ["sealed"] | ["seat", _, "holds", *_]:
                return  # read with its deal
            case ["thrown", "in", reason]:
                yield ThrownIn(self.round, self.attempts.get(self.round, 0), reason)
            case ["seat", seat, "bids", bid]:
                yield Bid(self.round, int(seat), int(bid))
            case ["seat", seat, "claims", "the", "rest"]:
                yield Claimed(self.round, int(seat))
            case ["ruling", ruling, *words]:
                yield _ruling(Ruling(ruling), words)
            case ["play", *_]:
                for play in _after(line, "play ").split(" | ")[0].split(", "):
                    seat, text = play.split(" ")
                    yield Played(self.round, int(seat), card(text))
            case _:
                raise ValueError("this cannot be read")

    def _dealt(self, attempt: int, place: int) -> Dealt:
        self.attempts[self.round] = attempt
        below = self.lines[place : place + 4]
        if below[:1] == [SEALED]:
            return Dealt(self.round, attempt, None)
        hands = [
            parse_cards(_after(line, f"seat {seat} holds ")) for seat, line in enumerate(below)
        ]
        return Dealt(self.round, attempt, tuple(hands))


def _ruling(ruling: Ruling, words: list[str]) -> Ruled:
    """The ruling of a line: it reads the words that `_rule` writes; in another order they are refused when written again."""
    said: dict[str, list[int]] = {}
    numbers: list[int] = []
    for word in words:
        if word in ("round", "seat", "replay", "by", "lifts"):
            numbers = said[word] = []
        else:
            numbers.append(int(word))
    if ruling is Ruling.ADJUST_SCORE:
        check_deltas(said.get("by"))
    return Ruled(
        ruling,
        round=_only(said.get("round")),
        seat=_only(said.get("seat")),
        replay="replay" in said,
        deltas=tuple(said.get("by", ())),
        lifts=_only(said.get("lifts")),
    )


def _only(numbers: list[int] | None) -> int | None:
    return numbers[0] if numbers else None


def _check_same(written: list[str], given: list[str]) -> None:
    for place, (ours, theirs) in enumerate(zip(written, given, strict=False), start=1):
        if ours != theirs:
            raise ValueError(f"line {place}: the cards say {ours!r}, not {theirs!r}")
    if len(written) != len(given):
        raise ValueError(f"line {min(len(written), len(given)) + 1}: a line is missing or too much")


def _after(line: str, start: str) -> str:
    if not line.startswith(start):
        raise ValueError(f"expected {start.strip()!r}")
    return line.removeprefix(start)


# JSON


def to_json(transcript: Transcript) -> dict[str, object]:
    """The transcript as JSON values: records of the events, hands with their deals (null while sealed)."""
    return {
        "format": FORMAT,
        "rules": transcript.rules.to_json(),
        "first_dealer": transcript.first_dealer,
        "events": [_with_hands(event) for event in transcript.events],
    }


def from_json(d: Mapping[str, Any]) -> Transcript:  # Any: JSON from outside, checked here
    """The transcript that `to_json` gave. ValueError for anything else."""
    match d:
        case {
            "format": "callbreak-transcript/1",
            "rules": dict(rules),
            "first_dealer": int(dealer),
            "events": list(lines),
        }:
            events = [_from_line(line) for line in lines]
            return Transcript.of(HouseRules.from_json(rules), dealer, events)
    raise ValueError(f"this is not a {FORMAT}")


def _with_hands(event: Event) -> dict[str, object]:
    record = to_record(event)
    if isinstance(event, Dealt):
        hands = event.hands
        record["hands"] = (
            None if hands is None else [[str(each) for each in hand] for hand in hands]
        )
    return record


def _from_line(line: Any) -> Event:
    if not isinstance(line, dict):
        raise ValueError("an event is an object")
    hands = line.get("hands")
    dealt = None if hands is None else [[card(text) for text in hand] for hand in hands]
    event = from_record(line, dealt)
    if event is None:
        raise ValueError(f"no such event in a transcript: {line.get('kind')!r}")
    return _normal(event)


def _normal(event: Event) -> Event:
    """The event with its hands, if any, as sorted tuples, so that equal deals are equal."""
    if isinstance(event, Dealt) and event.hands is not None:
        hands = tuple(tuple(sorted(hand)) for hand in event.hands)
        return Dealt(event.round, event.attempt, hands)
    return event
