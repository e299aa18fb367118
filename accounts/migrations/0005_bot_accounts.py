import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_webhooks")]

    operations = [
        migrations.AddField(
            "user",
            "owner",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="bots",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            "user",
            models.CheckConstraint(
                condition=models.Q(owner__isnull=True) | models.Q(is_bot=True),
                name="user_only_bots_are_owned",
            ),
        ),
    ]
