"""A small internet: names with public addresses, all of which lead to one HTTPS server of this test."""

import json
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from accounts.outbound.posting import Poster

NAME = "hooks.example"
PUBLIC = "93.184.215.14"
Json = dict[str, Any]
Answer = Callable[[BaseHTTPRequestHandler], None]


class Internet:
    """`heard`: what the server was sent, and `paths` to where. `answers`: what it does, in turn; the last one from then on."""

    def __init__(self, port: int, certificate: Path) -> None:
        self.port = port
        self.tls = ssl.create_default_context(cafile=str(certificate))
        self.heard: list[tuple[dict[str, str], bytes]] = []
        self.paths: list[str] = []
        self.answers: list[Answer] = [says(204)]
        self.names: list[list[str]] = [[PUBLIC]]
        self.called: list[str] = []

    def poster(self, seconds: float = 5.0) -> Poster:
        return Poster(self.resolve, self.connect, self.tls, seconds)

    def resolve(self, host: str, port: int, **kwargs: Any) -> list[Any]:
        """What the name stands for: another thing each time, if `names` says so."""
        found = self.names[0] if len(self.names) == 1 else self.names.pop(0)
        return [(2, 1, 6, "", (each, port)) for each in found]

    def connect(self, address: tuple[str, int], seconds: float) -> socket.socket:
        self.called.append(address[0])
        return socket.create_connection(("127.0.0.1", self.port), seconds)

    def messages(self) -> list[Json]:
        return [json.loads(body) for _headers, body in self.heard]


def says(status: int, headers: dict[str, str] | None = None, body: bytes = b"") -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


@contextmanager
def internet(folder: Path) -> Iterator[Internet]:
    certificate = _certificate(folder)
    web: Internet

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            web.paths.append(self.path)
            web.heard.append(({name.lower(): text for name, text in self.headers.items()}, body))
            answer = web.answers[0] if len(web.answers) == 1 else web.answers.pop(0)
            try:
                answer(self)
            except OSError:
                self.close_connection = True  # whoever asked has hung up

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            pass  # hung up in the middle, as some of these tests want it

    with Server(("127.0.0.1", 0), Handler) as server:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate)
        server.socket = tls.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
        web = Internet(server.server_port, certificate)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield web
        server.shutdown()
        thread.join()


def _certificate(folder: Path) -> Path:
    """A certificate for `NAME`, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=3650))
        .not_valid_after(now + timedelta(days=3650))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path
