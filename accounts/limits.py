"""How often somebody may ask: buckets of requests, counted in the cache that all processes of the site share.

A bucket that is full lets `quota` requests through at once, and fills again evenly, in `window` seconds from empty to full. Kept
of it is one number, the moment at which it is full again; requests of one caller that race may cost one instead of two. A cache
that does not answer stops nobody: a move is worth more than its count.
"""

import math
import time
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

import structlog
from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from accounts.models import User

logger = structlog.get_logger(__name__)

CACHE: Final = "limits"
_MICROSECONDS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Bucket:
    """So many requests at once, and as many again every `window` seconds."""

    name: str
    quota: int
    window: int


READS: Final = Bucket("reads", quota=50, window=5)
MOVES: Final = Bucket("moves", quota=300, window=10)
CREATIONS: Final = Bucket("creations", quota=60, window=3600)
GUESTS: Final = Bucket("guests", quota=100, window=3600)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left in a bucket after a request took its share. `wait`: seconds until the next one may, 0 if this one could."""

    bucket: Bucket
    remaining: int
    full_in: float
    wait: float

    @property
    def is_granted(self) -> bool:
        return self.wait == 0

    @property
    def headers(self) -> dict[str, str]:
        """As `draft-ietf-httpapi-ratelimit-headers` has them: the policy, and what is left of it until when."""
        name = f'"{self.bucket.name}"'
        seconds = math.ceil(self.full_in if self.is_granted else self.wait)
        return {
            "RateLimit-Policy": f"{name};q={self.bucket.quota};w={self.bucket.window}",
            "RateLimit": f"{name};r={self.remaining};t={seconds}",
        }


def take(bucket: Bucket, who: str) -> Allowance | None:
    """Take one request of this caller out of the bucket, if one is in it. None while nothing is counted."""
    if not settings.CALLBREAK_LIMITS:
        return None
    key, cache = f"{bucket.name}:{who}", caches[CACHE]
    try:
        full_at = cache.get(key, 0)
        allowance, full_at = _taken(bucket, full_at, round(time.time() * _MICROSECONDS))
        if allowance.is_granted:
            cache.set(key, full_at, timeout=bucket.window + 1)
    except (RedisError, OSError) as error:
        logger.warning("limit_lost", bucket=bucket.name, error=type(error).__name__)
        return None
    return allowance


def caller(request: HttpRequest, user: object) -> str:
    """Whose buckets a request takes from: its user's, whatever token or session they come with, or its address's."""
    return f"user:{user.pk}" if isinstance(user, User) else address(request)


def address(request: HttpRequest) -> str:
    """Where a request comes from, as far as one household reaches, in a form that names nobody."""
    try:
        seen = str(get_adapter().get_client_ip(request))
    except (PermissionDenied, ImproperlyConfigured):
        seen = ""  # a socket without addresses, or a proxy that does not say whom it speaks for
    try:
        place = ip_address(seen)
    except ValueError:
        network = seen
    else:
        # A single IPv6 customer has at least 2**64 addresses.
        network = seen if not isinstance(place, IPv6Address) else place.exploded[:19]
    return "from:" + salted_hmac("limits", network).hexdigest()[:24]


def _taken(bucket: Bucket, full_at: int, now: int) -> tuple[Allowance, int]:
    """The allowance at `now` and when the bucket is full again; both in microseconds."""
    share = bucket.window * _MICROSECONDS // bucket.quota
    after = max(full_at, now) + share
    room = now + bucket.window * _MICROSECONDS - after
    if room < 0:
        wait = -room / _MICROSECONDS
        return Allowance(bucket, 0, (full_at - now) / _MICROSECONDS, wait), full_at
    full_in = (after - now) / _MICROSECONDS
    return Allowance(bucket, room // share, full_in, 0), after
