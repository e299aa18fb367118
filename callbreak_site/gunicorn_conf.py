"""How gunicorn serves the site: `gunicorn -c python:callbreak_site.gunicorn_conf callbreak_site.wsgi`."""

import os
from typing import Any

from callbreak_site.processes import die_with_parent

bind = f"0.0.0.0:{os.environ.get('PORT', '8000')}"
worker_class = "gthread"
workers = int(os.environ.get("WEB_WORKERS", "2"))
threads = int(os.environ.get("WEB_THREADS", "8"))
timeout = 60
graceful_timeout = 10
keepalive = 5
# Old workers make room, each after a different number of requests: a slow leak never adds up.
max_requests = 20_000
max_requests_jitter = 2_000
loglevel = "warning"
accesslog = None  # each request is one line of our own log
control_socket_disable = True


def post_fork(server: Any, worker: Any) -> None:
    die_with_parent(server.pid)
