"""The cast at their clients: everybody has a token that may do everything, but eli is a stranger at every table."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from accounts.models import User

ApiOf = Callable[[User], APIClient]


@pytest.fixture
def asha_api(asha: User, api_of: ApiOf) -> APIClient:
    return api_of(asha)


@pytest.fixture
def bina_api(bina: User, api_of: ApiOf) -> APIClient:
    return api_of(bina)


@pytest.fixture
def eli_api(eli: User, api_of: ApiOf) -> APIClient:
    return api_of(eli)


@pytest.fixture
def nobody(db: None) -> APIClient:
    """Somebody without an account."""
    return APIClient()
