"""An app of somebody else's, as it goes about getting in: it asks a person, and speaks to the token endpoint."""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.test import Client

from accounts.models import User
from accounts.oauth.granted import register

BACK = "https://app.example/back"


@dataclass
class App:
    """`verifier` is the secret of one attempt, of which the site first sees the hash."""

    client_id: str
    verifier: str = "v" * 64
    speaks: Client = field(default_factory=Client)

    def question(self, scope: str = "games:read games:play", **other: str | None) -> str:
        """The address at which the person is asked; a field that is None is left out."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        fields = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": BACK,
            "scope": scope,
            "state": "xyz",
            "code_challenge": urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        asked = {name: value for name, value in {**fields, **other}.items() if value is not None}
        return "/oauth/authorize?" + urlencode(asked)

    def ask(self, browser: Client, *, answer: str = "true", **other: Any) -> Mapping[str, str]:
        """What the app is sent back with after the person answered."""
        url = self.question(**other)
        form = browser.get(url).context["form"]
        sent = {name: value for name, value in form.initial.items() if value is not None}
        back = browser.post(url, {**sent, **({"allow": answer} if answer else {})})
        assert back.status_code == 302, back.content
        assert back.headers["Location"].startswith(BACK)
        found = parse_qs(urlsplit(back.headers["Location"]).query)
        return {name: values[0] for name, values in found.items()}

    def exchange(self, code: str, **other: str) -> Any:  # Any: the test client's response
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": BACK,
            "client_id": self.client_id,
            "code_verifier": self.verifier,
        }
        return self.speaks.post("/oauth/token", {**fields, **other})

    def refresh(self, token: str) -> Any:
        fields = {
            "grant_type": "refresh_token",
            "refresh_token": token,
            "client_id": self.client_id,
        }
        return self.speaks.post("/oauth/token", fields)

    def let_in(self, browser: Client, scope: str = "games:read games:play") -> Mapping[str, Any]:
        """The tokens that it gets once the person said yes."""
        answer = self.exchange(self.ask(browser, scope=scope)["code"])
        assert answer.status_code == 200, answer.content
        found: Mapping[str, Any] = answer.json()
        return found


def registered(maker: User) -> App:
    return App(register(maker, "Card Table", [BACK]).client_id)
