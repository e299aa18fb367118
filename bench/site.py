"""A throw-away site in this process: what the benchmarks of the product run against."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path


def set_up(*, durable: bool = True) -> Path:
    """Make an empty site in a folder that is deleted at the end, and load Django for it.

    The database is the embedded one, or the PostgreSQL that BENCH_DATABASE_URL names (it must be empty). What is not `durable`
    does not wait for the disk: for simulations, which measure no time of ours.
    """
    folder = Path(tempfile.mkdtemp(prefix="callbreak-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "static").mkdir()
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "callbreak_site.settings",
        "CALLBREAK_VAR": str(folder),
        "PACE": "0",
        "LIMITS": "0",
        "LOG_LEVEL": "ERROR",
    }
    if url := os.environ.get("BENCH_DATABASE_URL"):
        key = "YSBrZXkgZm9yIHRoZSB0ZXN0cyBhbmQgbm8gbW9yZSE="
        os.environ |= {
            "DATABASE_URL": url,
            "SECRET_KEY": "benchmarks only",
            "DEAL_KEYS": key,
            "RECEIPT_KEY": key,
            "CACHE_URL": "dbcache://callbreak_cache",
        }
    else:
        os.environ.pop("DATABASE_URL", None)

    import django

    django.setup()

    from django.conf import settings
    from django.core.management import call_command

    settings.ALLOWED_HOSTS = ["testserver"]
    if not durable and "DATABASE_URL" not in os.environ:
        options = settings.DATABASES["default"]["OPTIONS"]
        options["init_command"] = options["init_command"].replace("=FULL", "=OFF")
    settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }
    call_command("migrate", verbosity=0)
    call_command("createcachetable")
    return folder
