"""What rulings need beside the log. How many seeds are public is one number for a game: a round may be dealt under several keys."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Max, OuterRef, Subquery
from django.db.models.functions import Coalesce

import games.models


def count_the_revealed(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    Game = apps.get_model("games", "Game")
    Round: Any = apps.get_model("games", "Round")  # with the columns of its time
    revealed = Round.objects.filter(game=OuterRef("pk"), is_revealed=True).order_by()
    newest = revealed.values("game").annotate(newest=Max("key")).values("newest")
    Game.objects.update(keys_revealed=Coalesce(Subquery(newest), 0))


def mark_the_revealed(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    Round: Any = apps.get_model("games", "Round")
    public = Round.objects.filter(key__lte=F("game__keys_revealed")).values("pk")
    Round.objects.filter(pk__in=public).update(is_revealed=True)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0014_signals_of_pairs"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="adjusted",
            field=models.JSONField(default=games.models.four_zeros),
        ),
        migrations.AddField(
            model_name="game",
            name="frozen_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="keys_revealed",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.RunPython(count_the_revealed, mark_the_revealed),
        migrations.RemoveField(
            model_name="round",
            name="is_revealed",
        ),
    ]
