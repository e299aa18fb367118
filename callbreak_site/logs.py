"""Logs on standard error: one JSON object a line, or readable lines where a person looks on.

Nothing secret is ever passed to a logger; as a second lock, keys that could name a secret are blanked.
"""

import logging.config
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

# Links in mails log their reader in, confirm an address or stop mail: their keys are no log's business, nor is anybody's name.
_IN_PATHS = re.compile(
    r"(?<=/reset/key/)[^/\s]+|(?<=/confirm-email/)[^/\s]+|(?<=/notices/stop/)[^/\s]+|(?<=/people/)[^/\s]+"
)
SECRET_WORDS = ("authorization", "cookie", "hand", "password", "salt", "secret", "seed", "token")


def configure_logs(level: str) -> None:
    """Send structlog's and the standard library's loggers through one formatter."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        blank_secrets,
        blank_paths,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "line": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": shared,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        *_renderers(for_a_person=sys.stderr.isatty()),
                    ],
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
            "root": {"handlers": ["stderr"], "level": level},
            "loggers": {
                # One line a request comes from django_structlog; these would say it again.
                "django.server": {"level": "ERROR"},
                "django.request": {"level": "ERROR"},
                "celery.worker.strategy": {"level": "WARNING"},
                "celery.app.trace": {"level": "WARNING"},
                "celery.beat": {"level": "WARNING"},
            },
        }
    )


def blank_secrets(
    logger: Any, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """The log line without the value of any key that could name a secret."""
    for key in event:
        if any(word in key.lower() for word in SECRET_WORDS):
            event[key] = "[blank]"
    return event


def blank_paths(
    logger: Any, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """The log line without keys and names in a path: Django's own lines name the path of what they refuse."""
    event["event"] = without_keys(str(event["event"]))
    return event


def without_keys(path: str) -> str:
    """A path, or a sentence that names one, with a dash for whatever is a key or a name in it."""
    return _IN_PATHS.sub("-", path)


def _renderers(*, for_a_person: bool) -> list[Any]:
    if for_a_person:
        return [structlog.dev.ConsoleRenderer()]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
