"""Which addresses may be called at all. A name is judged again before every request, by what it stands for at that moment."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from socket import SOCK_STREAM, gaierror, getaddrinfo
from typing import Any, Final
from urllib.parse import urlsplit

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

LONGEST: Final = 1000
HTTPS: Final = 443
# Below it live services that a request could do harm to.
FIRST_FREE_PORT: Final = 1024
_LABELS: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))+")
_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
# Tunnels into IPv4 addresses, that the IPv4 rules would not be asked about.
_TUNNELS: Final = (IPv6Network("2002::/16"), IPv6Network("2001::/32"))

Resolve = Callable[..., list[Any]]  # as socket.getaddrinfo


class BadTarget(Exception):
    """An address that must not be called. `code` is short and stays in the log, `sentence` is for its owner."""

    def __init__(self, code: str, sentence: Promise) -> None:
        super().__init__(code)
        self.code, self.sentence = code, sentence


@dataclass(frozen=True, slots=True)
class Target:
    """Where to knock, and what to ask for there."""

    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == HTTPS else f"{host}:{self.port}"


def parse(url: str, *, longest: int = LONGEST) -> Target:
    """The target that this URL names. `BadTarget` unless it is plain https to a public name or address."""
    if len(url) > longest or not url.isascii() or not url.isprintable() or " " in url:
        sentence = _("The address is up to {longest} ASCII characters without spaces.")
        raise BadTarget("url", format_lazy(sentence, longest=longest))
    try:
        parts = urlsplit(url)
        port = HTTPS if parts.port is None else parts.port
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        raise BadTarget("url", _("This is no web address.")) from None
    if parts.scheme != "https":
        raise BadTarget("scheme", _("The address must begin with https://."))
    if "@" in parts.netloc or parts.fragment or "\\" in url:
        raise BadTarget("url", _("The address holds no name, no password and no fragment."))
    if port != HTTPS and port < FIRST_FREE_PORT:
        raise BadTarget("port", _("The port is 443, or 1024 and above."))
    _check_host(host)
    path = parts.path or "/"
    return Target(host, port, f"{path}?{parts.query}" if parts.query else path)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether this is somebody's machine on the open internet: not ours, not our network's, nobody's in particular."""
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast
    if address.ipv4_mapped is not None:
        return False
    return (
        address in _GLOBAL_UNICAST
        and address.is_global
        and not any(address in tunnel for tunnel in _TUNNELS)
    )


def vetted(target: Target, resolve: Resolve = getaddrinfo) -> str:
    """An address of the target to connect to. `BadTarget` if any that its name stands for is not public."""
    try:
        found = resolve(target.host, target.port, type=SOCK_STREAM)
        addresses = [ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    except (gaierror, UnicodeError, ValueError):
        raise BadTarget("no_address", _("This name has no address.")) from None
    if not addresses or not all(map(is_public, addresses)):
        raise _not_public()
    return str(addresses[0])


def _check_host(host: str) -> None:
    try:
        address = ip_address(host)
    except ValueError:
        # 2130706433, 0x7f.1 and 0177.0.0.1 are addresses to some: a name does not end in a number.
        last = host.rpartition(".")[2]
        if not _LABELS.fullmatch(host) or re.fullmatch("[0-9]+|0x[0-9a-f]*", last):
            raise BadTarget("host", _("This is no name of a machine on the internet.")) from None
        return
    if not is_public(address):
        raise _not_public()


def _not_public() -> BadTarget:
    return BadTarget("not_public", _("This address is not on the open internet."))
