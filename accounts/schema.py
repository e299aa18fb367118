"""How the API schema describes our authentication."""

from typing import Any

from django.utils.translation import override
from drf_spectacular.extensions import OpenApiAuthenticationExtension

from accounts.models import Scope


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # theirs
    target_class = "accounts.authentication.BearerToken"
    name = ["token", "app"]

    def get_security_requirement(self, auto_schema: Any) -> Any:
        return [{name: []} for name in self.name]

    def get_security_definition(self, auto_schema: Any) -> Any:
        flow = {
            "authorizationUrl": "/oauth/authorize",
            "tokenUrl": "/oauth/token",
            "refreshUrl": "/oauth/token",
            "scopes": {scope.value: _in_english(scope) for scope in Scope},
        }
        return [
            {
                "type": "http",
                "scheme": "bearer",
                "description": "A personal token, `cbk_...`, from the account page or `create_token`.",
            },
            {
                "type": "oauth2",
                "description": "An app that acts for other people: code with PKCE (S256), no secret; see the guide.",
                "flows": {"authorizationCode": flow},
            },
        ]


def _in_english(scope: Scope) -> str:
    """The schema is one text, whoever asks for it."""
    with override("en"):
        return str(scope.label)
