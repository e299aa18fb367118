"""`manage.py migrate`, which may find the log without its triggers: it is what installs them."""

from typing import Any

from django.core.management.commands import migrate

from games import guards


class Command(migrate.Command):
    def check(self, *args: Any, **kwargs: Any) -> None:
        # Django checks before it migrates, and would refuse for want of what migrating brings.
        for alias in kwargs.get("databases") or ():
            guards.install(using=alias)
        super().check(*args, **kwargs)
