"""Four people at a table."""

from collections.abc import Sequence

import pytest

from accounts.models import User


@pytest.fixture
def people(asha: User, bina: User, chandra: User, dipak: User) -> Sequence[User]:
    return [asha, bina, chandra, dipak]
