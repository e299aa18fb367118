"""What the OAuth server offers: one grant, one way of proving it, our own scopes. Named in the settings."""

import secrets
from typing import Any, Final

from oauthlib.oauth2 import WebApplicationServer
from oauthlib.oauth2.rfc6749.grant_types.authorization_code import code_challenge_method_s256

from accounts.models import Scope

ACCESS_PREFIX: Final = "cbo_"
REFRESH_PREFIX: Final = "cbr_"


class CodeAlone(WebApplicationServer):  # type: ignore[misc] # no types there
    """Code and refresh token, and no other grant, whatever an app is registered for; and of PKCE its hash alone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auth_grant._code_challenge_methods = {"S256": code_challenge_method_s256}


class OurScopes:
    """Those of personal tokens. An app that asks for none is asking to look on."""

    def get_all_scopes(self) -> dict[str, Any]:
        return {scope.value: scope.label for scope in Scope}

    # Any: the application and the request, which make no difference here
    def get_available_scopes(self, *args: Any, **kwargs: Any) -> list[str]:
        return list(Scope.values)

    def get_default_scopes(self, *args: Any, **kwargs: Any) -> list[str]:
        return [Scope.GAMES_READ.value]


def new_access_token(request: object, refresh_token: bool = False) -> str:
    return ACCESS_PREFIX + secrets.token_urlsafe(32)


def new_refresh_token(request: object, refresh_token: bool = False) -> str:
    return REFRESH_PREFIX + secrets.token_urlsafe(32)
