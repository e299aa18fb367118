"""`manage.py reseal_deals`: after a new key was put first in DEAL_KEYS, and before an old one is taken out."""

from typing import Any

from cryptography.fernet import InvalidToken
from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError

from games.services import resealing


class Command(BaseCommand):
    help = "Seal the seeds of all games with the first of DEAL_KEYS. Run it as the owner of the tables, like migrate."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            resealed = resealing.reseal()
        except InvalidToken:
            raise CommandError(
                "None of DEAL_KEYS opens the seed of some game: nothing was changed. verify_log says which."
            ) from None
        except ProgrammingError as error:
            raise CommandError(f"Only the owner of the tables can do that: {error}") from None
        self.stdout.write(f"{resealed} seeds sealed anew")
