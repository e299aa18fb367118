import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def fill_in(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Nobody has owned a bot account so far: whoever held a seat is the person behind it."""
    apps.get_model("games", "SeatHolder").objects.update(person=F("user"))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_bot_accounts"),
        ("games", "0017_quarantines"),
    ]

    operations = [
        migrations.AddField("game", "bots_may_sit", models.BooleanField(default=False)),
        migrations.AddField(
            "seatholder",
            "person",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
