"""`manage.py verify_log`: every stored game against its seed, its rules and its own log; or one."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.refusals import GameNotFound
from games.services import checkpoints, quarantine
from games.services.audit import Head, games_to_verify, verify_game

PROGRESS_EVERY: Final = 1000
# Instead of a game's id, in a file of published heads: no id is that long, nor in small letters.
CHECKPOINT: Final = "checkpoint"


class Command(BaseCommand):
    help = "Check chain, deals, legality, scores and columns of all games, and the daily checkpoints. Exit status 1 if anything is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", metavar="ID", help="this game alone")
        parser.add_argument(
            "--heads",
            metavar="FILE",
            type=Path,
            help="published heads, a line each: game, number of the event, its hash; or: checkpoint, its number, its hash",
        )

        parser.add_argument(
            "--freeze",
            action="store_true",
            help="stop every game that is being played and is broken: after a backup was restored, say, with --heads",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        heads = _read_heads(options["heads"]) if options["heads"] else {}
        roots = heads.pop(CHECKPOINT, [])
        only = options["game"]
        if only:
            heads = {only: heads.get(only, [])}
        games = [only] if only else games_to_verify()
        checked, broken = self._check(games, heads, freezes=options["freeze"])
        wrong = [] if only else checkpoints.check(published=roots)
        for sentence in wrong:
            self.stdout.write(sentence)
        # Published, and nowhere: what no look at the games that are there would tell.
        for game in sorted(heads):
            broken += 1
            self.stdout.write(f"{game}: there is no such game (any more)")
        self.stdout.write(f"{checked} games checked, {broken} broken")
        if broken or wrong:
            sys.exit(1)

    def _check(
        self, games: Iterable[str], heads: dict[str, list[Head]], *, freezes: bool
    ) -> tuple[int, int]:
        """How many games were checked, and how many are broken. Takes out of `heads` those that are there."""
        checked = broken = 0
        for game in games:
            try:
                found = verify_game(game, now=timezone.now(), heads=heads.get(game, ()))
            except GameNotFound:
                continue
            heads.pop(game, None)
            checked += 1
            if found:
                broken += 1
                self.stdout.write(f"{game}: {'; '.join(found)}")
                if freezes and quarantine.freeze(game, found, now=timezone.now()):
                    self.stdout.write(f"{game}: stopped")
            if checked % PROGRESS_EVERY == 0:
                self.stderr.write(f"{checked} games ...")
        return checked, broken


def _read_heads(file: Path) -> dict[str, list[Head]]:
    """What was published, by game. CommandError for a file that is none, with the line where it is not."""
    heads: dict[str, list[Head]] = {}
    try:
        lines = file.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split()
        if len(words) != 3 or not words[1].isdecimal() or not int(words[1]):
            raise CommandError(
                f"{file}, line {number}: not a game (or the word checkpoint), a number and a hash"
            )
        heads.setdefault(words[0], []).append((int(words[1]), words[2]))
    return heads
