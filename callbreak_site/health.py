"""Is the process there, and can it do its work? For load balancers and for the supervisor."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import structlog
from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from callbreak_site.celery import HEARTBEAT

log = structlog.get_logger(__name__)

CLOCK_STOPPED_AFTER_SECONDS = 60.0


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers. Asks nobody else, so a slow database does not get it restarted."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 if everything that a move needs is there, else 503; which part is missing, never why."""
    parts = {name: _works(name, check) for name, check in CHECKS.items()}
    is_ready = all(parts.values())
    answer = {name: "ok" if works else "failed" for name, works in parts.items()}
    return JsonResponse(answer, status=200 if is_ready else 503)


def _works(name: str, check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception as error:  # whatever it is, this part does not work, and that is the answer
        log.warning("readyz.failed", part=name, reason=type(error).__name__)
        return False


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _schema_is_current() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _broker_answers() -> bool:
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    if "data_folder_out" in options:
        folder = Path(options["data_folder_out"])
        return not folder.exists() or os.access(folder, os.W_OK)
    with current_app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, timeout=1)
    return True


def _clock_ticks() -> bool:
    last_tick: float = cache.get(HEARTBEAT, 0.0)
    return time.time() - last_tick < CLOCK_STOPPED_AFTER_SECONDS


CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database_answers,
    "migrations": _schema_is_current,
    "broker": _broker_answers,
    "clock": _clock_ticks,
}
