"""The Celery application. Its table of routes and of regular tasks is in the settings."""

import os
import time
from typing import Any

from celery import Celery, signals
from django.core.cache import cache
from django_structlog.celery.steps import DjangoStructLogInitStep
from kombu.transport import TRANSPORT_ALIASES

from callbreak_site.processes import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")

TRANSPORT_ALIASES["folder"] = "callbreak_site.fsatomic:Transport"

HEARTBEAT = "heartbeat"

app = Celery("callbreak")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)


@signals.setup_logging.connect
def keep_our_logs(**kwargs: Any) -> None:
    """Celery leaves logging alone when this signal is answered: the settings did it."""


@signals.beat_embedded_init.connect
def end_with_the_worker(**kwargs: Any) -> None:
    """The clock inside a worker is a process of its own: without this it would outlive a killed one."""
    die_with_parent()


@app.task(name="callbreak_site.heartbeat")
def heartbeat() -> None:
    """The clock ticks, the broker carries and a worker works: /readyz reads when that last held."""
    cache.set(HEARTBEAT, time.time(), timeout=3600)
