"""One HTTPS request to a target that was vetted: to the very address that was, no redirect, and an end to it whatever the answer."""

import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPSConnection
from socket import SHUT_RDWR, create_connection, getaddrinfo, socket
from threading import Event, Timer
from typing import Final

from accounts.outbound.targets import BadTarget, Resolve, Target, parse, vetted

CONNECT_SECONDS: Final = 5.0
TOTAL_SECONDS: Final = 10.0
# Of an answer nothing is needed but its status.
MOST_BYTES: Final = 4096

Connect = Callable[[tuple[str, int], float], socket]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a request: a status, or the short name of what went wrong before there was one."""

    status: int | None = None
    error: str = ""

    @property
    def is_delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class Poster:
    """How the outside is reached. The defaults are the real thing; tests bring an internet of their own."""

    resolve: Resolve = getaddrinfo
    connect: Connect = create_connection
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    seconds: float = TOTAL_SECONDS

    def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Outcome:
        """Send it and say what came of it. Raises nothing that the other side could cause."""
        try:
            target = parse(url)
            address = vetted(target, self.resolve)
            return Outcome(status=self._ask(target, address, headers, body))
        except BadTarget as refused:
            return Outcome(error=refused.code)
        except TimeoutError:
            return Outcome(error="timeout")
        except ssl.SSLError:
            return Outcome(error="tls")
        except (OSError, HTTPException, ValueError):
            return Outcome(error="connection")

    def _ask(self, target: Target, address: str, headers: Mapping[str, str], body: bytes) -> int:
        raw = self.connect((address, target.port), min(CONNECT_SECONDS, self.seconds))
        with raw, _ended_after(self.seconds, raw) as is_late:
            try:
                # The certificate is checked against the name, whatever address it stands for.
                with self.tls.wrap_socket(raw, server_hostname=target.host) as sock:
                    connection = HTTPSConnection(target.host, target.port)
                    connection.sock = sock
                    connection.request(
                        "POST", target.path, body, {"Host": target.authority, **headers}
                    )
                    answer = connection.getresponse()
                    answer.read(MOST_BYTES)
                    status = answer.status
            except (OSError, HTTPException, ValueError):
                if is_late():
                    raise TimeoutError from None
                raise
            if is_late():
                raise TimeoutError
            return status


@contextmanager
def _ended_after(seconds: float, raw: socket) -> Iterator[Callable[[], bool]]:
    """Shuts the socket down when the time is over: a limit for each read would let a byte now and then go on for ever."""
    descriptor, late = raw.dup(), Event()
    timer = Timer(seconds, _shut_down, [descriptor, late])
    timer.daemon = True
    timer.start()
    try:
        yield late.is_set
    finally:
        timer.cancel()
        timer.join()
        descriptor.close()


def _shut_down(descriptor: socket, late: Event) -> None:
    late.set()  # before whoever reads can notice
    with suppress(OSError):  # closed by the other side already
        descriptor.shutdown(SHUT_RDWR)
