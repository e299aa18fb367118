"""The game itself: rules at the bottom, one log above them, one service per verb, thin edges on top."""

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import guards, heralds

        # Table rebuilds drop triggers without a word, so they are installed again after every migrate.
        post_migrate.connect(guards.install, sender=self, dispatch_uid="games.guards")
        post_migrate.connect(heralds.install, sender=self, dispatch_uid="games.heralds")
        register(guards.check, Tags.database)
        register(guards.check_role, Tags.database, deploy=True)
