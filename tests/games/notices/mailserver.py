"""A real mail server on a loopback port, which can be down, and refuse."""

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.site.processes import free_port


class MailServer:
    """Its port stays the same; what came in is in `mails`, in order, with its receivers."""

    def __init__(self) -> None:
        self.port = free_port()
        self.mails: list[tuple[str, Message]] = []
        self.refused: set[str] = set()
        self.connections = 0
        self._controller: Controller | None = None

    async def handle_EHLO(
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Any
    ) -> str:
        if address in self.refused:
            return "550 nobody here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        for address in envelope.rcpt_tos:
            self.mails.append((address, message_from_bytes(envelope.content)))
        return "250 OK"

    def start(self) -> None:
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def stop(self) -> None:
        if self._controller is not None:
            self._controller.stop()
        self._controller = None


@contextmanager
def mail_server(settings: Any) -> Iterator[MailServer]:
    """A server, still down, that the site's mail goes to."""
    server = MailServer()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    try:
        yield server
    finally:
        server.stop()
