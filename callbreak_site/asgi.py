"""Streams only: `uvicorn callbreak_site.asgi:application`. Everything else is served by WSGI, which is quicker at it."""

import os
import resource

import django
import structlog

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")
django.setup()

from django.conf import settings  # noqa: E402 - these need the settings

from callbreak_site.handover import Door  # noqa: E402
from games.api.live import Live, Receive, Scope, Send  # noqa: E402

log = structlog.get_logger(__name__)
live = Live()


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _live_as_long_as_the_server(receive, send)
    else:
        await live(scope, receive, send)


async def _live_as_long_as_the_server(receive: Receive, send: Send) -> None:
    await receive()
    _allow_many_files()
    await live.start()
    door = _door()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    if door is not None:
        door.close()
    await live.stop()
    await send({"type": "lifespan.shutdown.complete"})


def _door() -> Door | None:
    try:
        return Door(settings.CALLBREAK_STREAMS_DOOR, live)
    except (
        OSError
    ) as error:  # a path that is too long for a socket, a folder that cannot be written
        log.warning("no_door_for_streams", error=type(error).__name__)
        return None


def _allow_many_files() -> None:
    """Each stream is an open file, of which a process may have 1,024 until it asks for more."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
