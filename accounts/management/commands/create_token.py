"""`manage.py create_token NAME --create --scopes games:read,games:play`: a token for a script."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.models import Scope, User
from accounts.names import check_name, key_of, normalised
from accounts.tokens import LIFE, issue_token


class Command(BaseCommand):
    help = "Print a new personal token, alone, on standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="whose token it is")
        parser.add_argument("--create", action="store_true", help="create the user if need be")
        parser.add_argument(
            "--bot", action="store_true", help="mark a created user as a bot account"
        )
        parser.add_argument(
            "--scopes", default=",".join(Scope.values), help=f"of {', '.join(Scope.values)}"
        )
        parser.add_argument("--label", default="command line", help="what the token is called")
        parser.add_argument("--days", type=int, default=LIFE.days, help="how long it lives")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = self._user(options["name"], create=options["create"], is_bot=options["bot"])
            scopes = [scope.strip() for scope in options["scopes"].split(",") if scope.strip()]
            _token, text = issue_token(
                user,
                name=options["label"],
                scopes=scopes,
                now=timezone.now(),
                life=timedelta(days=options["days"]),
            )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(text)

    def _user(self, name: str, *, create: bool, is_bot: bool) -> User:
        name = normalised(name)
        if user := User.objects.filter(username_key=key_of(name)).first():
            return user
        if not create:
            raise CommandError(f"There is no user {name}: --create makes one.")
        check_name(name)
        user = User(username=name, is_bot=is_bot)
        user.set_unusable_password()
        user.save()
        return user
