"""What is in quarantine, and the last nightly inspection, for the first page of the admin."""

from datetime import timedelta
from typing import Any, Final

from django import template
from django.utils import timezone

from games.services import inspecting, quarantine

register = template.Library()

SHOWN: Final = 20
STALE_AFTER: Final = timedelta(days=2)


@register.inclusion_tag("admin/_inspection.html")
def inspection_box() -> dict[str, Any]:
    run = inspecting.latest()
    return {
        "run": run,
        "stopped": quarantine.open_ones()[:SHOWN],
        "is_stale": run is not None and timezone.now() - run.began_at > STALE_AFTER,
    }
