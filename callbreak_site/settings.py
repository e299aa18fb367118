"""Every setting of the site, from the environment.

Two editions share this file. *Embedded* (nothing set): SQLite, a folder as the broker, keys made on the
first run, all under `CALLBREAK_VAR`. *Production* (`DATABASE_URL` names PostgreSQL): every secret and
address is given, and a missing one stops the process with a sentence.
"""

import logging
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext
import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from redis.backoff import NoBackoff
from redis.retry import Retry

from callbreak_site import catalogues
from callbreak_site.keys import is_push_key, new_fernet_key, new_secret_key, stored_key
from callbreak_site.logs import configure_logs

# `ModelAdmin[User]`, `CharField[str, str]`: generic for mypy alone unless told so.
django_stubs_ext.monkeypatch()

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = Path(env.str("CALLBREAK_VAR", default=str(BASE_DIR / "var"))).resolve()
DEBUG = env.bool("DEBUG", default=False)


# Database. An acknowledged move must survive a power cut, hence FULL; a transaction takes its write
# lock when it begins, since two that upgrade a read lock at once can only fail.

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR / 'callbreak.sqlite3'}")
}
IS_PRODUCTION = "postgresql" in DATABASES["default"]["ENGINE"]
DATABASES["default"]["ATOMIC_REQUESTS"] = False
if IS_PRODUCTION:
    DATABASES["default"]["OPTIONS"] = DATABASES["default"].get("OPTIONS", {}) | {
        "pool": {"min_size": 1, "max_size": env.int("DATABASE_POOL", default=12), "timeout": 10}
    }
else:
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"


# Secrets: SECRET_KEY signs sessions and links; DEAL_KEYS (Fernet keys, newest first) seal the deals;
# RECEIPT_KEY (32 bytes, URL-safe base64) signs receipts.


def _secret(name: str, make: Callable[[], str]) -> str:
    """The secret `name` from the environment, or the embedded edition's own."""
    given: str = env.str(name, default="").strip()
    if given:
        return given
    if IS_PRODUCTION:
        raise ImproperlyConfigured(
            f"{name} is not set. With PostgreSQL every secret comes from the environment: see .env.example."
        )
    return stored_key(VAR / "keys" / name.lower(), make)


SECRET_KEY = _secret("SECRET_KEY", new_secret_key)
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", default=[])
DEAL_KEYS = [key.strip() for key in _secret("DEAL_KEYS", new_fernet_key).split(",") if key.strip()]
RECEIPT_KEY = _secret("RECEIPT_KEY", new_fernet_key)


# Where the site is reached.

PORT = env.int("PORT", default=8000)
SITE_URL: str = env.str("SITE_URL", default=f"http://127.0.0.1:{PORT}").rstrip("/")
_HOST = urlsplit(SITE_URL).hostname or "127.0.0.1"
IS_HTTPS = SITE_URL.startswith("https://")
ALLOWED_HOSTS: list[str] = env.list(
    "ALLOWED_HOSTS", default=list(dict.fromkeys([_HOST, "127.0.0.1", "localhost", "[::1]"]))
)
CSRF_TRUSTED_ORIGINS = [SITE_URL]
ROOT_URLCONF = "callbreak_site.urls"
WSGI_APPLICATION = "callbreak_site.wsgi.application"

INSTALLED_APPS = [
    "accounts",
    "games",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "django_structlog",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "oauth2_provider",
    "rest_framework",
]

# What sets headers stands above what can answer by itself, so that errors, redirects and static files
# carry them too.
MIDDLEWARE = [
    "callbreak_site.middleware.nothing_needs_no_policy",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "callbreak_site.middleware.private_by_default",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "callbreak_site.middleware.RequestLog",
    "callbreak_site.charsets.utf8_alone",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.persons_own_settings",
    "accounts.visits.keep_visits",
    "accounts.barring.Gate",
    "django.contrib.messages.middleware.MessageMiddleware",
    "accounts.second_factor.staff_give_a_code",
    "games.web.out_of_service.OutOfService",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.web.context.frame",
            ],
        },
    },
]


# Security. No inline script or style anywhere, so the policy needs no nonce.

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
SECURE_HSTS_PRELOAD = IS_HTTPS
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # asked by the machine itself, in the clear
if IS_HTTPS:
    # TLS ends at a proxy, which must overwrite this header: see .env.example.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 90 * 24 * 3600  # a match lasts weeks; a guest has nothing but this cookie
CSRF_FAILURE_VIEW = "callbreak_site.errors.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
DATA_UPLOAD_MAX_NUMBER_FILES = 1


# Accounts.

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.NameOrEmail"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/home/"
ACCOUNT_ADAPTER = "accounts.adapter.Adapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = urlsplit(SITE_URL).scheme
# Signing up with somebody else's address goes on like any other: only the mail tells its owner.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=0)
MFA_ADAPTER = "accounts.second_factor.Adapter"
MFA_TOTP_ISSUER = "Callbreak"
# Half a minute either way, for clocks that are not quite right. No code is taken twice.
MFA_TOTP_TOLERANCE = 1
# Shown when they are made, and never again.
MFA_RECOVERY_CODES_SHOW_ONCE = True


# An app on one's own machine is called back by http (RFC 8252); `AppForm` lets no other address have it.
SILENCED_SYSTEM_CHECKS = ["oauth2_provider.W008"]
# Apps of other people: code with PKCE, and nothing else (`accounts.oauth`). Only hashes of their tokens are kept.
OAUTH2_PROVIDER = {
    "OAUTH2_SERVER_CLASS": "accounts.oauth.server.CodeAlone",
    "SCOPES_BACKEND_CLASS": "accounts.oauth.server.OurScopes",
    "ACCESS_TOKEN_GENERATOR": "accounts.oauth.server.new_access_token",
    "REFRESH_TOKEN_GENERATOR": "accounts.oauth.server.new_refresh_token",
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 90 * 24 * 3600,
    "ROTATE_REFRESH_TOKEN": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "PKCE_REQUIRED": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https", "http"],  # http: on one's own machine, see AppForm
    "OIDC_ISS_ENDPOINT": SITE_URL,
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
}


# Shared cache: login limits and throttles must be counted once for all processes.

CACHES: dict[str, dict[str, Any]] = {
    "default": env.cache_url("CACHE_URL", default="dbcache://callbreak_cache")
}
if "redis" in CACHES["default"]["BACKEND"]:
    # A request waits a second for its count at the most, and goes on uncounted.
    CACHES["limits"] = CACHES["default"] | {
        "KEY_PREFIX": "limits",
        "OPTIONS": {
            "socket_connect_timeout": 1,
            "socket_timeout": 1,
            "retry": Retry(NoBackoff(), 0),
        },
    }
else:
    # Counts are read and written with every request of the API: in the database that would cost more than the request.
    CACHES["limits"] = {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": str(VAR / "limits"),
        "OPTIONS": {"MAX_ENTRIES": 1000},
    }


# Mail.

DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("FROM_EMAIL", default=f"Callbreak <callbreak@{_HOST}>")
EMAIL_TIMEOUT = 10
vars().update(env.email_url("EMAIL_URL", default=f"filemail:///{VAR / 'mail'}"))


# Language and time.

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ne", _("Nepali")), ("hi", _("Hindi"))]
LOCALE_PATHS = [*catalogues.FOLDERS]
FORMAT_MODULE_PATH = "callbreak_site.formats"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = IS_HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"


# Static files: hashed names, served by the web process itself.

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(VAR / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        # Compressing takes seconds at every start and saves nothing on one's own machine.
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if IS_PRODUCTION
        else "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
    },
}
WHITENOISE_MAX_AGE = 3600  # of the few files without a hash in their name; the others never change


# API.

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "games.api.errors.handle",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Callbreak",
    "DESCRIPTION": (
        "Play Callbreak by move: the same games that the pages show.\n\n"
        "**Limits**, for all tokens of a user together (without an account: for an address). Reads: 50 at once, 10 a second."
        " Moves, and whatever else is done at a table, are counted apart: 300 at once, 30 a second, so reading too much never"
        " costs a turn. New games, seats, tokens and bot accounts: 60 an hour. 50 running games a user, 10 of them with no person seated."
        " Every answer says what is left (`RateLimit`); 429 says when to come back (`Retry-After`)."
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "games.api.schema.with_names_for_rules",
        "drf_spectacular.hooks.postprocess_schema_enums",
        "games.api.schema.with_limits",
        "games.api.schema.with_closed_bodies",
    ],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    # What is not named here is called after its field.
    "ENUM_NAME_OVERRIDES": {
        "CoachStatusEnum": "games.api.answers.COACH_STATUS",
        "EndReasonEnum": "games.api.answers.END_REASONS",
        "EventByEnum": "games.models.Event.By",
        "GameStatusEnum": "games.models.Game.Status",
        "PlayerKindEnum": "games.api.answers.PLAYER_KINDS",
        "RefusalCodeEnum": "games.engine.errors.Code",
        "RoundStateEnum": "games.api.answers.ROUND_STATES",
        "RulesNameEnum": "games.engine.rules.NAMES",
        "ScopeEnum": "accounts.models.Scope",
        "SeatKindEnum": "games.api.answers.SEAT_KINDS",
    },
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}


# Tasks. They are hints: the database is the queue of record and a sweep finds what a lost message
# would have done. So nothing is acknowledged late, nothing is retried, no result is kept, and a broker
# that is down costs a move about a second at most.

BROKER_URL = env.str("BROKER_URL", default="folder://")
CELERY_BROKER_URL = BROKER_URL
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_PUBLISH_RETRY = False
if BROKER_URL.startswith("folder:"):
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "data_folder_in": str(VAR / "queue"),
        "data_folder_out": str(VAR / "queue"),
        "control_folder": str(VAR / "queue" / "control"),
        "polling_interval": 0.03,
    }
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "socket_connect_timeout": 1,
        "socket_timeout": 5,
        "max_retries": 0,
    }
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_STORE_ERRORS_EVEN_IF_IGNORED = False
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {
    "accounts.tasks.send_*": {"queue": "mail"},
    "games.tasks.send_*": {"queue": "mail"},
    "games.tasks.follow_up": {"queue": "bots"},
    "games.tasks.coach": {"queue": "bots"},
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 4
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    # A tick that nobody took in time is worthless: the next one does its work.
    "sweep": {"task": "games.tasks.sweep", "schedule": 5.0, "options": {"expires": 10}},
    "heartbeat": {
        "task": "callbreak_site.heartbeat",
        "schedule": 10.0,
        "options": {"expires": 20},
    },
    "send-notices": {
        "task": "games.tasks.send_notices",
        "schedule": 15.0,
        "options": {"expires": 30},
    },
    "forget-notices": {
        "task": "games.tasks.forget_notices",
        "schedule": 3600.0,
        "options": {"expires": 600},
    },
    "forget-app-tokens": {
        "task": "accounts.tasks.forget_app_tokens",
        "schedule": 3600.0,
        "options": {"expires": 600},
    },
    "forget-answers": {
        "task": "accounts.tasks.forget_answers",
        "schedule": 3600.0,
        "options": {"expires": 600},
    },
    # Asked every hour, done once a day: a clock that stood still at midnight makes up for it.
    "make-checkpoint": {
        "task": "games.tasks.make_checkpoint",
        "schedule": 3600.0,
        "options": {"expires": 600},
    },
    "begin-inspection": {
        "task": "games.tasks.begin_inspection",
        "schedule": crontab(hour="1", minute="17"),
        "options": {"expires": 3600},
    },
    "inspect-some": {
        "task": "games.tasks.inspect_some",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "see-to-quarantine": {
        "task": "games.tasks.see_to_quarantine",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "weigh-rounds": {
        "task": "games.tasks.weigh_rounds",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "count-deals": {
        "task": "games.tasks.count_deals",
        "schedule": 300.0,
        "options": {"expires": 60},
    },
    "see-to-cases": {
        "task": "games.tasks.see_to_cases",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "tell-webhooks": {
        "task": "games.tasks.tell_webhooks",
        "schedule": 5.0,
        "options": {"expires": 10},
    },
    "forget-deliveries": {
        "task": "games.tasks.forget_deliveries",
        "schedule": 3600.0,
        "options": {"expires": 600},
    },
    "send-mail": {
        "task": "accounts.tasks.send_due_mail",
        "schedule": 30.0,
        "options": {"expires": 60},
    },
}


# Web Push, off unless there is a key: 32 random bytes, URL-safe base64. The packages for it are an extra.

CALLBREAK_PUSH_KEY: str = env.str("VAPID_PRIVATE_KEY", default="").strip().rstrip("=")
if CALLBREAK_PUSH_KEY and not is_push_key(CALLBREAK_PUSH_KEY):
    raise ImproperlyConfigured("VAPID_PRIVATE_KEY is no 32 bytes in URL-safe base64.")
if CALLBREAK_PUSH_KEY and find_spec("pywebpush") is None:
    raise ImproperlyConfigured(
        "VAPID_PRIVATE_KEY is set, and pywebpush is missing: install requirements-push.txt."
    )
if CALLBREAK_PUSH_KEY:
    CELERY_BEAT_SCHEDULE["send-pushes"] = {
        "task": "games.tasks.send_pushes",
        "schedule": 15.0,
        "options": {"expires": 30},
    }


# The game.

# How many threads of a web process may wait for news of a game at once: a quarter of them.
CALLBREAK_WAITING_THREADS = max(1, env.int("WEB_THREADS", default=8) // 4)

# Through it a web process hands streams to the process that serves them, where no proxy does (`callbreak_site.handover`).
CALLBREAK_STREAMS_DOOR = VAR / "streams"

# Whether anybody is ever asked to wait (`accounts.limits`). LIMITS=0 is for tests and benchmarks.
CALLBREAK_LIMITS: bool = env.bool("LIMITS", default=True)

# Seconds that a built-in bot lets pass before it answers, whatever it holds. 0: at once.
CALLBREAK_BOT_PACE: float = env.float("PACE", default=1.0)


# Logs. One line for each answer and each failed task; nobody's address, nobody's name.

LOGGING_CONFIG = None
DJANGO_STRUCTLOG_CELERY_ENABLED = True
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_USER_ID_FIELD = ""
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO
DJANGO_STRUCTLOG_CELERY_DEFAULT_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_CELERY_TASK_FAILURE_LOG_LEVEL = logging.ERROR
configure_logs(env.str("LOG_LEVEL", default="INFO"))
