"""Loaded by pytest before the settings: the tests' own environment, whatever the shell's is.

Nothing of a developer's own site is touched: keys, queues and mails go to a folder that is deleted.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_OURS = "CALLBREAK_TESTS"

if _OURS not in os.environ:  # a worker of pytest-xdist inherits what its controller set
    folder = Path(tempfile.mkdtemp(prefix="callbreak-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "static").mkdir()
    # A folder of its own: PostgreSQL opens the one around its data to others, and a runtime folder must be ours alone.
    (folder / "run").mkdir(mode=0o700)
    for name in (
        "ALLOWED_HOSTS", "BROKER_URL", "CACHE_URL", "DATABASE_URL", "DEAL_KEYS", "DEBUG", "EMAIL_URL",
        "RECEIPT_KEY", "SECRET_KEY", "SITE_URL", "STATIC_ROOT", "TRUSTED_PROXIES", "VAPID_PRIVATE_KEY",
    ):  # fmt: skip
        os.environ.pop(name, None)
    os.environ |= {
        _OURS: str(folder),
        "CALLBREAK_VAR": str(folder),
        "PACE": "0",
        "LIMITS": "0",
        "LOG_LEVEL": "ERROR",
    }
    # The PostgreSQL wheel keeps a lock there, and warns (here: fails) where it has to guess.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder / "run"))

# After the environment, since this loads the site. Whoever calls pytest has compiled nothing before.
from callbreak_site.catalogues import compile_stale  # noqa: E402

compile_stale()
