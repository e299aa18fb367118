import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0018_bots_may_sit")]

    operations = [
        migrations.AlterField(
            "seatholder",
            "person",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            "seatholder",
            models.UniqueConstraint(
                fields=["game", "person"], name="holder_one_person_per_game_ever"
            ),
        ),
    ]
